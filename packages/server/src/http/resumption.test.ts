import { describe, expect, it } from 'vitest';
import {
  HOSTINGS,
  type Hosted,
  type HostingOptions,
  hostSessions,
  hostWithoutSessions,
} from '../../../../testing/hosted-sessions.ts';
import { httpRequest, post } from '../../../../testing/mcp-http.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { type RawEvent, allEvents, messageOf, rawEvents } from '../../../../testing/raw-events.ts';
import type { ServerContext } from '../context.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import type { EventStore } from './event-store.ts';
import { InMemoryEventStore } from './in-memory-event-store.ts';

const INFO = { name: 'resume', version: '1' };

/** A tool that does what the test says, while the test holds its context. */
interface Bench {
  readonly hosted: Hosted;
  readonly headers: Record<string, string>;
  readonly server: () => McpServer;
  /** The context of the call to `held` that began last; `end` lets it return. */
  readonly call: () => { readonly ctx: ServerContext; readonly end: () => void };
}

async function bench(
  hosting: (typeof HOSTINGS)[number],
  options: HostingOptions,
  version = '2025-11-25',
): Promise<Bench> {
  let server: McpServer | undefined;
  let call: { ctx: ServerContext; end: () => void } | undefined;
  const hosted = hostSessions(
    hosting,
    () => {
      server = new McpServer(INFO, { capabilities: { logging: {} } });
      server.registerTool('held', {}, async (ctx) => {
        await new Promise<void>((end) => (call = { ctx, end }));
        return { content: [{ type: 'text', text: 'the result' }] };
      });
      return server;
    },
    { keepAliveMs: 0, ...options },
  );
  const params = { protocolVersion: version, capabilities: {}, clientInfo: INFO };
  const opened = await post(hosted, { jsonrpc: '2.0', id: 'i', method: 'initialize', params });
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(hosted, { jsonrpc: '2.0', method: 'notifications/initialized' }, { headers });
  return { hosted, headers, server: () => server!, call: () => call! };
}

const settle = (): Promise<void> => createManualClock().advance(0);

async function startCall(bench: Bench, id: string | number): Promise<Response> {
  const body = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'held' } };
  const response = await bench.hosted.fetch(httpRequest(body, { headers: bench.headers }));
  await settle();
  return response;
}

const listen = (bench: Bench, lastEventId?: string): Promise<Response> => {
  const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return bench.hosted.fetch(httpRequest('', { method: 'GET', headers: { ...bench.headers, ...resume } }));
};

const say = (ctx: ServerContext, text: string): Promise<void> =>
  ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: text } });

/** What an event says: the text of a log message, or `result`. */
function textOf(event: RawEvent): unknown {
  const message = messageOf(event);
  if (message === undefined) return event.data;
  const params = message['params'] as { data?: unknown } | undefined;
  return params?.data ?? ('result' in message ? 'result' : message['method']);
}

async function take(events: AsyncGenerator<RawEvent>, count: number): Promise<RawEvent[]> {
  const taken: RawEvent[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    if (done === true) break;
    taken.push(value as RawEvent);
  }
  return taken;
}

/** The rest of a stream that may stay open: what has arrived by now. */
async function drain(events: AsyncGenerator<RawEvent>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const event of events) seen.push(textOf(event));
  })();
  await settle();
  await Promise.race([reading, settle()]);
  return seen;
}

describe.each(HOSTINGS)('a session with an event store, %s', (hosting) => {
  it('W98 tells clients of 2025-11-25 where to resume from, and older ones nothing they cannot read', async () => {
    for (const [version, primes] of [
      ['2025-11-25', true],
      ['2025-06-18', false],
      ['2025-03-26', false],
      ['2024-11-05', false],
    ] as const) {
      const own = await bench(hosting, { eventStore: new InMemoryEventStore(), retryMs: 1500 }, version);
      const response = await startCall(own, 1);
      const { ctx, end } = own.call();
      expect([version, ctx.http?.closeSSE !== undefined]).toEqual([version, primes]);
      expect([version, ctx.http?.closeStandaloneSSE !== undefined]).toEqual([version, primes]);
      await say(ctx, 'one');
      end();
      const events = await allEvents(response);
      const [first] = events;
      expect(primes ? { retry: first?.retry, data: first?.data } : first?.data?.slice(0, 1)).toEqual(
        primes ? { retry: '1500', data: '' } : '{',
      );
      expect(events.slice(primes ? 1 : 0).map(textOf)).toEqual(['one', 'result']);
      const ids = events.map(({ id }) => id);
      expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      const standing = rawEvents(await listen(own));
      await own.server().sendLoggingMessage({ level: 'info', data: 'unasked' });
      expect((await take(standing, primes ? 2 : 1)).map(textOf)).toEqual([
        ...(primes ? [''] : []),
        'unasked',
      ]);
    }
  });

  it('W98 lets a handler close its stream early and finish later; without a store it cannot', async () => {
    const own = await bench(hosting, { eventStore: new InMemoryEventStore() });
    const response = await startCall(own, 'early');
    const { ctx, end } = own.call();
    await say(ctx, 'before');
    ctx.http?.closeSSE?.();
    const seen = await allEvents(response);
    expect(seen.map(textOf)).toEqual(['', 'before']);
    await say(ctx, 'while nobody listens');
    end();
    await settle();
    const rest = await allEvents(await listen(own, seen.at(-1)?.id));
    expect(rest.map(textOf)).toEqual(['while nobody listens', 'result']);
    expect(messageOf(rest.at(-1)!)).toMatchObject({ id: 'early' });

    const standing = await listen(own);
    const another = await startCall(own, 'other');
    own.call().ctx.http?.closeStandaloneSSE?.();
    expect((await allEvents(standing)).map(textOf)).toEqual(['']);
    own.call().end();
    expect((await allEvents(another)).map(textOf)).toEqual(['', 'result']);

    const bare = await bench(hosting, {});
    const unresumable = await startCall(bare, 1);
    expect(bare.call().ctx.http).not.toHaveProperty('closeSSE');
    expect(bare.call().ctx.http).not.toHaveProperty('closeStandaloneSSE');
    bare.call().end();
    expect((await allEvents(unresumable)).map(({ id }) => id)).toEqual([undefined]);
  });

  it('W99 replays from every event on, in order and only its own stream, and goes on live', async () => {
    for (const cutAfter of [1, 2, 3, 4]) {
      const own = await bench(hosting, { eventStore: new InMemoryEventStore() });
      const first = await startCall(own, 'a');
      const { ctx, end } = own.call();
      const second = await startCall(own, 'b');
      const other = own.call();
      for (const text of ['1', '2', '3']) {
        await say(ctx, `a${text}`);
        await say(other.ctx, `b${text}`);
      }
      const reader = rawEvents(first);
      const seen = await take(reader, cutAfter);
      await reader.return(undefined);
      await say(ctx, 'a4');
      const resumed = rawEvents(await listen(own, seen.at(-1)?.id));
      const missed = await take(resumed, 5 - cutAfter);
      await say(ctx, 'a5');
      end();
      const rest: RawEvent[] = [];
      for await (const event of resumed) rest.push(event);
      const all = [...seen, ...missed, ...rest];
      expect(all.map(textOf)).toEqual(['', 'a1', 'a2', 'a3', 'a4', 'a5', 'result']);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      other.end();
      expect((await allEvents(second)).map(textOf)).toEqual(['', 'b1', 'b2', 'b3', 'result']);
    }
  });

  it('W99 loses and doubles nothing while messages keep coming during the replay', async () => {
    const inner = new InMemoryEventStore();
    const held: { until?: Promise<void> } = {};
    const slow: EventStore = {
      storeEvent: async (stream, message) => {
        await Promise.resolve();
        return inner.storeEvent(stream, message);
      },
      // No way to look a stream up: it is found by replaying.
      replayEventsAfter: async (id, { send }) => {
        await held.until;
        return inner.replayEventsAfter(id, { send });
      },
    };
    const own = await bench(hosting, { eventStore: slow });
    const response = await startCall(own, 'a');
    const { ctx, end } = own.call();
    const reader = rawEvents(response);
    const [priming] = await take(reader, 1);
    const sent = Array.from({ length: 20 }, (_, index) => say(ctx, String(index)));
    await reader.return(undefined);
    let release = (): void => undefined;
    held.until = new Promise((resolve) => (release = resolve));
    const resuming = listen(own, priming?.id);
    await settle();
    for (let index = 20; index < 40; index++) sent.push(say(ctx, String(index)));
    release();
    const resumed = await resuming;
    for (let index = 40; index < 60; index++) sent.push(say(ctx, String(index)));
    await Promise.all(sent);
    end();
    const texts = (await allEvents(resumed)).map(textOf);
    expect(texts).toEqual([...Array.from({ length: 60 }, (_, index) => String(index)), 'result']);
  });

  it('W99 replays the server’s own stream too, with what was sent while nobody listened', async () => {
    const own = await bench(hosting, { eventStore: new InMemoryEventStore() });
    const reader = rawEvents(await listen(own));
    const { server } = own.server();
    await server.sendLoggingMessage({ level: 'info', data: 'first' });
    const seen = await take(reader, 2);
    expect(seen.map(textOf)).toEqual(['', 'first']);
    await reader.return(undefined);
    await settle();
    await server.sendLoggingMessage({ level: 'info', data: 'second' });
    const resumed = rawEvents(await listen(own, seen.at(-1)?.id));
    await server.sendLoggingMessage({ level: 'info', data: 'third' });
    expect((await take(resumed, 2)).map(textOf)).toEqual(['second', 'third']);
    // A client that is thought to be connected still may resume: it knows better.
    const again = rawEvents(await listen(own, seen.at(-1)?.id));
    expect((await take(again, 2)).map(textOf)).toEqual(['second', 'third']);
    await server.sendLoggingMessage({ level: 'info', data: 'fourth' });
    expect((await take(again, 1)).map(textOf)).toEqual(['fourth']);
    expect(await drain(resumed)).toEqual([]);
  });

  it('W99 refuses unknown events with 400, those of other sessions too, and a failing store with 500', async () => {
    const shared = new InMemoryEventStore();
    const faults: Error[] = [];
    const own = await bench(hosting, { eventStore: shared });
    const other = await bench(hosting, { eventStore: shared });
    const response = await startCall(other, 1);
    other.call().end();
    const [event] = await allEvents(response);
    expect((await listen(own, event?.id)).status).toBe(400);
    expect((await listen(own, 'nobody')).status).toBe(400);
    expect((await listen(other, event?.id)).status).toBe(200);
    const broken: EventStore = {
      storeEvent: (stream, message) => shared.storeEvent(stream, message),
      getStreamIdForEventId: (id) => shared.getStreamIdForEventId(id),
      replayEventsAfter: () => Promise.reject(new TypeError('the disk is gone')),
    };
    const failing = await bench(hosting, { eventStore: broken, onerror: (error) => faults.push(error) });
    const begun = await startCall(failing, 1);
    failing.call().end();
    const [last] = await allEvents(begun);
    const refused = await listen(failing, last?.id);
    expect(refused.status).toBe(500);
    expect(await refused.text()).not.toContain('disk');
    expect(faults.map(({ message }) => message)).toContain('the disk is gone');
    const unreadable = await bench(hosting, {
      eventStore: { ...broken, getStreamIdForEventId: () => Promise.reject(new TypeError('no')) },
    });
    expect((await listen(unreadable, '1')).status).toBe(500);
  });

  it('answers all the same when events cannot be stored', async () => {
    const faults: Error[] = [];
    const eventStore: EventStore = {
      storeEvent: () => Promise.reject(new TypeError('full')),
      replayEventsAfter: () => Promise.resolve(''),
    };
    const own = await bench(hosting, { eventStore, onerror: (error) => faults.push(error) });
    const response = await startCall(own, 7);
    await say(own.call().ctx, 'one');
    own.call().end();
    const events = await allEvents(response);
    expect(events.map(textOf)).toEqual(['one', 'result']);
    expect(faults.some(({ message }) => message === 'full')).toBe(true);
  });

  it('W70 goes on with a call whose stream is dropped, for whoever resumes; without sessions it ends', async () => {
    const own = await bench(hosting, { eventStore: new InMemoryEventStore() });
    const response = await startCall(own, 'dropped');
    const reader = rawEvents(response);
    const [priming] = await take(reader, 1);
    await reader.return(undefined);
    await settle();
    const { ctx, end } = own.call();
    expect(ctx.mcpReq.signal.aborted).toBe(false);
    end();
    await settle();
    const resumed = await allEvents(await listen(own, priming?.id));
    expect(resumed.map(messageOf)).toMatchObject([
      { id: 'dropped', result: { content: [{ text: 'the result' }] } },
    ]);

    const seen: unknown[] = [];
    const sessionless = hostWithoutSessions(hosting, () => {
      const server = new McpServer(INFO);
      server.registerTool('held', {}, async (context) => {
        await say(context, 'begun');
        await new Promise<void>((resolve) => {
          context.mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
        });
        seen.push('aborted');
        return { content: [] };
      });
      const close = server.server.close.bind(server.server);
      server.server.close = () => (seen.push('closed'), close());
      server.server.onclose = () => seen.push('closed');
      return server;
    });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held' } };
    const alone = await sessionless.fetch(httpRequest(body));
    await alone.body?.cancel();
    await settle();
    expect(new Set(seen)).toEqual(new Set(['aborted', 'closed']));
  });
});
