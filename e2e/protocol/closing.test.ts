// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { createMemoryTransportPair } from '@portico/rpc';
import { McpServer, type ServerContext, inputRequired } from '@portico/server';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { LOGGED_ROUTES, type OpenedClient } from './logged-routes.ts';
import { until } from './test-server.ts';

const open: OpenedClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((opened) => opened.close()));
});

const SAMPLE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }],
  maxTokens: 9,
};

interface Sides {
  readonly made: McpServer[];
  /** Signals of handlers that run, by side. */
  readonly atServer: AbortSignal[];
  readonly atClient: AbortSignal[];
  serverCloses: number;
}

const forever = (): Promise<never> => new Promise(() => undefined);

/** Three calls that wait at the server, and two that wait for what they ask the client. */
function createSides(era: 'legacy' | 'modern'): Sides & { readonly make: () => McpServer } {
  const sides: Sides = { made: [], atServer: [], atClient: [], serverCloses: 0 };
  const ask = async ({ mcpReq }: ServerContext): Promise<unknown> => {
    if (era === 'modern') {
      const q = { method: 'sampling/createMessage' as const, params: SAMPLE };
      return inputRequired({ inputRequests: { q } });
    }
    sides.atServer.push(mcpReq.signal);
    return mcpReq.requestSampling(SAMPLE);
  };
  const make = (): McpServer => {
    const server = new McpServer({ name: 'closing', version: '1' });
    server.registerTool('wait', {}, ({ mcpReq }) => {
      sides.atServer.push(mcpReq.signal);
      return forever();
    });
    server.registerTool('ask', {}, (context) => ask(context) as never);
    server.registerTool('quick', {}, () => ({ content: [] }));
    server.server.onclose = () => void (sides.serverCloses += 1);
    sides.made.push(server);
    return server;
  };
  return Object.assign(sides, { make });
}

describe.each(LOGGED_ROUTES)('closing, $name', (route) => {
  it.each(['client', 'server'] as const)(
    'W24 by the %s fails the open calls, aborts all handlers and is told once; the next connection starts clean',
    async (side) => {
      const clock = createManualClock();
      const sides = createSides(route.era);
      let clientCloses = 0;
      const first = await route.open(sides.make, {
        clock,
        capabilities: { sampling: {} },
        prepare(client) {
          client.onclose = () => void (clientCloses += 1);
          client.setRequestHandler('sampling/createMessage', (_request, { mcpReq }) => {
            sides.atClient.push(mcpReq.signal);
            return forever();
          });
        },
      });
      open.push(first);
      const { client } = first;
      const calls = ['wait', 'wait', 'wait', 'ask', 'ask'].map((name) =>
        client.callTool({ name }).then(
          () => 'answered',
          (error: unknown) => error,
        ),
      );
      await until(() => sides.atClient.length === 2, 'the questions');
      await until(() => sides.atServer.length === (route.era === 'legacy' ? 5 : 3), 'the calls');
      const before = first.log.length;

      if (side === 'client') await client.close();
      else await first.release();
      const overHttp = route.transport === 'http';
      // The end of a server behind HTTP is seen by the calls alone; the client ends by itself.
      if (side === 'server' && overHttp) await client.close();
      for (const error of await Promise.all(calls)) {
        expect(error).toMatchObject({ name: 'SdkError', code: 'CONNECTION_CLOSED' });
      }
      expect(sides.atClient.map(({ aborted }) => aborted)).toEqual([true, true]);
      // A session outlives its client, which has not ended it.
      const serverIsToldOfClient = !(overHttp && route.era === 'legacy' && side === 'client');
      if (serverIsToldOfClient) {
        // Where the input has ended, calls have a moment to end by themselves.
        await clock.advance(2_000);
        await until(() => sides.atServer.every(({ aborted }) => aborted), 'the signals of the server');
        await until(() => sides.serverCloses > 0, 'the end of the server');
      }
      await Promise.all([client.close(), first.release()]);
      expect(sides.atServer.every(({ aborted }) => aborted)).toBe(true);
      expect([clientCloses, sides.serverCloses]).toEqual([1, overHttp ? sides.made.length : 1]);
      await clock.advance(0);
      expect(clock.armed).toBe(0);
      const late = first.log.slice(before).filter(({ message }) => 'id' in message && 'result' in message);
      expect(late).toEqual([]);

      const second = await route.open(sides.make, { clock, again: client });
      open.push(second);
      await clock.advance(3_600_000);
      expect(await client.callTool({ name: 'quick' })).toMatchObject({ content: [] });
      expect(second.log.filter(({ message }) => message['method'] === 'notifications/cancelled')).toEqual([]);
      expect([clientCloses, sides.atClient.length]).toEqual([1, 2]);
      await second.close();
      expect([clientCloses, clock.armed]).toEqual([2, 0]);
    },
  );
});

describe('one server on one transport after the other', () => {
  it('W24 starts clean: no answer, cancel or timer of the first connection is met on the second', async () => {
    const clock = createManualClock();
    const server = new McpServer({ name: 's', version: '1' }, { clock });
    let closes = 0;
    server.server.onclose = () => void (closes += 1);
    let release: (() => void) | undefined;
    server.registerTool('held', {}, async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { content: [] };
    });
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: { sampling: {} },
      clientInfo: { name: 'raw', version: '1' },
    };
    const connect = async () => {
      const [ours, theirs] = createMemoryTransportPair();
      const received: object[] = [];
      ours.onmessage = (message) => received.push(message);
      await server.connect(theirs);
      await ours.start();
      await ours.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
      await ours.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return { ours, received };
    };
    const first = await connect();
    await first.ours.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'held' } });
    const asked = server.server.createMessage(SAMPLE).catch((error: unknown) => error);
    await until(() => release !== undefined, 'the call');
    await server.close();
    expect(await asked).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect([closes, clock.armed]).toEqual([1, 0]);

    const second = await connect();
    // The same id as the call that was open at the first.
    await second.ours.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    release?.();
    await clock.advance(3_600_000);
    expect(second.received).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: { tools: [{ name: 'held' }] } },
    ]);
    await server.close();
    expect([closes, clock.armed]).toEqual([2, 0]);
  });
});
