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

/** @throws SdkError `CLIENT_HTTP_NETWORK`, or the abort reason when the signal fired */
export async function fetchFrom(
  channel: HttpChannel,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await channel.fetch(channel.url, { ...channel.requestInit, ...init });
  } catch (error) {
    if (init.signal.aborted) throw init.signal.reason;
    throw networkError(error, channel.url);
  }
}

/** Lets go of a body that nobody reads, so that its connection can be used again. */
export async function discardBody(response: Response): Promise<void> {
  try {
    await response.body?.cancel();
  } catch {
    // It ended or broke by itself; either way it is gone.
  }
}
