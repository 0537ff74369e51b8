import {
  type Clock,
  ErrorCode,
  type JSONRPCMessage,
  RpcError,
  type ReceiveLimits,
  isJSONRPCRequest,
  parseMessages,
  systemClock,
} from '@portico/rpc';
import {
  PROTOCOL_VERSION_HEADER,
  SUPPORTED_PROTOCOL_VERSIONS,
  codecFor,
  hasEnvelope,
  headerMismatchError,
} from '@portico/spec';
import { versionsOf } from '../built-in-methods.ts';
import { createSubscriptionSlots } from '../channel.ts';
import { ServerError } from '../errors.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import type { Server } from '../server.ts';
import {
  InMemoryServerEventBus,
  type ServerEventBus,
  type ServerNotifier,
  bridgeEvents,
  createNotifier,
} from '../server-events.ts';
import { bodyRefusal, errorAnswer, methodNotAllowed, refusal } from './error-answers.ts';
import { DEFAULT_KEEP_ALIVE_MS } from './event-stream.ts';
import type { ResponseMode } from './exchange.ts';
import { fromWebRequest, toWebResponse } from './fetch-face.ts';
import { type McpServerFactory, handlerTarget } from './handler-target.ts';
import { type HostGuardOptions, refuseForeignHost } from './host-guard.ts';
import { DEFAULT_MAX_BODY_BYTES, type HttpAnswer, type HttpRequest, mediaType } from './http-message.ts';
import { legacyCodec, rejectLegacy, serveStateless } from './legacy-requests.ts';
import { type HandlerParts, serveModernRequest, takeModernNotification } from './modern-requests.ts';
import { LegacySessions, type SessionOptions } from './sessions.ts';

export interface CreateMcpHandlerOptions extends HostGuardOptions {
  /**
   * Legacy clients: `stateless` serves each request by itself (default), `sessions` gives them
   * sessions with a stream for the server's messages, `reject` names the modern revisions.
   */
  readonly legacy?: 'stateless' | 'sessions' | 'reject';
  readonly sessions?: SessionOptions;
  /**
   * What a factory makes: `fresh` a server for each request or session (default), `shared` one for
   * all of them, made at the first request.
   */
  readonly instance?: 'fresh' | 'shared';
  /** Default `auto`. */
  readonly responseMode?: ResponseMode;
  /** Largest request body, in bytes. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Deepest nesting of a body. Default 64 levels. */
  readonly maxDepth?: number;
  /** Open `subscriptions/listen` streams. Default 1024. */
  readonly maxSubscriptions?: number;
  /** Milliseconds between comments on idle event streams; 0 for none. Default 15 000. */
  readonly keepAliveMs?: number;
  /** Carries change events, for deployments of more than one process. */
  readonly bus?: ServerEventBus;
  readonly clock?: Clock;
  /** Faults and refusals, for reporting only. */
  readonly onerror?: (error: Error) => void;
}

/** What accompanies one request from whoever took it. */
export interface McpHandlerRequestOptions {
  /** What the authentication gate made of the credentials. */
  readonly authInfo?: unknown;
  /** The body, when somebody ahead has parsed it. */
  readonly parsedBody?: unknown;
}

/** An MCP endpoint without a server of its own. */
export interface McpHttpHandler {
  /** Serves one web request. May be taken off the object. */
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /** Serves one request of any HTTP server, see the `./node` entry. */
  readonly handle: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Ends subscriptions gracefully, aborts open requests, ends sessions. Later requests get 503. */
  readonly close: () => Promise<void>;
  /** Announces changes to every client that listens. */
  readonly notify: ServerNotifier;
  readonly bus: ServerEventBus;
}

/**
 * Makes an HTTP endpoint that serves both eras. A server is shared by all requests; a factory makes
 * one per modern or sessionless request, or per session, and its schemas are made ready only once.
 * Foreign hosts and origins are refused and bodies are bounded unless the options say otherwise.
 */
export function createMcpHandler(
  source: McpServer | Server | McpServerFactory,
  options: CreateMcpHandlerOptions = {},
): McpHttpHandler {
  const handler = new HttpHandler(source, options);
  return {
    fetch: async (request, requestOptions) =>
      toWebResponse(await handler.handle(fromWebRequest(request, requestOptions))),
    handle: (request) => handler.handle(request),
    close: () => handler.close(),
    notify: createNotifier(handler.bus),
    bus: handler.bus,
  };
}

class HttpHandler {
  readonly bus: ServerEventBus;
  readonly #options: CreateMcpHandlerOptions;
  readonly #parts: HandlerParts;
  readonly #sessions: LegacySessions | undefined;
  #unbridge: (() => void) | undefined;
  #closed = false;

  constructor(source: McpServer | Server | McpServerFactory, options: CreateMcpHandlerOptions) {
    this.#options = options;
    const report = (error: Error): void => options.onerror?.(error);
    const target = handlerTarget(source, {
      shareOne: options.instance === 'shared',
      onShared: (server) => this.#bridge(server),
    });
    const { shared } = target;
    const own = shared?.events ?? new InMemoryServerEventBus(report);
    const bus = options.bus ?? own;
    this.bus = bus;
    if (shared !== undefined && bus !== shared.events) this.#bridge(shared);
    this.#parts = {
      target,
      bus,
      clock: options.clock ?? systemClock,
      keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
      responseMode: options.responseMode ?? 'auto',
      subscriptions: createSubscriptionSlots(options.maxSubscriptions),
      open: new Map(),
      supportedVersions: shared?.supportedProtocolVersions ?? SUPPORTED_PROTOCOL_VERSIONS,
      report,
    };
    if (options.legacy === 'sessions') {
      this.#sessions = new LegacySessions(this.#parts, options.sessions ?? {});
    }
  }

  async handle(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await this.#route(request);
    if (answer.status >= 400) {
      const body = 'body' in answer ? answer.body : undefined;
      this.#options.onerror?.(refusedRequest(answer.status, body));
    }
    return answer;
  }

  async #route(request: HttpRequest): Promise<HttpAnswer> {
    if (this.#closed) return refusal(503, 'This endpoint is closed.', ErrorCode.InternalError);
    const foreign = refuseForeignHost(
      { host: request.header('host'), origin: request.header('origin') },
      this.#options,
    );
    if (foreign !== undefined) return refusal(403, foreign, ErrorCode.InvalidRequest);
    if (request.method === 'POST') return this.#post(request);
    if (this.#sessions !== undefined && request.method === 'GET') return this.#sessions.get(request);
    if (this.#sessions !== undefined && request.method === 'DELETE') {
      return this.#sessions.delete(request);
    }
    const code = this.#options.legacy === 'reject' ? ErrorCode.InvalidRequest : undefined;
    return methodNotAllowed(this.#sessions === undefined ? 'POST' : 'GET, POST, DELETE', code);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const subscriptions: Promise<void>[] = [];
    for (const [exchange, { method, finished }] of this.#parts.open) {
      if (method === 'subscriptions/listen') subscriptions.push(finished);
      else exchange.abort(new DOMException('The server is closing.', 'AbortError'), 503);
    }
    this.#parts.subscriptions.endAll();
    await Promise.all(subscriptions);
    await this.#sessions?.close();
    this.#unbridge?.();
  }

  #bridge(server: Server): void {
    this.#unbridge = bridgeEvents(server.events, this.bus);
  }

  async #post(request: HttpRequest): Promise<HttpAnswer> {
    if (mediaType(request.header('content-type')) !== 'application/json') {
      return refusal(415, 'The body of a request is application/json.');
    }
    const encoding = request.header('content-encoding') ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') return refusal(415, 'The body is not to be encoded.');
    const batches = this.#sessions?.acceptsBatches(request);
    let messages: readonly JSONRPCMessage[];
    let asArray: boolean;
    try {
      ({ messages, asArray } = await this.#read(request, batches));
    } catch (error) {
      return bodyRefusal(error);
    }
    const [message] = messages;
    if (!asArray && message !== undefined) {
      const modern = this.#modern(message, request);
      if (modern !== undefined) return modern;
    }
    return this.#legacy(messages, request, asArray);
  }

  /** Arrays exist in one revision only; there they may hold neither openings nor modern requests. */
  async #read(
    request: HttpRequest,
    batches: boolean | undefined,
  ): Promise<{ messages: readonly JSONRPCMessage[]; asArray: boolean }> {
    const { parsedBody } = request;
    const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, maxDepth } = this.#options;
    const limits: Partial<ReceiveLimits> =
      maxDepth === undefined
        ? { maxMessageBytes: maxBodyBytes }
        : { maxMessageBytes: maxBodyBytes, maxDepth };
    const text = parsedBody === undefined ? await request.text(maxBodyBytes) : JSON.stringify(parsedBody);
    const allowBatch =
      this.#options.legacy !== 'reject' &&
      (batches ?? legacyCodec(request, this.#parts.supportedVersions)?.acceptsBatches === true);
    const asArray = /^\s*\[/.test(text);
    const messages = parseMessages(text, { limits, allowBatch });
    const refused = (each: JSONRPCMessage): boolean =>
      isJSONRPCRequest(each) && (each.method === 'initialize' || hasEnvelope(each.params));
    if (asArray && messages.some(refused)) throw new RpcError('batch_refused', { limit: 1 });
    return { messages, asArray };
  }

  /** The body decides the era; the header is only cross-checked. Undefined means legacy. */
  #modern(message: JSONRPCMessage, request: HttpRequest): Promise<HttpAnswer> | HttpAnswer | undefined {
    const stated = request.header(PROTOCOL_VERSION_HEADER.toLowerCase());
    const statesModern =
      stated !== undefined &&
      codecFor(stated)?.era === 'modern' &&
      this.#parts.supportedVersions.includes(stated);
    if (!('method' in message)) {
      if (!statesModern) return undefined;
      const text = 'Answers are not posted in this revision.';
      return errorAnswer(400, { code: ErrorCode.InvalidRequest, message: text });
    }
    if (!isJSONRPCRequest(message)) {
      if (!statesModern && !hasEnvelope(message.params)) return undefined;
      return takeModernNotification(message, request, this.#parts);
    }
    if (hasEnvelope(message.params)) return serveModernRequest(message, request, this.#parts);
    if (!statesModern) return undefined;
    if (message.method !== 'initialize') return serveModernRequest(message, request, this.#parts);
    const text = `initialize is not part of revision ${stated}`;
    return errorAnswer(400, headerMismatchError(text), message.id);
  }

  #legacy(
    messages: readonly JSONRPCMessage[],
    request: HttpRequest,
    asArray: boolean,
  ): Promise<HttpAnswer> | HttpAnswer {
    const { supportedVersions } = this.#parts;
    const none = versionsOf('legacy', supportedVersions).length === 0;
    if (this.#options.legacy === 'reject' || none) return rejectLegacy(messages, supportedVersions);
    if (this.#sessions !== undefined) return this.#sessions.post(messages, request, asArray);
    return serveStateless(messages, request, this.#parts);
  }
}

/** What reporting gets of a refusal: its status and the sentence that the client was given. */
function refusedRequest(status: number, body: string | undefined): ServerError {
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(body ?? '')?.[1];
  return new ServerError('REQUEST_REFUSED', {
    data: { status },
    ...(message === undefined ? {} : { message: `answered ${String(status)}: ${message}` }),
  });
}
