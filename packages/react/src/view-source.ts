'use client';
import type { McpClient, McpServer } from '@portico/connections/manager';
import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { Resource, Tool } from '@portico/spec';
import { getToolUi } from '@portico/spec';
import type { ViewConnection } from '@portico/views';
import type { ViewOrigin } from '@portico/views/dom';
import type { ClientTools } from './client-tools.ts';

/** As much of a managed server as a view needs; a reconnected one takes its place. */
export type ViewServer = Pick<McpServer, 'state' | 'client' | 'tools' | 'callTool' | 'readResource'> & {
  readonly resources?: McpServer['resources'];
};

/** As much of a connected client as a view needs. */
export type ViewClient = Pick<
  McpClient,
  'callTool' | 'listTools' | 'readResource' | 'listResources' | 'listResourceTemplates' | 'listPrompts'
>;

/** What a view is made from: something live, with the tool or the address to show. */
export interface LiveViewSource {
  readonly server: ViewServer | ViewClient;
  /** Whose call is shown. A name is looked up among the tools of a managed server. */
  readonly tool?: Tool | string;
  /** Address of the view's resource. Default: the one that the tool names. */
  readonly resourceUri?: string;
}

/** The same from a document that is there already, an item of an answer to resources/read. */
export interface PreloadedViewSource {
  readonly document: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  /** Left out, the view's requests to a server are refused. */
  readonly server?: ViewServer | ViewClient;
  readonly tool?: Tool | string;
}

export type ViewSource = LiveViewSource | PreloadedViewSource;

type Asked = Parameters<ViewConnection['request']>[0];
type AskOptions = Parameters<ViewConnection['request']>[1];

/** Requests that a client answers by a method of its own, each checked by the server again. */
function askClient(client: ViewClient, { method, params }: Asked, options: AskOptions): Promise<unknown> {
  const { signal, timeoutMs: timeout } = options;
  const call = { signal, timeout };
  switch (method) {
    case 'tools/call':
      return client.callTool(params as { name: string }, call);
    case 'resources/read':
      return client.readResource(params as { uri: string }, call);
    case 'resources/list':
      return client.listResources(params, call);
    case 'resources/templates/list':
      return client.listResourceTemplates(params, call);
    case 'prompts/list':
      return client.listPrompts(params, call);
  }
}

function ofClient(client: ViewClient, tools: ClientTools): ViewConnection {
  return {
    isReady: true,
    async request(request, options) {
      if (request.method === 'tools/call') await tools.check(client, request.params['name'], options.signal);
      return await askClient(client, request, options);
    },
  };
}

function ofServer(server: ViewServer): ViewConnection {
  return {
    isReady: server.state === 'ready',
    tools: server.tools,
    listed: (uri): Resource | undefined => server.resources?.find((resource) => resource.uri === uri),
    async request(request, options) {
      const { name, arguments: args, uri } = request.params as Record<string, unknown>;
      // Calls and reads by the server's own functions, which know of sign-ins and lost sessions.
      if (request.method === 'tools/call') {
        const { signal, timeoutMs: timeout } = options;
        return await server.callTool(name as string, args as Record<string, unknown>, { signal, timeout });
      }
      if (request.method === 'resources/read') return await server.readResource(uri as string);
      if (server.client === null)
        throw new ProtocolError(ErrorCode.InternalError, 'The server is not connected.');
      return await askClient(server.client, request, options);
    },
  };
}

function isServer(server: ViewServer | ViewClient): server is ViewServer {
  return 'state' in server;
}

function toolOf({ server, tool }: ViewSource): Tool | undefined {
  if (typeof tool !== 'string') return tool;
  const listed = server !== undefined && isServer(server) ? server.tools : [];
  return listed.find(({ name }) => name === tool);
}

/**
 * The source as views take it; its address is empty while the tool that names it is not known.
 *
 * @param tools what is known of the tools of clients, kept for as long as the component lives
 */
export function viewOriginOf(source: ViewSource, tools: ClientTools): ViewOrigin {
  const { server } = source;
  const tool = toolOf(source);
  const connection = server && (isServer(server) ? ofServer(server) : ofClient(server, tools));
  if ('document' in source) return { uri: source.document.uri, tool, connection, document: source.document };
  const uri = source.resourceUri ?? (tool && getToolUi(tool).resourceUri) ?? '';
  return { uri, tool, connection };
}
