import {
  ExchangeScope,
  receiveLimits,
  reportGuarded,
  runGuarded,
  serializeMessage,
  systemClock,
} from '@portico/rpc';
import type {
  Clock,
  JSONRPCMessage,
  MessageExtraInfo,
  ReceiveLimits,
  SseEvent,
  Timer,
  Transport,
  TransportSendOptions,
} from '@portico/rpc';
import { SdkError, SdkHttpError } from '../errors.ts';
import { toLocalError } from '../local-error.ts';
import { exchange, mediaType } from './channel.ts';
import type { HttpChannel } from './channel.ts';
import { readEvents } from './event-stream.ts';
import { createFetchClient } from './fetch-client.ts';
import type { FetchLike } from './fetch-client.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { refusalOf } from './refusal.ts';
import { baseHeaders, postHeaders } from './request-headers.ts';
import { signInLater } from './sign-in-later.ts';
import type { LateSignIn, SignInOptions } from './sign-in-later.ts';
import { SseError } from './sse-error.ts';
import { MAX_HTTP_MESSAGE_BYTES } from './transport.ts';

/** How a transport of revision 2024-11-05 behaves. */
export interface SSEClientTransportOptions extends SignInOptions {
  /** Does every request; the platform's own by default. */
  readonly fetch?: FetchLike;
  /** Does every request in place of `fetch`; the transport owns it from now on. */
  readonly http?: HttpClient;
  /** Sent with every request, the one for the stream included: headers in any form, credentials and so on. */
  readonly requestInit?: RequestInit;
  /**
   * For the request that opens the stream alone, as an EventSource takes it. That request is then done by
   * its `fetch`, or else by the transport's, and the `authProvider` adds nothing to it.
   */
  readonly eventSourceInit?: { readonly fetch?: FetchLike; readonly withCredentials?: boolean };
  readonly clock?: Clock;
  /** How long the stream and the address that comes on it are waited for, milliseconds; 60,000 by default. */
  readonly startTimeoutMs?: number;
  /** Receive limits; the largest message is 64 MiB unless it is set here. */
  readonly limits?: Partial<ReceiveLimits>;
}

const START_TIMEOUT_MS = 60_000;

/** Refusals of a first message after which a server may be one of revision 2024-11-05. */
const OLD_SERVER: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Whether connecting over streamable HTTP failed the way it fails with a server that only speaks the
 * HTTP transport of revision 2024-11-05. An {@link SSEClientTransport} to the same address is then worth
 * a try.
 */
export function mayNeedSseTransport(error: unknown): boolean {
  return error instanceof SdkHttpError && OLD_SERVER.has(error.status);
}

/** What the wait for the server's address ends with. */
interface Opening {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The HTTP transport of revision 2024-11-05: one event stream for everything the server says, on which it
 * first names the address that messages are posted to. When the stream breaks, the connection is over.
 *
 * `start` rejects with SseError (its `code` is the HTTP status, when there was one), SdkError
 * `CLIENT_HTTP_NETWORK`, `CLIENT_HTTP_UNEXPECTED_CONTENT`, `CLIENT_HTTP_FAILED_TO_OPEN_STREAM` when the
 * server names an address of another origin or none, `REQUEST_TIMEOUT`, `ALREADY_CONNECTED`. `send`
 * rejects with `NOT_CONNECTED`, `CLIENT_HTTP_NETWORK` and the SdkHttpErrors of streamable HTTP.
 *
 * @deprecated Streamable HTTP replaces it; use it for servers that have nothing else.
 */
export class SSEClientTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  protocolVersion: string | undefined;

  readonly #channel: HttpChannel;
  /** Opens the stream. */
  readonly #opener: HttpClient;
  readonly #startTimeoutMs: number;
  readonly #stream = new ExchangeScope();
  readonly #posts = new Set<ExchangeScope>();
  readonly #signIn: LateSignIn;
  #endpoint: URL | undefined;
  #state: 'new' | 'started' | 'closed' = 'new';

  constructor(url: URL | string, options: SSEClientTransportOptions = {}) {
    const requestInit = options.requestInit ?? {};
    const fetch: FetchLike = options.fetch ?? ((target, init) => globalThis.fetch(target, init));
    this.#startTimeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
    const place = new URL(url);
    const http = options.http ?? createFetchClient(fetch, requestInit);
    this.#signIn = signInLater({ options, http, fetch, url: place });
    this.#channel = {
      url: place,
      http: options.authProvider === undefined ? http : this.#signIn,
      clock: options.clock ?? systemClock,
      limits: receiveLimits({ maxMessageBytes: MAX_HTTP_MESSAGE_BYTES, ...options.limits }),
      baseHeaders: () =>
        baseHeaders(requestInit.headers, { sessionId: undefined, protocolVersion: this.protocolVersion }),
      deliver: (message) => {
        if (this.#state === 'started') this.onmessage?.(message);
      },
      report: (error) => reportGuarded(this.onerror, error),
    };
    const { eventSourceInit: init } = options;
    const credentials = init?.withCredentials === true ? { credentials: 'include' as const } : {};
    this.#opener =
      init === undefined
        ? this.#channel.http
        : createFetchClient(init.fetch ?? fetch, { ...requestInit, ...credentials });
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  /** As that of streamable HTTP. @throws as that */
  finishAuth(callback: URLSearchParams | string, iss?: string): Promise<void> {
    return this.#signIn.finish(callback, iss);
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new SdkError('ALREADY_CONNECTED');
    this.#state = 'started';
    let timer: Timer | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = this.#channel.clock.setTimer(this.#startTimeoutMs, () =>
          reject(new SdkError('REQUEST_TIMEOUT', { data: { timeout: this.#startTimeoutMs } })),
        );
        this.#follow({ resolve, reject }).then(undefined, (error: unknown) => {
          const known = toLocalError(error);
          reject(known);
          if (this.#endpoint !== undefined) this.#lose(known);
        });
      });
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      timer?.cancel();
    }
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const url = this.#endpoint;
    if (this.#state !== 'started' || url === undefined) throw new SdkError('NOT_CONNECTED');
    const scope = new ExchangeScope();
    this.#posts.add(scope);
    try {
      const headers = postHeaders(this.#channel.baseHeaders(), message, options.headers);
      const body = serializeMessage(message);
      const answer = await exchange(this.#channel, {
        method: 'POST',
        url,
        headers,
        body,
        scope,
        urgent: true,
      });
      if (answer.status < 200 || answer.status > 299) throw (await refusalOf(answer, false)).error;
      answer.discard();
    } catch (error) {
      if (scope.aborted) throw new SdkError('CONNECTION_CLOSED');
      throw toLocalError(error);
    } finally {
      this.#posts.delete(scope);
    }
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#stream.abort();
    for (const scope of this.#posts) scope.abort();
    runGuarded(
      'onclose',
      () => this.onclose?.(),
      (error) => this.#channel.report(error),
    );
    await this.#channel.http.close();
  }

  /** Reads the stream to its end. @throws why it could not be opened or broke */
  async #follow(opening: Opening): Promise<void> {
    const answer = await this.#open();
    const sink = {
      onMessage: (message: JSONRPCMessage) => {
        this.#channel.deliver(message);
        return this.#stream.aborted;
      },
      onOtherEvent: (event: SseEvent) => {
        if (event.event === 'endpoint') this.#takeEndpoint(event.data, opening);
      },
      onBadEvent: (error: Error) => this.#channel.report(error),
    };
    await readEvents(answer, { heard: false }, { limits: this.#channel.limits, sink });
    if (this.#endpoint === undefined) throw noAddress('the stream ended before the server named its address');
    throw new SdkError('CONNECTION_CLOSED', { message: 'the stream of server messages ended' });
  }

  async #open(): Promise<HttpAnswer> {
    const { url } = this.#channel;
    const headers = this.#channel.baseHeaders();
    headers['accept'] = 'text/event-stream';
    const channel = { ...this.#channel, http: this.#opener };
    const answer = await exchange(channel, { url, method: 'GET', headers, scope: this.#stream });
    const { status } = answer;
    if (status !== 200) {
      const { error } = await refusalOf(answer, false);
      throw new SseError(status, error.message, { cause: error });
    }
    const type = mediaType(answer);
    if (type === 'text/event-stream') return answer;
    answer.discard();
    throw new SdkError('CLIENT_HTTP_UNEXPECTED_CONTENT', { data: { contentType: type } });
  }

  /** Messages hold what the server is trusted with, so they go to its own origin only. */
  #takeEndpoint(named: string, opening: Opening): void {
    const { url } = this.#channel;
    const place = URL.canParse(named, url) ? new URL(named, url) : undefined;
    if (place?.origin !== url.origin || place.username !== '' || place.password !== '') {
      opening.reject(noAddress('the server names an address of another origin for messages'));
      return;
    }
    this.#endpoint = place;
    opening.resolve();
  }

  #lose(error: Error): void {
    if (this.#state !== 'started') return;
    this.#channel.report(error);
    void this.close();
  }
}

function noAddress(message: string): SdkError {
  return new SdkError('CLIENT_HTTP_FAILED_TO_OPEN_STREAM', { message });
}
