import { McpServer } from '../mcp/mcp-server.ts';
import { type SchemaCompiler, createSchemaCompiler } from '../schema/schema-compiler.ts';
import type { JsonSchema } from '../schema/standard-schema.ts';
import type { Server } from '../server.ts';
import type { HttpRequest } from './http-message.ts';

/** What a factory is told about the request or session it makes a server for. */
export interface McpRequestContext {
  readonly era: 'legacy' | 'modern';
  readonly authInfo?: unknown;
  readonly requestInfo?: Request;
}

/** Makes a server for one modern or sessionless request, or for one session. */
export type McpServerFactory = (
  context: McpRequestContext,
) => McpServer | Server | Promise<McpServer | Server>;

/** A server in use for one request or session. */
export interface Instance {
  readonly server: Server;
  /** Input schema of a tool, where the server knows its tools. */
  readonly toolSchema: (name: string) => JsonSchema | undefined;
  /** Ends a server that was made for this use; a shared one stays. */
  release(): Promise<void>;
}

/** Where a handler gets its servers from. */
export interface HandlerTarget {
  /** The one server of a handler that shares it. */
  readonly shared: Server | undefined;
  take(era: 'legacy' | 'modern', request: HttpRequest): Instance | Promise<Instance>;
}

/** A shared server, or a factory whose servers share one memory of ready schemas. */
export function handlerTarget(source: McpServer | Server | McpServerFactory): HandlerTarget {
  if (typeof source !== 'function') {
    const instance = instanceOf(source, () => Promise.resolve());
    return { shared: instance.server, take: () => instance };
  }
  const compiler = createSchemaCompiler();
  return {
    shared: undefined,
    async take(era, request) {
      const context: McpRequestContext = {
        era,
        ...(request.authInfo === undefined ? {} : { authInfo: request.authInfo }),
        get requestInfo() {
          return request.web;
        },
      };
      const made = await source(context);
      return instanceOf(made, () => made.close(), compiler);
    },
  };
}

function instanceOf(
  source: McpServer | Server,
  release: () => Promise<void>,
  compiler?: SchemaCompiler,
): Instance {
  if (!(source instanceof McpServer)) {
    return { server: source, toolSchema: () => undefined, release };
  }
  if (compiler !== undefined) source.useSchemaCompiler(compiler);
  return {
    server: source.server,
    toolSchema: (name) => source.toolInputSchemaJson(name),
    release,
  };
}
