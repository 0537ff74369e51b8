import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProtocolError } from '@portico/rpc';
import { Server, createMcpHandler } from '@portico/server';
import type { ServerContext } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';

/** A server over HTTP that uses whatever the protocol has, in one era, and takes down what it is sent. */
export interface TalkativeServer {
  readonly url: string;
  /** What came with each call of `echo`. */
  readonly calls: { readonly params: unknown; readonly meta: unknown }[];
  /** Names of the calls that were given up. */
  readonly stopped: string[];
  /** `begin` and `end` with the address, of resources that are watched. */
  readonly watched: string[];
  /** Log levels that were asked for. */
  readonly levels: unknown[];
  /** Headers of the newest request. */
  headers(): Readonly<Record<string, unknown>>;
  /** Announces from now on one tool more. */
  addTool(name: string): Promise<void>;
  update(uri: string): Promise<void>;
  /** A log message that belongs to no call. */
  log(data: string): Promise<void>;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

const META = { 'com.example/kept': { deep: [1, 'two'] } };
const VIEW = 'ui://talkative/view';
const tool = (name: string): object => ({
  name,
  title: `Tool ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  _meta: { ...META, ui: { resourceUri: VIEW, visibility: ['model'] } },
});

const RESOURCES = [
  { uri: VIEW, name: 'view', mimeType: 'text/html;profile=mcp-app', _meta: { ui: { prefersBorder: true } } },
  { uri: 'x:watched', name: 'watched', annotations: { priority: 0.5 }, size: 3 },
];

type Handler = (params: Readonly<Record<string, unknown>>, context: ServerContext) => unknown;

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Its tools, by what they do. */
function toolHandlers(notes: Pick<TalkativeServer, 'calls' | 'stopped'>): Record<string, Handler> {
  return {
    async echo(params, { mcpReq }) {
      const { progressToken: _, ...meta } = mcpReq._meta ?? {};
      const { _meta, ...rest } = params;
      notes.calls.push({ params: rest, meta });
      const given = (params['arguments'] ?? {}) as { text?: string };
      for (const progress of [1, 2]) mcpReq.progress({ progress, total: 2, message: given.text ?? '' });
      await mcpReq.log('info', { text: given.text }, 'echo');
      return {
        content: [{ type: 'text', text: given.text, annotations: { audience: ['user'] } }],
        structuredContent: { given },
        _meta: META,
      };
    },
    fail: () => ({ content: [{ type: 'text', text: 'it failed' }], isError: true, _meta: META }),
    refuse() {
      throw new ProtocolError(-31_999, 'refused', { until: 7 });
    },
    async wait(params, { mcpReq }) {
      mcpReq.progress({ progress: 1 });
      await until(mcpReq.signal);
      notes.stopped.push(String((params['arguments'] as { text?: unknown } | undefined)?.text));
      return { content: [] };
    },
  };
}

function setHandlers(
  server: Server,
  tools: string[],
  notes: Pick<TalkativeServer, 'calls' | 'stopped'>,
): void {
  const byName = toolHandlers(notes);
  const handlers: Record<string, Handler> = {
    'tools/list': ({ cursor }) =>
      cursor === undefined
        ? {
            tools: tools.slice(0, 2).map(tool),
            nextCursor: 'rest',
            _meta: META,
            ttlMs: 5,
            cacheScope: 'private',
          }
        : { tools: tools.slice(2).map(tool), _meta: META },
    'tools/call'(params, context) {
      const run = byName[String(params['name'])];
      if (run === undefined) throw new ProtocolError(-32_602, 'no such tool', { name: params['name'] });
      return run(params, context);
    },
    'resources/list': () => ({ resources: RESOURCES, _meta: META }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'x:{id}', name: 'any', _meta: META }],
    }),
    'resources/read'({ uri }) {
      if (uri === 'x:none') throw new ProtocolError(-31_998, 'nothing there', { uri });
      const ui = { csp: { connectDomains: ['https://a.example'] }, prefersBorder: true };
      return {
        contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>Hi</p>', _meta: { ui } }],
        _meta: META,
      };
    },
    'prompts/list': () => ({
      prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }], _meta: META }],
    }),
    'prompts/get': ({ arguments: given }) => ({
      description: 'A greeting',
      messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(given) } }],
      _meta: META,
    }),
    'completion/complete': ({ argument }) => ({
      completion: { values: [`${(argument as { value: string }).value}!`], total: 1, hasMore: false },
    }),
    'com.example/ask': (params) => ({ asked: params['question'] ?? null, _meta: META }),
  };
  for (const [method, handler] of Object.entries(handlers)) {
    server.setRequestHandler(
      method,
      ({ params }: { params: Readonly<Record<string, unknown>> }, context: ServerContext) =>
        handler(params, context),
    );
  }
}

/** @param era the only one that it speaks */
export async function startTalkativeServer(
  era: 'legacy' | 'modern',
  name = 'talkative',
): Promise<TalkativeServer> {
  const tools = ['echo', 'fail', 'refuse', 'wait'];
  const notes = { calls: [] as TalkativeServer['calls'], stopped: [] as string[] };
  const watched: string[] = [];
  const levels: unknown[] = [];
  const changes = { listChanged: true };
  const server = new Server(
    { name, title: 'Talkative', version: '1.2.3' },
    {
      instructions: 'Talk to it.',
      supportedProtocolVersions: [era === 'legacy' ? '2025-11-25' : '2026-07-28'],
      capabilities: {
        tools: changes,
        prompts: changes,
        resources: { ...changes, subscribe: true },
        completions: {},
        logging: {},
        experimental: { 'com.example/trial': { on: true } },
        extensions: { 'com.example/extra': {} },
      },
      watchResource(uri) {
        if (uri === 'x:none') throw new ProtocolError(-31_997, 'not to be watched', { uri });
        watched.push(`begin ${uri}`);
        return () => void watched.push(`end ${uri}`);
      },
    },
  );
  setHandlers(server, tools, notes);
  server.setRequestHandler('logging/setLevel', ({ params }: { params: { level?: unknown } }) => {
    levels.push(params.level);
    return {};
  });
  const handler = createMcpHandler(server, { legacy: era === 'legacy' ? 'sessions' : 'reject' });
  const serve = toNodeHandler(handler);
  let headers: Readonly<Record<string, unknown>> = {};
  const http = createServer((request, response) => {
    headers = request.headers;
    // As servers do that have never heard of the other era.
    if (era === 'legacy' && headers['mcp-method'] !== undefined) response.writeHead(400).end('no session');
    else void serve(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`,
    ...notes,
    watched,
    levels,
    headers: () => headers,
    async addTool(added) {
      tools.push(added);
      await server.sendToolListChanged();
    },
    update: (uri) => server.sendResourceUpdated({ uri }),
    log: (data) => server.sendLoggingMessage({ level: 'warning', data }),
    cut: () => http.closeAllConnections(),
    async close() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
