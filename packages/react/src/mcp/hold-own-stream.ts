'use client';
import { holdStream } from '@portico/connections/manager';
import { createBrowserPlaces } from '../environment/browser-places.ts';
import { carriesMany } from '../environment/carries-many.ts';

/**
 * Counts a long stream of the page's own among those of servers of the same origin, so that they leave room for
 * calls: browsers open six connections to an origin. To be awaited before servers are connected.
 *
 * @param url any address of that origin
 * @returns how to give the place back; nothing when all are taken, and the stream may be opened all the same
 */
export function holdOwnStream(url: string): Promise<(() => void) | undefined> {
  return holdStream({ places: createBrowserPlaces(), carriesMany }, url);
}
