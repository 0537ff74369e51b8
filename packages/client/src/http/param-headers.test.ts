import { createMemoryTransportPair, isJSONRPCRequest } from '@portico/rpc';
import { decodeHeaderValue } from '@portico/spec';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHttpPeer } from '../../../../testing/http-peer.ts';
import type { HttpPeer } from '../../../../testing/http-peer.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { jsonError, jsonResult } from '../../../../testing/scripted-fetch.ts';
import type { SentRequest } from '../../../../testing/scripted-fetch.ts';
import { Client } from '../client.ts';
import type { ClientOptions } from '../client-options.ts';

const clock = createManualClock();
const clients: Client[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

const OK = { resultType: 'complete', content: [] };

const toolOf = (name: string, properties: object): Record<string, unknown> => ({
  name,
  inputSchema: { type: 'object', properties },
});

async function open(
  tools: () => readonly object[],
  onCall: (request: SentRequest) => Response = (request) => jsonResult(request, OK),
  client: ClientOptions = {},
): Promise<HttpPeer> {
  const peer = await openHttpPeer(
    'modern',
    (request) =>
      request.rpc === 'tools/list'
        ? jsonResult(request, { resultType: 'complete', tools: tools() })
        : onCall(request),
    { clock, client },
  );
  clients.push(peer.client);
  return peer;
}

const headerOf = ({ server }: HttpPeer, name = 'mcp-param-region'): string | null | undefined =>
  server.log.at(-1)?.headers.get(name);

const REGION = { region: { type: 'string', 'x-mcp-header': 'Region' } };

describe('standard headers', () => {
  it('W133 name version, method and subject of every modern request and nothing legacy', async () => {
    const { client, server } = await openHttpPeer(
      'modern',
      (request) => jsonResult(request, { resultType: 'complete' }, { 'mcp-session-id': 'ignored' }),
      { clock, client: { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } },
    );
    clients.push(client);
    const NAMES = ['plain', 'wetter ☀️', ' padded ', '', '=?base64?x?=', 'a\r\nx-evil: 1', 'ta\tb', '名前'];
    const SUBJECTS: readonly (readonly [string, string])[] = [
      ['tools/call', 'name'],
      ['prompts/get', 'name'],
      ['resources/read', 'uri'],
      ['tasks/get', 'taskId'],
      ['tasks/update', 'taskId'],
      ['tasks/cancel', 'taskId'],
    ];
    for (const [method, member] of SUBJECTS) {
      for (const name of NAMES) {
        await client.invoke(method, { [member]: name }).catch(() => undefined);
        const sent = server.log.at(-1);
        expect(sent?.rpc).toBe(method);
        expect(sent?.headers.get('mcp-method')).toBe(method);
        expect(decodeHeaderValue(sent?.headers.get('mcp-name') ?? 'none')).toBe(name);
        expect(sent?.headers.has('x-evil')).toBe(false);
      }
    }
    expect(
      server.log.find(({ rpc, body }) => rpc === 'tools/call' && JSON.stringify(body).includes('"plain"')),
    ).toSatisfy((sent: SentRequest) => sent.headers.get('mcp-name') === 'plain');
    const others = [
      'server/discover',
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'prompts/list',
      'completion/complete',
    ];
    for (const method of others) {
      // A caller's own header must not speak for the protocol.
      const headers = { 'MCP-NAME': 'mine', 'mcp-method': 'mine', 'Mcp-Protocol-Version': '1' };
      await client.invoke(method, {}, { headers }).catch(() => undefined);
      expect(server.log.at(-1)?.headers.get('mcp-method')).toBe(method);
      expect(server.log.at(-1)?.headers.has('mcp-name')).toBe(false);
    }
    await client.close();
    for (const { method, headers, body } of server.log) {
      expect(method).toBe('POST');
      expect(headers.get('mcp-protocol-version')).toBe('2026-07-28');
      expect((body as { params?: { _meta?: object } }).params?._meta).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      });
      expect(headers.has('mcp-session-id')).toBe(false);
      expect(headers.has('last-event-id')).toBe(false);
    }
    expect(server.log.length).toBeGreaterThan(50);
  });
});

describe('headers that repeat arguments', () => {
  const TYPED = {
    ...REGION,
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
    nested: { type: 'object', properties: { deep: { type: 'string', 'x-mcp-header': 'Deep' } } },
  };
  const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  it('W134 are written as the specification says, and cannot bring others with them', async () => {
    const peer = await open(() => [toolOf('t', TYPED)]);
    const { client } = peer;
    // Not listed yet: nothing is known of its marks.
    await client.callTool({ name: 't', arguments: { region: 'us' } });
    expect(headerOf(peer)).toBeNull();
    await client.listTools();
    const STRINGS: readonly (readonly [string, string])[] = [
      ['us-west1', 'us-west1'],
      ['with blanks inside', 'with blanks inside'],
      ['Hello, 世界', base64('Hello, 世界')],
      [' padded ', base64(' padded ')],
      ['line1\nline2', base64('line1\nline2')],
      ['a\r\nx-evil: 1', base64('a\r\nx-evil: 1')],
      ['', base64('')],
      ['=?base64?SGVsbG8=?=', base64('=?base64?SGVsbG8=?=')],
      ['\u0000', base64('\u0000')],
    ];
    for (const [region, sent] of STRINGS) {
      await client.callTool({ name: 't', arguments: { region } });
      expect(headerOf(peer)).toBe(sent);
      expect(decodeHeaderValue(sent)).toBe(region);
    }
    await client.callTool({ name: 't', arguments: { count: -42, dry: true, nested: { deep: 'x' } } });
    expect(headerOf(peer, 'mcp-param-count')).toBe('-42');
    expect(headerOf(peer, 'mcp-param-dry-run')).toBe('true');
    expect(headerOf(peer, 'mcp-param-deep')).toBe('x');
    expect(headerOf(peer)).toBeNull();
    await client.callTool({ name: 't', arguments: { region: null, count: null, dry: false } });
    expect(headerOf(peer)).toBeNull();
    expect(headerOf(peer, 'mcp-param-count')).toBeNull();
    expect(headerOf(peer, 'mcp-param-dry-run')).toBe('false');
    await client.callTool({ name: 'unknown', arguments: { region: 'us' } });
    expect(headerOf(peer)).toBeNull();
    expect(
      [...(peer.server.log.at(-1)?.headers.keys() ?? [])].filter((name) => name.startsWith('mcp-param')),
    ).toEqual([]);
  });

  it('W134 never let bytes out of their value, whatever the argument holds', async () => {
    const peer = await open(() => [toolOf('t', REGION)]);
    await peer.client.listTools();
    await peer.client.callTool({ name: 't', arguments: { region: 'plain' } });
    const names = [...(peer.server.log.at(-1)?.headers.keys() ?? [])];
    let seed = 42;
    const next = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const PIECES = [
      '\r\n',
      '\n',
      '\r',
      ':',
      ' ',
      '\t',
      'x',
      'é',
      '🎉',
      '\u0000',
      '=?base64?',
      '?=',
      'Host: evil',
    ];
    for (let round = 0; round < 300; round++) {
      const region = Array.from({ length: next(6) }, () => PIECES[next(PIECES.length)] ?? '').join('');
      await peer.client.callTool({ name: 't', arguments: { region } });
      const headers = peer.server.log.at(-1)?.headers;
      expect([...(headers?.keys() ?? [])]).toEqual(names);
      expect(headers?.get('mcp-param-region')).toMatch(/^[\x20-\x7e\t]+$/);
      expect(decodeHeaderValue(headers?.get('mcp-param-region') ?? '')).toBe(region);
    }
  });

  it('W134 are not sent by browsers, nor where the client is told not to', async () => {
    const told = await open(() => [toolOf('t', REGION)], undefined, { paramHeaders: { mirror: false } });
    await told.client.listTools();
    await told.client.callTool({ name: 't', arguments: { region: 'us' } });
    expect(headerOf(told)).toBeNull();

    vi.stubGlobal('document', {});
    const inBrowser = await open(() => [toolOf('t', REGION)]);
    await inBrowser.client.listTools();
    await inBrowser.client.callTool({ name: 't', arguments: { region: 'us' } });
    expect(headerOf(inBrowser)).toBeNull();
  });

  const marked = (header: unknown, type: unknown = 'string'): object => ({
    p: { type, 'x-mcp-header': header },
  });
  const BROKEN: readonly (readonly [string, object])[] = [
    ['empty', toolOf('empty', marked(''))],
    ['no-text', toolOf('no-text', marked(7))],
    ['no-token', toolOf('no-token', marked('My Region'))],
    ['line-break', toolOf('line-break', marked('A\r\nB'))],
    ['colon', toolOf('colon', marked('A:B'))],
    ['not-ascii', toolOf('not-ascii', marked('Région'))],
    ['twice', toolOf('twice', { ...marked('Region'), q: { type: 'string', 'x-mcp-header': 'rEGION' } })],
    ['number', toolOf('number', marked('N', 'number'))],
    ['object', toolOf('object', marked('N', 'object'))],
    ['array', toolOf('array', marked('N', 'array'))],
    ['untyped', toolOf('untyped', { p: { 'x-mcp-header': 'N' } })],
    [
      'in-items',
      toolOf('in-items', { list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'N' } } }),
    ],
    ['in-choice', toolOf('in-choice', { p: { anyOf: [{ type: 'string', 'x-mcp-header': 'N' }] } })],
    [
      'in-definition',
      {
        name: 'in-definition',
        inputSchema: { type: 'object', $defs: { d: { type: 'string', 'x-mcp-header': 'N' } } },
      },
    ],
  ];

  it('W135 that break a rule cost their tool its place over HTTP, with a warning that names it', async () => {
    const tools = [toolOf('first', REGION), ...BROKEN.map(([, tool]) => tool), toolOf('last', {})];
    const peer = await open(() => tools);
    const listed = await peer.client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(['first', 'last']);
    expect(peer.errors).toHaveLength(BROKEN.length);
    for (const [index, [name]] of BROKEN.entries()) {
      expect(String((peer.errors[index] as Error).message)).toContain(`left out ${name}:`);
    }
    await peer.client.callTool({ name: 'first', arguments: { region: 'us' } });
    expect(headerOf(peer)).toBe('us');
  });

  it('W135 cost nothing on a pipe', async () => {
    const [ours, theirs] = createMemoryTransportPair();
    theirs.onmessage = (message) => {
      if (!isJSONRPCRequest(message)) return;
      const result =
        message.method === 'server/discover'
          ? { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
          : { resultType: 'complete', tools: BROKEN.map(([, tool]) => tool) };
      void theirs.send({ jsonrpc: '2.0', id: message.id, result });
    };
    await theirs.start();
    const client = new Client(
      { name: 'test', version: '1' },
      { clock, versionNegotiation: { mode: 'auto' } },
    );
    clients.push(client);
    await client.connect(ours);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(BROKEN.map(([name]) => name));
  });

  it('may be on numbers where the client is told so', async () => {
    const peer = await open(() => [toolOf('n', marked('N', 'number'))], undefined, {
      paramHeaders: { allowNumbers: true },
    });
    expect((await peer.client.listTools()).tools).toHaveLength(1);
    await peer.client.callTool({ name: 'n', arguments: { p: 1.5 } });
    expect(headerOf(peer, 'mcp-param-n')).toBe('1.5');
  });
});

describe('a call that is refused for its headers', () => {
  /** A server that asks for another header than it listed at first. */
  function changing(): {
    readonly peer: Promise<HttpPeer>;
    readonly count: (peer: HttpPeer, line: string) => number;
  } {
    let lists = 0;
    const peer = open(
      () => {
        lists += 1;
        return [toolOf('t', { region: { type: 'string', 'x-mcp-header': lists === 1 ? 'Old' : 'New' } })];
      },
      (request) =>
        request.headers.has('mcp-param-new')
          ? jsonResult(request, OK)
          : jsonError(400, { code: -32_020, message: 'missing' }, request.body?.id),
    );
    return { peer, count: ({ server }, line) => server.lines().filter((sent) => sent === line).length };
  }

  it('W136 is sent once more with the headers of a list that is read anew', async () => {
    const { peer, count } = changing();
    const opened = await peer;
    await opened.client.listTools();
    expect(await opened.client.callTool({ name: 't', arguments: { region: 'us' } })).toMatchObject({
      content: [],
    });
    expect(count(opened, 'POST tools/call')).toBe(2);
    expect(count(opened, 'POST tools/list')).toBe(2);
    const calls = opened.server.log.filter(({ rpc }) => rpc === 'tools/call');
    expect(calls[0]?.headers.get('mcp-param-old')).toBe('us');
    expect(calls[1]?.headers.get('mcp-param-new')).toBe('us');
    expect(calls[1]?.headers.has('mcp-param-old')).toBe(false);
    // From now on right at once.
    await opened.client.callTool({ name: 't', arguments: { region: 'us' } });
    expect(count(opened, 'POST tools/call')).toBe(3);
  });

  it('W136 is not repeated for ever, nor when the caller brought the definition', async () => {
    const never = await open(
      () => [toolOf('t', REGION)],
      (request) => jsonError(400, { code: -32_020 }, request.body?.id),
    );
    await expect(never.client.callTool({ name: 't', arguments: {} })).rejects.toMatchObject({
      code: -32_020,
    });
    expect(never.server.lines().slice(1)).toEqual(['POST tools/call', 'POST tools/list', 'POST tools/call']);

    const { peer, count } = changing();
    const opened = await peer;
    const toolDefinition = { name: 't', inputSchema: { type: 'object' as const, properties: REGION } };
    const call = opened.client.callTool({ name: 't', arguments: { region: 'us' } }, { toolDefinition });
    await expect(call).rejects.toMatchObject({ code: -32_020 });
    expect(headerOf(opened)).toBe('us');
    expect(count(opened, 'POST tools/list')).toBe(0);
  });
});
