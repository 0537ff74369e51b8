import { ProtocolError, createMemoryTransportPair, createPeer } from '@portico/rpc';
import type { JSONRPCMessage } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedServer, ScriptedServerOptions } from '../../../testing/scripted-server.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';

const INFO = { name: 'test', version: '1' };

async function open(
  script: Omit<ScriptedServerOptions, 'clock'> = {},
  options: ClientOptions = {},
): Promise<{ client: Client; server: ScriptedServer; errors: Error[] }> {
  const clock = createManualClock();
  const server = await createScriptedServer({ clock, ...script });
  const client = new Client(INFO, { clock, ...options });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(server.transport);
  return { client, server, errors };
}

describe('a legacy connection', () => {
  it('W15 begins with the offer and is open after the answer', async () => {
    const { client, server } = await open();
    expect(server.requests).toEqual(['initialize']);
    expect(server.notifications.map(({ method }) => method)).toEqual(['notifications/initialized']);
    expect(client.getProtocolEra()).toBe('legacy');
    const offers: unknown[] = [];
    await open(
      {
        answers: {
          initialize: (params) => {
            offers.push(params);
            return { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: INFO };
          },
        },
      },
      { capabilities: { roots: {} } },
    );
    expect(offers).toEqual([
      { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: INFO },
    ]);
  });

  it('W21 tells what the server declared, while it is open', async () => {
    const client = new Client(INFO, { clock: createManualClock() });
    const told = (): unknown[] => [
      client.getServerVersion(),
      client.getServerCapabilities(),
      client.getInstructions(),
    ];
    expect(told()).toEqual([undefined, undefined, undefined]);
    const declared = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, experimental: { 'x/y': { deep: [1] } } },
      serverInfo: { name: 's', version: '2', title: 'Server' },
      instructions: 'be kind',
    };
    const { transport } = await createScriptedServer({
      clock: createManualClock(),
      answers: { initialize: () => declared },
    });
    await client.connect(transport);
    expect(told()).toEqual([declared.serverInfo, declared.capabilities, declared.instructions]);
    await client.close();
    expect(told()).toEqual([undefined, undefined, undefined]);
  });

  it('W20 offers once more a version that the refusal lists', async () => {
    const versions: unknown[] = [];
    const refusing = (supported: string[]): ScriptedServerOptions['answers'] => ({
      initialize: ({ protocolVersion }) => {
        versions.push(protocolVersion);
        if (protocolVersion === '2025-06-18') {
          return { protocolVersion, capabilities: {}, serverInfo: INFO };
        }
        throw new ProtocolError(-32602, 'refused', { supported });
      },
    });
    const { client } = await open({ answers: { ...refusing(['2025-06-18']) } });
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-06-18');
    expect(versions.splice(0)).toEqual(['2025-11-25', '2025-06-18']);
    await expect(open({ answers: { ...refusing(['1999-01-01']) } })).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32602,
    });
    expect(versions).toEqual(['2025-11-25']);
  });

  it('W54 refuses what the server does not declare before anything is sent, but lists are empty', async () => {
    for (const enforceStrictCapabilities of [false, true]) {
      const { client, server } = await open({ capabilities: {} }, { enforceStrictCapabilities });
      const lists = [
        client.listTools(),
        client.listResources(),
        client.listResourceTemplates(),
        client.listPrompts(),
      ];
      const outcomes = (await Promise.allSettled(lists)).map((outcome) =>
        outcome.status === 'fulfilled'
          ? Object.values(outcome.value)
          : (outcome.reason as { code: string }).code,
      );
      expect(outcomes).toEqual(
        Array.from({ length: 4 }, () => (enforceStrictCapabilities ? 'CAPABILITY_NOT_SUPPORTED' : [[]])),
      );
      for (const call of [
        () => client.callTool({ name: 'x' }),
        () => client.readResource({ uri: 'x:y' }),
        () => client.getPrompt({ name: 'x' }),
        () => client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }),
        () => client.subscribeResource({ uri: 'x:y' }),
        () => client.setLoggingLevel('info'),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
      }
      expect(server.requests).toEqual(['initialize']);
    }
  });

  it.each(['legacy', 'modern'] as const)(
    'field-D18 reads every page in order within one time, and fails when a later page does, %s',
    async (era) => {
      const lists = {
        'tools/list': ['tools', (client: Client) => client.listTools()],
        'resources/list': ['resources', (client: Client) => client.listResources()],
        'resources/templates/list': ['resourceTemplates', (client: Client) => client.listResourceTemplates()],
        'prompts/list': ['prompts', (client: Client) => client.listPrompts()],
      } as const;
      const item = (n: number): unknown => ({
        ...scriptedTool(`t${n}`),
        uri: `x:${n}`,
        uriTemplate: `x:{${n}}`,
      });
      const page = (from: number, to: number): unknown[] =>
        Array.from({ length: to - from }, (_, index) => item(from + index));
      for (const [method, [member, list]] of Object.entries(lists)) {
        const clock = createManualClock();
        let second: 'works' | 'fails' | 'drops' | 'is slow' = 'works';
        const cursors: unknown[] = [];
        const server: ScriptedServer = await createScriptedServer({
          clock,
          capabilities: { tools: {}, resources: {}, prompts: {} },
          answers: {
            ...(era === 'modern' ? { 'server/discover': () => discovered() } : {}),
            [method]: ({ cursor }: { cursor?: unknown }) => {
              cursors.push(cursor);
              if (second === 'is slow') {
                return new Promise((resolve) => {
                  clock.setTimer(25_000, () => resolve({ [member]: [], nextCursor: `${cursors.length}` }));
                });
              }
              if (cursor === undefined) return { [member]: page(0, 100), nextCursor: 'p2' };
              if (second === 'fails') throw new ProtocolError(-32602, 'no such page');
              if (second === 'drops') return server.peer.close();
              return { [member]: page(100, 137) };
            },
          },
        });
        const client = new Client(INFO, { clock, versionNegotiation: { mode: 'auto' } });
        await client.connect(server.transport);
        expect(client.getProtocolEra()).toBe(era);
        const read = (await list(client)) as Record<string, readonly { name: string }[]>;
        expect(read[member]?.map(({ name }) => name)).toEqual(Array.from({ length: 137 }, (_, n) => `t${n}`));
        expect(cursors).toEqual([undefined, 'p2']);
        second = 'fails';
        await expect(list(client)).rejects.toMatchObject({ code: -32602 });
        second = 'is slow';
        const slow = list(client).catch((error: unknown) => error);
        await clock.advance(59_999);
        expect(cursors).toHaveLength(2 + 2 + 3);
        await clock.advance(1);
        expect(await slow).toMatchObject({ code: 'REQUEST_TIMEOUT' });
        second = 'drops';
        await expect(list(client)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
      }
    },
  );

  it('ends a walk that goes on for ever or in circles', async () => {
    const { client, server } = await open({
      answers: {
        'tools/list': ({ cursor }) => ({ tools: [], nextCursor: `${Number(cursor ?? 0) + 1}` }),
      },
    });
    await expect(client.listTools()).rejects.toMatchObject({ code: 'LIST_PAGINATION_EXCEEDED' });
    expect(server.requests.length).toBe(65);
    const circle = await open({
      answers: { 'tools/list': () => ({ tools: [], nextCursor: 'same' }) },
    });
    await expect(circle.client.listTools()).rejects.toMatchObject({
      code: 'LIST_PAGINATION_EXCEEDED',
    });
    expect(circle.server.requests.length).toBe(3);
  });

  it('ends a walk whose pages together are too large, and takes one page with very many items', async () => {
    const description = 'd'.repeat(8 * 1024 * 1024);
    const tool = (name: string, more: object = {}): object => ({
      name,
      inputSchema: { type: 'object' },
      ...more,
    });
    const { client, server } = await open({
      answers: {
        'tools/list': ({ cursor = '0' }) => ({
          tools: [tool(`t${String(cursor)}`, { description })],
          nextCursor: `${Number(cursor) + 1}`,
        }),
      },
    });
    await expect(client.listTools()).rejects.toMatchObject({ code: 'LIST_PAGINATION_EXCEEDED' });
    expect(server.requests.length).toBeLessThan(12);
    const many = await open({
      answers: { 'tools/list': () => ({ tools: Array.from({ length: 300_000 }, (_, n) => tool(`t${n}`)) }) },
    });
    expect((await many.client.listTools()).tools).toHaveLength(300_000);
  });

  it('serves pings and declared requests, and nothing it did not declare', async () => {
    const { client, server } = await open({}, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', (_request, { mcpReq }) => ({
      roots: [{ uri: 'file:///srv', name: mcpReq.method }],
    }));
    expect(() => client.setRequestHandler('sampling/createMessage', () => ({}) as never)).toThrow(
      expect.objectContaining({ code: 'CAPABILITY_NOT_SUPPORTED' }),
    );
    expect(await server.peer.request('ping')).toEqual({});
    expect(await server.peer.request('roots/list')).toEqual({
      roots: [{ uri: 'file:///srv', name: 'roots/list' }],
    });
    await expect(server.peer.request('elicitation/create', {})).rejects.toMatchObject({
      code: -32601,
    });
  });

  it('rejects its open calls when it ends and can be connected anew', async () => {
    const { client, server } = await open({
      answers: { 'tools/call': () => new Promise(() => undefined) },
    });
    let closes = 0;
    client.onclose = () => {
      closes += 1;
    };
    const calls = Promise.allSettled([client.callTool({ name: 'x' }), client.callTool({ name: 'y' })]);
    await server.peer.close();
    expect(await calls).toMatchObject([
      { reason: { code: 'CONNECTION_CLOSED' } },
      { reason: { code: 'CONNECTION_CLOSED' } },
    ]);
    expect(closes).toBe(1);
    await expect(client.listTools()).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    const again = await createScriptedServer({ clock: createManualClock() });
    await client.connect(again.transport);
    await expect(client.connect(again.transport)).rejects.toMatchObject({
      code: 'ALREADY_CONNECTED',
    });
  });

  it('knows nothing of the methods of the other era', async () => {
    const { client, server } = await open();
    for (const call of [() => client.discover(), () => client.listen({ toolsListChanged: true })]) {
      await expect(call()).rejects.toMatchObject({
        code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
      });
    }
    await expect(client.invoke('vendor/own', {})).rejects.toMatchObject({ code: -32601 });
    expect(server.requests).toEqual(['initialize', 'vendor/own']);
  });
});

describe('a modern connection on a pipe', () => {
  const DISCOVERED = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  };

  it('ignores the requests of a server, reports them once each and stays open', async () => {
    const transport = createScriptedTransport();
    const clock = createManualClock();
    const client = new Client(INFO, {
      clock,
      versionNegotiation: { mode: 'auto' },
    });
    const errors: unknown[] = [];
    client.onerror = (error) => errors.push(error);
    const connecting = client.connect(transport);
    await clock.advance(0);
    const [probe] = transport.sent as { id: number; method: string }[];
    expect(probe?.method).toBe('server/discover');
    transport.receive({ jsonrpc: '2.0', id: probe?.id, result: DISCOVERED });
    await connecting;
    transport.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(transport.sent).toHaveLength(1);
    expect(errors).toHaveLength(1);
    const call = client.callTool({ name: 'x' });
    await clock.advance(0);
    const sent = transport.sent[1] as { id: number };
    transport.receive({ jsonrpc: '2.0', id: sent.id, result: { content: [] } });
    expect(await call).toEqual({ content: [] });
  });

  it('carries version, identity and capabilities in each request beside the keys of the caller', async () => {
    const seen: JSONRPCMessage[] = [];
    const [transport, other] = createMemoryTransportPair();
    const clock = createManualClock();
    const peer = createPeer({
      transport: other,
      clock,
      onRequest: (request) => {
        seen.push(request);
        return request.method === 'server/discover' ? DISCOVERED : { content: [] };
      },
    });
    await peer.start();
    const client = new Client(INFO, {
      clock,
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } } },
      versionNegotiation: { mode: 'auto' },
    });
    await client.connect(transport);
    await client.callTool(
      { name: 'x', _meta: { 'com.example/own': 1, traceparent: 't' } },
      { onprogress: () => undefined },
    );
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': INFO,
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } },
      },
    };
    expect(seen).toMatchObject([
      { method: 'server/discover', params: { _meta: envelope } },
      {
        method: 'tools/call',
        params: {
          name: 'x',
          _meta: { ...envelope, 'com.example/own': 1, traceparent: 't', progressToken: 2 },
        },
      },
    ]);
  });

  it('shakes hands after a minute of silence, and takes back no question', async () => {
    const clock = createManualClock();
    const server = await createScriptedServer({
      clock,
      answers: { 'server/discover': () => new Promise(() => undefined) },
    });
    const client = new Client(INFO, { clock, versionNegotiation: { mode: 'auto' } });
    const connecting = client.connect(server.transport);
    await clock.advance(60_000);
    await connecting;
    expect(client.getProtocolEra()).toBe('legacy');
    expect(server.requests).toEqual(['server/discover', 'initialize']);
    expect(server.notifications.map(({ method }) => method)).toEqual(['notifications/initialized']);
  });

  it('refuses a result type that nobody defined', async () => {
    const clock = createManualClock();
    const server = await createScriptedServer({
      clock,
      answers: {
        'server/discover': () => DISCOVERED,
        'tools/call': () => ({ resultType: 'xyz' }),
      },
    });
    const client = new Client(INFO, { clock, versionNegotiation: { mode: 'auto' } });
    await client.connect(server.transport);
    await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_RESULT_TYPE',
      data: { resultType: 'xyz' },
    });
    await expect(client.ping()).rejects.toMatchObject({
      code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
    });
  });
});
