import type { HostEvent } from '@portico/api';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore, StoredEvent } from '../ports/stores.ts';

/** Newest events kept at hand for open streams: at most this many … */
export const MAX_RECENT_EVENTS = 1000;
/** … and this much JSON text, in UTF-16 units (1 MiB); the newest event always stays. */
const MAX_RECENT_SIZE = 1_048_576;

/** Stored events are forgotten after a day (ms), or beyond this count. */
const KEEP_MS = 24 * 60 * 60_000;
const KEEP_EVENTS = 50_000;
const PRUNE_EVERY_MS = 10 * 60_000;

/** Events that are read from the store at once. */
const PAGE = 200;

export interface EventHub {
  /** Stores the event with the next number and then tells every stream. Order of calls is kept. */
  publish(event: HostEvent): void;
  /** Settles when everything published so far is stored. Never rejects. */
  settled(): Promise<void>;
  /** Number of the newest stored event. */
  readonly lastSeq: number;
  /** A reader that continues after `afterSeq`; without it, after the newest event. */
  read(afterSeq: number | undefined): EventReader;
  close(): Promise<void>;
}

/** What a reader hands out: an event, or word that events between are gone. */
export type ReadResult =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'resync'; readonly seq: number; readonly fellBehind: boolean }
  | { readonly kind: 'closed' };

export interface EventReader {
  /** Waits for the next event. Calls must not overlap. */
  next(): Promise<ReadResult>;
  close(): void;
}

export interface EventHubOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the hub on a store; numbers go on where the store's end. */
export async function createEventHub(options: EventHubOptions): Promise<EventHub> {
  const { store, clock, log } = options;
  const waiting: { data: string; atMs: number }[] = [];
  const wakers = new Set<() => void>();
  const recent = createRecentEvents();
  let lastSeq = (await store.range()).last;
  const losses: Losses = { count: 0, afterSeq: -1 };
  let writing: Promise<void> | undefined;
  let closed = false;
  const prune = createPruning(store, clock);

  const wakeAll = (): void => {
    for (const wake of wakers) wake();
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0);
      try {
        for (const event of await store.append(batch)) {
          lastSeq = event.seq;
          recent.add(event);
        }
        await prune();
      } catch (error) {
        // The state itself is stored elsewhere: every stream is told to load it again.
        losses.count++;
        losses.afterSeq = lastSeq;
        log.error('events could not be stored', { count: batch.length, error: String(error) });
      }
      wakeAll();
    }
    writing = undefined;
  };

  return {
    get lastSeq() {
      return lastSeq;
    },
    publish(event) {
      if (closed) return;
      waiting.push({ data: JSON.stringify(event), atMs: clock.now() });
      writing ??= writeAll();
    },
    async settled() {
      while (writing !== undefined) await writing;
    },
    read: (afterSeq) =>
      createReader({
        afterSeq,
        store,
        recent,
        wakers,
        losses,
        lastSeq: () => lastSeq,
        hubClosed: () => closed,
      }),
    async close() {
      while (writing !== undefined) await writing;
      closed = true;
      wakeAll();
    },
  };
}

/** Forgets old events now and then. */
function createPruning(store: EventStore, clock: Clock): () => Promise<void> {
  let prunedAtMs = clock.now();
  return async () => {
    if (clock.now() - prunedAtMs < PRUNE_EVERY_MS) return;
    prunedAtMs = clock.now();
    await store.prune({ beforeMs: prunedAtMs - KEEP_MS, keep: KEEP_EVENTS });
  };
}

interface RecentEvents {
  add(event: StoredEvent): void;
  /** The event with exactly this number, if it is still at hand. */
  get(seq: number): StoredEvent | undefined;
}

function createRecentEvents(): RecentEvents {
  const events = new Map<number, StoredEvent>();
  let size = 0;
  return {
    add(event) {
      events.set(event.seq, event);
      size += event.data.length;
      for (const [seq, old] of events) {
        const fits = events.size <= MAX_RECENT_EVENTS && size <= MAX_RECENT_SIZE;
        if (fits || events.size === 1) return;
        events.delete(seq);
        size -= old.data.length;
      }
    },
    get: (seq) => events.get(seq),
  };
}

/** Events that could not be stored. */
interface Losses {
  count: number;
  /** Number of the newest stored event when the last of them were lost. */
  afterSeq: number;
}

interface ReaderParts {
  readonly afterSeq: number | undefined;
  readonly store: EventStore;
  readonly recent: RecentEvents;
  readonly wakers: Set<() => void>;
  readonly losses: Readonly<Losses>;
  readonly lastSeq: () => number;
  readonly hubClosed: () => boolean;
}

/** Whether anything that came after this event can no longer be told. */
async function isGone({ store, losses, lastSeq }: ReaderParts, seq: number): Promise<boolean> {
  if (seq > lastSeq() || seq <= losses.afterSeq) return true;
  if (seq === lastSeq()) return false;
  return seq + 1 < (await store.range()).first;
}

/**
 * Holds a position, not a queue: what a slow reader has not taken costs nothing. Once it has caught
 * up, falling out of the recent events means that it is too slow and has to load everything again.
 */
function createReader(parts: ReaderParts): EventReader {
  let cursor = parts.afterSeq ?? parts.lastSeq();
  let page: StoredEvent[] = [];
  let caughtUp = false;
  let knownLosses = parts.losses.count;
  let started = false;
  let closed = false;
  let wakeUp: (() => void) | undefined;
  const wake = (): void => wakeUp?.();
  parts.wakers.add(wake);

  const resync = (fellBehind: boolean): ReadResult => {
    cursor = parts.lastSeq();
    page = [];
    caughtUp = true;
    return { kind: 'resync', seq: cursor, fellBehind };
  };
  const fromStore = async (): Promise<ReadResult | undefined> => {
    if (page.length === 0) page = [...(await parts.store.after(cursor, PAGE))];
    const event = page.shift();
    if (event === undefined) return resync(false);
    cursor = event.seq;
    return { kind: 'event', event };
  };

  return {
    async next() {
      if (!started) {
        started = true;
        if (parts.afterSeq !== undefined && (await isGone(parts, cursor))) return resync(false);
      }
      while (!closed && !parts.hubClosed()) {
        if (knownLosses !== parts.losses.count) {
          knownLosses = parts.losses.count;
          return resync(false);
        }
        if (cursor < parts.lastSeq()) {
          const event = parts.recent.get(cursor + 1);
          if (event !== undefined) {
            cursor = event.seq;
            page = [];
            return { kind: 'event', event };
          }
          const stored = caughtUp ? resync(true) : await fromStore();
          if (stored !== undefined) return stored;
        }
        caughtUp = true;
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
        wakeUp = undefined;
      }
      return { kind: 'closed' };
    },
    close() {
      closed = true;
      parts.wakers.delete(wake);
      wake();
    },
  };
}
