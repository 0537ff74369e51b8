import { createServerManager } from '@portico/connections/manager';
import type {
  McpServer,
  ServerManager,
  ServerManagerOptions,
  ServerOptions,
} from '@portico/connections/manager';
import type { FetchLike } from '@portico/spec';
import { McpServer as OwnServer, createMcpHandler, inputRequired } from '@portico/server';
import type { McpHttpHandler } from '@portico/server';
import type { ManualClock } from './manual-clock.ts';
import { createScriptedBrowser } from './scripted-environment.ts';
import type { ScriptedBrowser, ScriptedTab } from './scripted-environment.ts';

// What tests build servers of; packages below the server's do not know it.
export { OwnServer, inputRequired };

/** One request as a server of this world got it. */
export interface WorldRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly text: string;
  /** Method of the JSON-RPC message in it, `-` without one. */
  readonly rpc: string;
  /** The JSON-RPC message in it. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Answers in place of the server behind it; undefined lets the server answer. Throwing breaks the network. */
export type WorldScript = (request: WorldRequest) => Response | undefined | Promise<Response | undefined>;

/** A scripted tab with a server of our own behind every address. */
export interface ServerWorld {
  readonly browser: ScriptedBrowser;
  readonly clock: ManualClock;
  readonly tab: ScriptedTab;
  /** Everything that was sent, in order. */
  readonly sent: readonly WorldRequest[];
  /** `METHOD rpc-method` of everything that was sent. */
  lines(): readonly string[];
  /** Replaces the script. */
  script(next: WorldScript): void;
  /** Tells modern clients that listen of a change. */
  readonly announce: McpHttpHandler['notify'];
  /** Lets everything that needs no time happen. */
  settle(): Promise<void>;
}

/** The same with a manager at work in the tab. */
export interface ManagedWorld extends ServerWorld {
  readonly manager: ServerManager;
  /** Adds a server and waits until its attempt has settled. */
  add(id: string, options?: ServerOptions): Promise<McpServer>;
  /** The server now. @throws TypeError when there is none */
  server(id?: string): McpServer;
  /** Snapshots of a server as they were published from now on, without repeats. */
  record(id?: string): McpServer[];
}

export const WORLD_URL = 'https://mcp.test/mcp';

export interface ServerWorldOptions {
  /** Builds the server behind the address; one with a tool `echo` unless it is given. */
  readonly build?: () => OwnServer;
  readonly script?: WorldScript;
  /** Era of the server; `both` by default. */
  readonly era?: 'legacy' | 'modern' | 'both';
  /** Whether connections carry many requests at once; true by default. */
  readonly carriesMany?: boolean;
  /** Answers for the icon; there is none by default, and nothing of it is among what was sent. */
  readonly icon?: () => Response;
}

export interface WorldOptions
  extends ServerWorldOptions, Partial<Omit<ServerManagerOptions, 'environment'>> {}

/** A server with one tool that takes any object. */
export function echoServer(): OwnServer {
  const server = new OwnServer({ name: 'echo-server', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { type: 'object' } }, (given: unknown) => ({
    content: [{ type: 'text', text: JSON.stringify(given) }],
  }));
  return server;
}

/** The same with a tool `asks`, which asks the person once and answers what they said. */
export function askingServer(): OwnServer {
  const server = echoServer();
  const params = {
    mode: 'form' as const,
    message: 'Go on?',
    requestedSchema: { type: 'object' as const, properties: {} },
  };
  server.registerTool('asks', {}, ({ mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { q: { method: 'elicitation/create', params } } })
      : { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] },
  );
  return server;
}

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** A scripted tab, with our own server behind every address. */
export function createServerWorld(options: ServerWorldOptions = {}): ServerWorld {
  const { build = echoServer, script: first, era = 'both', carriesMany = true } = options;
  const { icon = () => new Response(null, { status: 404 }) } = options;
  let script: WorldScript = first ?? (() => undefined);
  const sent: WorldRequest[] = [];
  const handler = createMcpHandler(build, {
    legacy: era === 'modern' ? 'reject' : 'sessions',
    allowedHosts: ['*'],
    keepAliveMs: 0,
  });
  const fetch: FetchLike = async (target, init = {}) => {
    const request = new Request(target, init);
    const text = request.body === null ? '' : await request.clone().text();
    const message = bodyOf(text);
    const rpc = typeof message['method'] === 'string' ? message['method'] : '-';
    const { method, headers, signal } = request;
    // What a server looks like is nobody's business here.
    if (new URL(request.url).pathname === '/favicon.ico') return icon();
    const seen = { url: new URL(request.url), method, headers, text, rpc, message, signal };
    sent.push(seen);
    signal.throwIfAborted();
    const scripted = await script(seen);
    if (scripted !== undefined) return scripted;
    if (method === 'HEAD') return new Response(null, { status: 200 });
    if (era === 'legacy' && rpc === 'server/discover') {
      return Response.json({ jsonrpc: '2.0', id: message['id'], error: { code: -32601, message: 'no' } });
    }
    return handler.fetch(request);
  };
  const browser = createScriptedBrowser({ fetch, carriesMany });
  return {
    browser,
    clock: browser.clock,
    tab: browser.openTab(),
    sent,
    announce: handler.notify,
    lines: () => sent.map(({ method, rpc }) => `${method} ${rpc}`),
    script: (next) => void (script = next),
    settle: () => browser.clock.advance(0),
  };
}

/** A manager in a scripted tab, with our own server behind one address. */
export function createManagedWorld(options: WorldOptions = {}): ManagedWorld {
  const { build: _build, script: _script, era: _era, carriesMany: _many, icon: _icon, ...rest } = options;
  const world = createServerWorld(options);
  const manager = createServerManager({ environment: world.tab.environment, ...rest });
  manager.retain();
  const server = (id = 'a'): McpServer => {
    const found = manager.getServer(id);
    if (found === undefined) throw new TypeError(`there is no server ${id}`);
    return found;
  };
  return {
    ...world,
    manager,
    server,
    async add(id, options = { url: WORLD_URL }) {
      manager.addServer(id, options);
      await world.settle();
      return server(id);
    },
    record(id = 'a') {
      const seen: McpServer[] = [];
      manager.subscribeTo(id, () => {
        const now = manager.getServer(id);
        if (now !== undefined) seen.push(now);
      });
      return seen;
    },
  };
}
