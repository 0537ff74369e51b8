import type { AuthInfo } from '@portico/oauth/resource';
import {
  type Clock,
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  RpcError,
  type Transport,
  type TransportSendOptions,
  isJSONRPCRequest,
  systemClock,
  reportGuarded,
  runGuarded,
} from '@portico/rpc';
import {
  LAST_EVENT_ID_HEADER,
  SESSION_ID_HEADER,
  SUPPORTED_PROTOCOL_VERSIONS,
  codecFor,
} from '@portico/spec';
import {
  LEGACY_SESSION_GONE,
  bodyRefusal,
  errorAnswer,
  methodNotAllowed,
  refusal,
  refusedRequest,
} from './error-answers.ts';
import type { EventStore } from './event-store.ts';
import { DEFAULT_KEEP_ALIVE_MS } from './event-stream.ts';
import { fromWebRequest, toWebResponse } from './fetch-face.ts';
import {
  type HandWiredGuardOptions,
  type HostGuardOptions,
  handWiredGuard,
  refuseForeignHost,
} from './host-guard.ts';
import {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type HttpAnswer,
  type HttpRequest,
  emptyAnswer,
} from './http-message.ts';
import { legacyCodec, legacyFault, listeningFault, versionFault } from './legacy-requests.ts';
import { type PostedMessages, contentFault, readMessages } from './read-messages.ts';
import { SessionTransport } from './session.ts';
import { sessionPrincipal } from '../principal.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import { scopeFault } from '../scopes/scope-fault.ts';

export interface WebStandardStreamableHTTPServerTransportOptions extends HandWiredGuardOptions {
  /**
   * Makes the session's id at `initialize`: visible ASCII from a secure source. Without it the
   * transport serves one exchange and has no session.
   */
  readonly sessionIdGenerator?: (() => string) | undefined;
  /** Told of the session before its first answer. A throw refuses it. */
  readonly onsessioninitialized?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Told when the client ends the session by DELETE. */
  readonly onsessionclosed?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** Answers POSTs with JSON bodies, without what is sent on the way. Default: event streams. */
  readonly enableJsonResponse?: boolean;
  /** Lets clients whose connection broke get what they missed. */
  readonly eventStore?: EventStore;
  /** How long clients are told to wait before they come back, in milliseconds. Default: not told. */
  readonly retryInterval?: number;
  /** Milliseconds between comments on idle event streams; 0 for none. Default 15 000. */
  readonly keepAliveMs?: number;
  /** Largest request body, in bytes. Default 4 MiB. Bodies that come parsed are not measured. */
  readonly maxRequestBodySize?: number;
  /** Versions that a request's header may name. Default: those of the server that connects. */
  readonly supportedProtocolVersions?: readonly string[];
  readonly clock?: Clock;
}

export interface HandleRequestOptions {
  /** The body, when somebody ahead has parsed it. */
  readonly parsedBody?: unknown;
  /** What the authentication gate made of the credentials. */
  readonly authInfo?: AuthInfo | undefined;
}

const SESSION_ID = SESSION_ID_HEADER.toLowerCase();
const LAST_EVENT_ID = LAST_EVENT_ID_HEADER.toLowerCase();

/**
 * The legacy streamable HTTP transport for one session, or for one sessionless exchange, wired by
 * hand: connect a server to it and give it the requests that belong to it. `createMcpHandler` does
 * both, for both eras.
 */
export class WebStandardStreamableHTTPServerTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #options: WebStandardStreamableHTTPServerTransportOptions;
  readonly #guard: HostGuardOptions;
  readonly #session: SessionTransport;
  #supportedVersions: readonly string[];
  #state: 'new' | 'used' | 'closed' = 'new';
  #started = false;
  /** Who opened the session. */
  #principal: string | undefined;
  #scopeChallenge: ScopeChallengeHandler | undefined;

  constructor(options: WebStandardStreamableHTTPServerTransportOptions = {}) {
    this.#options = options;
    this.#guard = handWiredGuard(options);
    this.#supportedVersions = options.supportedProtocolVersions ?? SUPPORTED_PROTOCOL_VERSIONS;
    this.#session = new SessionTransport(undefined, {
      clock: options.clock ?? systemClock,
      keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
      mode: options.enableJsonResponse === true ? 'json' : 'sse',
      eventStore: options.eventStore,
      retryMs: options.retryInterval,
      supportedVersions: () => this.#supportedVersions,
      report: this.#report,
    });
    this.#session.onmessage = (message, extra) => this.onmessage?.(message, extra);
    this.#session.onclose = () => {
      this.#state = 'closed';
      runGuarded('onclose', () => this.onclose?.(), this.#report);
    };
  }

  readonly #report = (error: Error): void => reportGuarded(this.onerror, error);

  /** Undefined before `initialize`, and without a generator. */
  get sessionId(): string | undefined {
    return this.#session.sessionId;
  }

  /** @throws RpcError `wrong_state` the second time */
  start(): Promise<void> {
    if (this.#started) return Promise.reject(new RpcError('wrong_state', { state: 'started' }));
    this.#started = true;
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.#session.setProtocolVersion(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    if (this.#options.supportedProtocolVersions === undefined) this.#supportedVersions = versions;
  }

  /** Asked about every request before it is delivered. A server that connects sets its own. */
  setScopeChallengeResolver(resolver: ScopeChallengeHandler): void {
    this.#scopeChallenge = resolver;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#session.send(message, options);
  }

  /** Ends the session: streams close without the answers that are missing. */
  close(): Promise<void> {
    return this.#session.close();
  }

  /** Ends the connection of one call's stream; the client comes back for the rest. Needs an event store. */
  closeSSEStream(requestId: RequestId): void {
    this.#session.closeStream(requestId);
  }

  /** The same for the session's stream of messages that belong to no call. */
  closeStandaloneSSEStream(): void {
    this.#session.closeStandaloneStream();
  }

  /** Serves one web request of this session. */
  async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    return toWebResponse(await this.handle(fromWebRequest(request, options)));
  }

  /** Serves one request of any HTTP server. */
  async handle(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await this.#route(request);
    if (answer.status >= 400) {
      this.#report(refusedRequest(answer.status, 'body' in answer ? answer.body : undefined));
    }
    return answer;
  }

  #route(request: HttpRequest): Promise<HttpAnswer> | HttpAnswer {
    const foreign = refuseForeignHost(
      { host: request.header('host'), origin: request.header('origin') },
      this.#guard,
    );
    if (foreign !== undefined) return refusal(403, foreign);
    const hasSessions = this.#options.sessionIdGenerator !== undefined;
    if (request.method === 'POST') return this.#post(request);
    if (hasSessions && request.method === 'GET') return this.#get(request);
    if (hasSessions && request.method === 'DELETE') return this.#delete(request);
    return methodNotAllowed(hasSessions ? 'GET, POST, DELETE' : 'POST');
  }

  async #post(request: HttpRequest): Promise<HttpAnswer> {
    const { sessionIdGenerator, maxRequestBodySize } = this.#options;
    if (sessionIdGenerator === undefined) {
      if (this.#state !== 'new') return usedUp();
      this.#state = 'used';
    }
    const fault = contentFault(request);
    if (fault !== undefined) return fault;
    const limits = { maxBodyBytes: maxRequestBodySize ?? DEFAULT_MAX_REQUEST_BODY_SIZE, maxDepth: undefined };
    let posted: PostedMessages;
    try {
      posted = await readMessages(request, limits, () => this.#takesArrays(request));
    } catch (error) {
      return bodyRefusal(error);
    }
    const { messages, asArray } = posted;
    const refused = legacyFault(messages, request, this.#supportedVersions);
    if (refused !== undefined) return refused;
    if (sessionIdGenerator !== undefined) {
      const opening = messages.find(
        (message): message is JSONRPCRequest => isJSONRPCRequest(message) && message.method === 'initialize',
      );
      const stopped =
        opening === undefined ? this.#sessionFault(request) : await this.#open(opening, request);
      if (stopped !== undefined) return stopped;
    }
    const unscoped = await this.#scopeFault(messages, request);
    if (unscoped !== undefined) return unscoped;
    return this.#session.post(messages, request, asArray);
  }

  #get(request: HttpRequest): Promise<HttpAnswer> | HttpAnswer {
    const fault = listeningFault(request, this.#supportedVersions) ?? this.#sessionFault(request);
    return fault ?? this.#session.listen(request.header(LAST_EVENT_ID));
  }

  async #delete(request: HttpRequest): Promise<HttpAnswer> {
    const fault = versionFault(request, this.#supportedVersions) ?? this.#sessionFault(request);
    if (fault !== undefined) return fault;
    const id = this.#session.sessionId ?? '';
    await this.close();
    try {
      await this.#options.onsessionclosed?.(id);
    } catch (error) {
      return this.#failed(error);
    }
    return emptyAnswer(200);
  }

  /** Gives the session its id. The answer, if any, says why not. */
  async #open(opening: JSONRPCRequest, { authInfo }: HttpRequest): Promise<HttpAnswer | undefined> {
    if (this.#state === 'closed') return sessionGone();
    if (this.#session.sessionId !== undefined) {
      const error = { code: ErrorCode.InvalidRequest, message: 'This session is initialized already.' };
      return errorAnswer(400, error, opening.id);
    }
    this.#state = 'used';
    try {
      const id = this.#options.sessionIdGenerator?.() ?? '';
      this.#session.sessionId = id;
      this.#principal = sessionPrincipal(authInfo);
      await this.#options.onsessioninitialized?.(id);
      return undefined;
    } catch (error) {
      this.#session.sessionId = undefined;
      return this.#failed(error);
    }
  }

  #sessionFault(request: HttpRequest): HttpAnswer | undefined {
    const stated = request.header(SESSION_ID);
    if (stated === undefined) return refusal(400, `The ${SESSION_ID_HEADER} header is missing.`);
    // An id is no credential: whoever else presents it finds nothing.
    const isTheirs =
      stated === this.#session.sessionId && sessionPrincipal(request.authInfo) === this.#principal;
    return this.#state === 'closed' || !isTheirs ? sessionGone() : undefined;
  }

  #scopeFault(
    messages: readonly JSONRPCMessage[],
    request: HttpRequest,
  ): Promise<HttpAnswer | undefined> | undefined {
    const report = (error: Error): void => this.onerror?.(error);
    return scopeFault(messages, request, {
      parts: { scopeChallenge: undefined, report },
      instance: { scopeChallenge: this.#scopeChallenge },
    });
  }

  #takesArrays(request: HttpRequest): boolean {
    const { protocolVersion } = this.#session;
    const codec =
      protocolVersion === undefined
        ? legacyCodec(request, this.#supportedVersions)
        : codecFor(protocolVersion);
    return codec?.acceptsBatches === true;
  }

  #failed(error: unknown): HttpAnswer {
    this.#report(error instanceof Error ? error : new TypeError(String(error)));
    return errorAnswer(500, { code: ErrorCode.InternalError, message: 'Internal error' });
  }
}

function sessionGone(): HttpAnswer {
  return refusal(404, 'Session not found', LEGACY_SESSION_GONE);
}

function usedUp(): HttpAnswer {
  const hint = 'A transport without sessions serves one request: make a transport and a server for each.';
  return refusal(500, hint, ErrorCode.InternalError);
}
