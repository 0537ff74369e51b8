import { reportGuarded, runGuarded, systemClock } from '@portico/rpc';
import type { Clock, JSONRPCNotification, Transport } from '@portico/rpc';
import type {
  ClientCapabilities,
  DecodedResult,
  DiscoverResult,
  Implementation,
  InferOutput,
  InputRequest,
  ProtocolEra,
  Result,
  ServerCapabilities,
  StandardSchemaV1,
} from '@portico/spec';
import { TASKS_EXTENSION_ID, isStandardSchema } from '@portico/spec';
import { requireDeclared, requireMethod } from './capability-check.ts';
import type { ConnectOptions, ConnectionOptions } from './client-options.ts';
import { firstCodec, spokenVersions } from './codecs.ts';
import type { SpokenVersions } from './codecs.ts';
import { DebouncedNotices } from './debounced-notices.ts';
import { EraChoice } from './era-choice.ts';
import { SdkError } from './errors.ts';
import { contextInside, contextOnWire } from './handler-context.ts';
import type { OutgoingRequest } from './handler-context.ts';
import { HandlerRegistration } from './handler-registration.ts';
import type { IncomingRequest } from './handlers.ts';
import { shakeHands } from './handshake.ts';
import { finalResult } from './final-result.ts';
import { abortedBy, toLocalError } from './local-error.ts';
import { openConnection } from './negotiation.ts';
import type { Observe } from './observing.ts';
import type { VersionNegotiationOptions } from './negotiation.ts';
import type { OpenedConnection, OpeningContext } from './opening.ts';
import type { RequestOptions, WireRequestOptions } from './request-options.ts';
import { RequestSender } from './request-sender.ts';
import type { NotificationOptions } from './request-sender.ts';
import { checkResult, isResultKnown } from './result-checks.ts';
import type { ResultTypeMap } from './result-checks.ts';
import { parseResult } from './schema-parsing.ts';
import { SessionRenewal } from './session-renewal.ts';
import type { McpSubscription, Subscriptions } from './subscription.ts';
import { Wire } from './wire.ts';

/** Concerns streams of change notices alone, also where there is none. */
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** A connection that is being opened. */
interface Opening {
  wire: Wire | undefined;
  leaving: boolean;
}

/**
 * The connection of one client to one server, in either era, without the typed calls. Who holds it calls
 * `connect` once with a transport, which it then owns, and `close` at the end; after that it can be
 * connected anew.
 */
export class ClientConnection extends HandlerRegistration {
  /** Fires once when an open connection has ended, whatever the reason. */
  onclose?: (() => void) | undefined;
  /** Faults that end nothing by themselves. */
  onerror?: ((error: Error) => void) | undefined;
  /** A lost session was replaced; lists may differ from now on. */
  onsessionrenewed?: (() => void) | undefined;

  readonly clock: Clock;
  readonly #info: Implementation;
  readonly #options: ConnectionOptions;
  readonly #versions: SpokenVersions;
  readonly #eras: EraChoice;
  readonly #notices: DebouncedNotices;
  /** @internal */
  protected readonly sender: RequestSender;
  #negotiation: VersionNegotiationOptions | undefined;
  #observe: Observe | undefined;
  #opening: Opening | undefined;
  #opened: OpenedConnection | undefined;
  #renewal: SessionRenewal | undefined;
  #subscriptions: Subscriptions | undefined;

  /** @throws TypeError when an extension is declared under an id without a vendor's prefix */
  constructor(info: Implementation, options: ConnectionOptions = {}) {
    super(options.capabilities);
    this.#info = info;
    this.#options = options;
    this.#negotiation = options.versionNegotiation;
    this.clock = options.clock ?? systemClock;
    this.#versions = spokenVersions(options.supportedProtocolVersions);
    this.#eras = new EraChoice(this.#versions, options.eraStore, this);
    this.#notices = new DebouncedNotices(options.debouncedNotificationMethods);
    this.sender = new RequestSender({
      clock: this.clock,
      versions: this.#versions,
      input: options.inputRequired ?? {},
      opened: () => this.opened(),
      renewal: () => this.#renewal,
      ask: (key, question, signal) => this.ask(key, question, signal),
      settled: (failure) => this.#eras.settled(failure),
    });
  }

  /**
   * Opens the transport and agrees on a protocol version. A transport that has a session already goes on
   * with it, without a handshake.
   *
   * @throws SdkError `ALREADY_CONNECTED`, `ERA_NEGOTIATION_FAILED`, `UNSUPPORTED_PROTOCOL_VERSION`,
   *   `INVALID_RESULT`, `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, and the transport's own
   * @throws ProtocolError what the server answered to the handshake
   */
  async connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    if (this.#opened !== undefined || this.#opening !== undefined) {
      throw new SdkError('ALREADY_CONNECTED');
    }
    const opening: Opening = { wire: undefined, leaving: false };
    this.#opening = opening;
    const choice = { transport, mode: this.#negotiation?.mode ?? 'legacy', prior: options.prior };
    const abort = (): void => void this.#leave(transport);
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      await this.onopening();
      const plan = await this.#eras.decide(choice);
      this.#requireWanted(opening, options);
      try {
        const opened = await openConnection(this.#openingContext(transport, options), plan);
        if (opened.wire.closed) throw new SdkError('CONNECTION_CLOSED', { cause: opened.wire.endedBy });
        this.#begin(opened);
        await this.#eras.opened(opened);
      } catch (error) {
        // What has closed tells so once.
        if (opening.wire?.closed !== true) await transport.close();
        await this.#eras.failed();
        if (options.signal?.aborted === true) throw abortedBy(options.signal.reason);
        throw toLocalError(error, opening.wire?.endedBy);
      }
    } finally {
      this.#opening = undefined;
      options.signal?.removeEventListener('abort', abort);
    }
    await this.onopened();
  }

  async close(): Promise<void> {
    if (this.#opened !== undefined) return this.#opened.wire.close();
    const opening = this.#opening;
    if (opening === undefined) return;
    opening.leaving = true;
    await opening.wire?.close();
  }

  get transport(): Transport | undefined {
    return this.#opened?.wire.transport;
  }

  /** What the server declared; undefined before and after a connection, and in a session taken over. */
  getServerCapabilities(): ServerCapabilities | undefined {
    return this.#opened?.description.capabilities;
  }

  /** Who the server says it is; for display only. */
  getServerVersion(): Implementation | undefined {
    return this.#opened?.description.serverInfo;
  }

  /** How the server wants to be used; for the model. */
  getInstructions(): string | undefined {
    return this.#opened?.description.instructions;
  }

  /** Fixed for the life of a connection. */
  getProtocolEra(): ProtocolEra | undefined {
    return this.#opened?.wire.codec.era;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#opened?.wire.codec.version;
  }

  /** The modern server's own description, which survives JSON; undefined in the legacy era. */
  getDiscoverResult(): DiscoverResult | undefined {
    return this.#opened?.description.discover;
  }

  /** Adds to what is declared, at every depth. @throws SdkError `ALREADY_CONNECTED` */
  registerCapabilities(capabilities: ClientCapabilities): void {
    if (this.#opened !== undefined || this.#opening !== undefined) throw new SdkError('ALREADY_CONNECTED');
    this.addCapabilities(capabilities);
  }

  /** Replaces how the era is found out. @throws SdkError `ALREADY_CONNECTED` */
  setVersionNegotiation(options: VersionNegotiationOptions | undefined): void {
    if (this.#opened !== undefined || this.#opening !== undefined) throw new SdkError('ALREADY_CONNECTED');
    this.#negotiation = options;
  }

  /**
   * Sends a request and checks its answer: by what the protocol says for its own methods, by the schema
   * where one is given. A method of one's own needs a schema.
   *
   * @throws TypeError when a method of one's own has no schema
   * @throws as {@link ClientConnection.invoke}
   */
  request<Method extends keyof ResultTypeMap>(
    request: { readonly method: Method; readonly params?: object | undefined },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[Method]>;
  request<Schema extends StandardSchemaV1>(
    request: OutgoingRequest,
    resultSchema: Schema,
    options?: RequestOptions,
  ): Promise<InferOutput<Schema>>;
  request(request: OutgoingRequest, options?: RequestOptions): Promise<Result>;
  async request(
    { method, params }: OutgoingRequest,
    second?: StandardSchemaV1 | RequestOptions,
    third?: RequestOptions,
  ): Promise<unknown> {
    if (isStandardSchema(second)) {
      return parseResult(method, await this.invoke(method, params, third), second);
    }
    if (!isResultKnown(method)) throw new TypeError(`${method} needs the schema of its result`);
    return checkResult(method, await this.invoke(method, params, second));
  }

  /**
   * Sends any request and hands over its result as it came.
   *
   * @throws ProtocolError the server's error answer
   * @throws SdkError `NOT_CONNECTED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`,
   *   `CAPABILITY_NOT_SUPPORTED`, `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, `CONNECTION_CLOSED`,
   *   `INVALID_RESULT`, `UNSUPPORTED_RESULT_TYPE`, `INPUT_REQUIRED_ROUNDS_EXCEEDED` and the transport's
   */
  async invoke(method: string, params: object | undefined, options?: WireRequestOptions): Promise<Result> {
    const checked = this.isStrict;
    return this.final(method, await this.sender.send(method, params, options, checked));
  }

  /** @throws SdkError `NOT_CONNECTED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`, `CAPABILITY_NOT_SUPPORTED` */
  async notification(message: OutgoingRequest, options?: NotificationOptions): Promise<void> {
    const { wire } = this.opened();
    const { method, params } = message;
    requireMethod(method, wire.codec);
    requireDeclared(method, wire.codec, this.capabilities);
    await this.#notices.send(method, params !== undefined, () => wire.notify(method, params, options));
  }

  /** The modern stream of change notices. @throws as {@link ClientConnection.invoke} */
  async listen(
    filter: Parameters<Subscriptions['listen']>[1],
    options: RequestOptions = {},
  ): Promise<McpSubscription> {
    const { wire } = this.opened();
    requireMethod('subscriptions/listen', wire.codec);
    const { Subscriptions } = await import('./subscription.ts');
    this.#subscriptions ??= new Subscriptions(this.clock);
    return this.#subscriptions.listen(wire, filter, options);
  }

  /** @internal Goes before the opening of a connection. */
  protected async onopening(): Promise<void> {
    await this.handlers.prepare();
    const { observer } = this.#options;
    if (observer === undefined) return;
    const { observingWith } = await import('./observing.ts');
    this.#observe = observingWith({ observer, clock: this.clock, report: this.report });
  }

  /** @internal Follows the opening of a connection. */
  protected async onopened(): Promise<void> {}

  /** @internal Follows the end of a connection. */
  protected onended(): void {}

  /** @internal Sees each notification before its handler. */
  protected onnotice(_notification: JSONRPCNotification): void {}

  /** @internal */
  protected get isStrict(): boolean {
    return this.#options.enforceStrictCapabilities === true;
  }

  /** @internal Tells `onerror`. */
  readonly report = (error: Error): void => reportGuarded(this.onerror, error);

  /** @internal */
  protected opened(): OpenedConnection {
    if (this.#opened === undefined) throw new SdkError('NOT_CONNECTED');
    return this.#opened;
  }

  /** @internal Takes over what a modern server says of itself now. */
  protected describe(discover: DiscoverResult): void {
    const { wire, description } = this.opened();
    this.#opened = { wire, description: { ...description, discover } };
  }

  /** @internal Whether both sides may make tasks of tool calls. */
  protected get takesTasks(): boolean {
    return this.capabilities.extensions?.[TASKS_EXTENSION_ID] !== undefined;
  }

  /** @internal */
  protected final(method: string, answer: DecodedResult): Result {
    return answer.kind === 'complete' ? answer.result : finalResult(method, answer, this.takesTasks);
  }

  /** @internal Asks the handler for a question inside an interim answer or a task. */
  protected async ask(key: string, question: InputRequest, signal: AbortSignal): Promise<unknown> {
    const meta = question.params?._meta;
    const request = question as unknown as IncomingRequest;
    return this.handlers.run(
      request,
      contextInside({ id: key, method: question.method, meta, signal }, this),
    );
  }

  #requireWanted({ leaving }: Opening, { signal }: ConnectOptions): void {
    if (signal?.aborted === true) throw abortedBy(signal.reason);
    if (leaving) throw new SdkError('ERA_NEGOTIATION_FAILED', { message: 'the connection was closed' });
  }

  async #leave(transport: Transport): Promise<void> {
    if (this.#opening !== undefined) this.#opening.leaving = true;
    await transport.close();
  }

  #begin(opened: OpenedConnection): void {
    const { wire } = opened;
    this.#opened = opened;
    this.#renewal = new SessionRenewal({
      sessionId: () => wire.transport.sessionId,
      renew: () => this.#renewSession(wire),
    });
  }

  async #renewSession(wire: Wire): Promise<void> {
    const description = await shakeHands(wire, this.#handshake({}));
    this.#opened = { wire, description };
    runGuarded('onsessionrenewed', () => this.onsessionrenewed?.(), this.report);
  }

  #handshake(options: RequestOptions): Pick<OpeningContext, 'versions' | 'offer' | 'options'> {
    return {
      versions: this.#versions,
      offer: { clientInfo: this.#info, capabilities: this.capabilities },
      options,
    };
  }

  #openingContext(transport: Transport, options: RequestOptions): OpeningContext {
    return {
      ...this.#handshake({ signal: options.signal, timeout: options.timeout }),
      createWire: (firstRequestId) => this.#createWire(transport, firstRequestId),
      isLeaving: () => this.#opening?.leaving === true,
      probe: this.#negotiation?.probe ?? {},
    };
  }

  #createWire(transport: Transport, firstRequestId: number | undefined): Wire {
    const wire: Wire = new Wire({
      transport,
      clock: this.clock,
      limits: this.#options.limits ?? {},
      clientInfo: this.#options.sendClientInfo === false ? undefined : this.#info,
      capabilities: this.capabilities,
      codec: firstCodec(this.#versions),
      observe: this.#observe,
      firstRequestId,
      onRequest: (request, context) => this.handlers.run(request, contextOnWire(request, context, this)),
      onNotification: (notification) => this.#receive(notification),
      onerror: this.report,
      onclose: () => this.#ended(wire),
    });
    if (this.#opening !== undefined) this.#opening.wire = wire;
    return wire;
  }

  #receive(notification: JSONRPCNotification): unknown {
    if (this.#subscriptions?.take(notification) ?? notification.method === ACKNOWLEDGED) return undefined;
    this.onnotice(notification);
    return this.handlers.notify(notification);
  }

  #ended(wire: Wire): void {
    if (this.#opened?.wire !== wire) return;
    this.#opened = undefined;
    this.#renewal = undefined;
    this.onended();
    runGuarded('onclose', () => this.onclose?.(), this.report);
  }
}
