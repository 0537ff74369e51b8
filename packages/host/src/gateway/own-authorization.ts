import type { ConnectorRecord } from '../ports/stores.ts';

/** Whether the person typed a header that takes the place of a sign-in. */
export function hasOwnAuthorization({ transport }: ConnectorRecord): boolean {
  const headers = transport.kind === 'http' ? Object.keys(transport.headers) : [];
  return headers.some((name) => name.toLowerCase() === 'authorization');
}
