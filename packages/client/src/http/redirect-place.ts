import type { HttpAnswer } from './http-client.ts';

/** Redirects under which a request stays what it was; 303 would make a question without content of it. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** Where an answer sends on to, if that is within the origin that it came from. */
export function placeWithinOrigin(answer: HttpAnswer, from: URL): URL | undefined {
  if (!REDIRECTS.has(answer.status)) return undefined;
  const location = answer.header('location');
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const place = new URL(location, from);
  return place.origin === from.origin && place.username === '' && place.password === '' ? place : undefined;
}
