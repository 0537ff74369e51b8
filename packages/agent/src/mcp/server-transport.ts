import { StreamableHTTPClientTransport } from '@portico/client';
import { StdioClientTransport } from '@portico/client/stdio';
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
    return new StreamableHTTPClientTransport(new URL(config.url), {
      clock: options.clock,
      requestInit: { headers: { ...config.headers } },
    });
  }
  if (config.type === 'sse') {
    const message = `The server ${name} speaks the old SSE transport, which is not supported: use type "http".`;
    throw new AgentError('mcp_failed', { server: name }, { message });
  }
  return new StdioClientTransport({
    command: config.command,
    args: [...(config.args ?? [])],
    env: { ...config.env },
    cwd: options.cwd,
  });
}
