import { ErrorCode, ProtocolError } from '@portico/rpc';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

/**
 * Cuts a list into pages. A cursor names a place in one revision of the list; any other text, and a
 * cursor of an earlier revision, is refused.
 *
 * @param pageSize items a page; undefined for one page with everything
 * @throws ProtocolError -32602 for a cursor that this list did not give out
 */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: unknown,
  options: { readonly revision: number; readonly pageSize: number | undefined },
): Page<Item> {
  const { revision, pageSize } = options;
  const start = cursor === undefined ? 0 : startOf(cursor, revision);
  if (pageSize === undefined || (cursor !== undefined && (start <= 0 || start >= items.length))) {
    if (cursor !== undefined) throw invalidCursor();
    return { items, nextCursor: undefined };
  }
  const end = start + pageSize;
  return {
    items: items.slice(start, end),
    nextCursor: end < items.length ? btoa(`${String(revision)}:${String(end)}`) : undefined,
  };
}

function startOf(cursor: unknown, revision: number): number {
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9+/]{4,64}={0,2}$/.test(cursor)) {
    throw invalidCursor();
  }
  const [, ofRevision, start] = /^(\d{1,15}):(\d{1,15})$/.exec(decode(cursor)) ?? [];
  if (ofRevision !== String(revision) || start === undefined) throw invalidCursor();
  return Number(start);
}

function decode(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    throw invalidCursor();
  }
}

function invalidCursor(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, 'The cursor is not one of this list.');
}
