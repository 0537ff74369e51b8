'use client';
import { useMemo } from 'react';
import { useSelected } from './use-selected.ts';

/** The observable half of a connection manager. */
export interface ObservableStore<Snapshot> {
  getSnapshot(): Snapshot;
  /** Answers what ends the subscription. */
  subscribe(listener: () => void): () => void;
}

/**
 * Reads a part of the connections and renders again only when that part changes.
 *
 * @param selector takes the part; may build a new value each time when `isEqual` compares it
 * @param isEqual default: identity
 */
export function useConnections<Snapshot, Selected>(
  store: ObservableStore<Snapshot>,
  selector: (snapshot: Snapshot) => Selected,
  isEqual: (a: Selected, b: Selected) => boolean = Object.is,
): Selected {
  const source = useMemo(() => {
    const read = (): Snapshot => store.getSnapshot();
    return { subscribe: (listener: () => void) => store.subscribe(listener), read, readFirst: read };
  }, [store]);
  return useSelected(source, { select: selector, isEqual });
}
