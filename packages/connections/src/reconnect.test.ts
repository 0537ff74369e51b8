import { SdkError, StreamableHTTPClientTransport } from '@portico/client';
import type { Transport } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createBench, requestsTo } from '../../../testing/connection-bench.ts';
import { createScriptedServer, scriptedTool } from '../../../testing/scripted-server.ts';
import { createConnections } from './connections.ts';
import { PROCESS_POLICY, REMOTE_POLICY, backOffMs } from './policy.ts';

describe('coming back', () => {
  it('K28 field-D40 opens a lost connection again after the first wait and reads its lists anew', async () => {
    let version = 0;
    const bench = createBench({
      answers: { 'tools/list': () => ({ tools: [scriptedTool(`v${(version += 1)}`)] }) },
    });
    const { connections, clock, servers } = bench;
    connections.add('a', {});
    await connections.connect('a');
    await servers[0]?.peer.close();
    await clock.advance(0);
    expect(connections.get('a')).toMatchObject({
      status: 'connecting',
      attempt: 1,
      error: { step: 'closed' },
      retryAtMs: clock.now() + 1_000,
    });
    await clock.advance(1_000);
    expect(connections.get('a')).toMatchObject({ status: 'ready', attempt: 0 });
    expect(connections.get('a')?.error).toBeUndefined();
    expect(connections.listTools('a').map(({ name }) => name)).toEqual(['v2']);
  });

  it('K28 waits longer after each failure, up to a minute, and starts small after good service', async () => {
    const bench = createBench();
    const { connections, clock, servers } = bench;
    bench.failure = new SdkError('CLIENT_HTTP_NETWORK', {
      data: { step: 'tcp', systemCode: 'ECONNREFUSED', host: 'x' },
    });
    connections.add('a', {});
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) {
      await clock.advance(0);
      const state = connections.get('a');
      expect(state).toMatchObject({ status: 'failed', attempt: round + 1, error: { step: 'tcp' } });
      const waitMs = Number(state?.retryAtMs) - clock.now();
      waits.push(waitMs / 1_000);
      await clock.advance(waitMs);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    bench.failure = undefined;
    await clock.advance(60_000);
    expect(connections.get('a')?.status).toBe('ready');
    await clock.advance(59_000);
    await servers[0]?.peer.close();
    await clock.advance(0);
    expect(Number(connections.get('a')?.retryAtMs) - clock.now()).toBe(60_000);
    await clock.advance(60_000 + 60_000);
    await servers[1]?.peer.close();
    await clock.advance(0);
    expect(Number(connections.get('a')?.retryAtMs) - clock.now()).toBe(1_000);
  });

  it('spreads its waits by a fifth', () => {
    expect(backOffMs(REMOTE_POLICY, 1, 0)).toBe(800);
    expect(backOffMs(REMOTE_POLICY, 1, 1)).toBe(1_200);
    expect(backOffMs(REMOTE_POLICY, 1_000, 0.5)).toBe(60_000);
  });

  it('K28 acts at once and forgets earlier failures when a person asks for it', async () => {
    const bench = createBench();
    const { connections, clock } = bench;
    bench.failure = new SdkError('REQUEST_TIMEOUT');
    connections.add('a', {});
    await clock.advance(10_000);
    expect(connections.get('a')?.attempt).toBe(4);
    bench.failure = undefined;
    expect(await connections.reconnect('a')).toMatchObject({ status: 'ready', attempt: 0 });
    await clock.advance(600_000);
    expect(bench.servers).toHaveLength(1);
  });

  it('K28 acts at once also while it is being opened, however long the opening before takes to end', async () => {
    const bench = createBench();
    const { transport } = await createScriptedServer({ clock: bench.clock });
    const connections = createConnections({
      clock: bench.clock,
      clientInfo: { name: 'test', version: '1' },
      createTransport() {
        bench.openings += 1;
        // There at once, so that nothing but the connection itself can wait.
        if (bench.openings > 1) return transport;
        return new StreamableHTTPClientTransport(new URL('https://server.test/mcp'), {
          clock: bench.clock,
          fetch: () => new Promise(() => undefined),
        });
      },
    });
    connections.add('a', {});
    await bench.clock.advance(100);
    void connections.reconnect('a');
    expect(connections.get('a')?.status).toBe('connecting');
    await bench.clock.advance(500);
    expect(connections.get('a')).toMatchObject({ status: 'ready', attempt: 0 });
    expect(bench.openings).toBe(2);
  });

  it('forgets what another server offered, without being closed in between', async () => {
    const bench = createBench({ answers: { 'tools/list': () => ({ tools: [scriptedTool('old')] }) } });
    const { connections, clock } = bench;
    connections.add('a', 'first');
    await connections.connect('a');
    const seen: string[] = [];
    connections.subscribeTo('a', () => {
      const { status, tools = [], server } = connections.get('a') ?? {};
      seen.push(`${status} ${tools.length} ${server?.name}`);
    });
    connections.replace('a', 'second');
    expect(seen).toEqual(['connecting 0 undefined']);
    await clock.advance(0);
    expect(connections.get('a')?.status).toBe('ready');
  });

  it('stays closed when it was closed on purpose', async () => {
    const bench = createBench();
    const { connections, clock } = bench;
    connections.add('a', {});
    await connections.connect('a');
    await connections.disconnect('a', 'stopped');
    expect(connections.get('a')).toMatchObject({ status: 'stopped', tools: [] });
    await expect(connections.callTool('a', { name: 'x' })).rejects.toMatchObject({
      code: 'not_ready',
      data: { status: 'stopped' },
    });
    await clock.advance(600_000);
    expect(bench.openings).toBe(1);
    expect(clock.armed).toBe(0);
  });

  it('lets a call wait for a connection that is coming back', async () => {
    const bench = createBench({ answers: { 'tools/call': () => ({ content: [] }) } });
    const { connections, clock, servers } = bench;
    connections.add('a', {});
    await connections.connect('a');
    await servers[0]?.peer.close();
    const call = connections.callTool('a', { name: 'x' });
    await clock.advance(1_000);
    expect(await call).toEqual({ content: [] });
    expect(requestsTo(servers[1], 'tools/call')).toBe(1);
  });

  it('closes what is made too late, after nobody wants it any more', async () => {
    const bench = createBench();
    const server = await createScriptedServer({ clock: bench.clock });
    let make = (_transport: Transport): void => undefined;
    const connections = createConnections({
      clock: bench.clock,
      clientInfo: { name: 'test', version: '1' },
      createTransport: () =>
        new Promise((resolve) => {
          make = resolve;
        }),
    });
    let closed = false;
    server.peer.onclose = () => {
      closed = true;
    };
    connections.add('a', {});
    await bench.clock.advance(0);
    await connections.remove('a');
    make(server.transport);
    await bench.clock.advance(0);
    expect(closed).toBe(true);
    expect(connections.get('a')).toBeUndefined();
  });

  it('opens anew with another definition', async () => {
    const seen: unknown[] = [];
    const bench = createBench();
    const connections = createConnections({
      clock: bench.clock,
      clientInfo: { name: 'test', version: '1' },
      versionNegotiation: { mode: 'legacy' },
      async createTransport(_id, definition) {
        seen.push(definition);
        return (await createScriptedServer({ clock: bench.clock })).transport;
      },
    });
    connections.add('a', 'first');
    await connections.connect('a');
    connections.replace('a', 'second');
    expect((await connections.connect('a')).status).toBe('ready');
    expect(seen).toEqual(['first', 'second']);
  });
});

describe('children', () => {
  it('K33 leaves a child alone after the fifth crash in ten minutes, with its last words', async () => {
    const bench = createBench({}, { policyFor: () => PROCESS_POLICY });
    const { connections, clock } = bench;
    bench.failure = new SdkError('STDIO_EXITED', {
      data: { exitCode: 3, signal: null, stderrTail: ['no database'] },
    });
    connections.add('a', {});
    await clock.advance(600_000);
    expect(connections.get('a')).toMatchObject({
      status: 'stopped',
      attempt: 5,
      error: { step: 'process', exitCode: 3, signal: null, stderrTail: ['no database'] },
    });
    expect(bench.openings).toBe(5);
    bench.failure = undefined;
    expect((await connections.connect('a')).status).toBe('ready');
  });

  it('K33 does not count crashes that are longer ago than ten minutes', async () => {
    const bench = createBench({}, { policyFor: () => PROCESS_POLICY });
    const { connections, clock, servers } = bench;
    connections.add('a', {});
    for (let crash = 0; crash < 8; crash++) {
      await clock.advance(200_000);
      expect(connections.get('a')?.status).toBe('ready');
      await servers.at(-1)?.peer.close();
    }
    await clock.advance(2_000);
    expect(connections.get('a')?.status).toBe('ready');
  });

  it('K33 tells the callers of a child that stopped that the action may have happened', async () => {
    const bench = createBench({ answers: { 'tools/call': () => new Promise(() => undefined) } });
    const { connections, clock, servers } = bench;
    connections.add('a', {});
    await connections.connect('a');
    const call = connections.callTool('a', { name: 'x' }).catch((error: unknown) => error);
    await clock.advance(0);
    await servers[0]?.peer.close();
    expect(await call).toMatchObject({
      code: 'connection_lost',
      message: 'the server stopped; the action may have happened',
    });
  });
});

describe('requests of servers', () => {
  it('reach the handler of a declared capability with the id of their connection', async () => {
    const asked: unknown[] = [];
    const bench = createBench(
      {},
      {
        capabilities: { elicitation: {} },
        handlers: {
          elicitation: (id, request) => {
            asked.push([id, request.params]);
            return { action: 'decline' };
          },
          sampling: () => ({}),
        },
      },
    );
    const { connections, servers } = bench;
    connections.add('a', {});
    await connections.connect('a');
    const params = { message: 'sure?', requestedSchema: { type: 'object', properties: {} } };
    expect(await servers[0]?.peer.request('elicitation/create', params)).toEqual({
      action: 'decline',
    });
    expect(asked).toEqual([['a', params]]);
    await expect(servers[0]?.peer.request('sampling/createMessage', {})).rejects.toMatchObject({
      code: -32601,
    });
  });
});
