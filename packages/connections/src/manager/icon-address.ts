import { isRecord } from '@portico/spec';

/** Icons that are tried; servers may name more. */
const MAX_TRIES = 4;
/** Longest `data:` URL of 256 KiB, with room for percent signs. */
const MAX_DATA_LENGTH = 800_000;

function isAllowed(url: URL, server: URL): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'data:' || url.origin === server.origin;
}

/**
 * Where the icon of a server may be got, best first: those it advertises, over https, in the address
 * itself or from its own origin, then the favicon of that origin. Nobody else is asked. Source: R119, R121.
 *
 * @param serverUrl the address of the server, not that of a proxy
 * @param icons as the server sent them
 */
export function iconAddresses(serverUrl: string, icons: unknown): URL[] {
  const server = new URL(serverUrl);
  const addresses: URL[] = [];
  for (const icon of Array.isArray(icons) ? (icons as unknown[]) : []) {
    const src = isRecord(icon) ? icon['src'] : undefined;
    if (typeof src !== 'string' || src.length > MAX_DATA_LENGTH || !URL.canParse(src, serverUrl)) continue;
    const url = new URL(src, serverUrl);
    if (isAllowed(url, server)) addresses.push(url);
    if (addresses.length === MAX_TRIES) break;
  }
  return [...addresses, new URL('/favicon.ico', server.origin)];
}
