import { PROCESS_POLICY, REMOTE_POLICY, createConnections } from '@portico/connections';
import type { ConnectionState, Connections } from '@portico/connections';
import type { Clock } from '@portico/rpc';
import type { McpServerConfig, McpServerStatus } from '../contract/mcp-servers.ts';
import type { Options } from '../contract/options.ts';
import { messageOf } from '../errors.ts';
import type { AgentTool, ToolSource } from '../tools/tool-source.ts';
import type { McpServers } from './mcp-servers.ts';
import { openServerTransport } from './server-transport.ts';

const CLIENT_INFO = { name: 'portico-agent', version: '0.1.0' };
const DEFAULT_STARTUP_TIMEOUT_MS = 30_000;
const DEFAULT_CALL_TIMEOUT_MS = 60_000;
/** Progress can extend a call up to so many times its limit. */
const HARD_LIMIT_FACTOR = 10;

export interface ServerTools {
  readonly clock: Clock;
  readonly cwd: string;
  warn(text: string): void;
}

const STATUS: Readonly<Record<ConnectionState['status'], McpServerStatus['status']>> = {
  idle: 'pending',
  connecting: 'pending',
  ready: 'connected',
  degraded: 'connected',
  needs_sign_in: 'needs-auth',
  failed: 'failed',
  stopped: 'failed',
};

function statusOf(state: ConnectionState): McpServerStatus {
  const { server } = state;
  const status = STATUS[state.status];
  if (status !== 'connected' || server === undefined) return { name: state.id, status };
  return { name: state.id, status, serverInfo: { name: server.name, version: server.version } };
}

/** Tools under `mcp__<server>__<tool>`, and where a call of such a name goes. */
function createServerSource(connections: Connections, timeoutMs: number): ToolSource {
  const places = new Map<string, { readonly id: string; readonly tool: string }>();
  return {
    list: () => {
      const tools: AgentTool[] = [];
      for (const state of connections.getSnapshot().values()) {
        if (STATUS[state.status] !== 'connected') continue;
        for (const tool of state.tools) {
          const name = `mcp__${state.id}__${tool.name}`;
          places.set(name, { id: state.id, tool: tool.name });
          tools.push({
            name,
            server: state.id,
            inputSchema: tool.inputSchema,
            ...(tool.title === undefined ? {} : { title: tool.title }),
            ...(tool.description === undefined ? {} : { description: tool.description }),
            ...(tool.annotations === undefined ? {} : { annotations: { ...tool.annotations } }),
          });
        }
      }
      return tools;
    },
    call: async (name, input, { signal, onProgress }) => {
      const place = places.get(name) ?? { id: '', tool: name };
      return await connections.callTool(
        place.id,
        { name: place.tool, arguments: { ...input } },
        { signal, timeoutMs, maxTotalTimeoutMs: timeoutMs * HARD_LIMIT_FACTOR, onProgress },
      );
    },
  };
}

/** Says once what is wrong with a server, with the last lines it wrote. */
function warnOfFailures(connections: Connections, warn: (text: string) => void): void {
  for (const { id, status, error } of connections.getSnapshot().values()) {
    if (error === undefined || (status !== 'failed' && status !== 'stopped' && status !== 'needs_sign_in'))
      continue;
    const tail = (error.stderrTail ?? []).map((line) => `\n  ${line}`).join('');
    warn(`The server ${id} cannot be used: ${error.message}${tail}`);
  }
}

/**
 * Begins to connect to the servers of `options.mcpServers`. A server that fails costs only itself.
 * Owns what it connects; `close` ends all of it, while in-process servers stay usable.
 */
export function connectServers(options: Options, tools: ServerTools): McpServers {
  const { portico = {}, mcpServers = {} } = options;
  const given = portico.toolSources ?? [];
  const fromGiven = (): McpServerStatus[] => given.flatMap((source) => [...(source.servers?.() ?? [])]);
  if (Object.keys(mcpServers).length === 0) {
    const nothing = (): Promise<void> => Promise.resolve();
    return { sources: given, status: fromGiven, settled: nothing, close: nothing };
  }
  const connections = createConnections({
    clock: tools.clock,
    clientInfo: CLIENT_INFO,
    createTransport: async (id, definition) => {
      const config = definition as McpServerConfig;
      const open = portico.createTransport ?? ((name, chosen) => openServerTransport(name, chosen, tools));
      return await open(id, config);
    },
    policyFor: (_id, definition) => ({
      ...('command' in (definition as McpServerConfig) ? PROCESS_POLICY : REMOTE_POLICY),
      connectTimeoutMs: portico.mcp?.startupTimeoutMs ?? DEFAULT_STARTUP_TIMEOUT_MS,
    }),
    onReport: (id, error) => tools.warn(`The server ${id}: ${messageOf(error)}`),
  });
  connections.subscribe(() => warnOfFailures(connections, (text) => tools.warn(text)));
  for (const [name, config] of Object.entries(mcpServers)) connections.add(name, config, { connect: false });
  const settled = Promise.all(Object.keys(mcpServers).map(async (name) => await connections.connect(name)));
  let last: McpServerStatus[] | undefined;
  const current = (): McpServerStatus[] => [...connections.getSnapshot().values()].map(statusOf);
  return {
    sources: [
      createServerSource(connections, portico.mcp?.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS),
      ...given,
    ],
    status: () => [...(last ?? current()), ...fromGiven()],
    settled: async () => {
      await settled;
    },
    close: async () => {
      last = current();
      await connections.close();
    },
  };
}
