import { DEFAULT_REQUEST_TIMEOUT_MSEC, systemClock } from '@portico/rpc';
import type { Clock, JSONRPCNotification, ReceiveLimits, Transport } from '@portico/rpc';
import type {
  ClientCapabilities,
  DecodedResult,
  DiscoverResult,
  Implementation,
  ProtocolEra,
  Result,
  ServerCapabilities,
} from '@portico/spec';
import { isOffered, requireMethod, requireOffered } from './capability-check.ts';
import { handshakeCodecs } from './codecs.ts';
import { SdkError } from './errors.ts';
import { Handlers } from './handlers.ts';
import type { NotificationHandler, RequestHandler } from './handlers.ts';
import { shakeHands } from './handshake.ts';
import { finalResult, requestWithInput } from './input-required.ts';
import type { InputRequiredOptions } from './input-required.ts';
import { walkList } from './list-walk.ts';
import type { ListMethod, WholeList } from './list-walk.ts';
import { toLocalError } from './local-error.ts';
import { openConnection } from './negotiation.ts';
import type { OpenedConnection, OpeningContext, VersionNegotiationOptions } from './negotiation.ts';
import type { RequestOptions } from './request-options.ts';
import { SessionRenewal } from './session-renewal.ts';
import { Subscriptions } from './subscription.ts';
import { Wire } from './wire.ts';

/** How a client behaves. */
export interface ClientOptions {
  /** What this side can do for servers; nothing by default. */
  readonly capabilities?: ClientCapabilities;
  readonly versionNegotiation?: VersionNegotiationOptions;
  readonly clock?: Clock;
  /** Overrides of the receive limits. */
  readonly limits?: Partial<ReceiveLimits>;
  /** Pages of one list walk; 64 by default, 0 = no limit. */
  readonly listMaxPages?: number;
  readonly inputRequired?: InputRequiredOptions;
  /** List calls reject, too, when the server has no such list, instead of resolving empty. */
  readonly enforceStrictCapabilities?: boolean;
}

const LIST_MAX_PAGES = 64;

/**
 * The connection of one client to one server, in either era, without the typed calls. Who holds it calls
 * `connect` once with a transport, which it then owns, and `close` at the end; after that it can be
 * connected anew.
 */
export class ClientConnection {
  /** Fires once when an open connection has ended, whatever the reason. */
  onclose?: (() => void) | undefined;
  /** Faults that end nothing by themselves. */
  onerror?: ((error: Error) => void) | undefined;
  /** A lost session was replaced; lists may differ from now on. */
  onsessionrenewed?: (() => void) | undefined;

  readonly clock: Clock;
  readonly #info: Implementation;
  readonly #options: ClientOptions;
  readonly #handlers = new Handlers();
  readonly #subscriptions: Subscriptions;
  #capabilities: ClientCapabilities;
  #opening: Wire | undefined;
  #opened: OpenedConnection | undefined;
  #renewal: SessionRenewal | undefined;

  constructor(info: Implementation, options: ClientOptions = {}) {
    this.#info = info;
    this.#options = options;
    this.#capabilities = options.capabilities ?? {};
    this.clock = options.clock ?? systemClock;
    this.#subscriptions = new Subscriptions(this.clock);
  }

  /**
   * Opens the transport and agrees on a protocol version.
   *
   * @throws SdkError `ALREADY_CONNECTED`, `ERA_NEGOTIATION_FAILED`, `UNSUPPORTED_PROTOCOL_VERSION`,
   *   `INVALID_RESULT`, `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, and the transport's own
   * @throws ProtocolError what the server answered to the handshake
   */
  async connect(transport: Transport, options: RequestOptions = {}): Promise<void> {
    if (this.#opened !== undefined || this.#opening !== undefined) {
      throw new SdkError('ALREADY_CONNECTED');
    }
    const abort = (): void => void transport.close();
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      const opened = await openConnection(
        this.#openingContext(transport, options),
        this.#options.versionNegotiation?.mode ?? 'legacy',
      );
      if (opened.wire.closed) throw new SdkError('CONNECTION_CLOSED', { cause: opened.wire.endedBy });
      this.#opened = opened;
      this.#renewal = new SessionRenewal({
        sessionId: () => transport.sessionId,
        renew: () => this.#renewSession(opened.wire),
      });
    } catch (error) {
      await transport.close();
      if (options.signal?.aborted === true) {
        throw new SdkError('REQUEST_ABORTED', { cause: options.signal.reason });
      }
      throw toLocalError(error, this.#whyEnded());
    } finally {
      this.#opening = undefined;
      options.signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await (this.#opened?.wire ?? this.#opening)?.close();
  }

  get transport(): Transport | undefined {
    return this.#opened?.wire.transport;
  }

  getServerCapabilities(): ServerCapabilities | undefined {
    return this.#opened?.description.capabilities;
  }

  /** Who the server says it is; for display only. */
  getServerVersion(): Implementation | undefined {
    return this.#opened?.description.serverInfo;
  }

  getInstructions(): string | undefined {
    return this.#opened?.description.instructions;
  }

  getProtocolEra(): ProtocolEra | undefined {
    return this.#opened?.wire.codec.era;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#opened?.wire.codec.version;
  }

  /** The modern server's own description; undefined in the legacy era. */
  getDiscoverResult(): DiscoverResult | undefined {
    return this.#opened?.description.discover;
  }

  /** @throws SdkError `ALREADY_CONNECTED` */
  registerCapabilities(capabilities: ClientCapabilities): void {
    if (this.#opened !== undefined) throw new SdkError('ALREADY_CONNECTED');
    this.#capabilities = { ...this.#capabilities, ...capabilities };
  }

  /** Serves a method of the server; @throws SdkError `CAPABILITY_NOT_SUPPORTED` */
  setRequestHandler(method: string, handler: RequestHandler): void {
    this.#handlers.setRequestHandler(method, handler, this.#capabilities);
  }

  removeRequestHandler(method: string): void {
    this.#handlers.removeRequestHandler(method);
  }

  setNotificationHandler(method: string, handler: NotificationHandler): void {
    this.#handlers.setNotificationHandler(method, handler);
  }

  /** Gets the notifications that no other handler takes. */
  set fallbackNotificationHandler(handler: NotificationHandler | undefined) {
    this.#handlers.fallbackNotificationHandler = handler;
  }

  /** Serves the requests that no other handler takes. */
  set fallbackRequestHandler(handler: RequestHandler | undefined) {
    this.#handlers.fallbackRequestHandler = handler;
  }

  removeNotificationHandler(method: string): void {
    this.#handlers.removeNotificationHandler(method);
  }

  /**
   * Sends any request; `requireCapability` also checks what the server declared.
   *
   * @throws ProtocolError the server's error answer
   * @throws SdkError `NOT_CONNECTED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`,
   *   `CAPABILITY_NOT_SUPPORTED`, `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, `CONNECTION_CLOSED`,
   *   `INVALID_RESULT`, `UNSUPPORTED_RESULT_TYPE`, `INPUT_REQUIRED_ROUNDS_EXCEEDED` and the transport's
   */
  async request(
    method: string,
    params: object | undefined,
    options: RequestOptions & { readonly requireCapability?: boolean } = {},
  ): Promise<Result> {
    const { wire, description } = this.#connected();
    const { requireCapability = this.#options.enforceStrictCapabilities === true, ...rest } = options;
    requireMethod(method, wire.codec);
    if (requireCapability) requireOffered(method, wire.codec, description.capabilities);
    const send = (sent: object | undefined, given: RequestOptions): Promise<DecodedResult> =>
      this.#send(method, sent, given);
    if (wire.codec.method(method)?.mayRequireInput !== true) {
      return finalResult(method, await send(params, rest));
    }
    const port = {
      clock: this.clock,
      send,
      ask: this.#handlers.run.bind(this.#handlers),
    };
    const input = this.#options.inputRequired ?? {};
    return finalResult(method, await requestWithInput(port, params ?? {}, { options: rest, input }));
  }

  /** @throws SdkError `NOT_CONNECTED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION` */
  async notification(message: {
    readonly method: string;
    readonly params?: { readonly [key: string]: unknown };
  }): Promise<void> {
    const { wire } = this.#connected();
    requireMethod(message.method, wire.codec);
    await wire.notify(message.method, message.params);
  }

  /**
   * Reads a whole list; items that break the protocol are left out and named. Resolves empty when the
   * server declares no such list.
   *
   * @throws as {@link ClientConnection.request}, and SdkError `LIST_PAGINATION_EXCEEDED`
   */
  async listAll<Method extends ListMethod>(
    method: Method,
    options: RequestOptions & { readonly maxPages?: number } = {},
  ): Promise<WholeList<Method>> {
    const { wire, description } = this.#connected();
    const offered = isOffered(method, wire.codec, description.capabilities);
    if (!offered && this.#options.enforceStrictCapabilities !== true) {
      return { items: [], dropped: [] };
    }
    requireOffered(method, wire.codec, description.capabilities);
    const { maxPages = this.#options.listMaxPages ?? LIST_MAX_PAGES, ...rest } = options;
    const maxTotalMs = options.maxTotalTimeout ?? options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC;
    return walkList(
      method,
      {
        now: () => this.clock.now(),
        ask: (params, given) => this.#send(method, params, given),
      },
      { limits: { maxPages, maxTotalMs }, options: rest },
    );
  }

  /** The modern stream of change notices. @throws as {@link ClientConnection.request} */
  async listen(
    filter: Parameters<Subscriptions['listen']>[1],
    options: RequestOptions = {},
  ): ReturnType<Subscriptions['listen']> {
    const { wire } = this.#connected();
    requireMethod('subscriptions/listen', wire.codec);
    return this.#subscriptions.listen(wire, filter, options);
  }

  #connected(): OpenedConnection {
    if (this.#opened === undefined) throw new SdkError('NOT_CONNECTED');
    return this.#opened;
  }

  #whyEnded(): Error | undefined {
    return this.#opening?.endedBy;
  }

  #send(method: string, params: object | undefined, options: RequestOptions): Promise<DecodedResult> {
    const { wire } = this.#connected();
    const send = (): Promise<DecodedResult> => wire.request(method, params, options);
    return this.#renewal === undefined ? send() : this.#renewal.run(send);
  }

  async #renewSession(wire: Wire): Promise<void> {
    const description = await shakeHands(wire, this.#offer());
    this.#opened = { wire, description };
    this.onsessionrenewed?.();
  }

  #offer(): OpeningContext['offer'] {
    return { clientInfo: this.#info, capabilities: this.#capabilities };
  }

  #openingContext(transport: Transport, options: RequestOptions): OpeningContext {
    return {
      createWire: (firstRequestId) => this.#createWire(transport, firstRequestId),
      offer: this.#offer(),
      options: { signal: options.signal, timeout: options.timeout },
      probeTimeoutMs: this.#options.versionNegotiation?.probe?.timeoutMs,
    };
  }

  #createWire(transport: Transport, firstRequestId: number | undefined): Wire {
    const [codec] = handshakeCodecs();
    if (codec === undefined) throw new SdkError('ERA_NEGOTIATION_FAILED');
    const wire: Wire = new Wire({
      transport,
      clock: this.clock,
      limits: this.#options.limits ?? {},
      clientInfo: this.#info,
      capabilities: this.#capabilities,
      codec,
      ...(firstRequestId === undefined ? {} : { firstRequestId }),
      onRequest: (request, context) => this.#handlers.serve(request, context, transport.sessionId),
      onNotification: (notification) => this.#receive(notification),
      onerror: (error) => this.onerror?.(error),
      onclose: () => this.#ended(wire),
    });
    this.#opening = wire;
    return wire;
  }

  #receive(notification: JSONRPCNotification): unknown {
    if (this.#subscriptions.take(notification)) return undefined;
    return this.#handlers.notify(notification);
  }

  #ended(wire: Wire): void {
    if (this.#opened?.wire !== wire) return;
    this.#opened = undefined;
    this.#renewal = undefined;
    this.onclose?.();
  }
}
