import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type EventStream,
  type HttpAnswer,
  type HttpRequest,
  type McpHttpHandler,
  bodyTooLarge,
} from '@portico/server';

/** A request that middleware may have authenticated or parsed already. */
export type NodeRequest = IncomingMessage & { readonly auth?: unknown; readonly body?: unknown };

export interface ToNodeHandlerOptions {
  /** Faults of the adapter itself, for reporting only. */
  readonly onerror?: (error: Error) => void;
}

/** A listener for `http.createServer`, and a handler for frameworks that pass `(req, res)`. */
export type NodeMcpRequestHandler = (
  request: NodeRequest,
  response: ServerResponse,
  parsedBody?: unknown,
) => Promise<void>;

/**
 * Serves an MCP handler over node:http without web streams in between. A closed response aborts the
 * request; a slow reader is waited for. A function as third argument (Express' `next`) is ignored.
 */
export function toNodeHandler(
  handler: Pick<McpHttpHandler, 'handle'>,
  options: ToNodeHandlerOptions = {},
): NodeMcpRequestHandler {
  return async (request, response, parsedBody) => {
    try {
      const body = typeof parsedBody === 'function' ? undefined : (parsedBody ?? request.body);
      const answer = await handler.handle(fromNodeRequest(request, response, body));
      writeAnswer(answer, request, response);
    } catch (error) {
      options.onerror?.(error instanceof Error ? error : new TypeError(String(error)));
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const failure = { jsonrpc: '2.0', error: { code: -32_603, message: 'Internal error' } };
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(failure));
    }
  };
}

function fromNodeRequest(request: NodeRequest, response: ServerResponse, parsedBody: unknown): HttpRequest {
  let web: Request | undefined;
  return {
    method: request.method ?? 'GET',
    header: (name) => headerOf(request, name),
    text: (maxBytes) => readText(request, maxBytes),
    ...(parsedBody === undefined ? {} : { parsedBody }),
    ...(request.auth === undefined ? {} : { authInfo: request.auth }),
    get web() {
      web ??= toWebRequest(request);
      return web;
    },
    onDisconnect(listener) {
      response.once('close', () => {
        if (!response.writableFinished) listener();
      });
    },
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  // HTTP/2 carries the host in a pseudo header.
  const value = request.headers[name] ?? (name === 'host' ? request.headers[':authority'] : undefined);
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Handlers look at method, address and headers; the body has been read by then. */
function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  const host = headerOf(request, 'host') ?? 'localhost';
  const base = URL.canParse(`http://${host}`) ? `http://${host}` : 'http://localhost';
  return new Request(new URL(request.url ?? '/', base), {
    method: request.method ?? 'GET',
    headers,
  });
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  const [only] = chunks;
  const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  return whole.toString('utf8');
}

function writeAnswer(answer: HttpAnswer, request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) {
    if ('stream' in answer) answer.stream.cut();
    return;
  }
  if ('stream' in answer) {
    response.writeHead(200, { ...answer.headers });
    response.flushHeaders();
    carry(answer.stream, response);
    return;
  }
  // A body that was not read to its end leaves the connection unusable.
  const headers = request.complete ? answer.headers : { ...answer.headers, connection: 'close' };
  response.writeHead(answer.status, { ...headers });
  response.end(answer.body);
}

function carry(stream: EventStream, response: ServerResponse): void {
  response.on('drain', () => stream.drained());
  response.once('close', () => stream.cut());
  stream.attach({
    write: (text) => response.destroyed || response.write(text),
    end: () => void response.end(),
  });
}
