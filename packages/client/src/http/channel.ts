import type { Clock, JSONRPCMessage, ReceiveLimits } from '@portico/rpc';
import { networkError } from './network-failure.ts';

/** The part of `fetch` that is used; any function of this shape can stand in for it. */
export type FetchLike = (url: URL, init: RequestInit) => Promise<Response>;

/** What the parts of the HTTP transport share. */
export interface HttpChannel {
  readonly url: URL;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly limits: ReceiveLimits;
  /** Sent with everything, beside the headers. */
  readonly requestInit: RequestInit;
  /** Headers that every request carries now: the caller's, the session's and the version's. */
  baseHeaders(): Headers;
  deliver(message: JSONRPCMessage): void;
  report(error: Error): void;
}

/** Redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/** Redirects under which a request stays what it was; 303 would make a question without content of it. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * Follows redirects within the server's origin. One to another origin is answered as it came: with the
 * request would go the caller's headers, and `fetch` keeps back no secret but `Authorization`.
 *
 * @throws SdkError `CLIENT_HTTP_NETWORK`, or the abort reason when the signal fired
 */
export async function fetchFrom(
  channel: HttpChannel,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  let { url } = channel;
  for (let redirects = 0; ; redirects++) {
    const response = await fetchOnce(channel, url, init);
    const next = redirects < MAX_REDIRECTS ? placeWithinOrigin(response, url) : undefined;
    if (next === undefined) return response;
    await discardBody(response);
    url = next;
  }
}

async function fetchOnce(
  channel: HttpChannel,
  url: URL,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await channel.fetch(url, { redirect: 'manual', ...channel.requestInit, ...init });
  } catch (error) {
    if (init.signal.aborted) throw init.signal.reason;
    throw networkError(error, url);
  }
}

function placeWithinOrigin({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (!REDIRECTS.has(status) || location === null || !URL.canParse(location, from)) return undefined;
  const place = new URL(location, from);
  return place.origin === from.origin && place.username === '' && place.password === '' ? place : undefined;
}

/** Lets go of a body that nobody reads, so that its connection can be used again. */
export async function discardBody(response: Response): Promise<void> {
  try {
    await response.body?.cancel();
  } catch {
    // It ended or broke by itself; either way it is gone.
  }
}
