import { parseMessages, receiveLimits, serializeMessage, systemClock } from '@portico/rpc';
import type {
  Clock,
  JSONRPCMessage,
  MessageExtraInfo,
  ReceiveLimits,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@portico/rpc';
import { METHOD_HEADER, PROTOCOL_VERSION_HEADER, SESSION_ID_HEADER, isModernErrorCode } from '@portico/spec';
import { SdkError, SdkHttpError } from '../errors.ts';
import { toLocalError } from '../local-error.ts';
import { mediaType, readText } from './body.ts';
import { discardBody, fetchFrom } from './channel.ts';
import type { FetchLike, HttpChannel } from './channel.ts';
import { DEFAULT_RECONNECTION, followStream } from './follow-stream.ts';
import type { StreamableHTTPReconnectionOptions } from './follow-stream.ts';
import { refusalOf } from './refusal.ts';
import type { Refusal } from './refusal.ts';

export type { StreamableHTTPReconnectionOptions } from './follow-stream.ts';

/** How a transport over HTTP behaves. */
export interface StreamableHTTPClientTransportOptions {
  /** Does every request; the platform's own by default. */
  readonly fetch?: FetchLike;
  /** Sent with every request: headers in any form, credentials and so on. */
  readonly requestInit?: RequestInit;
  readonly clock?: Clock;
  /** Go on with a session that exists. */
  readonly sessionId?: string;
  readonly reconnectionOptions?: Partial<StreamableHTTPReconnectionOptions>;
  /** Receive limits; the largest message is 64 MiB unless it is set here. */
  readonly limits?: Partial<ReceiveLimits>;
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** How long ending the session may hold up a close, milliseconds. */
const TERMINATE_LIMIT_MS = 2_000;
/** Answers to the request for a stream that mean "there is none", by word or by custom. */
const NO_STREAM: ReadonlySet<number> = new Set([400, 404, 405, 406]);
/** Session ids hold visible ASCII only. */
const SESSION_ID = /^[\u0021-\u007e]{1,1024}$/;
const CANCELLED = 'notifications/cancelled';
/** Both kinds of answers; what the caller accepts beside them comes after. */
const ACCEPTED = 'application/json, text/event-stream';

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
 * `MESSAGE_TOO_LARGE`, `INVALID_MESSAGE`.
 */
export class StreamableHTTPClientTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  readonly hasPerRequestStream = true;

  readonly #channel: HttpChannel;
  readonly #reconnection: StreamableHTTPReconnectionOptions;
  readonly #exchanges = new Map<RequestId | symbol, AbortController>();
  #serverStream: AbortController | undefined;
  /** The stream of server messages was lost for good; the next answer shows that it may work again. */
  #serverStreamLost = false;
  #state: 'new' | 'started' | 'closed' = 'new';

  constructor(url: URL | string, options: StreamableHTTPClientTransportOptions = {}) {
    this.sessionId = options.sessionId;
    this.#reconnection = { ...DEFAULT_RECONNECTION, ...options.reconnectionOptions };
    const requestInit = options.requestInit ?? {};
    this.#channel = {
      url: new URL(url),
      // Late binding, so that a page that replaces its fetch is followed.
      fetch: options.fetch ?? ((target, init) => globalThis.fetch(target, init)),
      clock: options.clock ?? systemClock,
      limits: receiveLimits({ maxMessageBytes: MAX_MESSAGE_BYTES, ...options.limits }),
      requestInit,
      baseHeaders: () => this.#baseHeaders(requestInit.headers),
      deliver: (message) => {
        if (this.#state === 'started') this.onmessage?.(message);
      },
      report: (error) => this.onerror?.(error),
    };
  }

  /** @throws SdkError `ALREADY_CONNECTED` the second time */
  async start(): Promise<void> {
    if (this.#state !== 'new') throw new SdkError('ALREADY_CONNECTED');
    this.#state = 'started';
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.#state !== 'started') throw new SdkError('NOT_CONNECTED');
    const exchange = new AbortController();
    const key = requestIdOf(message) ?? Symbol('message');
    const abort = (): void => exchange.abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    this.#exchanges.set(key, exchange);
    try {
      await this.#exchange(message, options, exchange.signal);
    } catch (error) {
      // Given up on purpose: nobody waits for this any more.
      if (!exchange.signal.aborted) throw toLocalError(error);
    } finally {
      this.#exchanges.delete(key);
      options.signal?.removeEventListener('abort', abort);
    }
    if (methodOf(message) === CANCELLED) this.#leave(message);
  }

  /** Ends all exchanges and, as far as it can be reached, the session. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#serverStream?.abort();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.onclose?.();
    try {
      await this.terminateSession();
    } catch {
      // The server ends forgotten sessions by itself.
    }
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
    const limit = new AbortController();
    const timer = this.#channel.clock.setTimer(TERMINATE_LIMIT_MS, () => limit.abort());
    try {
      const { signal } = limit;
      const response = await fetchFrom(this.#channel, { method: 'DELETE', headers, signal });
      const { status, statusText } = response;
      await discardBody(response);
      // Servers may keep sessions to themselves, and a session that is gone is ended.
      if (response.ok || status === 405 || status === 404) return;
      throw new SdkHttpError('CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION', { status, statusText });
    } finally {
      timer.cancel();
    }
  }

  #baseHeaders(own: RequestInit['headers']): Headers {
    const headers = new Headers(own);
    if (this.sessionId !== undefined) headers.set(SESSION_ID_HEADER, this.sessionId);
    if (this.protocolVersion !== undefined) {
      headers.set(PROTOCOL_VERSION_HEADER, this.protocolVersion);
    }
    return headers;
  }

  #postHeaders(message: JSONRPCMessage, options: TransportSendOptions): Headers {
    const headers = this.#channel.baseHeaders();
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      // Who the caller is was settled with the transport; one message must not speak for another.
      if (name.toLowerCase() !== 'authorization') headers.set(name, value);
    }
    headers.set('content-type', 'application/json');
    const own = headers.get('accept');
    headers.set('accept', own === null ? ACCEPTED : `${ACCEPTED}, ${own}`);
    if (methodOf(message) === 'initialize') {
      // A handshake starts a session and settles the version; it can carry neither.
      headers.delete(SESSION_ID_HEADER);
      headers.delete(PROTOCOL_VERSION_HEADER);
    }
    return headers;
  }

  async #exchange(
    message: JSONRPCMessage,
    options: TransportSendOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const answerTo = requestIdOf(message);
    const { resumptionToken: token, onresumptiontoken: onEventId } = options;
    const resumable = options.headers?.[METHOD_HEADER] === undefined;
    const follow = { resumable, reconnection: this.#reconnection, signal, onEventId };
    if (token !== undefined && answerTo !== undefined) {
      return followStream(this.#channel, { ...follow, answerTo, lastEventId: token });
    }
    const starts = methodOf(message) === 'initialize';
    if (starts) this.#serverStream?.abort();
    const headers = this.#postHeaders(message, options);
    const body = serializeMessage(message);
    const response = await fetchFrom(this.#channel, { method: 'POST', headers, body, signal });
    if (!response.ok) {
      return this.#refused(await refusalOf(response, headers.has(SESSION_ID_HEADER)), message, !resumable);
    }
    if (starts) this.#takeSession(response);
    if (this.#serverStreamLost) void this.#openServerStream();
    if (answerTo === undefined) {
      await discardBody(response);
      if (methodOf(message) === 'notifications/initialized') void this.#openServerStream();
      return;
    }
    const type = mediaType(response);
    if (type === 'text/event-stream') {
      return followStream(this.#channel, { ...follow, answerTo, first: response });
    }
    if (type === 'application/json') return this.#readJson(response, answerTo);
    await discardBody(response);
    throw unexpectedContent(type);
  }

  #takeSession(response: Response): void {
    const id = response.headers.get(SESSION_ID_HEADER);
    this.sessionId = id !== null && SESSION_ID.test(id) ? id : undefined;
  }

  async #readJson(response: Response, answerTo: RequestId): Promise<void> {
    const { limits } = this.#channel;
    const text = await readText(response, limits.maxMessageBytes);
    let answered = false;
    // Servers of the revision that had arrays may answer with one although none was sent.
    for (const received of parseMessages(text, { limits, allowBatch: true })) {
      answered ||= !('method' in received) && received.id === answerTo;
      this.#channel.deliver(received);
    }
    if (answered) return;
    throw new SdkError('INVALID_RESULT', { message: 'the answer belongs to another request' });
  }

  /** A modern refusal in JSON-RPC is the answer to the request; any other is the transport's matter. */
  #refused(refusal: Refusal, message: JSONRPCMessage, modern: boolean): void {
    const { rpcError, status, error } = refusal;
    const id = requestIdOf(message);
    const unauthorized = status === 401 || status === 403;
    if (modern && id !== undefined && rpcError !== undefined && !unauthorized && status < 500) {
      const named = rpcError.id ?? null;
      if (named === id || (named === null && isModernErrorCode(rpcError.error.code))) {
        return this.#channel.deliver({ ...rpcError, id });
      }
    }
    throw error;
  }

  /** Ends the exchange of a request that the server was told to forget. */
  #leave(cancel: JSONRPCMessage): void {
    const params = 'params' in cancel ? cancel.params : undefined;
    this.#exchanges.get(params?.['requestId'] as RequestId)?.abort();
  }

  /** Opens the legacy stream of messages that belong to no request; having none is no fault. */
  async #openServerStream(): Promise<void> {
    const stream = new AbortController();
    this.#serverStream?.abort();
    this.#serverStream = stream;
    this.#serverStreamLost = false;
    const { signal } = stream;
    try {
      const headers = this.#channel.baseHeaders();
      headers.set('accept', 'text/event-stream');
      const first = await fetchFrom(this.#channel, { method: 'GET', headers, signal });
      if (!first.ok || mediaType(first) !== 'text/event-stream') {
        const { status, statusText } = first;
        await discardBody(first);
        if (first.ok || NO_STREAM.has(status)) return;
        throw new SdkHttpError('CLIENT_HTTP_FAILED_TO_OPEN_STREAM', { status, statusText });
      }
      const reconnection = this.#reconnection;
      await followStream(this.#channel, { first, resumable: true, reconnection, signal });
    } catch (error) {
      if (signal.aborted) return;
      this.#serverStreamLost = true;
      this.#channel.report(toLocalError(error));
    }
  }
}

function unexpectedContent(type: string): SdkError {
  return new SdkError('CLIENT_HTTP_UNEXPECTED_CONTENT', {
    message: `the server answered with ${type === '' ? 'content of no type' : type}, which is no protocol message`,
    data: { contentType: type },
  });
}
