import { McpServer, ResourceTemplate, completable, createMcpHandler } from '@portico/server';
import type { McpHttpHandler } from '@portico/server';
import { z } from 'zod';
import { TOOLS } from './console-double-data.ts';

/** The MCP servers behind the connectors of a host's double, where the console asks for them. */
export interface ConnectorServers {
  /** `connector METHOD rpc-method` of everything that was asked. */
  readonly lines: readonly string[];
  /** Answers a request to a connector's endpoint; 404 for one without a server, undefined for other addresses. */
  answer(request: Request): Promise<Response> | undefined;
  /** Tells whoever listens to a connector of a change. */
  announce(connectorId: string): McpHttpHandler['notify'];
  close(): Promise<void>;
}

export type ServerBuilder = () => McpServer;

/** What the canned servers say, which no page says by itself. */
export const CANNED_WORDS: readonly string[] = [
  'Pick a tool of it.',
  'notes.txt',
  'plan.md',
  'data.json',
  'square.png',
  'archive.zip',
  ...['notes.txt', 'plan.md', 'data.json', 'square.png', 'archive.zip'].map((name) => `The file ${name}.`),
  'text/plain',
  'text/markdown',
  'application/json',
  'image/png',
  'application/zip',
  'Weather',
  'Of a city on a day.',
  'Promote somebody',
  'Writes a letter.',
  'Where they work.',
  'department',
  'tone',
  'city',
  'day',
  'greet',
  'Says hello.',
];

const ENDPOINT = /^\/api\/connectors\/([^/]+)\/mcp$/;

/** @param builders servers by connector; those of the canned data unless given */
export function createConnectorServers(
  builders: Readonly<Record<string, ServerBuilder>> = {},
): ConnectorServers {
  const handlers = new Map<string, McpHttpHandler>();
  const lines: string[] = [];
  const handlerOf = (id: string): McpHttpHandler | undefined => {
    const known = handlers.get(id);
    if (known !== undefined) return known;
    const build = builders[id] ?? (id in TOOLS ? () => createCannedServer(id) : undefined);
    if (build === undefined) return undefined;
    const handler = createMcpHandler(build, { legacy: 'sessions', allowedHosts: ['*'], keepAliveMs: 0 });
    handlers.set(id, handler);
    return handler;
  };
  const handle = async (id: string, request: Request): Promise<Response> => {
    const text = request.method === 'POST' ? await request.clone().text() : '{}';
    const { method = '-' } = JSON.parse(text) as { readonly method?: string };
    lines.push(`${id} ${request.method} ${method}`);
    if (request.method === 'HEAD') return new Response(null, { status: 405 });
    return (await handlerOf(id)?.fetch(request)) ?? new Response(null, { status: 404 });
  };
  return {
    lines,
    answer(request) {
      const id = ENDPOINT.exec(new URL(request.url).pathname)?.[1];
      return id === undefined ? undefined : handle(decodeURIComponent(id), request);
    },
    announce(connectorId) {
      const handler = handlerOf(connectorId);
      if (handler === undefined) throw new TypeError(`there is no server of ${connectorId}`);
      return handler.notify;
    },
    async close() {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}

/** A server with the tools of the canned data; `everything` has resources and prompts as well. */
export function createCannedServer(id: string): McpServer {
  const server = new McpServer(
    { name: id, version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } }, instructions: `Pick a tool of it.` },
  );
  for (const { name, inputSchema, outputSchema: _output, viewUri, visibility, ...about } of TOOLS[id] ?? []) {
    const ui = { visibility, ...(viewUri === undefined ? {} : { resourceUri: viewUri }) };
    const config = { ...about, inputSchema: inputSchema as { type: 'object' }, _meta: { ui } };
    server.registerTool(name, config as never, (given: unknown) => answerOf(name, given));
  }
  if (id === 'everything') addResourcesAndPrompts(server);
  return server;
}

function answerOf(name: string, given: unknown) {
  const text = JSON.stringify(given);
  if (name === 'always_fails') {
    return { isError: true, content: [{ type: 'text' as const, text: 'It always fails.' }] };
  }
  return { content: [{ type: 'text' as const, text: `${name} was given ${text}` }] };
}

/** A red square of 8 × 6 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGP4z8CAFWEXHbwSABMcGekBx0pOAAAAAElFTkSuQmCC';

const FILES = [
  ['notes.txt', 'text/plain', { text: 'First line\nSecond line' }],
  ['plan.md', 'text/markdown', { text: '# Plan\n\n- one\n- **two**\n\n![far](https://example.com/far.png)' }],
  ['data.json', 'application/json', { text: '{"columns": 2, "rows": [1, 2, 3]}' }],
  ['square.png', 'image/png', { blob: PNG }],
  ['archive.zip', 'application/zip', { blob: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==' }],
] as const;

function addResourcesAndPrompts(server: McpServer): void {
  for (const [name, mimeType, content] of FILES) {
    const uri = `file:///home/me/${name}`;
    const size = 'text' in content ? content.text.length : 22;
    server.registerResource(name, uri, { mimeType, size, description: `The file ${name}.` }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  }
  const cities = ['Berlin', 'Bern', 'Bergen'];
  const template = new ResourceTemplate('weather://{city}/{day}', {
    list: undefined,
    complete: { city: (value) => cities.filter((city) => city.startsWith(value)) },
  });
  server.registerResource('Weather', template, { description: 'Of a city on a day.' }, (uri, { city }) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: `Fair in ${String(city)}` }],
  }));
  const departments = ['Engineering', 'Sales', 'Support'];
  server.registerPrompt(
    'promote',
    {
      title: 'Promote somebody',
      description: 'Writes a letter.',
      argsSchema: z.object({
        department: completable(z.string().describe('Where they work.'), (value) =>
          departments.filter((name) => name.startsWith(value ?? '')),
        ),
        tone: z.string().optional(),
      }),
    },
    ({ department }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Promote somebody of ${department}.` } },
        { role: 'assistant', content: { type: 'text', text: 'With pleasure.' } },
      ],
    }),
  );
  server.registerPrompt('greet', { description: 'Says hello.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  }));
}
