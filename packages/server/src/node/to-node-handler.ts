import { reportGuarded } from '@portico/rpc';
import { type McpHandlerRequestOptions, type McpHttpHandler, ServerError } from '@portico/server';
import { NodeHttpRequest } from './node-http-request.ts';
import type { NodeIncomingMessageLike, NodeServerResponseLike } from './node-message.ts';
import { writeAnswer, writeWebResponse } from './node-response.ts';
import { toWebRequest } from './to-web-request.ts';

/** Anything that serves web requests: `createMcpHandler`, an app of a framework, or own routing. */
export interface FetchLikeMcpHandler {
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response> | Response;
}

export interface ToNodeHandlerOptions {
  /** Faults that were answered with 500, for reporting only. */
  onerror?: (error: Error) => void;
  /**
   * Largest body that is read, in bytes; the handler's own limit holds too. Default: 4 MiB for fetch
   * handlers, else the handler's limit.
   */
  maxRequestBodySize?: number;
}

/** A listener for `http.createServer`, and a handler for frameworks that pass `(req, res)`. */
export type NodeMcpRequestHandler = (
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
  parsedBody?: unknown,
) => Promise<void>;

/** Serves one request; settles when the answer is written, or its stream is under way. */
type Serve = (
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
  parsedBody: unknown,
) => Promise<void>;

/**
 * Serves a handler over node:http and node:http2. A handler of `createMcpHandler` is served without
 * web streams in between. A closed response aborts the request; a slow reader is waited for. The
 * third argument is a body that a parser has read (`req.body` counts too); a function there, Express'
 * `next`, is ignored.
 */
export function toNodeHandler(
  handler: FetchLikeMcpHandler | Pick<McpHttpHandler, 'handle'>,
  options: ToNodeHandlerOptions = {},
): NodeMcpRequestHandler {
  const serve = 'handle' in handler ? serveDirectly(handler, options) : serveByFetch(handler, options);
  return async (request, response, third) => {
    const parsedBody = third === undefined || typeof third === 'function' ? request.body : third;
    try {
      await serve(request, response, parsedBody);
    } catch (error) {
      answerFault(error, response, { parsedBody, onerror: options.onerror });
    }
  };
}

function serveDirectly(handler: Pick<McpHttpHandler, 'handle'>, options: ToNodeHandlerOptions): Serve {
  const maxBodyBytes = options.maxRequestBodySize;
  return async (request, response, parsedBody) => {
    const served = new NodeHttpRequest(request, response, { parsedBody, maxBodyBytes });
    const answer = await handler.handle(served);
    writeAnswer(answer, response, served);
  };
}

function serveByFetch(handler: FetchLikeMcpHandler, options: ToNodeHandlerOptions): Serve {
  const { maxRequestBodySize } = options;
  return async (request, response, parsedBody) => {
    const controller = new AbortController();
    const served = { answered: false };
    response.on('close', () => {
      if (!served.answered) controller.abort(new DOMException('The client is gone.', 'AbortError'));
    });
    if (response.destroyed === true) controller.abort();
    const { signal } = controller;
    const web = await toWebRequest(request, parsedBody, {
      signal,
      ...(maxRequestBodySize === undefined ? {} : { maxRequestBodySize }),
    });
    const answer = await handler.fetch(web, {
      ...(request.auth === undefined ? {} : { authInfo: request.auth }),
      ...(parsedBody === undefined ? {} : { parsedBody }),
    });
    await writeWebResponse(answer, response, served);
  };
}

/** The client learns nothing of a fault but that there was one. */
function answerFault(
  error: unknown,
  response: NodeServerResponseLike,
  context: { readonly parsedBody: unknown; readonly onerror: ToNodeHandlerOptions['onerror'] },
): void {
  if (response.destroyed === true) return;
  const tooLarge = error instanceof ServerError && error.code === 'BODY_TOO_LARGE';
  if (!tooLarge) {
    reportGuarded(context.onerror, error instanceof Error ? error : new TypeError(String(error)));
  }
  if (response.headersSent === true) {
    response.destroy?.();
    return;
  }
  const id = requestIdOf(context.parsedBody);
  const fault = tooLarge
    ? { code: -32_600, message: error.message }
    : { code: -32_603, message: 'Internal error' };
  const body = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: fault };
  response.writeHead(tooLarge ? 413 : 500, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The id that the answer to a parsed body belongs to. */
function requestIdOf(body: unknown): string | number | undefined {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return undefined;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : undefined;
}
