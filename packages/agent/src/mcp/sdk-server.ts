import { McpServer } from '@portico/server';
import type { ToolCallback } from '@portico/server';
import type { CallToolResult, ToolAnnotations } from '@portico/spec';
import { z } from 'zod';
import type { ZodObject, ZodRawShape } from 'zod';
import type { McpSdkServerConfigWithInstance } from '../contract/mcp-servers.ts';
import { AgentError } from '../errors.ts';

/** A tool that runs in this process. */
type SdkMcpToolDefinition<Schema extends ZodRawShape = ZodRawShape> = {
  name: string;
  description: string;
  inputSchema: Schema;
  handler: (args: z.infer<ZodObject<Schema>>, extra: unknown) => Promise<CallToolResult>;
  /** Ours: told to clients. */
  annotations?: ToolAnnotations;
};

type CreateSdkMcpServerOptions = {
  name: string;
  version?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tools of different shapes share one list: a handler's argument is contravariant, so no common type but any takes them all
  tools?: Array<SdkMcpToolDefinition<any>>;
};

/** Where a config keeps the way to a fresh server: an instance serves one connection at a time. */
const FRESH: unique symbol = Symbol('portico.freshServer');

/**
 * Describes a tool of an in-process server. Does nothing by itself.
 * @param inputSchema zod shape of the arguments
 * @param handler gets checked arguments; what it rejects with becomes an error result
 * @param extras `annotations` for clients, such as `readOnlyHint`
 */
// oxlint-disable-next-line max-params -- the contract gives this function four parameters in a row
export function tool<Schema extends ZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: z.infer<ZodObject<Schema>>, extra: unknown) => Promise<CallToolResult>,
  extras?: { annotations?: ToolAnnotations },
): SdkMcpToolDefinition<Schema> {
  const annotations = extras?.annotations;
  return { name, description, inputSchema, handler, ...(annotations === undefined ? {} : { annotations }) };
}

function buildServer(options: CreateSdkMcpServerOptions): McpServer {
  const server = new McpServer({ name: options.name, version: options.version ?? '1.0.0' });
  for (const definition of options.tools ?? []) {
    const { annotations, description } = definition;
    const inputSchema = z.object(definition.inputSchema as ZodRawShape);
    const handler = definition.handler as ToolCallback<typeof inputSchema>;
    server.registerTool(
      definition.name,
      { description, inputSchema, ...(annotations === undefined ? {} : { annotations }) },
      handler,
    );
  }
  return server;
}

/**
 * Makes an MCP server of this process, for `mcpServers`. Several queries can use it at once.
 * @throws AgentError `tool_name_repeated`
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  const names = new Set<string>();
  for (const { name } of options.tools ?? []) {
    if (names.has(name)) throw new AgentError('tool_name_repeated', { tool: name });
    names.add(name);
  }
  const config: McpSdkServerConfigWithInstance = {
    type: 'sdk',
    name: options.name,
    instance: buildServer(options),
  };
  return Object.defineProperty(config, FRESH, { value: () => buildServer(options) });
}

/** A server to connect to: a fresh one of the same tools for configs of ours, else the instance. */
export function serverOf(config: McpSdkServerConfigWithInstance): McpServer | undefined {
  const fresh = (config as { [FRESH]?: () => McpServer })[FRESH];
  return fresh === undefined ? config.instance : fresh();
}
