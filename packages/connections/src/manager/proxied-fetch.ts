import type { FetchLike } from '@portico/spec';

/** Where a proxy finds the address that a request is meant for. */
const TARGET_HEADER = 'x-target-url';

/** A proxy as its requests see it. */
export interface ProxyTarget {
  readonly proxyAddress: string;
  /** Meant for the proxy; those of the request win where names clash. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A fetch that sends everything to a proxy and tells it the real address. Method, body and status stay
 * what they are. Source: R50.
 */
export function proxiedFetch(fetch: FetchLike, { proxyAddress, headers }: ProxyTarget): FetchLike {
  return (target, init) => {
    const sent = new Headers(headers);
    new Headers(init?.headers).forEach((value, name) => sent.set(name, value));
    sent.set(TARGET_HEADER, String(target));
    return fetch(proxyAddress, { ...init, headers: sent });
  };
}

const PROXY_ENDING = /\/proxy\/?$/;

/** Makes the fetch that goes to authorization servers by a proxy, or without one. */
export function oauthFetchOf(fetch: FetchLike): (oauthProxyUrl: string | undefined) => FetchLike {
  return (address) =>
    address === undefined ? fetch : proxiedFetch(fetch, { proxyAddress: address, headers: {} });
}

/**
 * The proxy for requests to authorization servers that belongs to a proxy for MCP: by custom the one
 * beside it. Source: R52.
 *
 * @param proxyAddress a checked one; undefined while nothing is proxied
 * @returns undefined for addresses that follow no such custom
 */
export function oauthProxyOf(proxyAddress: string | undefined): string | undefined {
  if (proxyAddress === undefined) return undefined;
  // Only a path has an ending: a host may be called that, too.
  const url = new URL(proxyAddress);
  if (!PROXY_ENDING.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
  url.pathname = url.pathname.replace(PROXY_ENDING, '/oauth');
  return url.href;
}
