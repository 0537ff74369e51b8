import { useCallback, useRef, useSyncExternalStore } from 'react';

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
  const last = useRef<{ readonly value: Selected }>(null);
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  const read = (): Selected => {
    const value = selector(store.getSnapshot());
    if (last.current !== null && isEqual(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  };
  return useSyncExternalStore(subscribe, read, read);
}
