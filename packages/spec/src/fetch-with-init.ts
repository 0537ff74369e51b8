/** The part of `fetch` that is used; any function of this shape can stand in for it. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A fetch whose calls all begin with the same settings; headers are merged, and what a call says
 * itself wins.
 *
 * @param baseFetch the page's or process's own unless given, looked up at each call
 */
export function createFetchWithInit(
  baseFetch: FetchLike = (url, init) => globalThis.fetch(url, init),
  baseInit?: RequestInit,
): FetchLike {
  if (baseInit === undefined) return baseFetch;
  return (url, init) => {
    const headers = new Headers(baseInit.headers);
    new Headers(init?.headers).forEach((value, name) => headers.set(name, value));
    return baseFetch(url, { ...baseInit, ...init, headers });
  };
}
