import { SseError, failureOf } from '@portico/client';
import type { FetchLike } from '@portico/spec';

/** Tells the proxy where a request goes. */
const TARGET_HEADER = 'X-Target-URL';

/** What a {@link createProxyFetch} needs. */
export interface ProxyFetchOptions {
  readonly fetch: FetchLike;
  readonly proxyAddress: string;
  /** For the proxy alone; those of a request win where names clash. */
  readonly proxyHeaders: Readonly<Record<string, string>>;
}

/**
 * A fetch for the MCP requests of a proxied server: they go to the proxy as they are, with the real
 * address beside. Requests to authorization servers have no business here. Source: R50.
 */
export function createProxyFetch({ fetch, proxyAddress, proxyHeaders }: ProxyFetchOptions): FetchLike {
  return (url, init = {}) => {
    const headers = new Headers(proxyHeaders);
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    headers.set(TARGET_HEADER, String(url));
    return fetch(proxyAddress, { ...init, headers });
  };
}

/** What the system calls it when nobody took the connection in time. */
const LATE: ReadonlySet<string> = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function isProxiableStatus(status: number): boolean {
  return status === 400 || (status >= 404 && status < 500);
}

/**
 * Whether a proxy may help after a first connection failed: when the server was not reached, which is all
 * that a browser tells of a refusal by CORS, or when it answered 400 or a 4xx from 404 up. Never after a
 * refusal of the caller, a fault of the server, a time-out or an abort. The wording plays no part.
 * Source: R46, R47.
 *
 * @param error what connecting failed with, once its own fallbacks were used up
 */
export function isProxiableFailure(error: unknown): boolean {
  // The status of a stream that was refused is in its code.
  if (error instanceof SseError && error.code !== undefined) return isProxiableStatus(error.code);
  const { code, step, httpStatus, systemCode } = failureOf(error);
  if (httpStatus !== undefined) return isProxiableStatus(httpStatus);
  if (code !== 'CLIENT_HTTP_NETWORK' || LATE.has(systemCode ?? '')) return false;
  return step === 'address' || step === 'tcp' || step === 'unknown';
}

const PROXY_ENDING = /\/proxy\/?$/;

/** The OAuth proxy beside an MCP proxy whose path ends in `/proxy`; other endings tell nothing. */
function besideProxy(proxyAddress: string): string | undefined {
  const url = new URL(proxyAddress);
  if (!PROXY_ENDING.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
  url.pathname = url.pathname.replace(PROXY_ENDING, '/oauth');
  return url.href;
}

/**
 * Where requests to authorization servers go. Source: R51, R52.
 *
 * @param given `oauthProxyUrl` of the settings, which goes before all
 * @param proxyInUse the address of the proxy that the connection goes by now
 * @returns undefined: straight to them
 */
export function oauthProxyOf(given: string | undefined, proxyInUse: string | undefined): string | undefined {
  return given ?? (proxyInUse === undefined ? undefined : besideProxy(proxyInUse));
}
