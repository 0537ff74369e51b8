import { isKept } from '../kept-error.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';
import { networkError } from './network-failure.ts';

/** Redirects under which a request stays what it was; 303 would make a question without content of it. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** Redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/** Where an answer sends on to, if that is within the origin that it came from. */
function placeWithinOrigin(answer: HttpAnswer, from: URL): URL | undefined {
  if (!REDIRECTS.has(answer.status)) return undefined;
  const location = answer.header('location');
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const place = new URL(location, from);
  return place.origin === from.origin && place.username === '' && place.password === '' ? place : undefined;
}

/** Goes on where an answer sends the request to. @throws as `exchange` */
export async function followRedirects(
  first: HttpAnswer,
  request: HttpRequest,
  http: HttpClient,
): Promise<HttpAnswer> {
  let answer = first;
  let from = request.url;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    const url = placeWithinOrigin(answer, from);
    if (url === undefined) return answer;
    answer.discard();
    from = url;
    try {
      answer = await http.send({ ...request, url });
    } catch (error) {
      throw isKept(error) ? error : networkError(error, url);
    }
  }
  return answer;
}
