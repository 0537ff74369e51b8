import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { CONNECTOR_CAUSES } from '@portico/api';
import type {
  Artifact,
  Connector,
  ConnectorAction,
  ConnectorCause,
  ConnectorStatus,
  Conversation,
  HostEvent,
  Item,
} from '@portico/api';
import { toNodeHandler } from '@portico/server/node';
import { createConnectorServers } from './connector-servers.ts';
import type { ConnectorServers } from './connector-servers.ts';
import { ARTIFACTS, BOOTSTRAP, CONNECTORS, CONVERSATIONS, ITEMS, TOOLS } from './console-double-data.ts';

/** A host that answers the console from canned data, for looking at screens without a host. */
export interface ConsoleDouble {
  readonly url: string;
  /** Requests so far, as `METHOD /path`, with their JSON bodies. */
  readonly requests: readonly { readonly line: string; readonly body: unknown }[];
  /** Sends an event to every open stream, numbered on. */
  emit(event: HostEvent): void;
  /** The MCP servers behind its connectors. */
  readonly servers: ConnectorServers;
  /** Cuts every open stream and refuses new ones until told otherwise. */
  setStreams(open: boolean): void;
  close(): Promise<void>;
}

export interface ConsoleDoubleOptions {
  /** Folder of the built console. */
  readonly folder: string;
  /** Name of the model; without one the console is in direct mode. */
  readonly model?: string;
  readonly empty?: boolean;
  readonly signedOut?: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** The policy that the host sends with the console. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; " +
  "frame-src http://*.localhost:*; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

interface DoubleState {
  readonly serveMcp: ReturnType<typeof toNodeHandler>;
  readonly options: ConsoleDoubleOptions;
  readonly streams: Set<ServerResponse>;
  readonly requests: { line: string; body: unknown }[];
  readonly connectors: Map<string, Connector>;
  readonly conversations: Map<string, Conversation>;
  readonly artifacts: Map<string, Artifact>;
  readonly items: Map<string, Item[]>;
  streamsOpen: boolean;
  seq: number;
}

export async function startConsoleDouble(options: ConsoleDoubleOptions): Promise<ConsoleDouble> {
  const filled = options.empty !== true;
  const byId = <T extends { id: string }>(list: readonly T[]): Map<string, T> =>
    new Map(filled ? list.map((entry) => [entry.id, entry]) : []);
  const servers = createConnectorServers();
  const state: DoubleState = {
    serveMcp: toNodeHandler({
      fetch: async (request) => (await servers.answer(request)) ?? new Response(null, { status: 404 }),
    }),
    options,
    streams: new Set(),
    requests: [],
    streamsOpen: true,
    seq: BOOTSTRAP.seq,
    connectors: byId(CONNECTORS),
    conversations: byId(CONVERSATIONS),
    artifacts: byId(ARTIFACTS),
    items: new Map(Object.entries(ITEMS).map(([id, items]) => [id, [...items]])),
  };
  const server = createServer((request, response) => void answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    requests: state.requests,
    servers,
    emit: (event) => emit(state, event),
    setStreams: (open) => {
      state.streamsOpen = open;
      if (!open) for (const stream of state.streams) stream.destroy();
    },
    close: async () => {
      await servers.close();
      await closeServer(server);
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function emit(state: DoubleState, event: HostEvent): void {
  state.seq += 1;
  for (const stream of state.streams) stream.write(`id: ${state.seq}\ndata: ${JSON.stringify(event)}\n\n`);
}

async function answer(state: DoubleState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (!url.pathname.startsWith('/api/')) return await serveFile(state, url.pathname, response);
  if (url.pathname.endsWith('/mcp')) return await state.serveMcp(request, response);
  const body = await readBody(request);
  const line = `${request.method ?? 'GET'} ${url.pathname}`;
  state.requests.push({ line, body });
  if (state.options.signedOut === true)
    return json(response, 401, { error: { code: 'no_session', message: 'No session.' } });
  if (url.pathname === '/api/events') return openStream(state, request, response);
  const outcome = route(state, line, body as Record<string, unknown>);
  if (outcome === undefined)
    json(response, 404, { error: { code: 'not_found', message: `Nothing at ${line}.` } });
  else if (outcome === null) response.writeHead(204).end();
  else json(response, 200, outcome);
}

function openStream(state: DoubleState, request: IncomingMessage, response: ServerResponse): void {
  if (!state.streamsOpen) return void response.destroy();
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': open\n\n');
  state.streams.add(response);
  request.on('close', () => state.streams.delete(response));
}

/** `undefined`: not found; `null`: done, without an answer. */
function route(state: DoubleState, line: string, body: Record<string, unknown>): unknown {
  const [method = '', path = ''] = line.split(' ');
  const [, , kind = '', id = '', what = '', inner = '', action = ''] = path
    .split('/')
    .map(decodeURIComponent);
  switch (kind) {
    case 'bootstrap':
      return bootstrap(state);
    case 'version':
      return { version: BOOTSTRAP.version };
    case 'connectors':
      return connectorRoute(state, { method, id, what, body });
    case 'conversations':
      return conversationRoute(state, { method, id, what: action === '' ? what : action, inner, body });
    case 'artifacts':
      return artifactRoute(state, { method, id, body });
    case 'frames':
      return method === 'DELETE' ? null : frameSession(state, String(body['artifactId']));
    default:
      return undefined;
  }
}

function bootstrap(state: DoubleState): unknown {
  const { model } = state.options;
  return {
    ...BOOTSTRAP,
    seq: state.seq,
    ...(model === undefined ? {} : { model: { configured: true, model, endpoint: 'api.anthropic.com' } }),
    connectors: [...state.connectors.values()],
    conversations: [...state.conversations.values()],
    artifacts: [...state.artifacts.values()],
  };
}

interface RoutePart {
  readonly method: string;
  readonly id: string;
  readonly what?: string;
  readonly inner?: string;
  readonly body: Record<string, unknown>;
}

type Condition = Pick<Connector, 'status' | 'cause' | 'action'>;

const condition = (status: ConnectorStatus, kind: ConnectorCause, action: ConnectorAction): Condition => ({
  status,
  cause: { kind, message: CONNECTOR_CAUSES[kind] },
  action,
});
const READY = condition('ready', 'connected', 'reconnect');
const CONNECTING = condition('connecting', 'opening', 'reconnect');
const DISABLED = condition('disabled', 'switchedOff', 'enable');
const WAITING = condition('stopped', 'approvalWaits', 'review');

function connectorRoute(state: DoubleState, { method, id, what, body }: RoutePart): unknown {
  if (id === 'split-command') {
    const [command = '', ...args] = String(body['line']).trim().split(/\s+/);
    return { command, args };
  }
  if (id === 'import') return { entries: importEntries() };
  if (id === '') return addConnector(state, body);
  const connector = state.connectors.get(id);
  if (connector === undefined) return undefined;
  if (what === 'tools') return { tools: TOOLS[id] ?? [] };
  if (method === 'DELETE') {
    state.connectors.delete(id);
    emit(state, { type: 'connector.removed', connectorId: id });
    return null;
  }
  const changed: Connector =
    what === 'enabled'
      ? {
          ...connector,
          enabled: body['enabled'] === true,
          ...(body['enabled'] === true ? READY : DISABLED),
        }
      : { ...connector };
  if (what === 'approval') {
    delete changed.pendingApproval;
    Object.assign(changed, CONNECTING);
  }
  state.connectors.set(id, changed);
  emit(state, { type: 'connector.changed', connector: changed });
  return changed;
}

function addConnector(state: DoubleState, body: Record<string, unknown>): unknown {
  const input = body['transport'] as { kind: string; command?: string; args?: string[]; url?: string };
  const base: Pick<Connector, 'starts'> & Omit<Connector, keyof Condition | 'transport'> = {
    id: `new-${state.connectors.size}`,
    name: String(body['name']),
    label: '',
    groupId: `new-${state.connectors.size}`,
    enabled: true,
    starts: 'with_portico',
    toolCount: 0,
    toolsVersion: '',
    createdAtMs: Date.now(),
  };
  const connector: Connector =
    input.kind === 'http'
      ? { ...base, ...CONNECTING, transport: { kind: 'http', url: input.url ?? '', headerNames: [] } }
      : {
          ...base,
          ...WAITING,
          transport: { kind: 'stdio', command: input.command ?? '', args: input.args ?? [], envNames: [] },
          pendingApproval: {
            resolvedPath: `/usr/bin/${input.command ?? ''}`,
            command: input.command ?? '',
            args: input.args ?? [],
            cwd: '/home/me',
            envNames: [],
            hash: 'h9',
          },
        };
  state.connectors.set(connector.id, connector);
  emit(state, { type: 'connector.changed', connector });
  return connector;
}

function importEntries(): unknown {
  const input = (name: string, args: string[]): unknown => ({
    name,
    transport: { kind: 'stdio', command: 'npx', args, env: {} },
  });
  return [
    { name: 'weather', status: 'new', input: input('weather', ['-y', 'weather-mcp']) },
    {
      name: 'Everything',
      status: 'same',
      input: input('Everything', ['-y', '@modelcontextprotocol/server-everything']),
    },
    { name: 'Ledger', status: 'name_clash', input: input('Ledger', ['-y', 'other-ledger']) },
    { name: 'old', status: 'unsupported', reason: 'Its transport "websocket" is not known here.' },
  ];
}

function conversationRoute(state: DoubleState, { method, id, what, inner, body }: RoutePart): unknown {
  if (id === '') {
    const conversation: Conversation = {
      id: `new-${state.conversations.size}`,
      title: typeof body['title'] === 'string' ? body['title'] : 'New conversation',
      status: 'idle',
      waitingApprovals: 0,
      createdAtMs: Date.now(),
      updatedAtMs: Date.now(),
    };
    state.conversations.set(conversation.id, conversation);
    state.items.set(conversation.id, []);
    emit(state, { type: 'conversation.changed', conversation });
    return conversation;
  }
  const conversation = state.conversations.get(id);
  const items = state.items.get(id) ?? [];
  if (conversation === undefined) return undefined;
  if (what === '' && method === 'GET') return { conversation, items, seq: state.seq };
  if (what === 'calls') {
    const item: Item = {
      id: `call-${state.seq}`,
      type: 'tool_call',
      createdAtMs: Date.now(),
      endedAtMs: Date.now() + 40,
      connectorId: String(body['connectorId']),
      connectorName: 'Demo',
      tool: String(body['tool']),
      arguments: body['arguments'] as Record<string, unknown>,
      origin: 'person',
      status: 'done',
      result: { content: [{ type: 'text', text: 'Done.' }] },
    };
    state.items.set(id, [...items, item]);
    return item;
  }
  if (what === 'decision') {
    const found = items.find((item) => item.id === inner);
    if (found?.type !== 'tool_call') return undefined;
    const item: Item = { ...found, status: body['decision'] === 'allow' ? 'running' : 'denied' };
    emit(state, { type: 'item.changed', conversationId: id, item });
    return item;
  }
  return null;
}

function artifactRoute(state: DoubleState, { method, id, body }: RoutePart): unknown {
  if (id === '') {
    const artifact: Artifact = {
      id: `new-${state.artifacts.size}`,
      title: typeof body['title'] === 'string' ? body['title'] : 'Published page',
      version: 1,
      servers: [],
      grants: [],
      demo: false,
      createdAtMs: Date.now(),
      updatedAtMs: Date.now(),
    };
    state.artifacts.set(artifact.id, artifact);
    emit(state, { type: 'artifact.changed', artifact });
    return { artifact, created: true, address: `/artifacts/${artifact.id}`, warnings: [] };
  }
  const artifact = state.artifacts.get(id);
  if (artifact === undefined || method === 'DELETE') return artifact === undefined ? undefined : null;
  const grants = artifact.grants.map((grant) =>
    grant.server === body['server'] ? { ...grant, state: body['decision'] as 'allow' } : grant,
  );
  const changed = { ...artifact, grants };
  state.artifacts.set(id, changed);
  emit(state, { type: 'artifact.changed', artifact: changed });
  return changed;
}

function frameSession(state: DoubleState, artifactId: string): unknown {
  const artifact = state.artifacts.get(artifactId);
  return artifact === undefined
    ? undefined
    : { frameId: 'f1', url: 'http://frame.localhost:9/', origin: 'http://frame.localhost:9', artifact };
}

async function serveFile(state: DoubleState, path: string, response: ServerResponse): Promise<void> {
  const name = extname(path) === '' ? '/index.html' : path;
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  try {
    const bytes = await readFile(join(state.options.folder, name));
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}
