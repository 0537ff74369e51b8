import type { EventStore, StoredEvent } from '../packages/host/src/ports/stores.ts';

/** Events in memory, with a way to make the store slow and to see what it was asked. */
export interface MemoryEventStore extends EventStore {
  readonly events: readonly StoredEvent[];
  /** Calls of `after`, so that a test can tell memory from store. */
  readonly reads: number;
}

export function createMemoryEventStore(): MemoryEventStore {
  let events: StoredEvent[] = [];
  let lastSeq = 0;
  let reads = 0;
  return {
    get events() {
      return events;
    },
    get reads() {
      return reads;
    },
    append: (added) => {
      const stored = added.map((event) => ({ ...event, seq: ++lastSeq }));
      events.push(...stored);
      return Promise.resolve(stored);
    },
    after: (seq, limit) => {
      reads++;
      return Promise.resolve(events.filter((event) => event.seq > seq).slice(0, limit));
    },
    range: () => Promise.resolve({ first: events[0]?.seq ?? 0, last: lastSeq }),
    prune: ({ beforeMs, keep }) => {
      events = events.filter((event) => event.atMs >= beforeMs).slice(-keep);
      return Promise.resolve();
    },
  };
}
