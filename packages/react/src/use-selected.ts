'use client';
import { useInsertionEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/** Something outside of React that changes. Its members stay the same as long as it is the same thing. */
export interface Readable<Snapshot> {
  /** @returns how to end it */
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => Snapshot;
  /** What was there at the first render, which is what a server rendered. */
  readonly readFirst: () => Snapshot;
}

/** How a part is taken. */
export interface Selection<Snapshot, Selected> {
  readonly select: (snapshot: Snapshot) => Selected;
  readonly isEqual: (a: Selected, b: Selected) => boolean;
}

/** Reads a part of something, and renders again only when that part is another one. */
export function useSelected<Snapshot, Selected>(
  source: Readable<Snapshot>,
  { select, isEqual }: Selection<Snapshot, Selected>,
): Selected {
  const committed = useRef<{ readonly value: Selected }>(null);
  const [read, readFirst] = useMemo(() => {
    // What was committed is asked for only when a new selector sees its first snapshot.
    // oxlint-disable-next-line react/refs
    const take = createTaking({ select, isEqual }, committed);
    return [() => take(source.read()), () => take(source.readFirst())];
  }, [source, select, isEqual]);
  const value = useSyncExternalStore(source.subscribe, read, readFirst);
  useInsertionEffect(() => {
    committed.current = { value };
  });
  return value;
}

/** Takes a part of snapshots; the same value as before, or as committed, as long as it is equal. */
function createTaking<Snapshot, Selected>(
  { select, isEqual }: Selection<Snapshot, Selected>,
  committed: { readonly current: { readonly value: Selected } | null },
): (snapshot: Snapshot) => Selected {
  let last: { readonly snapshot: Snapshot; readonly value: Selected } | undefined;
  return (snapshot) => {
    if (last !== undefined && Object.is(last.snapshot, snapshot)) return last.value;
    const value = select(snapshot);
    const before = last ?? committed.current;
    last = { snapshot, value: before !== null && isEqual(before.value, value) ? before.value : value };
    return last.value;
  };
}
