import type { Clock, JSONRPCMessage, ReceiveLimits } from '@portico/rpc';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';
import { networkError } from './network-failure.ts';

/** What the parts of an HTTP transport share. */
export interface HttpChannel {
  readonly url: URL;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly limits: ReceiveLimits;
  /** Headers that every request carries now: the caller's, the session's and the version's. A fresh copy. */
  baseHeaders(): Record<string, string>;
  deliver(message: JSONRPCMessage): void;
  report(error: Error): void;
}

/** Redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/** Redirects under which a request stays what it was; 303 would make a question without content of it. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * Follows redirects within the server's origin. One to another origin is answered as it came: with the
 * request would go the caller's headers.
 *
 * @throws SdkError `CLIENT_HTTP_NETWORK`; anything when nobody waits any more
 */
export async function exchange(
  { http }: Pick<HttpChannel, 'http'>,
  request: HttpRequest,
): Promise<HttpAnswer> {
  let sent = request;
  for (let redirects = 0; ; redirects++) {
    let answer: HttpAnswer;
    try {
      answer = await http.send(sent);
    } catch (error) {
      throw networkError(error, sent.url);
    }
    const url = redirects < MAX_REDIRECTS ? placeWithinOrigin(answer, sent.url) : undefined;
    if (url === undefined) return answer;
    answer.discard();
    sent = { ...request, url };
  }
}

function placeWithinOrigin(answer: HttpAnswer, from: URL): URL | undefined {
  if (!REDIRECTS.has(answer.status)) return undefined;
  const location = answer.header('location');
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const place = new URL(location, from);
  return place.origin === from.origin && place.username === '' && place.password === '' ? place : undefined;
}

/** The type part of an answer's content type, in lower case. */
export function mediaType(answer: HttpAnswer): string {
  const type = answer.header('content-type') ?? '';
  if (type === 'application/json' || type === 'text/event-stream') return type;
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}
