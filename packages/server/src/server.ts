import {
  type JSONRPCNotification,
  type Transport,
  reportGuarded,
  runGuarded,
  systemClock,
} from '@portico/rpc';
import {
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  type Implementation,
  type ListRootsResult,
  type LoggingMessageNotificationParams,
  type ObserverPort,
  type ProtocolRequestOptions,
  type ResourceUpdatedNotificationParams,
  type Result,
  SUPPORTED_PROTOCOL_VERSIONS,
  TASKS_EXTENSION_ID,
  type ServerCapabilities,
  mergeCapabilities,
  toPeerOptions,
} from '@portico/spec';
import { TaskService } from './tasks/task-service.ts';
import { builtInMethods } from './built-in-methods.ts';
import type { Caller } from './caller.ts';
import type { RequestChannel } from './channel.ts';
import { askClient, assertKnown } from './client-request.ts';
import { ChangeAnnouncer } from './change-announcer.ts';
import { type ConnectionOptions, type ConnectionPort, ServerConnection } from './connection.ts';
import { Dispatcher, type HandledRequest, type ServerRequestHandler } from './dispatcher.ts';
import { ServerError } from './errors.ts';
import { assertCacheHint } from './cache-hint.ts';
import type { ServerOptions } from './server-options.ts';
import { assertDeclared, requireExtensionIds } from './server-capabilities.ts';
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus, changeOf } from './server-events.ts';

/** Receives one notification of a client. */
export type ServerNotificationHandler = (notification: {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}) => unknown;

/**
 * A low-level MCP server: handlers by method name, served in both eras. `McpServer` is built on it
 * and is what most servers want.
 */
export class Server {
  /** Fires when a legacy client has confirmed the handshake. */
  oninitialized?: (() => void) | undefined;
  /** Fires once when a connection made by `connect`, or the one request it was made for, has ended. */
  onclose?: (() => void) | undefined;
  /** Faults outside any call: of the transport, of callbacks, of schemas. */
  onerror?: ((error: Error) => void) | undefined;
  /** Told of what works but should not be, such as odd names. */
  onwarning?: ((message: string) => void) | undefined;
  /** Receives notifications that have no handler. */
  fallbackNotificationHandler?: ServerNotificationHandler | undefined;
  /** Change events of this server. Connections and subscriptions listen here. */
  readonly events: ServerEventBus;

  readonly #info: Implementation;
  readonly #dispatcher: Dispatcher;
  readonly #port: ConnectionPort;
  readonly #connections = new Set<ServerConnection>();
  readonly #notificationHandlers = new Map<string, ServerNotificationHandler>();
  readonly #announcer: ChangeAnnouncer;
  #capabilities: ServerCapabilities;
  #connected: ServerConnection | undefined;

  constructor(info: Implementation, options: ServerOptions = {}) {
    this.#info = info;
    this.#capabilities = mergeCapabilities(
      requireExtensionIds(options.capabilities ?? {}),
      options.tasks === undefined ? {} : { extensions: { [TASKS_EXTENSION_ID]: {} } },
    );
    Object.values(options.cacheHints ?? {}).forEach(assertCacheHint);
    const report = (error: Error): void => this.#report(error);
    this.events = new InMemoryServerEventBus(report);
    this.#announcer = new ChangeAnnouncer(this.events, options.debouncedNotificationMethods);
    const supportedVersions = options.supportedProtocolVersions ?? SUPPORTED_PROTOCOL_VERSIONS;
    const capabilities = (): ServerCapabilities => this.getCapabilities();
    const { instructions } = options;
    const tasks =
      options.tasks === undefined
        ? undefined
        : new TaskService(options.tasks, options.clock ?? systemClock, report);
    this.#dispatcher = new Dispatcher(
      {
        stampedInfo: options.sendServerInfo === false ? undefined : info,
        capabilities,
        cacheHints: options.cacheHints ?? {},
        inputRequired: options.inputRequired ?? {},
        verifyRequestState: options.requestState?.verify,
        events: this.events,
        watchResource: options.watchResource,
        report,
        tasks,
      },
      builtInMethods({ info, instructions, supportedVersions, capabilities, tasks }),
    );
    const clock = options.clock ?? systemClock;
    const { observer } = options;
    this.#port = {
      dispatcher: this.#dispatcher,
      clock,
      observing: observer === undefined ? undefined : { observer, clock, report },
      limits: options.limits,
      requestTimeoutMs: options.requestTimeoutMs,
      maxReportsPerSecond: options.maxReportsPerSecond,
      supportedVersions,
      events: this.events,
      watchResource: options.watchResource,
      onNotification: (notification) => this.#onNotification(notification),
      onInitialized: () => runGuarded('oninitialized', () => this.oninitialized?.(), report),
      onClose: (connection) => this.#onClose(connection),
      report,
    };
  }

  get info(): Implementation {
    return this.#info;
  }

  /** Revisions served, newest first. */
  get supportedProtocolVersions(): readonly string[] {
    return this.#port.supportedVersions;
  }

  /** Progress and log messages that one call may send in a second; undefined means the default. */
  get maxReportsPerSecond(): number | undefined {
    return this.#port.maxReportsPerSecond;
  }

  /** How requests are observed; undefined without an observer. */
  get observing(): ObserverPort | undefined {
    return this.#port.observing;
  }

  /** Serves methods that have no handler. */
  set fallbackRequestHandler(handler: ServerRequestHandler | undefined) {
    this.#dispatcher.fallback = handler;
  }

  get fallbackRequestHandler(): ServerRequestHandler | undefined {
    return this.#dispatcher.fallback;
  }

  /** Serves one client on this transport. @throws ServerError `ALREADY_CONNECTED` */
  async connect(transport: Transport): Promise<void> {
    if (this.#connected !== undefined) throw new ServerError('ALREADY_CONNECTED');
    const connection = new ServerConnection(this.#port, transport);
    this.#connected = connection;
    this.#connections.add(connection);
    try {
      await connection.start();
    } catch (error) {
      this.#onClose(connection);
      throw error;
    }
  }

  /** Serves one more client on a transport of its own, beside all others. */
  async attach(transport: Transport, options?: ConnectionOptions): Promise<ServerConnection> {
    const connection = new ServerConnection(this.#port, transport, options);
    this.#connections.add(connection);
    if (options?.sole === true) this.#connected ??= connection;
    try {
      await connection.start();
    } catch (error) {
      this.#onClose(connection);
      throw error;
    }
    return connection;
  }

  /** Ends all connections. Does nothing when there is none. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  isConnected(): boolean {
    return this.#connections.size > 0;
  }

  /**
   * Serves one request outside any connection, for handlers that own the way back. The result is there at
   * once when the handler's is.
   * @throws ProtocolError the error answer
   */
  serve(request: HandledRequest, caller: Caller, channel: RequestChannel): Result | Promise<Result> {
    return this.#dispatcher.serve(request, caller, channel);
  }

  /** Receives one notification outside any connection. */
  notified(notification: JSONRPCNotification): unknown {
    return this.#onNotification(notification);
  }

  getCapabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /** Adds to what the server offers. @throws ServerError `ALREADY_CONNECTED` */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.isConnected()) throw new ServerError('ALREADY_CONNECTED');
    this.#capabilities = mergeCapabilities(this.#capabilities, requireExtensionIds(capabilities));
  }

  /** Serves a method; a second handler replaces the first. @throws ServerError `CAPABILITY_NOT_SUPPORTED` */
  setRequestHandler(method: string, handler: ServerRequestHandler): void {
    assertDeclared(method, this.#capabilities);
    this.#dispatcher.set(method, handler);
  }

  removeRequestHandler(method: string): void {
    this.#dispatcher.delete(method);
  }

  hasRequestHandler(method: string): boolean {
    return this.#dispatcher.has(method);
  }

  /** The handler that serves a method, if it has one of its own. */
  requestHandler(method: string): ServerRequestHandler | undefined {
    return this.#dispatcher.handler(method);
  }

  setNotificationHandler(method: string, handler: ServerNotificationHandler): void {
    this.#notificationHandlers.set(method, handler);
  }

  removeNotificationHandler(method: string): void {
    this.#notificationHandlers.delete(method);
  }

  /** What a legacy client declared. Modern requests bring theirs: see `ctx.client`. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return this.#connected?.session.caller.capabilities;
  }

  /** Who a legacy client is. Modern requests bring theirs: see `ctx.client`. */
  getClientVersion(): Implementation | undefined {
    return this.#connected?.session.caller.info;
  }

  /** The revision a legacy client agreed on. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this.#connected?.era === 'legacy' ? this.#connected.session.caller.codec.version : undefined;
  }

  /**
   * Sends a request to the client. Legacy connections only.
   * @throws ServerError `NOT_CONNECTED`, `NOT_INITIALIZED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`,
   *   `CAPABILITY_NOT_SUPPORTED`
   */
  async request(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: ProtocolRequestOptions,
  ): Promise<unknown> {
    const connection = this.#connected;
    if (connection === undefined) throw new ServerError('NOT_CONNECTED');
    if (connection.era === 'modern') {
      throw new ServerError('METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', {
        message: `${method} cannot be sent in this revision; return inputRequired(...) instead`,
        data: { method },
      });
    }
    return askClient(connection.session.caller, { method, params }, () =>
      connection.request(method, params, toPeerOptions(options)),
    );
  }

  /**
   * Sends a notification to a connected client. A change goes to modern clients only as far as they listen.
   * @throws ServerError `NOT_CONNECTED`, `NOT_INITIALIZED`, `CAPABILITY_NOT_SUPPORTED`,
   *   `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`
   */
  async notification(method: string, params?: Readonly<Record<string, unknown>>): Promise<void> {
    assertDeclared(method, this.#capabilities);
    if (params === undefined && this.#announcer.isWaiting(method)) return;
    const connection = this.#connected;
    if (connection === undefined) throw new ServerError('NOT_CONNECTED');
    assertKnown(connection.codec, method);
    const change = connection.era === 'modern' ? changeOf(method, params) : undefined;
    if (change === undefined) await connection.notify(method, params);
    else this.announce(change);
  }

  /** As `request`, for `ping`. */
  async ping(): Promise<void> {
    await this.request('ping');
  }

  /**
   * As `request`, for sampling.
   *
   * @deprecated The specification deprecates sampling; it works unchanged.
   */
  async createMessage(
    params: CreateMessageRequestParams,
    options?: ProtocolRequestOptions,
  ): Promise<CreateMessageResult> {
    return (await this.request('sampling/createMessage', { ...params }, options)) as CreateMessageResult;
  }

  /** As `request`, for a question to the person. */
  async elicitInput(params: ElicitRequestParams, options?: ProtocolRequestOptions): Promise<ElicitResult> {
    return (await this.request('elicitation/create', { ...params }, options)) as ElicitResult;
  }

  /**
   * Tells a client of revision 2025-11-25 that the page of an elicitation is done with.
   * @throws ServerError, when called, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`, `NOT_CONNECTED`
   */
  createElicitationCompletionNotifier(elicitationId: string): () => Promise<void> {
    return () => this.notification('notifications/elicitation/complete', { elicitationId });
  }

  /**
   * As `request`, for the client's root folders.
   *
   * @deprecated The specification deprecates roots; they work unchanged.
   */
  async listRoots(options?: ProtocolRequestOptions): Promise<ListRootsResult> {
    return (await this.request('roots/list', undefined, options)) as ListRootsResult;
  }

  /**
   * Sends a log message to legacy clients that want its level. @throws ServerError `CAPABILITY_NOT_SUPPORTED`
   *
   * @deprecated The specification deprecates logging over the protocol; it works unchanged.
   */
  async sendLoggingMessage(params: LoggingMessageNotificationParams, sessionId?: string): Promise<void> {
    assertDeclared('notifications/message', this.#capabilities);
    const heard = [...this.#connections].filter(
      (connection) => sessionId === undefined || connection.sessionId === sessionId,
    );
    await Promise.all(heard.map((connection) => connection.log(params)));
  }

  async sendResourceUpdated(params: ResourceUpdatedNotificationParams): Promise<void> {
    this.#publish('notifications/resources/updated', { kind: 'resource_updated', uri: params.uri });
  }

  async sendResourceListChanged(): Promise<void> {
    this.#publish('notifications/resources/list_changed', { kind: 'resources_list_changed' });
  }

  async sendToolListChanged(): Promise<void> {
    this.#publish('notifications/tools/list_changed', { kind: 'tools_list_changed' });
  }

  async sendPromptListChanged(): Promise<void> {
    this.#publish('notifications/prompts/list_changed', { kind: 'prompts_list_changed' });
  }

  /** Publishes a change to all clients that hear of such; see `debouncedNotificationMethods`. */
  announce(event: ServerEvent): void {
    this.#announcer.announce(event);
  }

  #publish(method: string, event: ServerEvent): void {
    assertDeclared(method, this.#capabilities);
    this.announce(event);
  }

  #onNotification({ method, params }: JSONRPCNotification): unknown {
    const handler = this.#notificationHandlers.get(method) ?? this.fallbackNotificationHandler;
    return handler?.({ method, params: params ?? {} });
  }

  #onClose(connection: ServerConnection): void {
    this.#connections.delete(connection);
    if (this.#connected !== connection) return;
    this.#connected = undefined;
    this.tellClosed();
  }

  /** Runs `onclose`, for whoever served one request without a connection. */
  tellClosed(): void {
    runGuarded('onclose', () => this.onclose?.(), this.#port.report);
  }

  #report(error: Error): void {
    reportGuarded(this.onerror, error);
  }
}
