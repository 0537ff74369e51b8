import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createMemoryEventStore } from '../../../../testing/memory-event-store.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import { createEventHub } from './event-hub.ts';
import { KEEP_ALIVE_MS, openEventStream } from './event-stream.ts';

async function setUp(afterSeq?: number) {
  const clock = createManualClock();
  const store = createMemoryEventStore();
  const hub = await createEventHub({ store, clock, log: createQuietLog() });
  const reader = openEventStream({ hub, clock, afterSeq }).getReader();
  const decoder = new TextDecoder();
  const next = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value === undefined ? undefined : decoder.decode(value);
  };
  return { clock, hub, reader, next };
}

describe('event stream', () => {
  it('sends each event with its number', async () => {
    const { hub, next } = await setUp(0);
    expect(await next()).toBe('retry: 1000\n\n');
    hub.publish({ type: 'connector.removed', connectorId: 'a' });
    expect(await next()).toBe('id: 1\ndata: {"type":"connector.removed","connectorId":"a"}\n\n');
  });

  it('says resync with the number to go on from', async () => {
    const { next } = await setUp(40);
    await next();
    expect(await next()).toBe('id: 0\ndata: {"type":"resync"}\n\n');
  });

  it('sends a sign of life after 15 s of silence, and again', async () => {
    const { clock, next } = await setUp();
    await next();
    const first = next();
    await clock.advance(KEEP_ALIVE_MS);
    expect(await first).toBe(': alive\n\n');
    const second = next();
    await clock.advance(KEEP_ALIVE_MS);
    expect(await second).toBe(': alive\n\n');
  });

  it('holds at most one sign of life for a page that does not read', async () => {
    const { clock, next } = await setUp();
    await clock.advance(10 * KEEP_ALIVE_MS);
    await next();
    const pending = next();
    await clock.advance(KEEP_ALIVE_MS);
    expect(await pending).toBe(': alive\n\n');
  });

  it('tells a page that stopped reading to load again and ends its stream', async () => {
    const { hub, next } = await setUp(0);
    await next();
    const live = next();
    hub.publish({ type: 'connector.removed', connectorId: 'first' });
    await live;
    for (let index = 0; index < 1010; index++)
      hub.publish({ type: 'connector.removed', connectorId: `${index}` });
    await hub.settled();
    const rest: (string | undefined)[] = [];
    for (let text = await next(); text !== undefined; text = await next()) rest.push(text);
    expect(rest.at(-1)).toBe('id: 1011\ndata: {"type":"resync"}\n\n');
    expect(rest.length).toBeLessThan(5);
  });

  it('arms nothing after the page has gone', async () => {
    const { clock, reader } = await setUp();
    await reader.cancel();
    expect(clock.armed).toBe(0);
  });

  it('ends when the host ends', async () => {
    const { hub, next } = await setUp();
    await next();
    const last = next();
    await hub.close();
    expect(await last).toBeUndefined();
  });
});
