import type { AuthInfo } from '@portico/oauth/resource';
import { ErrorCode, type JSONRPCMessage, isJSONRPCRequest, runGuarded } from '@portico/rpc';
import { LAST_EVENT_ID_HEADER, SESSION_ID_HEADER } from '@portico/spec';
import type { ServerConnection } from '../connection.ts';
import { sessionPrincipal } from '../principal.ts';
import { scopeFault } from '../scopes/scope-fault.ts';
import { bridgeEvents } from '../server-events.ts';
import { LEGACY_SESSION_GONE, errorAnswer, refusal } from './error-answers.ts';
import type { EventStore } from './event-store.ts';
import type { Instance } from './handler-target.ts';
import { type HttpAnswer, type HttpRequest, emptyAnswer } from './http-message.ts';
import { IdleSessions } from './idle-sessions.ts';
import { legacyFault, listeningFault, versionFault } from './legacy-requests.ts';
import type { HandlerParts } from './modern-requests.ts';
import type { PostedMessages } from './read-messages.ts';
import { SessionTransport, type SessionTransportOptions } from './session.ts';

/** Limits and hooks of legacy sessions. */
export interface SessionOptions {
  /** Sessions at once. Default 10 000. */
  readonly maxSessions?: number;
  /** Milliseconds without traffic after which a session ends. Default 30 minutes. */
  readonly idleMs?: number;
  /** Makes session ids: visible ASCII from a secure source. Default: random UUIDs. */
  readonly sessionIdGenerator?: () => string;
  /** Told of a new session before its first answer. A throw refuses the session. */
  readonly onsessioninitialized?: (sessionId: string) => void | Promise<void>;
  /** Told of a session that has ended, whatever ended it. Must not throw. */
  readonly onsessionclosed?: (sessionId: string) => void;
  /** Who a request's credentials stand for; other principals never meet the session. */
  readonly principalOf?: (authInfo: AuthInfo | undefined) => string | undefined;
  /**
   * Lets clients whose connection broke get what they missed, final answers included. With it calls
   * are answered as event streams, unless the response mode is `json`.
   */
  readonly eventStore?: EventStore;
  /** How long clients are told to wait before they come back, in milliseconds. Default: not told. */
  readonly retryMs?: number;
}

const DEFAULT_MAX_SESSIONS = 10_000;
const DEFAULT_IDLE_MS = 30 * 60 * 1000;

const SESSION_ID = SESSION_ID_HEADER.toLowerCase();
const LAST_EVENT_ID = LAST_EVENT_ID_HEADER.toLowerCase();

interface Session {
  readonly id: string;
  readonly transport: SessionTransport;
  readonly connection: ServerConnection;
  readonly instance: Instance;
  readonly principal: string | undefined;
  /** Settles when nothing of it is left. */
  ending?: Promise<void>;
}

/** The legacy sessions of one handler, by their id. */
export class LegacySessions {
  readonly #parts: HandlerParts;
  readonly #options: SessionOptions;
  readonly #transportOptions: SessionTransportOptions;
  readonly #sessions: IdleSessions<Session>;

  constructor(parts: HandlerParts, options: SessionOptions) {
    this.#parts = parts;
    this.#options = options;
    const { clock, keepAliveMs, responseMode: mode, report, supportedVersions } = parts;
    this.#transportOptions = {
      clock,
      keepAliveMs,
      mode,
      report,
      eventStore: options.eventStore,
      retryMs: options.retryMs,
      supportedVersions: () => supportedVersions,
    };
    this.#sessions = new IdleSessions(clock, options.idleMs ?? DEFAULT_IDLE_MS, (session) => {
      if (session.transport.busy) return false;
      void this.#end(session);
      return true;
    });
  }

  /** Whether arrays are served in the session this request names; undefined without one. */
  acceptsBatches(request: HttpRequest): boolean | undefined {
    const session = this.#find(request);
    return session?.connection.session.caller.codec.acceptsBatches;
  }

  /** One POST: `initialize` opens a session, everything else belongs to one. */
  async post({ messages, asArray }: PostedMessages, request: HttpRequest): Promise<HttpAnswer> {
    const fault = legacyFault(messages, request, this.#parts.supportedVersions);
    if (fault !== undefined) return fault;
    const opening = messages.find(isOpening);
    if (opening !== undefined && request.header(SESSION_ID) === undefined) {
      const instance = { scopeChallenge: undefined };
      const refused = await scopeFault(messages, request, { parts: this.#parts, instance });
      return refused ?? this.#open(messages, request);
    }
    const session = this.#require(request);
    if (!('transport' in session)) return session;
    if (opening !== undefined && isJSONRPCRequest(opening)) {
      const error = { code: ErrorCode.InvalidRequest, message: 'This session is initialized already.' };
      return errorAnswer(400, error, opening.id);
    }
    this.#sessions.touch(session.id);
    const refused = scopeFault(messages, request, { parts: this.#parts, instance: session.instance });
    const refusal = refused === undefined ? undefined : await refused;
    if (refusal !== undefined) return refusal;
    return session.transport.post(messages, request, asArray);
  }

  /** GET: the session's stream for what belongs to no call, or one that is taken up again. */
  get(request: HttpRequest): Promise<HttpAnswer> | HttpAnswer {
    const fault = listeningFault(request, this.#parts.supportedVersions);
    if (fault !== undefined) return fault;
    const session = this.#require(request);
    if (!('transport' in session)) return session;
    this.#sessions.touch(session.id);
    return session.transport.listen(request.header(LAST_EVENT_ID));
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
    await Promise.all(this.#sessions.all().map((session) => this.#end(session)));
  }

  /** Ends each session as soon as its requests are answered. */
  async finish(): Promise<void> {
    await Promise.all(
      this.#sessions.all().map(async (session) => {
        while (session.transport.answering) await answered(session.transport);
        await this.#end(session);
      }),
    );
  }

  async #open(messages: readonly JSONRPCMessage[], request: HttpRequest): Promise<HttpAnswer> {
    if (this.#sessions.size >= (this.#options.maxSessions ?? DEFAULT_MAX_SESSIONS)) {
      return refusal(503, 'Too many sessions are open.');
    }
    const id = this.#options.sessionIdGenerator?.() ?? crypto.randomUUID();
    const transport = new SessionTransport(id, this.#transportOptions);
    let session: Session;
    try {
      session = await this.#begin(id, transport, request);
    } catch (error) {
      return this.#failed(error);
    }
    const answering = transport.post(messages, request, false);
    // A handler in place of the built-in handshake may take its time.
    if (transport.protocolVersion === undefined && transport.answering) await answered(transport);
    // A handshake that failed leaves no session behind.
    if (transport.protocolVersion === undefined) {
      const answer = await answering;
      await this.#end(session);
      return answer;
    }
    try {
      await this.#options.onsessioninitialized?.(id);
    } catch (error) {
      await this.#end(session);
      return this.#failed(error);
    }
    return answering;
  }

  async #begin(id: string, transport: SessionTransport, request: HttpRequest): Promise<Session> {
    const instance = await this.#parts.target.take('legacy', request);
    const { server } = instance;
    const connection = await server.attach(transport, { sole: !instance.shared });
    const unbridge = instance.shared ? undefined : bridgeEvents(server.events, this.#parts.bus);
    const session: Session = {
      id,
      transport,
      connection,
      instance,
      principal: this.#principal(request),
    };
    this.#sessions.add(id, session);
    const { peer } = connection;
    const { onclose } = peer;
    peer.onclose = () => {
      onclose?.();
      unbridge?.();
      this.#sessions.delete(id);
      if (transport.protocolVersion === undefined) return;
      runGuarded('onsessionclosed', () => this.#options.onsessionclosed?.(id), this.#parts.report);
    };
    return session;
  }

  #failed(error: unknown): HttpAnswer {
    this.#parts.report(error instanceof Error ? error : new TypeError(String(error)));
    return errorAnswer(500, { code: ErrorCode.InternalError, message: 'Internal error' });
  }

  #end(session: Session): Promise<void> {
    session.ending ??= (async () => {
      await session.connection.close();
      await session.instance.release(true);
    })();
    return session.ending;
  }

  #require(request: HttpRequest): Session | HttpAnswer {
    if (request.header(SESSION_ID) === undefined) {
      return refusal(400, `The ${SESSION_ID_HEADER} header is missing.`);
    }
    return this.#find(request) ?? refusal(404, 'Session not found', LEGACY_SESSION_GONE);
  }

  /** A session id is no credential: whoever else presents it finds nothing. */
  #find(request: HttpRequest): Session | undefined {
    const id = request.header(SESSION_ID);
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session?.principal === this.#principal(request) ? session : undefined;
  }

  #principal({ authInfo }: HttpRequest): string | undefined {
    return (this.#options.principalOf ?? sessionPrincipal)(authInfo);
  }
}

function answered(transport: SessionTransport): Promise<void> {
  const { onanswered: before } = transport;
  return new Promise((resolve) => {
    transport.onanswered = () => {
      transport.onanswered = undefined;
      before?.();
      resolve();
    };
  });
}

function isOpening(message: JSONRPCMessage): boolean {
  return isJSONRPCRequest(message) && message.method === 'initialize';
}
