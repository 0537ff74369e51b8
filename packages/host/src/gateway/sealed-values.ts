import type { ConnectorInput } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import { isHostError } from '../errors.ts';
import type { ResealReport, SecretBox } from '../ports/secrets.ts';
import type { ConnectorRecord, StoredTransport } from '../ports/stores.ts';

type Sealed = Readonly<Record<string, string>>;

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VARIABLE_NAME = /^[^=\0\p{Cs}]+$/u;
/** What a process cannot be given as it stands: the end mark of its texts, and half a surrogate pair. */
const UNFIT = /[\0\p{Cs}]/u;

/** Headers that belong to the transport and cannot be set by hand. */
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'content-type',
  'accept',
]);

export interface SealRequest {
  readonly connectorId: string;
  readonly input: ConnectorInput['transport'];
  /** What is stored now; `null` values keep what stands there. */
  readonly previous: StoredTransport | undefined;
}

/**
 * The transport as it is stored: every value of a variable or header sealed, bound to its connector
 * and name (K34).
 * @throws ApiRefusal bad_request for a name or value that cannot be sent, or a kept value that is not there
 */
export function sealTransport(secrets: SecretBox, request: SealRequest): StoredTransport {
  const { connectorId, input, previous } = request;
  if (input.kind === 'http') {
    checkHeaders(input.headers);
    const stored = previous?.kind === 'http' ? previous.headers : {};
    const seal = (name: string, value: string): string =>
      secrets.seal(value, place(connectorId, 'header', name));
    return { kind: 'http', url: input.url, headers: sealEach(input.headers, stored, seal) };
  }
  checkCommand(input);
  const stored = previous?.kind === 'stdio' ? previous.env : {};
  const seal = (name: string, value: string): string => secrets.seal(value, place(connectorId, 'env', name));
  return {
    kind: 'stdio',
    command: input.command,
    args: input.args,
    ...(input.cwd === undefined || input.cwd === '' ? {} : { cwd: input.cwd }),
    env: sealEach(input.env, stored, seal),
  };
}

/** Variables of a stdio connector in the clear, for its child only. */
export function openVariables(secrets: SecretBox, record: ConnectorRecord): Record<string, string> {
  return record.transport.kind === 'stdio' ? openEach(secrets, record.id, ['env', record.transport.env]) : {};
}

/** Headers of an HTTP connector in the clear, for its server only. */
export function openHeaders(secrets: SecretBox, record: ConnectorRecord): Record<string, string> {
  return record.transport.kind === 'http'
    ? openEach(secrets, record.id, ['header', record.transport.headers])
    : {};
}

/** A transport whose sealed values are all sealed with the current key, as far as they can be opened. */
export interface ResealedTransport extends ResealReport {
  readonly transport: StoredTransport;
}

/** Seals anew whatever is sealed with an earlier key; what cannot be opened stays as it is. */
export function resealTransport(secrets: SecretBox, { id, transport }: ConnectorRecord): ResealedTransport {
  switch (transport.kind) {
    case 'stdio': {
      const { values, ...report } = resealEach(secrets, id, ['env', transport.env]);
      return { transport: { ...transport, env: values }, ...report };
    }
    case 'http': {
      const { values, ...report } = resealEach(secrets, id, ['header', transport.headers]);
      return { transport: { ...transport, headers: values }, ...report };
    }
    case 'builtin':
      return { transport, renewed: 0, unreadable: 0 };
  }
}

function resealEach(
  secrets: SecretBox,
  id: string,
  [kind, sealed]: readonly ['env' | 'header', Sealed],
): ResealReport & { values: Record<string, string> } {
  const values: Record<string, string> = { ...sealed };
  let renewed = 0;
  let unreadable = 0;
  for (const [name, value] of Object.entries(sealed)) {
    if (secrets.isCurrent(value)) continue;
    const context = place(id, kind, name);
    try {
      values[name] = secrets.seal(secrets.open(value, context), context);
      renewed += 1;
    } catch (error) {
      if (!isHostError(error, 'secret_unreadable')) throw error;
      unreadable += 1;
    }
  }
  return { values, renewed, unreadable };
}

function openEach(
  secrets: SecretBox,
  id: string,
  [kind, sealed]: readonly ['env' | 'header', Sealed],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sealed).map(([name, value]) => [name, secrets.open(value, place(id, kind, name))]),
  );
}

function place(connectorId: string, kind: 'env' | 'header', name: string): string {
  return `connector:${connectorId}:${kind}:${name}`;
}

function sealEach(
  values: Readonly<Record<string, string | null>>,
  stored: Sealed,
  seal: (name: string, value: string) => string,
): Record<string, string> {
  const sealed: [string, string][] = [];
  for (const [name, value] of Object.entries(values)) {
    const kept = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (value !== null) sealed.push([name, seal(name, value)]);
    else if (kept === undefined) throw refuse(name, 'no value is stored that could be kept');
    else sealed.push([name, kept]);
  }
  return Object.fromEntries(sealed);
}

function checkHeaders(headers: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw refuse(name, 'is not the name of a header');
    if (OWN_HEADERS.has(name.toLowerCase())) throw refuse(name, 'is set by Portico itself');
    if (value !== null && /[^\t\x20-\x7e\xa0-\xff]/.test(value))
      throw refuse(name, 'its value has characters no header may have');
  }
}

function checkCommand(input: {
  command: string;
  args: readonly string[];
  cwd?: string | undefined;
  env: Readonly<Record<string, string | null>>;
}): void {
  if ([input.command, ...input.args].some((part) => UNFIT.test(part)))
    throw refuse('command', 'contains a character that no command can have');
  if (UNFIT.test(input.cwd ?? '')) throw refuse('cwd', 'contains a character that no folder can have');
  for (const [name, value] of Object.entries(input.env)) {
    if (!VARIABLE_NAME.test(name)) throw refuse(name, 'is not the name of a variable');
    if (UNFIT.test(value ?? ''))
      throw refuse(name, 'its value contains a character that no variable can have');
  }
}

function refuse(name: string, reason: string): ApiRefusal {
  return new ApiRefusal('bad_request', 'The connector cannot be saved like this.', [`${name}: ${reason}`]);
}
