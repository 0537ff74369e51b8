import {
  ExchangeScope,
  OpenTable,
  parseMessages,
  receiveLimits,
  serializeMessage,
  systemClock,
  reportGuarded,
  runGuarded,
} from '@portico/rpc';
import type {
  Clock,
  JSONRPCMessage,
  MessageExtraInfo,
  ReceiveLimits,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@portico/rpc';
import { METHOD_HEADER, SESSION_ID_HEADER } from '@portico/spec';
import { SdkError } from '../errors.ts';
import { toLocalError } from '../local-error.ts';
import { exchange, mediaType } from './channel.ts';
import type { HttpChannel } from './channel.ts';
import type { LateSession } from './end-session.ts';
import { createFetchClient } from './fetch-client.ts';
import type { FetchLike } from './fetch-client.ts';
import { followLater } from './follow-later.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { DEFAULT_RECONNECTION } from './reconnection.ts';
import type {
  Reconnection,
  ReconnectionScheduler,
  StreamableHTTPReconnectionOptions,
} from './reconnection.ts';
import { baseHeaders, postHeaders } from './request-headers.ts';
import { signInLater } from './sign-in-later.ts';
import type { LateSignIn, SignInOptions } from './sign-in-later.ts';
import { ServerStream } from './server-stream.ts';

/** Where a stream of events goes on, and who is told where the next one could. */
export interface StartSSEOptions {
  readonly resumptionToken?: string;
  readonly onresumptiontoken?: (token: string) => void;
  /** The request whose answers the stream brings again. */
  readonly replayMessageId?: string | number;
}

/** How a transport over HTTP behaves. */
export interface StreamableHTTPClientTransportOptions extends SignInOptions {
  /** Does every request; the platform's own by default. */
  readonly fetch?: FetchLike;
  /**
   * Does every request in place of `fetch`, such as the pool of `@portico/client/node`. The transport
   * owns it from now on. Of `requestInit` only the headers are used then.
   */
  readonly http?: HttpClient;
  /** Sent with every request: headers in any form, credentials and so on. */
  readonly requestInit?: RequestInit;
  readonly clock?: Clock;
  /** Go on with a session that exists. */
  readonly sessionId?: string;
  /** The version that the session was agreed on. */
  readonly protocolVersion?: string;
  readonly reconnectionOptions?: Partial<StreamableHTTPReconnectionOptions>;
  /** Replaces the timer that opens broken streams again. */
  readonly reconnectionScheduler?: ReconnectionScheduler;
  /** Receive limits; the largest message is 64 MiB unless it is set here. */
  readonly limits?: Partial<ReceiveLimits>;
}

/** Largest message that a client takes over HTTP unless it is told otherwise, bytes. */
export const MAX_HTTP_MESSAGE_BYTES: number = 64 * 1024 * 1024;
/** Session ids hold visible ASCII only. */
const SESSION_ID = /^[!-~]{1,1024}$/;
const CANCELLED = 'notifications/cancelled';

function requestIdOf(message: JSONRPCMessage): RequestId | undefined {
  return 'method' in message && 'id' in message ? message.id : undefined;
}

function methodOf(message: JSONRPCMessage): string | undefined {
  return 'method' in message ? message.method : undefined;
}

/**
 * Talks to a server over streamable HTTP: one POST a message, answers as JSON or as an event stream; in
 * the legacy era also sessions, the stream of server messages, and taking up broken streams.
 *
 * The promise of `send` for a request settles when its exchange is over: it rejects when the answer can
 * no longer come, with SdkError `CLIENT_HTTP_NETWORK` (its data names the step), SdkHttpError
 * `CLIENT_HTTP_AUTHENTICATION`, `CLIENT_HTTP_FORBIDDEN`, `CLIENT_HTTP_SESSION_LOST` or
 * `CLIENT_HTTP_NOT_IMPLEMENTED`, SdkError `CLIENT_HTTP_UNEXPECTED_CONTENT`, `CONNECTION_CLOSED`,
 * `CLIENT_HTTP_FAILED_TO_OPEN_STREAM`, `MESSAGE_TOO_LARGE`, `INVALID_MESSAGE`. With an `authProvider` also
 * UnauthorizedError when somebody was sent to sign in, InsufficientScopeError, and what the provider and
 * `auth` throw.
 */
export class StreamableHTTPClientTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  readonly hasPerRequestStream = true;
  /** What is remembered of a server is kept under this. */
  readonly serverKey: string;

  readonly #channel: HttpChannel;
  readonly #reconnection: Reconnection;
  readonly #exchanges = new OpenTable<RequestId | ExchangeScope, ExchangeScope>();
  readonly #serverStream: ServerStream;
  readonly #signIn: LateSignIn;
  #state: 'new' | 'started' | 'closed' = 'new';
  /** A session was being begun at the end, which needs the connections for a while. */
  #isBeginning = false;

  constructor(url: URL | string, options: StreamableHTTPClientTransportOptions = {}) {
    this.sessionId = options.sessionId;
    this.protocolVersion = options.protocolVersion;
    this.#reconnection = {
      options: { ...DEFAULT_RECONNECTION, ...options.reconnectionOptions },
      scheduler: options.reconnectionScheduler,
    };
    const requestInit = options.requestInit ?? {};
    const place = new URL(url);
    this.serverKey = place.origin;
    // Late binding, so that a page that replaces its fetch is followed.
    const fetch: FetchLike = options.fetch ?? ((target, init) => globalThis.fetch(target, init));
    const http = options.http ?? createFetchClient(fetch, requestInit);
    this.#signIn = signInLater({ options, http, fetch, url: place });
    this.#channel = {
      url: place,
      http: options.authProvider === undefined ? http : this.#signIn,
      clock: options.clock ?? systemClock,
      limits: receiveLimits({ maxMessageBytes: MAX_HTTP_MESSAGE_BYTES, ...options.limits }),
      baseHeaders: () => baseHeaders(requestInit.headers, this),
      deliver: (message, answerTo) => {
        if (this.#state !== 'started') return;
        this.onmessage?.(message, answerTo === undefined ? undefined : { relatedRequestId: answerTo });
      },
      report: (error) => reportGuarded(this.onerror, error),
    };
    this.#serverStream = new ServerStream(this.#channel, this.#reconnection);
  }

  /** @throws SdkError `ALREADY_CONNECTED` the second time */
  async start(): Promise<void> {
    if (this.#state !== 'new') throw new SdkError('ALREADY_CONNECTED');
    this.#state = 'started';
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  /**
   * Ends a sign-in with what the browser came back with, after which a new transport connects: the whole
   * query of the callback, or its code and its `iss`.
   *
   * @throws UnauthorizedError without a provider for it
   * @throws IssuerMismatchError, AuthorizationServerMismatchError before the code is sent anywhere
   * @throws OAuthError, OAuthClientFlowError as `auth`
   */
  finishAuth(callback: URLSearchParams | string, iss?: string): Promise<void> {
    return this.#signIn.finish(callback, iss);
  }

  /** Opens the stream of server messages, which otherwise follows the handshake. */
  resumeSession(): void {
    if (this.#state === 'started') void this.#serverStream.open();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.#state !== 'started') throw new SdkError('NOT_CONNECTED');
    const { scope = new ExchangeScope() } = options;
    const key = requestIdOf(message) ?? scope;
    this.#exchanges.set(key, scope);
    try {
      await this.#exchange(message, options, scope);
    } catch (error) {
      // Given up on purpose: nobody waits for this any more.
      if (!scope.aborted) throw toLocalError(error);
    } finally {
      this.#exchanges.delete(key);
      scope.during(undefined);
    }
    // The server was told to forget a request.
    if (methodOf(message) === CANCELLED && 'params' in message)
      this.#exchanges.get(message.params?.['requestId'] as RequestId)?.abort();
  }

  /**
   * Takes up the stream of server messages after an event that an earlier connection of the same session
   * saw. What goes wrong later is reported.
   *
   * @throws SdkError `NOT_CONNECTED`
   */
  async resumeStream(
    lastEventId: string,
    options: Pick<StartSSEOptions, 'onresumptiontoken'> = {},
  ): Promise<void> {
    if (this.#state !== 'started') throw new SdkError('NOT_CONNECTED');
    void this.#serverStream.open({ lastEventId, onEventId: options.onresumptiontoken });
  }

  /**
   * Ends all exchanges and, as far as it can be reached, the session; one that the server is still to name is
   * ended within two seconds more, for which nobody waits.
   */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#serverStream.close();
    for (const scope of this.#exchanges.values()) scope.abort();
    runGuarded(
      'onclose',
      () => this.onclose?.(),
      (error) => this.#channel.report(error),
    );
    // The server ends forgotten sessions by itself.
    await this.terminateSession().catch(() => undefined);
    if (!this.#isBeginning) await this.#channel.http.close();
  }

  /**
   * Tells the server that the session is over; does nothing without one.
   *
   * @throws SdkHttpError `CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION`
   * @throws SdkError `CLIENT_HTTP_NETWORK`
   */
  async terminateSession(): Promise<void> {
    if (this.sessionId === undefined) return;
    const headers = this.#channel.baseHeaders();
    this.sessionId = undefined;
    const { endSession } = await import('./end-session.ts');
    await endSession(this.#channel, headers);
  }

  async #exchange(
    message: JSONRPCMessage,
    options: TransportSendOptions,
    scope: ExchangeScope,
  ): Promise<void> {
    const channel = this.#channel;
    const answerTo = requestIdOf(message);
    const { resumptionToken: lastEventId, onresumptiontoken: onEventId, headers: extra } = options;
    const modern = extra?.[METHOD_HEADER] !== undefined;
    const follow = { answerTo, resumable: !modern, reconnection: this.#reconnection, scope, onEventId };
    if (lastEventId !== undefined && answerTo !== undefined) {
      return followLater(channel, { ...follow, resumable: true, lastEventId });
    }
    const starts = methodOf(message) === 'initialize';
    const headers = postHeaders(channel.baseHeaders(), message, extra);
    const asking = starts ? new ExchangeScope() : scope;
    const named = exchange(channel, {
      url: channel.url,
      method: 'POST',
      headers,
      body: serializeMessage(message),
      scope: asking,
      urgent: answerTo === undefined,
    });
    if (starts) this.#outlive(scope, { scope: asking, named });
    const answer = await named;
    if (!isSuccess(answer.status)) {
      const { answerInRefusal } = await import('./refusal.ts');
      return channel.deliver(await answerInRefusal(answer, { id: answerTo, modern, headers }));
    }
    if (starts) this.#takeSession(answer);
    if (this.#serverStream.mayReturn) void this.#serverStream.open();
    if (answerTo === undefined) {
      answer.discard();
      if (methodOf(message) === 'notifications/initialized') void this.#serverStream.open();
      return;
    }
    const type = mediaType(answer);
    if (type === 'application/json') return this.#readJson(answer, answerTo);
    if (type === 'text/event-stream') return followLater(channel, { ...follow, first: answer });
    answer.discard();
    const { unexpectedContent } = await import('./refusal.ts');
    throw unexpectedContent(type);
  }

  /** A session that is closed before the server has named it is ended as soon as it is named. */
  #outlive(scope: ExchangeScope, late: LateSession): void {
    this.#serverStream.close();
    scope.during(() => {
      this.#isBeginning = true;
      void import('./end-session.ts').then(
        ({ endLateSession }) => endLateSession(this, late, this.#channel),
        () => late.scope.abort(),
      );
    });
  }

  #takeSession(answer: HttpAnswer): void {
    const id = answer.header(SESSION_ID_HEADER.toLowerCase());
    this.sessionId = SESSION_ID.test(id ?? '') ? id : undefined;
  }

  async #readJson(answer: HttpAnswer, answerTo: RequestId): Promise<void> {
    const channel = this.#channel;
    const { limits } = channel;
    let text: string;
    try {
      text = await answer.text(limits.maxMessageBytes);
    } catch (error) {
      if (error instanceof SdkError) throw error;
      throw new SdkError('CONNECTION_CLOSED', { message: 'the answer broke off', cause: error });
    }
    let answered = false;
    // Servers of the revision that had arrays may answer with one although none was sent.
    for (const received of parseMessages(text, { limits, allowBatch: true })) {
      answered ||= !('method' in received) && received.id === answerTo;
      channel.deliver(received);
    }
    if (answered) return;
    throw new SdkError('INVALID_RESULT', { message: 'the answer is to another request' });
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
