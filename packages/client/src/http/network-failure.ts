import { SdkError } from '../errors.ts';
import type { NetworkErrorData, NetworkStep } from '../errors.ts';

/** Most causes that are looked through; chains longer than this are made by hand. */
const MAX_CAUSES = 8;

const ADDRESS_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);

const TCP_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EPIPE',
  'ETIMEDOUT',
  'EACCES',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

const TLS_CODES: ReadonlySet<string> = new Set([
  'EPROTO',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'HOSTNAME_MISMATCH',
]);

function stepOfCode(code: string): NetworkStep | undefined {
  if (ADDRESS_CODES.has(code)) return 'address';
  if (TLS_CODES.has(code) || /^(?:ERR_TLS_|ERR_SSL_|CERT_)/.test(code)) return 'tls';
  return TCP_CODES.has(code) ? 'tcp' : undefined;
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
