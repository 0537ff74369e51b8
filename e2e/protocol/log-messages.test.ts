import { createMemoryTransportPair } from '@portico/rpc';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { McpServer, type McpServerOptions, createMcpHandler } from '@portico/server';
import { LOGGING_LEVELS } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { httpRequest, streamMessages } from '../../testing/mcp-http.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { LOGGED_ROUTES } from './logged-routes.ts';
import { until } from './test-server.ts';

const INFO = { name: 'logs', version: '1' };
const DATA: readonly unknown[] = [
  'text',
  '',
  0,
  -1.5,
  false,
  null,
  [],
  [1, ['two', { three: null }]],
  { deep: { er: [{}] }, 'odd key': 'ä\u0000' },
];
const TABLE = LOGGING_LEVELS.flatMap((level) => DATA.map((data) => ({ level, data })));
const ENVELOPE_LEVEL = { 'io.modelcontextprotocol/logLevel': 'debug' };

const withLogging = (options: McpServerOptions = {}): McpServer =>
  new McpServer(INFO, { capabilities: { logging: {} }, ...options });

describe.each(LOGGED_ROUTES)('log messages, $name', (route) => {
  it('W167 arrive as they were sent: every level, any data, with a logger and without', async () => {
    const { client, close } = await route.open(() => {
      const server = withLogging({ maxReportsPerSecond: 1000 });
      server.registerTool('log', {}, async ({ mcpReq }) => {
        for (const { level, data } of TABLE) {
          await mcpReq.log(level, data);
          await mcpReq.log(level, data, 'my.logger');
        }
        return { content: [] };
      });
      return server;
    });
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
    await client.callTool({ name: 'log', ...(route.era === 'modern' ? { _meta: ENVELOPE_LEVEL } : {}) });
    const sent = TABLE.flatMap((row) => [row, { ...row, logger: 'my.logger' }]);
    expect(heard).toEqual(sent);
    await close();
  });
});

/** A legacy client of the server and everything that reached it out of any call. */
async function listening(connect: (client: Client) => Promise<unknown>): Promise<unknown[]> {
  const client = new Client(INFO);
  const heard: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
  await connect(client);
  return heard;
}

it('W167 reach legacy clients outside any call too, on the stream of the server', async () => {
  const server = withLogging();
  const handler = createMcpHandler(server, { legacy: 'sessions' });
  const streams: Response[] = [];
  const overHttp = await listening((client) =>
    client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: async (url, init) => {
          const headers = new Headers(init?.headers);
          headers.set('host', 'localhost');
          const response = await handler.fetch(new Request(url, { ...init, headers }));
          if (init?.method === 'GET') streams.push(response);
          return response;
        },
      }),
    ),
  );
  const overMemory = await listening(async (client) => {
    const [ours, theirs] = createMemoryTransportPair();
    await server.server.attach(theirs);
    await client.connect(ours);
  });
  await until(() => streams.length === 1, 'the stream of the server');
  for (const row of TABLE) {
    await server.sendLoggingMessage(row);
    await server.server.sendLoggingMessage({ ...row, logger: 'own' });
  }
  const sent = TABLE.flatMap((row) => [row, { ...row, logger: 'own' }]);
  await until(() => overHttp.length === sent.length && overMemory.length === sent.length, 'all messages');
  expect(overHttp).toEqual(sent);
  expect(overMemory).toEqual(sent);
  expect(streams[0]?.headers.get('content-type')).toBe('text/event-stream');
  await handler.close();
});

interface LoggedCall {
  readonly name: string;
  readonly go: () => void;
  readonly stream: Promise<Record<string, unknown>[]>;
}

/** A server whose tool logs twice, once at once and once when it is let go on. */
function twoStep(): {
  readonly server: McpServer;
  readonly go: (name: string) => void;
  readonly waiting: Set<string>;
} {
  const gates = new Map<string, () => void>();
  const waiting = new Set<string>();
  const server = withLogging();
  server.registerTool('log', { inputSchema: { type: 'object' } }, async (args, { mcpReq }) => {
    const name = String(args['name']);
    await mcpReq.log('info', `${name} begins`);
    await new Promise<void>((resolve) => {
      gates.set(name, resolve);
      waiting.add(name);
    });
    await mcpReq.log('info', `${name} ends`);
    return { content: [{ type: 'text', text: name }] };
  });
  return { server, waiting, go: (name) => gates.get(name)?.() };
}

const gathered = async (response: Response): Promise<Record<string, unknown>[]> => {
  const messages: Record<string, unknown>[] = [];
  for await (const message of streamMessages(response)) messages.push(message);
  return messages;
};

describe.each(['legacy', 'modern'] as const)('log messages of a call over HTTP, %s', (era) => {
  it('W169 travel on the stream of their call before its answer and on no other', async () => {
    const { server, go, waiting } = twoStep();
    const handler = createMcpHandler(server, { legacy: 'sessions' });
    const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
      handler.fetch(httpRequest(body, { headers }));
    const own: Record<string, string> = {};
    const foreign: Promise<Record<string, unknown>[]>[] = [];
    const leaving = new AbortController();
    if (era === 'legacy') {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
      const opened = await post({ jsonrpc: '2.0', id: 'open', method: 'initialize', params });
      await opened.text();
      own['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
      own['mcp-protocol-version'] = '2025-11-25';
      await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, own);
      const headers = { ...own, accept: 'text/event-stream' };
      const stream = await handler.fetch(
        httpRequest(undefined, { method: 'GET', headers, signal: leaving.signal }),
      );
      foreign.push(gathered(stream));
    } else {
      const notifications = { toolsListChanged: true, resourcesListChanged: true };
      const listen = { jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen' };
      foreign.push(gathered(await post({ ...listen, params: modern({ notifications }) })));
    }
    const call = (name: string): LoggedCall => {
      const given = { name: 'log', arguments: { name } };
      const params = era === 'modern' ? modern(given, { logLevel: 'debug' }) : given;
      const stream = post({ jsonrpc: '2.0', id: name, method: 'tools/call', params }, own).then(gathered);
      return { name, go: () => go(name), stream };
    };
    const calls = [call('one'), call('two')];
    await until(() => waiting.size === 2, 'both calls');
    for (const each of [...calls].reverse()) each.go();
    for (const { name, stream } of calls) {
      const messages = await stream;
      expect(messages).toMatchObject([
        { method: 'notifications/message', params: { level: 'info', data: `${name} begins` } },
        { method: 'notifications/message', params: { level: 'info', data: `${name} ends` } },
        { id: name, result: { content: [{ text: name }] } },
      ]);
    }
    await handler.close();
    const strays = (await Promise.all(foreign)).flat();
    expect(strays.filter(({ method }) => method === 'notifications/message')).toEqual([]);
  });
});

describe.each(LOGGED_ROUTES)('log messages of a call, $name', (route) => {
  it('W169 come before the answer of their own call', async () => {
    const { server, go, waiting } = twoStep();
    const { client, log, close } = await route.open(() => server, { handler: { instance: 'shared' } });
    const meta = route.era === 'modern' ? { _meta: ENVELOPE_LEVEL } : {};
    const calls = ['one', 'two'].map((name) =>
      client.callTool({ name: 'log', arguments: { name }, ...meta }),
    );
    await until(() => waiting.size === 2, 'both calls');
    go('two');
    await calls[1];
    go('one');
    await calls[0];
    const told = log.flatMap(({ from, message }): unknown[] => {
      if (from === 'client') return [];
      const { method, params, result } = message as {
        method?: string;
        params?: { data?: unknown };
        result?: { content?: [{ text: string }] };
      };
      if (method === 'notifications/message') return [params?.data];
      return result?.content?.[0] === undefined ? [] : [`${result.content[0].text} answers`];
    });
    const of = (name: string): unknown[] => told.filter((text) => String(text).startsWith(name));
    expect(of('one')).toEqual(['one begins', 'one ends', 'one answers']);
    expect(of('two')).toEqual(['two begins', 'two ends', 'two answers']);
    await close();
  });
});
