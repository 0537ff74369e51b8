import type { Clock, JSONRPCMessage, ReceiveLimits, RequestId } from '@portico/rpc';
import { isKept } from '../kept-error.ts';
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
  /** @param answerTo the request on whose own stream it came */
  deliver(message: JSONRPCMessage, answerTo?: RequestId): void;
  report(error: Error): void;
}

/**
 * Follows redirects within the server's origin. One to another origin is answered as it came: with the
 * request would go the caller's headers.
 *
 * @throws SdkError `CLIENT_HTTP_NETWORK`; anything when nobody waits any more
 * @throws what a sign-in that the request needed failed with
 */
export async function exchange(
  { http }: Pick<HttpChannel, 'http'>,
  request: HttpRequest,
): Promise<HttpAnswer> {
  let answer: HttpAnswer;
  try {
    answer = await http.send(request);
  } catch (error) {
    throw isKept(error) ? error : networkError(error, request.url);
  }
  if (answer.status < 300 || answer.status > 399) return answer;
  const { followRedirects } = await import('./redirect-following.ts');
  return followRedirects(answer, request, http);
}

/** The type part of an answer's content type, in lower case. */
export function mediaType(answer: HttpAnswer): string {
  const type = answer.header('content-type') ?? '';
  if (type === 'application/json' || type === 'text/event-stream') return type;
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}
