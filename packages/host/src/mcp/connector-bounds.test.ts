import type { Connector } from '@portico/api';
import { ConnectionsError } from '@portico/connections';
import type { ConnectionState } from '@portico/connections';
import { ProtocolError } from '@portico/rpc';
import { Server } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { httpRequest, readReply } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { secretHider } from '../gateway/secret-hider.ts';
import { answerFor } from './answer-for.ts';
import { createConnectorEndpoints } from './connector-endpoints.ts';
import { offeredCapabilities } from './offered-capabilities.ts';

/** Endpoints of connectors whose states the test sets, before servers that do nothing. */
function bench() {
  const clock = createManualClock();
  const states = new Map<string, ConnectionState['status']>();
  const listeners = new Map<string, Set<() => void>>();
  const ended: string[] = [];
  const endpoints = createConnectorEndpoints({
    clock,
    proxy: {
      serverFor(id) {
        const server = new Server({ name: id, version: '1' }, { capabilities: { tools: {} } });
        server.onclose = () => void ended.push(id);
        return server;
      },
    },
    audience: { listen: () => () => undefined },
    connections: {
      get: (id) => ({ status: states.get(id) ?? 'ready' }) as ConnectionState,
      connect: (id) => Promise.resolve({ id } as ConnectionState),
      subscribeTo(id, listener) {
        const own = listeners.get(id) ?? new Set();
        listeners.set(id, own.add(listener));
        return () => void own.delete(listener);
      },
    },
    connector: (id) =>
      ({ name: id, label: '', status: 'connecting', cause: { message: 'Wait.' } }) as unknown as Connector,
    origins: () => [],
  });
  const set = (id: string, status: ConnectionState['status']): void => {
    states.set(id, status);
    for (const listener of listeners.get(id) ?? []) listener();
  };
  const open = async (id: string) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const request = httpRequest({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    return await readReply(await endpoints.handle(id, request));
  };
  const discover = async (id: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: modern() };
    return await readReply(await endpoints.handle(id, httpRequest(body)));
  };
  return { clock, endpoints, set, open, discover, ended, listeners };
}

describe('endpoints of connectors', () => {
  it('have 64 sessions each and 512 in all, which end after ten minutes without use', async () => {
    const { clock, endpoints, open, discover, ended } = bench();
    for (let connector = 0; connector < 8; connector += 1) {
      for (let session = 0; session < 64; session += 1) {
        expect((await open(`c${connector}`)).status).toBe(200);
      }
      expect((await open(`c${connector}`)).status).toBe(503);
    }
    const refused = await open('c8');
    expect(refused.status).toBe(503);
    expect(refused.message).toMatchObject({ error: { data: { code: 'too_many_sessions' } } });
    // Clients of the era without sessions are not concerned.
    expect((await discover('c8')).status).toBe(200);
    ended.length = 0;
    await clock.advance(599_999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toHaveLength(512);
    expect((await open('c8')).status).toBe(200);
    await endpoints.close();
  });

  it('take no session of another connector', async () => {
    const { endpoints, open } = bench();
    const opened = await open('a');
    await open('b');
    const session = opened.headers.get('mcp-session-id') ?? '';
    const ask = async (id: string): Promise<number> => {
      const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
      const request = httpRequest({ jsonrpc: '2.0', id: 2, method: 'ping' }, { headers });
      return (await endpoints.handle(id, request)).status;
    };
    expect([await ask('b'), await ask('a'), await ask('never opened')]).toEqual([404, 200, 404]);
    await endpoints.close();
  });

  it('wait for a connector that is being connected, but no longer than 5 s', async () => {
    const { clock, endpoints, set, discover, listeners } = bench();
    set('a', 'connecting');
    const first = discover('a');
    await clock.advance(4_999);
    set('a', 'ready');
    expect((await first).status).toBe(200);
    set('a', 'connecting');
    const second = discover('a');
    await clock.advance(5_000);
    const answer = await second;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(listeners.get('a')?.size).toBe(0);
    expect(clock.armed).toBe(0);
    await endpoints.close();
  });

  it('wait for nothing when nobody waits, or when the host ends', async () => {
    const { clock, endpoints, set } = bench();
    set('a', 'connecting');
    const controller = new AbortController();
    const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: modern() };
    const left = endpoints.handle('a', httpRequest(body, { signal: controller.signal }));
    controller.abort();
    expect((await left).status).toBe(503);
    const farewell = endpoints.handle('a', httpRequest(body, { method: 'DELETE' }));
    expect((await farewell).status).toBe(503);
    expect(clock.armed).toBe(0);
    const waits = endpoints.handle('a', httpRequest(body));
    await endpoints.close();
    expect((await waits).status).toBe(503);
    expect(clock.armed).toBe(0);
  });

  it('take bodies of 4 MiB and no more', async () => {
    const { endpoints } = bench();
    const sized = (bytes: number): Request => {
      const params = modern({ fill: '' });
      const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params }).length;
      const fill = 'x'.repeat(bytes - empty);
      const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: modern({ fill }) };
      return httpRequest(body);
    };
    expect((await endpoints.handle('a', sized(4_194_304))).status).toBe(200);
    const refused = await readReply(await endpoints.handle('a', sized(4_194_305)));
    expect(refused.status).toBe(413);
    expect(refused.message).toMatchObject({ error: { code: -32_600 } });
    await endpoints.close();
  });
});

describe('what stands between a page and a connector', () => {
  it('tells of all that a connector offers but what goes no further', () => {
    const own = {
      tools: { listChanged: true },
      logging: {},
      completions: {},
      experimental: { 'com.example/trial': {} },
      tasks: { list: {} },
      extensions: { 'com.example/more': { on: 1 }, malformed: {}, 'io.modelcontextprotocol/tasks': {} },
    };
    const { tasks: _tasks, ...rest } = own;
    expect(offeredCapabilities(own)).toEqual({ ...rest, extensions: { 'com.example/more': { on: 1 } } });
    expect(offeredCapabilities({ extensions: { malformed: {} } })).toEqual({});
  });

  it('K34 hands on the errors of the server itself, and of all others neither secrets nor what is within', () => {
    const hide = secretHider({ 'x-key': 'canary-of-a-header' });
    const own = new ProtocolError(-31_000, 'mine', { why: 1 });
    const answered = new ConnectionsError(
      'server_error',
      { id: 'a', code: -31_000, data: { why: 1 } },
      { cause: own },
    );
    expect(answerFor(answered, hide)).toBe(own);
    const broken = new ConnectionsError(
      'unreachable',
      { id: 'a' },
      { message: 'no way with canary-of-a-header', cause: new TypeError('inner') },
    );
    const { code, message, data } = answerFor(broken, hide);
    expect([code, data]).toEqual([-32_603, { code: 'unreachable' }]);
    expect(message).toContain('[value of x-key]');
    expect(message).not.toContain('canary');
    const missing = new ConnectionsError('not_supported', { id: 'a' });
    expect(answerFor(missing, hide)).toMatchObject({ code: -32_601, data: { code: 'not_supported' } });
  });
});
