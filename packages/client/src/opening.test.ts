import { ProtocolError, createMemoryTransportPair, createPeer } from '@portico/rpc';
import type { Transport } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../../testing/scripted-server.ts';
import type { ScriptedServer, ScriptedServerOptions } from '../../../testing/scripted-server.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { InMemoryEraStore } from './era-store.ts';
import type { EraStore } from './era-store.ts';

const INFO = { name: 'test', version: '1' };
const DAY_MS = 86_400_000;
const AUTO = { versionNegotiation: { mode: 'auto' } } as const;

const scripted = (
  answers: ScriptedServerOptions['answers'] = {},
  clock: ManualClock = createManualClock(),
): Promise<ScriptedServer> => createScriptedServer({ clock, answers });

const never = (): Promise<never> => new Promise(() => undefined);
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** An initialize answer at a version. */
const agreed = (protocolVersion: string): object => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: INFO,
});

describe('the legacy handshake', () => {
  it('W17 offers the first version with a handshake, and nothing at all without one', async () => {
    for (const [versions, offered] of [
      [undefined, '2025-11-25'],
      [['2026-07-28', '2025-03-26', '2025-11-25'], '2025-03-26'],
      [['2024-11-05'], '2024-11-05'],
    ] as const) {
      const server = await scripted({ initialize: ({ protocolVersion }) => agreed(String(protocolVersion)) });
      const options = versions === undefined ? {} : { supportedProtocolVersions: versions };
      const client = new Client(INFO, options);
      await client.connect(server.transport);
      expect(server.messages[0]?.params?.['protocolVersion']).toBe(offered);
      expect(client.getNegotiatedProtocolVersion()).toBe(offered);
    }
    for (const versions of [['2026-07-28'], [], ['1999-01-01']]) {
      const transport = createScriptedTransport();
      const client = new Client(INFO, { supportedProtocolVersions: versions });
      await expect(client.connect(transport)).rejects.toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
      expect(transport.sent).toEqual([]);
    }
  });

  it('takes any version it speaks, and leaves with both names otherwise', async () => {
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']) {
      const server = await scripted({ initialize: () => agreed(version) });
      const client = new Client(INFO);
      await client.connect(server.transport);
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
    }
    for (const version of ['1999-01-01', '2026-07-28', '2099-01-01', 'nonsense']) {
      const server = await scripted({ initialize: () => agreed(version) });
      let closes = 0;
      const { transport } = server;
      transport.onclose = () => void (closes += 1);
      const client = new Client(INFO);
      const error = await outcome(client.connect(transport));
      expect(error).toMatchObject({ data: { requested: '2025-11-25', answered: version } });
      expect((error as Error).message).toContain(version);
      expect((error as Error).message).toContain('2025-11-25');
      expect([client.transport, closes]).toEqual([undefined, 1]);
      expect(server.notifications).toEqual([]);
    }
  });

  it('W20 ends with the error of a server that shares nothing, after two tries at most', async () => {
    const cases: readonly [unknown, number][] = [
      [{ supported: ['2025-06-18'] }, 2],
      [{ supported: ['2025-11-25'] }, 1],
      [{ supported: ['1999-01-01'] }, 1],
      [{ supported: 'all' }, 1],
      [undefined, 1],
    ];
    for (const [data, tries] of cases) {
      const server = await scripted({
        initialize: () => {
          throw new ProtocolError(-32602, 'refused', data);
        },
      });
      const client = new Client(INFO);
      await expect(client.connect(server.transport)).rejects.toMatchObject({ code: -32602 });
      expect([data, server.requests.length, client.transport]).toEqual([data, tries, undefined]);
    }
    const server = await scripted({
      initialize: ({ protocolVersion }) => {
        if (protocolVersion === '2025-06-18') return agreed('2025-06-18');
        throw new ProtocolError(-32602, 'refused', { supported: ['2025-03-26', '2025-06-18'] });
      },
    });
    const client = new Client(INFO);
    await client.connect(server.transport);
    expect(server.requests).toEqual(['initialize', 'initialize']);
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-06-18');
  });
});

describe('a transport that somebody used before', () => {
  it('reports its faults while it is opened', async () => {
    const transport = createScriptedTransport();
    const client = new Client(INFO);
    const errors: string[] = [];
    client.onerror = (error) => errors.push(error.message);
    const connecting = client.connect(transport);
    const { id } = await sentRequest(transport, 0);
    transport.onerror?.(new TypeError('garbage'));
    transport.receive({ jsonrpc: '2.0', id, result: agreed('2025-11-25') });
    await connecting;
    expect(errors).toEqual(['garbage']);
  });

  it('goes on with its session without a handshake', async () => {
    for (const [protocolVersion, expected] of [
      ['2025-06-18', '2025-06-18'],
      [undefined, '2025-11-25'],
    ]) {
      const server = await scripted({ 'tools/call': () => ({ content: [] }) });
      const { transport } = server;
      transport.sessionId = 'kept';
      Object.assign(transport, { protocolVersion });
      const client = new Client(INFO, AUTO);
      await client.connect(transport);
      expect(client.getNegotiatedProtocolVersion()).toBe(expected);
      expect(client.getServerCapabilities()).toBeUndefined();
      await client.callTool({ name: 'x' });
      await client.listTools();
      expect(server.requests).toEqual(['tools/call', 'tools/list']);
      expect(server.notifications).toEqual([]);
    }
  });
});

async function sentRequest(
  transport: ReturnType<typeof createScriptedTransport>,
  index: number,
): Promise<{ id: number; method: string }> {
  for (let turn = 0; turn < 50 && transport.sent.length <= index; turn++) await Promise.resolve();
  return transport.sent[index] as { id: number; method: string };
}

describe('the question about the era', () => {
  it('W45 lasts as long as a request, or as long and as often as it is told', async () => {
    const cases: readonly [ClientOptions['versionNegotiation'], object, readonly number[]][] = [
      [{ mode: 'auto' }, {}, [60_000]],
      [{ mode: 'auto' }, { timeout: 500 }, [500]],
      [{ mode: 'auto', probe: { timeoutMs: 200 } }, { timeout: 500 }, [200]],
      [{ mode: 'auto', probe: { timeoutMs: 200, maxRetries: 2 } }, {}, [200, 200, 200]],
    ];
    for (const [versionNegotiation, options, waits] of cases) {
      const clock = createManualClock();
      const server = await scripted({ 'server/discover': never }, clock);
      const given = versionNegotiation === undefined ? {} : { versionNegotiation };
      const client = new Client(INFO, { clock, ...given });
      const connecting = client.connect(server.transport, options);
      for (const [index, waitMs] of waits.entries()) {
        await clock.advance(waitMs - 1);
        expect(server.requests).toHaveLength(index + 1);
        await clock.advance(1);
      }
      await connecting;
      const probes = waits.map(() => 'server/discover');
      expect(server.requests).toEqual([...probes, 'initialize']);
      expect(new Set(server.messages.map(({ id }) => id)).size).toBe(server.messages.length);
    }
  });

  it('W45 is not counted when the server asks for another version', async () => {
    let asked = 0;
    const clock = createManualClock();
    const server = await scripted(
      {
        'server/discover': () => {
          asked += 1;
          if (asked > 2) return discovered();
          if (asked === 1)
            throw new ProtocolError(-32022, 'other', { supported: ['2026-07-28'], requested: 'x' });
          return never();
        },
      },
      clock,
    );
    const versionNegotiation = { mode: 'auto', probe: { timeoutMs: 100, maxRetries: 1 } } as const;
    const client = new Client(INFO, { clock, versionNegotiation });
    const connecting = client.connect(server.transport);
    await clock.advance(100);
    await connecting;
    expect([asked, client.getProtocolEra()]).toEqual([3, 'modern']);
  });

  it('W45 ends with the connection when that is closed', async () => {
    for (const close of [
      (client: Client) => client.close(),
      (_client: Client, transport: Transport) => transport.close(),
    ]) {
      const clock = createManualClock();
      const server = await scripted({ 'server/discover': never }, clock);
      Object.assign(server.transport, { restartable: true });
      const client = new Client(INFO, { clock, ...AUTO });
      const connecting = outcome(client.connect(server.transport));
      await clock.advance(10);
      await close(client, Object.assign(server.transport, { restartable: false }));
      expect(await connecting).toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
      expect(server.requests).toEqual(['server/discover']);
      expect([client.transport, clock.armed]).toEqual([undefined, 0]);
    }
  });
});

describe('what is known of a server', () => {
  const modern = { 'server/discover': () => discovered(), 'tools/call': () => ({ content: [] }) };

  it('W46 opens a connection that nothing is sent for', async () => {
    const first = new Client(INFO, AUTO);
    await first.connect((await scripted(modern)).transport);
    const stored = JSON.stringify(first.getDiscoverResult());
    const server = await scripted(modern);
    const client = new Client(INFO);
    await client.connect(server.transport, {
      prior: { kind: 'modern', discover: JSON.parse(stored) as never },
    });
    expect(server.requests).toEqual([]);
    expect(client.getProtocolEra()).toBe('modern');
    expect(client.getServerVersion()).toMatchObject({ name: 'scripted' });
    expect(client.getDiscoverResult()).toEqual(JSON.parse(stored));
    expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
    expect(server.requests).toEqual(['tools/call']);
    await client.discover();
    expect(client.getDiscoverResult()).toEqual(first.getDiscoverResult());
  });

  it('W46 is refused before anything is opened when it is no description, and null is none at all', async () => {
    const described = discovered();
    const odd: readonly unknown[] = [
      'legacy',
      7,
      false,
      {},
      { kind: 'Legacy' },
      { kind: 'modern' },
      { kind: 'modern', discover: 'x' },
      { kind: 'modern', discover: { ...described, supportedVersions: '2026-07-28' } },
      described,
      { ...described, kind: 'legacy' },
    ];
    for (const prior of odd) {
      const server = await createScriptedServer({ clock: createManualClock() });
      const client = new Client(INFO, { clock: createManualClock() });
      const connecting = client.connect(server.transport, { prior: prior as never });
      await expect(connecting).rejects.toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
      expect([prior, server.requests]).toEqual([prior, []]);
    }
    const server = await createScriptedServer({ clock: createManualClock() });
    const client = new Client(INFO, { clock: createManualClock() });
    await client.connect(server.transport, { prior: JSON.parse('null') as undefined });
    expect(server.requests).toEqual(['initialize']);
  });

  it('W46 is refused before anything is opened when it shares no version', async () => {
    const foreign: readonly unknown[] = [
      { ...discovered(), supportedVersions: ['2099-01-01'] },
      { ...discovered(), supportedVersions: ['2025-11-25'] },
      { supportedVersions: ['2026-07-28'] },
      'nonsense',
      undefined,
    ];
    for (const discover of foreign) {
      const transport = createScriptedTransport();
      let starts = 0;
      transport.start = async () => void (starts += 1);
      const client = new Client(INFO, AUTO);
      const connecting = client.connect(transport, {
        prior: { kind: 'modern', discover: discover as never },
      });
      await expect(connecting).rejects.toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
      expect(starts).toBe(0);
    }
    const server = await scripted(modern);
    const client = new Client(INFO, AUTO);
    await client.connect(server.transport, { prior: { kind: 'legacy' } });
    expect(server.requests).toEqual(['initialize']);
    expect(client.getDiscoverResult()).toBeUndefined();
  });

  /** Connects a new client with the store to a server under that name. */
  async function visit(
    eraStore: EraStore,
    server: ScriptedServer,
    { clock = createManualClock(), key = 'https://a.example' } = {},
  ): Promise<{ client: Client; errors: Error[] }> {
    Object.assign(server.transport, { serverKey: key });
    const client = new Client(INFO, { clock, eraStore, ...AUTO });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(server.transport);
    return { client, errors };
  }

  it('W47 spares other connections the question, a legacy verdict for a day', async () => {
    const store = new InMemoryEraStore();
    const clock = createManualClock();
    const legacy = (): Promise<ScriptedServer> => scripted({}, clock);
    const asked = async (server: ScriptedServer, key?: string): Promise<readonly string[]> => {
      await visit(store, server, key === undefined ? { clock } : { clock, key });
      return server.requests;
    };
    expect(await asked(await legacy())).toEqual(['server/discover', 'initialize']);
    expect(await asked(await legacy())).toEqual(['initialize']);
    expect(await asked(await legacy(), 'https://b.example')).toEqual(['server/discover', 'initialize']);
    await clock.advance(DAY_MS - 1);
    expect(await asked(await legacy())).toEqual(['initialize']);
    await clock.advance(1);
    // The server was upgraded meanwhile, which the handshake would never have shown.
    expect(await asked(await scripted(modern, clock))).toEqual(['server/discover']);
    await clock.advance(30 * DAY_MS);
    expect(await asked(await scripted(modern, clock))).toEqual([]);
  });

  it('W47 is dropped when the first answer shows that it no longer holds; the connection keeps its era', async () => {
    const store = new InMemoryEraStore();
    await visit(store, await scripted(modern));
    const downgraded = await scripted();
    const { client } = await visit(store, downgraded);
    expect(client.getProtocolEra()).toBe('modern');
    await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({ code: -32601 });
    await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({ code: -32601 });
    expect(client.getProtocolEra()).toBe('modern');
    expect(downgraded.requests).toEqual(['tools/call', 'tools/call']);
    const again = await scripted();
    expect((await visit(store, again)).client.getProtocolEra()).toBe('legacy');
    expect(again.requests).toEqual(['server/discover', 'initialize']);
    // Once confirmed, a failing call says nothing about the era.
    const confirmed = new InMemoryEraStore();
    await visit(confirmed, await scripted(modern));
    const steady = await visit(confirmed, await scripted(modern));
    await steady.client.callTool({ name: 'x' });
    await expect(steady.client.getPrompt({ name: 'x' })).rejects.toMatchObject({ code: -32601 });
    const last = await scripted(modern);
    await visit(confirmed, last);
    expect(last.requests).toEqual([]);
  });

  it('W47 may lie in a store that fails, and is kept nowhere without one', async () => {
    const fail = (): never => {
      throw new TypeError('store is down');
    };
    const later = (): Promise<never> => Promise.reject(new TypeError('store is down'));
    for (const store of [
      { get: fail, set: fail, delete: fail },
      { get: later, set: later, delete: later },
    ]) {
      const server = await scripted(modern);
      const { client, errors } = await visit(store, server);
      expect([client.getProtocolEra(), errors.length]).toEqual(['modern', 2]);
    }
    for (let round = 0; round < 2; round++) {
      const server = await scripted(modern);
      Object.assign(server.transport, { serverKey: 'https://a.example' });
      await new Client(INFO, AUTO).connect(server.transport);
      expect(server.requests).toEqual(['server/discover']);
    }
  });
});

describe('a modern connection', () => {
  it('W32 sends a refused request once more in a version that the server offers', async () => {
    for (const [supported, tries] of [
      [['1999-01-01', '2026-07-28'], 2],
      [['2025-11-25'], 1],
      [[], 1],
    ] as const) {
      const server = await scripted({
        'server/discover': () => discovered(),
        'tools/call': () => {
          throw new ProtocolError(-32022, 'other', { supported, requested: '2026-07-28' });
        },
      });
      const client = new Client(INFO, AUTO);
      await client.connect(server.transport);
      await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({
        code: -32022,
        data: { supported },
      });
      const calls = server.messages.filter(({ method }) => method === 'tools/call');
      expect(calls).toHaveLength(tries);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(tries);
    }
    let calls = 0;
    const server = await scripted({
      'server/discover': () => discovered(),
      'tools/call': () => {
        calls += 1;
        if (calls > 1) return { content: [] };
        throw new ProtocolError(-32022, 'other', { supported: ['2026-07-28'], requested: 'x' });
      },
    });
    const client = new Client(INFO, AUTO);
    await client.connect(server.transport);
    expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
  });

  it('tells who asks with each request, unless that is switched off', async () => {
    for (const sendClientInfo of [true, false]) {
      const [transport, other] = createMemoryTransportPair();
      const metas: unknown[] = [];
      const peer = createPeer({
        transport: other,
        clock: createManualClock(),
        onRequest: ({ params }) => {
          metas.push(params?.['_meta']);
          return discovered();
        },
      });
      await peer.start();
      await new Client(INFO, { ...AUTO, sendClientInfo }).connect(transport);
      const key = 'io.modelcontextprotocol/clientInfo';
      expect(metas.map((meta) => Object.hasOwn(meta as object, key))).toEqual([sendClientInfo]);
    }
  });
});
