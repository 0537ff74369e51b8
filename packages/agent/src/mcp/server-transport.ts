import { openServer } from '@portico/connections/node';
import { createMemoryTransportPair } from '@portico/rpc';
import type { Clock, Transport } from '@portico/rpc';
import type { McpSdkServerConfigWithInstance, McpServerConfig } from '../contract/mcp-servers.ts';
import { AgentError } from '../errors.ts';
import { serverOf } from './sdk-server.ts';

async function inProcess(name: string, config: McpSdkServerConfigWithInstance): Promise<Transport> {
  const server = serverOf(config);
  if (server === undefined) {
    throw new AgentError('mcp_failed', { server: name }, { message: `The server ${name} has no instance.` });
  }
  const [ours, theirs] = createMemoryTransportPair();
  await server.connect(theirs);
  return ours;
}

/**
 * Opens the channel to a server of `mcpServers`. Nothing of this process's environment but a short
 * list of harmless variables reaches a program that is started.
 * @throws AgentError `mcp_failed` for a config that cannot be used
 */
export async function openServerTransport(
  name: string,
  config: McpServerConfig,
  options: { readonly clock: Clock; readonly cwd: string },
): Promise<Transport> {
  if (config.type === 'sdk') return await inProcess(name, config);
  if (config.type === 'http') {
    return openServer({ kind: 'http', url: config.url, headers: config.headers ?? {} }, options);
  }
  if (config.type === 'sse') {
    const message = `The server ${name} speaks the old SSE transport, which is not supported: use type "http".`;
    throw new AgentError('mcp_failed', { server: name }, { message });
  }
  const { command, args = [], env = {} } = config;
  return openServer({ kind: 'stdio', command, args, env, cwd: options.cwd }, options);
}
