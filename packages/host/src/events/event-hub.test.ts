import type { HostEvent } from '@portico/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createMemoryEventStore } from '../../../../testing/memory-event-store.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import { MAX_RECENT_EVENTS, createEventHub } from './event-hub.ts';
import type { EventHub, EventReader } from './event-hub.ts';

const removed = (id: string): HostEvent => ({ type: 'connector.removed', connectorId: id });

async function setUp() {
  const clock = createManualClock();
  const store = createMemoryEventStore();
  const log = createQuietLog();
  const hub = await createEventHub({ store, clock, log });
  return { clock, store, log, hub };
}

async function take(reader: EventReader, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let index = 0; index < count; index++) {
    const result = await reader.next();
    seen.push(result.kind === 'event' ? result.event.seq : result.kind);
  }
  return seen;
}

const publishMany = async (hub: EventHub, count: number, text = ''): Promise<void> => {
  for (let index = 0; index < count; index++) hub.publish(removed(`${text}${index}`));
  await hub.settled();
};

describe('event hub', () => {
  it('stores an event before any reader gets it', async () => {
    const { hub, store } = await setUp();
    const reader = hub.read(0);
    hub.publish(removed('a'));
    const result = await reader.next();
    expect(result).toEqual({ kind: 'event', event: store.events[0] });
    expect(hub.lastSeq).toBe(1);
  });

  it('continues where a reader left off, from the store and then live, without gap or repeat', async () => {
    const { hub } = await setUp();
    await publishMany(hub, 450);
    const reader = hub.read(3);
    const old = await take(reader, 447);
    expect(old).toEqual(Array.from({ length: 447 }, (_, index) => index + 4));
    const live = take(reader, 2);
    hub.publish(removed('x'));
    hub.publish(removed('y'));
    expect(await live).toEqual([451, 452]);
  });

  it('begins with the next event when no number is given', async () => {
    const { hub } = await setUp();
    await publishMany(hub, 3);
    const next = take(hub.read(undefined), 1);
    hub.publish(removed('x'));
    expect(await next).toEqual([4]);
  });

  it('says resync when the events between are gone, and goes on from there', async () => {
    const { hub, store } = await setUp();
    await publishMany(hub, 10);
    await store.prune({ beforeMs: 0, keep: 3 });
    const reader = hub.read(2);
    expect(await take(reader, 1)).toEqual(['resync']);
    hub.publish(removed('x'));
    expect(await take(reader, 1)).toEqual([11]);
  });

  it('says resync to a page whose number is from another store', async () => {
    const { hub } = await setUp();
    await publishMany(hub, 2);
    expect(await hub.read(99).next()).toEqual({ kind: 'resync', seq: 2, fellBehind: false });
  });

  it('tells every reader to load again when events could not be stored, and later ones that missed them', async () => {
    const { hub, store } = await setUp();
    await publishMany(hub, 2);
    const reader = hub.read(2);
    const waiting = reader.next();
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('the disk is full'));
    hub.publish(removed('lost'));
    expect(await waiting).toEqual({ kind: 'resync', seq: 2, fellBehind: false });
    store.append = append;
    expect(await hub.read(2).next()).toEqual({ kind: 'resync', seq: 2, fellBehind: false });
    hub.publish(removed('x'));
    expect(await take(reader, 1)).toEqual([3]);
    hub.publish(removed('y'));
    expect(await take(hub.read(3), 1)).toEqual([4]);
  });

  it('gives up on a reader that has fallen behind by more than the bound in events', async () => {
    const { hub } = await setUp();
    const slow = hub.read(0);
    const first = take(slow, 1);
    await publishMany(hub, 1);
    await first;
    const waiting = slow.next();
    await publishMany(hub, 1);
    await waiting;
    await publishMany(hub, MAX_RECENT_EVENTS + 5);
    expect(await slow.next()).toMatchObject({ kind: 'resync', fellBehind: true });
  });

  it('tells every reader to load again when events could not be stored, and later ones that missed them', async () => {
    const { hub, store } = await setUp();
    await publishMany(hub, 2);
    const reader = hub.read(2);
    const waiting = reader.next();
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('the disk is full'));
    hub.publish(removed('lost'));
    expect(await waiting).toEqual({ kind: 'resync', seq: 2, fellBehind: false });
    store.append = append;
    expect(await hub.read(2).next()).toEqual({ kind: 'resync', seq: 2, fellBehind: false });
    hub.publish(removed('x'));
    expect(await take(reader, 1)).toEqual([3]);
    hub.publish(removed('y'));
    expect(await take(hub.read(3), 1)).toEqual([4]);
  });

  it('gives up on a reader that has fallen behind by more than the bound in bytes', async () => {
    const { hub } = await setUp();
    const slow = hub.read(0);
    const first = take(slow, 2);
    await publishMany(hub, 2);
    await first;
    const waiting = slow.next();
    await publishMany(hub, 1);
    await waiting;
    await publishMany(hub, 3, 'x'.repeat(600_000));
    expect(await slow.next()).toMatchObject({ kind: 'resync', fellBehind: true });
  });

  it('serves live readers from memory, however many there are', async () => {
    const { hub, store } = await setUp();
    const readers = Array.from({ length: 20 }, () => hub.read(undefined));
    const all = Promise.all(readers.map((reader) => take(reader, 50)));
    await publishMany(hub, 50);
    await all;
    expect(store.reads).toBe(0);
  });

  it('ends waiting readers when it closes', async () => {
    const { hub } = await setUp();
    const reader = hub.read(0);
    const next = reader.next();
    await hub.close();
    expect(await next).toEqual({ kind: 'closed' });
  });

  it('logs events that cannot be stored and goes on', async () => {
    const { hub, store, log } = await setUp();
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('disk'));
    hub.publish(removed('lost'));
    await hub.settled();
    store.append = append;
    hub.publish(removed('kept'));
    await hub.settled();
    expect(log.lines.map((line) => line.level)).toEqual(['error']);
    expect(store.events.map(({ seq }) => seq)).toEqual([1]);
  });

  it('a cut at any event resumes to the same sequence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
        async (parts) => {
          const { hub } = await setUp();
          const seen: unknown[] = [];
          let last = 0;
          for (const part of parts) {
            await publishMany(hub, part);
            const reader = hub.read(last);
            const taken = await take(reader, part);
            reader.close();
            seen.push(...taken);
            last = hub.lastSeq;
          }
          expect(seen).toEqual(Array.from({ length: last }, (_, index) => index + 1));
        },
      ),
      { numRuns: 30, seed: 7 },
    );
  });
});
