import { SdkError } from '../errors.ts';
import type { NetworkErrorData, NetworkStep } from '../errors.ts';

/** Most causes that are looked through; chains longer than this are made by hand. */
const MAX_CAUSES = 8;

/** The system's and the platform's names for what fails at each step. */
const CODES_OF_STEPS: readonly (readonly [NetworkStep, RegExp])[] = [
  ['address', /^(?:ENOTFOUND|EAI_(?:AGAIN|FAIL|NODATA))$/],
  [
    'tls',
    /^(?:EPROTO|(?:ERR_TLS|ERR_SSL|CERT)_.*|(?:DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_GET_ISSUER)_CERT(?:_LOCALLY)?|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH)$/,
  ],
  [
    'tcp',
    /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EHOST(?:UNREACH|DOWN)|ENET(?:UNREACH|DOWN)|EPIPE|ETIMEDOUT|EACCES|EADDRNOTAVAIL|UND_ERR_(?:CONNECT_TIMEOUT|SOCKET))$/,
  ],
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
