import type { AuthInfo } from '@portico/oauth/resource';
import { type ParamHeader, findParamHeaders } from '@portico/spec';
import { McpServer } from '../mcp/mcp-server.ts';
import { type SchemaCompiler, createSchemaCompiler } from '../schema/schema-compiler.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import type { JsonSchema } from '../schema/standard-schema.ts';
import type { Server } from '../server.ts';
import type { HttpRequest } from './http-message.ts';

/** What a factory is told about the request or session it makes a server for. */
export interface McpRequestContext {
  readonly era: 'legacy' | 'modern';
  readonly authInfo?: AuthInfo;
  readonly requestInfo?: Request;
}

/** Makes a server for one modern or sessionless request, or for one session. */
export type McpServerFactory = (
  context: McpRequestContext,
) => McpServer | Server | Promise<McpServer | Server>;

/** A server in use for one request or session. */
export interface Instance {
  readonly server: Server;
  /** Arguments of a tool that headers repeat, where the server knows its tools. */
  readonly paramHeaders: (name: string) => readonly ParamHeader[];
  /** What the server's own tools, resources and prompts say about scopes. */
  readonly scopeChallenge: ScopeChallengeHandler | undefined;
  /** Whether other requests and sessions use the same server. */
  readonly shared: boolean;
  /**
   * Ends a server that was made for this use, and tells it so unless its connection did; a shared one
   * stays.
   */
  release(hadConnection?: boolean): Promise<void>;
}

/** Where a handler gets its servers from. */
export interface HandlerTarget {
  /** The one server of a handler that shares it. */
  readonly shared: Server | undefined;
  take(era: 'legacy' | 'modern', request: HttpRequest): Instance | Promise<Instance>;
}

/** A shared server, or a factory whose servers share one memory of ready schemas. */
export function handlerTarget(
  source: McpServer | Server | McpServerFactory,
  options: {
    /** Whether a factory's first server serves everything. */
    readonly shareOne: boolean;
    /** Told of the server that a factory made for everything. */
    readonly onShared: (server: Server) => void;
    /** Gets the faults of servers that a factory made and gave no ear of their own. */
    readonly report: (error: Error) => void;
  },
): HandlerTarget {
  const memory = {
    compiler: createSchemaCompiler(),
    headers: new WeakMap<JsonSchema, readonly ParamHeader[]>(),
  };
  if (typeof source !== 'function') {
    const { headers } = memory;
    const instance = { ...instanceOf(source, { release: () => Promise.resolve(), headers }), shared: true };
    return { shared: instance.server, take: () => instance };
  }
  let one: Promise<Instance> | undefined;
  const make = async (
    context: McpRequestContext,
    release: (made: McpServer | Server) => Promise<void>,
  ): Promise<Instance> => {
    const made = await source(context);
    const instance: Instance = instanceOf(made, {
      ...memory,
      async release(hadConnection = false) {
        await release(made);
        if (!options.shareOne && !hadConnection) instance.server.tellClosed();
      },
    });
    instance.server.onerror ??= options.report;
    return instance;
  };
  return {
    shared: undefined,
    take(era, request) {
      if (!options.shareOne) return make(contextOf(era, request), (made) => made.close());
      // A factory that failed is asked again by the next request.
      one ??= make({ era }, () => Promise.resolve()).then(
        (instance) => {
          options.onShared(instance.server);
          return { ...instance, shared: true };
        },
        (error: unknown) => {
          one = undefined;
          throw error;
        },
      );
      return one;
    },
  };
}

function contextOf(era: 'legacy' | 'modern', request: HttpRequest): McpRequestContext {
  return {
    era,
    ...(request.authInfo === undefined ? {} : { authInfo: request.authInfo }),
    get requestInfo() {
      return request.web;
    },
  };
}

function instanceOf(
  source: McpServer | Server,
  { release, compiler, headers }: InstanceMemory & Pick<Instance, 'release'>,
): Instance {
  if (!(source instanceof McpServer)) {
    return { server: source, paramHeaders: () => [], scopeChallenge: undefined, shared: false, release };
  }
  if (compiler !== undefined) source.useSchemaCompiler(compiler);
  const paramHeaders = (name: string): readonly ParamHeader[] => {
    const schema = source.toolInputSchemaJson(name);
    if (schema === undefined) return [];
    const known = headers.get(schema);
    if (known !== undefined) return known;
    const found = findParamHeaders(schema);
    const marked = found.ok ? found.headers : [];
    headers.set(schema, marked);
    return marked;
  };
  const { resolveScopeChallenge: scopeChallenge } = source;
  return { server: source.server, paramHeaders, scopeChallenge, shared: false, release };
}

/** What instances of one handler share, so that a definition is looked at once. */
interface InstanceMemory {
  readonly compiler?: SchemaCompiler;
  readonly headers: WeakMap<JsonSchema, readonly ParamHeader[]>;
}
