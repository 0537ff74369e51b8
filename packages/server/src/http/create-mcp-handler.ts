import type { AuthInfo } from '@portico/oauth/resource';
import { type Clock, ErrorCode, FaultReporter, OpenTable, systemClock } from '@portico/rpc';
import { PROTOCOL_VERSION_HEADER, SUPPORTED_PROTOCOL_VERSIONS, codecFor } from '@portico/spec';
import { versionsOf } from '../built-in-methods.ts';
import { createSubscriptionSlots } from '../channel.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import type { Server } from '../server.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import {
  InMemoryServerEventBus,
  type ServerEventBus,
  type ServerNotifier,
  bridgeEvents,
  createNotifier,
} from '../server-events.ts';
import {
  bodyRefusal,
  errorAnswer,
  methodNotAllowed,
  refusal,
  refusalCode,
  refusedRequest,
} from './error-answers.ts';
import { DEFAULT_KEEP_ALIVE_MS } from './event-stream.ts';
import type { ResponseMode } from './exchange.ts';
import { fromWebRequest, toWebResponse } from './fetch-face.ts';
import { type McpServerFactory, handlerTarget } from './handler-target.ts';
import { type HostGuardOptions, refuseForeignHost } from './host-guard.ts';
import { DEFAULT_MAX_REQUEST_BODY_SIZE, type HttpAnswer, type HttpRequest } from './http-message.ts';
import { classifyMessage } from './inbound-classification.ts';
import { legacyCodec, rejectLegacy, serveStateless } from './legacy-requests.ts';
import { type HandlerParts, serveModernRequest, takeModernNotification } from './modern-requests.ts';
import { type PostedMessages, contentFault, readMessages } from './read-messages.ts';
import { LegacySessions, type SessionOptions } from './sessions.ts';

export interface CreateMcpHandlerOptions extends HostGuardOptions {
  /**
   * Legacy clients: `stateless` serves each request by itself (default), `sessions` gives them
   * sessions with a stream for the server's messages, `reject` names the modern revisions.
   */
  readonly legacy?: 'stateless' | 'sessions' | 'reject';
  readonly sessions?: SessionOptions;
  /**
   * Asked about every request, beside what its tool, resource or prompt says: the scopes that it needs
   * and the token lacks are answered with 403, and nothing of the request is done.
   */
  readonly scopeChallenge?: ScopeChallengeHandler;
  /**
   * What a factory makes: `fresh` a server for each request or session (default), `shared` one for
   * all of them, made at the first request.
   */
  readonly instance?: 'fresh' | 'shared';
  /** Default `auto`. */
  readonly responseMode?: ResponseMode;
  /** Largest request body, in bytes. Default 4 MiB. Bodies that come parsed are not measured. */
  readonly maxBodyBytes?: number;
  /** The official SDK's name for `maxBodyBytes`. */
  readonly maxRequestBodySize?: number;
  /** Deepest nesting of a body, in levels. Default: that of the receive limits. */
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
  readonly authInfo?: AuthInfo | undefined;
  /** The body, when somebody ahead has parsed it. */
  readonly parsedBody?: unknown;
}

/** How an endpoint is closed. */
export interface CloseOptions {
  /** Whether open requests may finish; false by default. */
  readonly graceful?: boolean;
}

/** An MCP endpoint without a server of its own. */
export interface McpHttpHandler {
  /** Serves one web request. May be taken off the object. */
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /** Serves one request of any HTTP server, see the `./node` entry. */
  readonly handle: (request: HttpRequest) => Promise<HttpAnswer>;
  /**
   * Ends subscriptions gracefully, aborts open requests, ends sessions, and settles when their
   * servers are closed. Later requests get 503. With `graceful` open requests may finish first, each in
   * its own time, unless it is closed once more without.
   */
  readonly close: (options?: CloseOptions) => Promise<void>;
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
    close: (closeOptions) => handler.close(closeOptions),
    notify: createNotifier(handler.bus),
    bus: handler.bus,
  };
}

const VERSION_HEADER = PROTOCOL_VERSION_HEADER.toLowerCase();

class HttpHandler {
  readonly bus: ServerEventBus;
  readonly #options: CreateMcpHandlerOptions;
  readonly #parts: HandlerParts;
  readonly #limits: { readonly maxBodyBytes: number; readonly maxDepth: number | undefined };
  readonly #sessions: LegacySessions | undefined;
  /** Merges what a hostile client could flood the callback with. */
  readonly #faults: FaultReporter;
  #unbridge: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(source: McpServer | Server | McpServerFactory, options: CreateMcpHandlerOptions) {
    this.#options = options;
    const { maxBodyBytes, maxRequestBodySize, maxDepth } = options;
    this.#limits = {
      maxBodyBytes: maxBodyBytes ?? maxRequestBodySize ?? DEFAULT_MAX_REQUEST_BODY_SIZE,
      maxDepth,
    };
    const clock = options.clock ?? systemClock;
    this.#faults = new FaultReporter(clock, (error) => options.onerror?.(error));
    const { report } = this.#faults;
    const target = handlerTarget(source, {
      shareOne: options.instance === 'shared',
      onShared: (server) => this.#bridge(server),
      report,
    });
    const { shared } = target;
    const own = shared?.events ?? new InMemoryServerEventBus(report);
    const bus = options.bus ?? own;
    const versions = shared?.supportedProtocolVersions ?? SUPPORTED_PROTOCOL_VERSIONS;
    this.bus = bus;
    if (shared !== undefined && bus !== shared.events) this.#bridge(shared);
    this.#parts = {
      target,
      bus,
      clock,
      keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
      responseMode: options.responseMode ?? 'auto',
      subscriptions: createSubscriptionSlots(options.maxSubscriptions),
      open: new OpenTable(),
      supportedVersions: options.legacy === 'reject' ? versionsOf('modern', versions) : versions,
      scopeChallenge: options.scopeChallenge,
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
      this.#parts.report(refusedRequest(answer.status, body));
    }
    return answer;
  }

  #route(request: HttpRequest): Promise<HttpAnswer> | HttpAnswer {
    if (this.#closing !== undefined) return refusal(503, 'This endpoint is closed.', ErrorCode.InternalError);
    const foreign = refuseForeignHost(
      { host: request.header('host'), origin: request.header('origin') },
      this.#options,
    );
    if (foreign !== undefined) return refusal(403, foreign, ErrorCode.InvalidRequest);
    if (request.method === 'POST') return this.#post(request);
    // Modern requests have no sessions, whatever others have.
    const stated = codecFor(request.header(VERSION_HEADER) ?? '');
    const sessions = stated?.era === 'modern' ? undefined : this.#sessions;
    if (sessions !== undefined && request.method === 'GET') return sessions.get(request);
    if (sessions !== undefined && request.method === 'DELETE') return sessions.delete(request);
    const allow = sessions === undefined ? 'POST' : 'GET, POST, DELETE';
    return methodNotAllowed(allow, this.#refusalCode(request));
  }

  async close({ graceful = false }: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#finish();
    if (!graceful) {
      for (const open of this.#parts.open.values()) {
        // Subscriptions have a last word, and say it when their slots end.
        if (open.method === 'subscriptions/listen') continue;
        open.exchange.abort(new DOMException('The server is closing.', 'AbortError'), 503);
      }
      await this.#sessions?.close();
    }
    await this.#closing;
  }

  /** Settles when nothing is left, whoever sees to that. */
  async #finish(): Promise<void> {
    const finished = [...this.#parts.open.values()].map(
      (open) => new Promise<void>((resolve) => (open.onfinished = resolve)),
    );
    this.#parts.subscriptions.endAll();
    await Promise.all([...finished, this.#sessions?.finish()]);
    this.#unbridge?.();
    this.#faults.end();
  }

  get #modernOnly(): boolean {
    return versionsOf('legacy', this.#parts.supportedVersions).length === 0;
  }

  #bridge(server: Server): void {
    this.#unbridge = bridgeEvents(server.events, this.bus);
  }

  async #post(request: HttpRequest): Promise<HttpAnswer> {
    const fault = contentFault(request, this.#refusalCode(request));
    if (fault !== undefined) return fault;
    let posted: PostedMessages;
    try {
      posted = await readMessages(request, this.#limits, () => this.#takesArrays(request));
    } catch (error) {
      return bodyRefusal(error);
    }
    const [message] = posted.messages;
    if (posted.asArray || message === undefined) return this.#legacy(posted, request);
    const route = classifyMessage(message, request.header(VERSION_HEADER), this.#parts.supportedVersions);
    switch (route.kind) {
      case 'modern':
        return route.messageKind === 'request'
          ? serveModernRequest(route.message, request, this.#parts)
          : takeModernNotification(route.message, request, this.#parts);
      case 'legacy':
        return this.#legacy(posted, request);
      case 'reject': {
        const { code, message: text } = route;
        const id = 'method' in message && 'id' in message ? message.id : undefined;
        return errorAnswer(400, { code, message: text }, id);
      }
    }
  }

  #refusalCode(request: HttpRequest): number {
    return this.#modernOnly ? ErrorCode.InvalidRequest : refusalCode(request.header(VERSION_HEADER));
  }

  #takesArrays(request: HttpRequest): boolean {
    if (this.#modernOnly) return false;
    const inSession = this.#sessions?.acceptsBatches(request);
    return inSession ?? legacyCodec(request, this.#parts.supportedVersions)?.acceptsBatches === true;
  }

  #legacy(posted: PostedMessages, request: HttpRequest): Promise<HttpAnswer> | HttpAnswer {
    if (this.#modernOnly) return rejectLegacy(posted.messages[0], this.#parts.supportedVersions);
    if (this.#sessions !== undefined) return this.#sessions.post(posted, request);
    return serveStateless(posted.messages, request, this.#parts);
  }
}
