import { type ClientCapabilities, isRecord } from '@portico/spec';
import { ServerError } from './errors.ts';

/** Which client capabilities a request to the client needs, as a capabilities object. */
export function neededCapabilities(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): ClientCapabilities {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: params?.['mode'] === 'url' ? { url: {} } : { form: {} } };
    case 'sampling/createMessage':
      return { sampling: neededSampling(params) };
    case 'roots/list':
      return { roots: {} };
    default:
      return {};
  }
}

function neededSampling(
  params: Readonly<Record<string, unknown>> | undefined,
): NonNullable<ClientCapabilities['sampling']> {
  const tools = params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined;
  const context = (params?.['includeContext'] ?? 'none') !== 'none';
  return { ...(tools ? { tools: {} } : {}), ...(context ? { context: {} } : {}) };
}

/** The part of `needed` that `declared` lacks; undefined when nothing is missing. */
export function missingCapabilities(
  needed: ClientCapabilities,
  declared: ClientCapabilities | undefined,
): ClientCapabilities | undefined {
  const missing: Record<string, unknown> = {};
  for (const [family, wanted] of Object.entries(needed)) {
    const has = ownMember(declared, family);
    if (has === undefined) {
      missing[family] = wanted;
      continue;
    }
    const lacking = Object.keys(isRecord(wanted) ? wanted : {}).filter(
      (member) => ownMember(has, member) === undefined && !impliesForm(family, member, has),
    );
    if (lacking.length > 0) missing[family] = Object.fromEntries(lacking.map((key) => [key, {}]));
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** An elicitation capability that names no mode means forms. */
function impliesForm(family: string, member: string, declared: unknown): boolean {
  return family === 'elicitation' && member === 'form' && ownMember(declared, 'url') === undefined;
}

/**
 * Refuses a request that this client did not say it can answer.
 * @throws ServerError `CAPABILITY_NOT_SUPPORTED` with the missing capabilities in `data`
 */
export function assertClientCapability(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
  declared: ClientCapabilities | undefined,
): void {
  const missing = missingCapabilities(neededCapabilities(method, params), declared);
  if (missing === undefined) return;
  throw new ServerError('CAPABILITY_NOT_SUPPORTED', {
    message: `the client did not declare what ${method} needs: ${JSON.stringify(missing)}`,
    data: { requiredCapabilities: missing },
  });
}

function ownMember(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
