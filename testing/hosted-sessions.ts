import type { Clock } from '@portico/rpc';
import {
  type EventStore,
  type McpHandlerRequestOptions,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
} from '@portico/server';

/** Two ways to give legacy clients sessions: the handler, and a transport for each, wired by hand. */
export const HOSTINGS = ['createMcpHandler', 'transports by hand'] as const;

export interface HostingOptions {
  readonly clock?: Clock;
  readonly eventStore?: EventStore;
  readonly retryMs?: number;
  readonly keepAliveMs?: number;
  readonly json?: boolean;
  readonly maxRequestBodySize?: number;
  readonly onsessioninitialized?: (id: string) => void;
  readonly onsessionclosed?: (id: string) => void;
  readonly onerror?: (error: Error) => void;
}

/** An endpoint with sessions. */
export interface Hosted {
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
}

export function hostSessions(
  hosting: (typeof HOSTINGS)[number],
  make: () => McpServer,
  options: HostingOptions = {},
): Hosted {
  return hosting === 'createMcpHandler' ? byHandler(make, options) : byHand(make, options);
}

function byHandler(make: () => McpServer, options: HostingOptions): Hosted {
  const { clock, keepAliveMs, json, onerror, maxRequestBodySize, ...sessions } = options;
  return createMcpHandler(make, {
    legacy: 'sessions',
    responseMode: json === true ? 'json' : 'sse',
    sessions,
    ...(clock === undefined ? {} : { clock }),
    ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
    ...(onerror === undefined ? {} : { onerror }),
    ...(maxRequestBodySize === undefined ? {} : { maxRequestBodySize }),
  });
}

/** The same two ways without sessions: one server a request, or one transport and server a request. */
export function hostWithoutSessions(
  hosting: (typeof HOSTINGS)[number],
  make: () => McpServer,
  { maxRequestBodySize, onerror, clock }: HostingOptions = {},
): Hosted {
  const common = {
    ...(maxRequestBodySize === undefined ? {} : { maxRequestBodySize }),
    ...(clock === undefined ? {} : { clock }),
  };
  if (hosting === 'createMcpHandler') {
    return createMcpHandler(make, { ...common, ...(onerror === undefined ? {} : { onerror }) });
  }
  return {
    fetch: async (request, requestOptions) => {
      const transport = new WebStandardStreamableHTTPServerTransport(common);
      const server = make();
      if (onerror !== undefined) server.server.onerror = onerror;
      await server.connect(transport);
      return transport.handleRequest(request, requestOptions);
    },
  };
}

/** As the official documentation hosts them: a map from session ids to transports. */
function byHand(make: () => McpServer, options: HostingOptions): Hosted {
  const { clock, eventStore, retryMs, keepAliveMs, json, maxRequestBodySize } = options;
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        options.onsessioninitialized?.(id);
      },
      onsessionclosed: (id) => {
        transports.delete(id);
        options.onsessionclosed?.(id);
      },
      ...(json === true ? { enableJsonResponse: true } : {}),
      ...(maxRequestBodySize === undefined ? {} : { maxRequestBodySize }),
      ...(clock === undefined ? {} : { clock }),
      ...(eventStore === undefined ? {} : { eventStore }),
      ...(retryMs === undefined ? {} : { retryInterval: retryMs }),
      ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
    });
    const server = make();
    if (options.onerror !== undefined) server.server.onerror = options.onerror;
    await server.connect(transport);
    return transport;
  };
  return {
    fetch: async (request, requestOptions) => {
      const id = request.headers.get('mcp-session-id');
      const transport = (id === null ? undefined : transports.get(id)) ?? (await open());
      return transport.handleRequest(request, requestOptions);
    },
  };
}
