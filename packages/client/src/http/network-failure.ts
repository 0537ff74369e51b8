import { SdkError } from '../errors.ts';
import type { NetworkErrorData, NetworkStep } from '../errors.ts';

/** Most causes that are looked through; chains longer than this are made by hand. */
const MAX_CAUSES = 8;

/** How the names begin that the system and the platform have for what fails at each step. */
const CODES_OF_STEPS: readonly (readonly [NetworkStep, RegExp])[] = [
  ['address', /^(?:ENOTFOUND|EAI_)/],
  ['tls', /^(?:EPROTO$|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED|HOSTNAME_)/],
  ['tcp', /^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|EACCES|EADDR|UND_ERR_CONNECT|UND_ERR_SOCKET)/],
];

function stepOfCode(code: string): NetworkStep | undefined {
  return CODES_OF_STEPS.find(([, codes]) => codes.test(code))?.[0];
}

/** Causes of an error, itself first; of a group of attempts the first stands for all. */
function causes(error: unknown): readonly { readonly code?: unknown }[] {
  const chain: { readonly code?: unknown }[] = [];
  let current = error;
  while (typeof current === 'object' && current !== null && chain.length < MAX_CAUSES) {
    chain.push(current);
    const { cause, errors } = current as { cause?: unknown; errors?: unknown };
    current = cause ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined);
  }
  return chain;
}

/** Tells from what `fetch` threw how far it came: name look-up, connection or encryption. */
function classifyNetworkError(error: unknown): Omit<NetworkErrorData, 'host'> {
  let systemCode: string | undefined;
  for (const { code } of causes(error)) {
    if (typeof code !== 'string') continue;
    const step = stepOfCode(code);
    if (step !== undefined) return { step, systemCode: code };
    systemCode ??= code;
  }
  return systemCode === undefined ? { step: 'unknown' } : { step: 'unknown', systemCode };
}

const SENTENCES: Readonly<Record<NetworkStep, string>> = {
  address: 'no address was found for the host',
  tcp: 'the host did not take the connection',
  tls: 'no encrypted connection could be made',
  unknown: 'the server could not be reached',
};

/** Wraps what `fetch` threw. */
export function networkError(error: unknown, url: URL): SdkError {
  const data: NetworkErrorData = { ...classifyNetworkError(error), host: url.host };
  return new SdkError('CLIENT_HTTP_NETWORK', {
    message: `${SENTENCES[data.step]}: ${url.host}${data.systemCode === undefined ? '' : ` (${data.systemCode})`}`,
    data,
    cause: error,
  });
}
