import type { Clock } from '@portico/rpc';
import type { McpServerStatus } from '../contract/mcp-servers.ts';
import type { Options } from '../contract/options.ts';
import { AgentError } from '../errors.ts';
import type { ToolSource } from '../tools/tool-source.ts';
import type { McpServers } from './mcp-servers.ts';

export function connectServers(
  options: Options,
  _tools: { readonly clock: Clock; warn(text: string): void },
): McpServers {
  if (Object.keys(options.mcpServers ?? {}).length > 0)
    throw new AgentError('option_not_available', { option: 'mcpServers' });
  const sources: readonly ToolSource[] = options.portico?.toolSources ?? [];
  return {
    sources,
    status: (): McpServerStatus[] => sources.flatMap((source) => [...(source.servers?.() ?? [])]),
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
