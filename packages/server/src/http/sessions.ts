import { ErrorCode, type JSONRPCMessage, type Timer, isJSONRPCRequest } from '@portico/rpc';
import { SESSION_ID_HEADER } from '@portico/spec';
import type { ServerConnection } from '../connection.ts';
import { bridgeEvents } from '../server-events.ts';
import { LEGACY_SESSION_GONE, errorAnswer, refusal } from './error-answers.ts';
import type { Instance } from './handler-target.ts';
import { type HttpAnswer, type HttpRequest, acceptedForms, emptyAnswer } from './http-message.ts';
import { legacyFault, versionFault } from './legacy-requests.ts';
import type { HandlerParts } from './modern-requests.ts';
import { SessionTransport } from './session.ts';

/** Limits and hooks of legacy sessions. */
export interface SessionOptions {
  /** Sessions at once. Default 10 000. */
  readonly maxSessions?: number;
  /** Milliseconds without traffic after which a session ends. Default 30 minutes. */
  readonly idleMs?: number;
  /** Makes session ids: visible ASCII from a secure source. Default: random UUIDs. */
  readonly sessionIdGenerator?: () => string;
  /** Told of a new session before its first answer. A throw refuses the session. */
  readonly onsessioninitialized?: (sessionId: string) => void;
  /** Told of a session that has ended, whatever ended it. Must not throw. */
  readonly onsessionclosed?: (sessionId: string) => void;
  /** Who a request's credentials stand for; other principals never meet the session. */
  readonly principalOf?: (authInfo: unknown) => string | undefined;
}

const DEFAULT_MAX_SESSIONS = 10_000;
const DEFAULT_IDLE_MS = 30 * 60 * 1000;

interface Session {
  readonly transport: SessionTransport;
  readonly connection: ServerConnection;
  readonly instance: Instance;
  readonly principal: string | undefined;
  idle: Timer | undefined;
}

/** The legacy sessions of one handler, by their id. */
export class LegacySessions {
  readonly #parts: HandlerParts;
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(parts: HandlerParts, options: SessionOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Whether arrays are served in the session this request names; undefined without one. */
  acceptsBatches(request: HttpRequest): boolean | undefined {
    const session = this.#find(request);
    return session?.connection.session.caller.codec.acceptsBatches;
  }

  /** One POST: `initialize` opens a session, everything else belongs to one. */
  async post(
    messages: readonly JSONRPCMessage[],
    request: HttpRequest,
    asArray: boolean,
  ): Promise<HttpAnswer> {
    const fault = legacyFault(messages, request, this.#parts.supportedVersions);
    if (fault !== undefined) return fault;
    const stated = request.header(SESSION_ID_HEADER.toLowerCase());
    const opening = messages.find((message) => isJSONRPCRequest(message) && message.method === 'initialize');
    if (opening !== undefined && stated === undefined) {
      if (messages.length > 1) {
        return errorAnswer(400, { code: ErrorCode.InvalidRequest, message: 'initialize stands alone.' });
      }
      return this.#open(messages, request);
    }
    const session = this.#require(request);
    if (!('transport' in session)) return session;
    if (opening !== undefined && isJSONRPCRequest(opening)) {
      const error = { code: ErrorCode.InvalidRequest, message: 'This session is initialized already.' };
      return errorAnswer(400, error, opening.id);
    }
    this.#touch(session);
    return session.transport.post(messages, request, asArray);
  }

  /** GET: the session's stream for what belongs to no call. */
  get(request: HttpRequest): HttpAnswer {
    if (!acceptedForms(request.header('accept') ?? '').events) {
      return refusal(406, 'A client of this stream accepts text/event-stream.');
    }
    const fault = versionFault(request, this.#parts.supportedVersions);
    if (fault !== undefined) return fault;
    const session = this.#require(request);
    if (!('transport' in session)) return session;
    this.#touch(session);
    return session.transport.listen();
  }

  /** DELETE: the client is done with its session. */
  async delete(request: HttpRequest): Promise<HttpAnswer> {
    const fault = versionFault(request, this.#parts.supportedVersions);
    if (fault !== undefined) return fault;
    const session = this.#require(request);
    if (!('transport' in session)) return session;
    await this.#end(session);
    return emptyAnswer(200);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  async #open(messages: readonly JSONRPCMessage[], request: HttpRequest): Promise<HttpAnswer> {
    if (this.#sessions.size >= (this.#options.maxSessions ?? DEFAULT_MAX_SESSIONS)) {
      return refusal(503, 'Too many sessions are open.');
    }
    const { target, clock, keepAliveMs, responseMode: mode, report, bus } = this.#parts;
    const sessionId = this.#options.sessionIdGenerator?.() ?? crypto.randomUUID();
    const transport = new SessionTransport({ sessionId, clock, keepAliveMs, mode });
    let instance: Instance;
    try {
      instance = await target.take('legacy', request);
    } catch (error) {
      report(error instanceof Error ? error : new TypeError(String(error)));
      return errorAnswer(500, { code: ErrorCode.InternalError, message: 'Internal error' });
    }
    const { server } = instance;
    const connection = await server.attach(transport);
    const unbridge = instance.shared ? undefined : bridgeEvents(server.events, bus);
    const principal = this.#principal(request);
    const session: Session = { transport, connection, instance, principal, idle: undefined };
    this.#sessions.set(sessionId, session);
    const { peer } = connection;
    const { onclose } = peer;
    peer.onclose = () => {
      onclose?.();
      unbridge?.();
      session.idle?.cancel();
      if (!this.#sessions.delete(sessionId)) return;
      if (transport.protocolVersion !== undefined) this.#options.onsessionclosed?.(sessionId);
    };
    this.#touch(session);
    const answering = transport.post(messages, request, false);
    // A handshake that failed leaves no session behind.
    if (transport.protocolVersion === undefined) {
      const answer = await answering;
      await this.#end(session);
      return answer;
    }
    this.#options.onsessioninitialized?.(sessionId);
    return answering;
  }

  async #end(session: Session): Promise<void> {
    await session.connection.close();
    await session.instance.release();
  }

  /** A busy session is never idle; its time starts again. */
  #touch(session: Session): void {
    session.idle?.cancel();
    session.idle = this.#parts.clock.setTimer(this.#options.idleMs ?? DEFAULT_IDLE_MS, () => {
      if (session.transport.busy) this.#touch(session);
      else void this.#end(session);
    });
    session.idle.unref?.();
  }

  #require(request: HttpRequest): Session | HttpAnswer {
    if (request.header(SESSION_ID_HEADER.toLowerCase()) === undefined) {
      return refusal(400, `The ${SESSION_ID_HEADER} header is missing.`);
    }
    return this.#find(request) ?? refusal(404, 'Session not found', LEGACY_SESSION_GONE);
  }

  /** A session id is no credential: whoever else presents it finds nothing. */
  #find(request: HttpRequest): Session | undefined {
    const id = request.header(SESSION_ID_HEADER.toLowerCase());
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session?.principal === this.#principal(request) ? session : undefined;
  }

  #principal({ authInfo }: HttpRequest): string | undefined {
    const { principalOf = defaultPrincipal } = this.#options;
    return principalOf(authInfo);
  }
}

/** The subject where the gate names one, else the client, else the token itself. */
function defaultPrincipal(authInfo: unknown): string | undefined {
  if (typeof authInfo !== 'object' || authInfo === null) return undefined;
  for (const key of ['subject', 'clientId', 'token']) {
    const value: unknown = Reflect.get(authInfo, key);
    if (typeof value === 'string') return `${key}:${value}`;
  }
  return undefined;
}
