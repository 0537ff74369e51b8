'use client';
import type { McpClient } from '@portico/connections/manager';
import { ErrorCode, ProtocolError } from '@portico/rpc';
import { getToolUi } from '@portico/spec';
import type { Tool } from '@portico/spec';

type Listing = Pick<McpClient, 'listTools'>;

/** Which tools of a client views may call; a managed server knows them anyway. */
export interface ClientTools {
  /** @throws ProtocolError -32602 for a tool that the server does not list, or not for apps */
  check(client: Listing, name: unknown, signal: AbortSignal): Promise<void>;
}

/** Lists the tools of each client at the first call, and again for a name that is new. */
export function createClientTools(): ClientTools {
  const known = new WeakMap<Listing, readonly Tool[]>();
  return {
    async check(client, name, signal) {
      const named = (tool: Tool): boolean => tool.name === name;
      let tools = known.get(client) ?? [];
      if (!tools.some(named)) {
        ({ tools } = await client.listTools(undefined, { signal }));
        known.set(client, tools);
      }
      const tool = tools.find(named);
      if (tool !== undefined && getToolUi(tool).visibility.includes('app')) return;
      throw new ProtocolError(ErrorCode.InvalidParams, 'The server has no tool of this name for apps.');
    },
  };
}
