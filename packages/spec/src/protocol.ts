import {
  type Clock,
  ErrorCode,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type Peer,
  type RequestContext,
  type Transport,
  createPeer,
  systemClock,
} from '@portico/rpc';
import type { Result } from './base.ts';
import { toLocalError } from './local-error.ts';
import { type InferHandlerResult, type RequestHandlerSchemas, toMessageHandler } from './method-schemas.ts';
import type {
  HandlerResultTypeMap,
  NotificationMethod,
  NotificationTypeMap,
  RequestMethod,
  RequestTypeMap,
  ResultTypeMap,
} from './method-types.ts';
import type {
  BaseContext,
  NotificationOptions,
  ProtocolMessage,
  ProtocolRequestOptions,
} from './protocol-context.ts';
import { ProtocolError } from './protocol-error.ts';
import { SdkError } from './sdk-errors.ts';
import { type InferOutput, type StandardSchemaV1, isStandardSchema } from './standard-schema.ts';
import { createSendRequest, toPeerOptions, toSendFunctions } from './protocol-sending.ts';

/** How a {@link Protocol} behaves. */
export interface ProtocolOptions {
  /** Checks before each request and notification what the other side offers. Default false. */
  readonly enforceStrictCapabilities?: boolean;
  /** Of these notifications, those without params are sent once for many calls in one turn. */
  readonly debouncedNotificationMethods?: readonly string[];
  /** Revisions spoken, newest first; kept for subclasses. */
  readonly supportedProtocolVersions?: readonly string[];
  readonly clock?: Clock;
}

type Handler<Context> = (message: ProtocolMessage, context: Context) => unknown;

/**
 * Requests, notifications and handlers over one transport, without a handshake: what vendors build
 * protocols of their own on. `Client` and `Server` speak MCP; both, and this, run on the one
 * JSON-RPC engine.
 *
 * Subclasses say what a handler's context is and what may be sent and served; each `assert…` method
 * throws when something may not.
 */
export abstract class Protocol<ContextT extends BaseContext> {
  /** Fires once when the connection has ended, whatever the reason. */
  onclose?: (() => void) | undefined;
  /** Faults that end nothing by themselves. */
  onerror?: ((error: Error) => void) | undefined;
  /** Serves requests that have no handler. */
  fallbackRequestHandler?: ((request: JSONRPCRequest, context: ContextT) => Promise<Result>) | undefined;
  /** Receives notifications that have no handler. */
  fallbackNotificationHandler?: ((notification: ProtocolMessage) => Promise<void>) | undefined;

  readonly #options: ProtocolOptions;
  readonly #requests = new Map<string, Handler<ContextT>>([['ping', () => ({})]]);
  readonly #notifications = new Map<string, Handler<ProtocolMessage>>();
  readonly #debounced = new Set<string>();
  #peer: Peer | undefined;
  #transport: Transport | undefined;

  constructor(options: ProtocolOptions = {}) {
    this.#options = options;
  }

  /** Makes of what every handler gets what handlers here get. */
  protected abstract buildContext(context: BaseContext, extra?: MessageExtraInfo): ContextT;
  /** @throws when the other side does not offer the method */
  protected abstract assertCapabilityForMethod(method: string): void;
  /** @throws when this side may not send the notification */
  protected abstract assertNotificationCapability(method: string): void;
  /** @throws when this side may not serve the method */
  protected abstract assertRequestHandlerCapability(method: string): void;

  /** Undefined while there is no connection. */
  get transport(): Transport | undefined {
    return this.#transport;
  }

  /** Takes the transport over and starts it. @throws SdkError `ALREADY_CONNECTED` and the transport's own */
  async connect(transport: Transport): Promise<void> {
    if (this.#peer !== undefined) throw new SdkError('ALREADY_CONNECTED');
    const peer = createPeer({
      transport,
      clock: this.#options.clock ?? systemClock,
      onRequest: (request, context) => this.#serve(request, context),
      onNotification: (notification) => this.#receive(notification),
    });
    peer.onerror = (error) => this.onerror?.(error);
    peer.onclose = () => {
      this.#peer = undefined;
      this.#transport = undefined;
      this.onclose?.();
    };
    this.#peer = peer;
    this.#transport = transport;
    await peer.start();
  }

  /** Ends the connection; open requests reject with `CONNECTION_CLOSED`. */
  async close(): Promise<void> {
    await this.#peer?.close();
  }

  /**
   * Sends a request. The result is checked by what the specification says of the method, or by the
   * schema, which methods of one's own need.
   *
   * @throws ProtocolError the error answer
   * @throws SdkError `NOT_CONNECTED`, `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, `CONNECTION_CLOSED`,
   *   `SEND_FAILED`, `INVALID_RESULT`
   * @throws TypeError for a method of one's own without a schema
   */
  request<Method extends RequestMethod>(
    request: { readonly method: Method; readonly params?: Readonly<Record<string, unknown>> | undefined },
    options?: ProtocolRequestOptions,
  ): Promise<ResultTypeMap[Method]>;
  request<Schema extends StandardSchemaV1>(
    request: ProtocolMessage,
    resultSchema: Schema,
    options?: ProtocolRequestOptions,
  ): Promise<InferOutput<Schema>>;
  async request(
    { method, params }: ProtocolMessage,
    second?: StandardSchemaV1 | ProtocolRequestOptions,
    third?: ProtocolRequestOptions,
  ): Promise<unknown> {
    const send = createSendRequest((name, sent, options) => this.#ask(name, sent, options));
    return isStandardSchema(second)
      ? send({ method, params }, second, third)
      : send({ method: method as RequestMethod, params }, second);
  }

  /** @throws SdkError `NOT_CONNECTED`, `SEND_FAILED` */
  async notification({ method, params }: ProtocolMessage, options?: NotificationOptions): Promise<void> {
    const peer = this.#connected();
    this.assertNotificationCapability(method);
    if (this.#mayWait(method, params, options)) {
      if (this.#debounced.has(method)) return;
      this.#debounced.add(method);
      await Promise.resolve();
      this.#debounced.delete(method);
    }
    try {
      await peer.notify(method, params, options);
    } catch (error) {
      throw toLocalError(error);
    }
  }

  /** Serves a method; a second handler replaces the first. @throws TypeError without a handler */
  setRequestHandler<Method extends RequestMethod>(
    method: Method,
    handler: (
      request: RequestTypeMap[Method],
      context: ContextT,
    ) => HandlerResultTypeMap[Method] | Promise<HandlerResultTypeMap[Method]>,
  ): void;
  setRequestHandler<Params extends StandardSchemaV1, Answer extends StandardSchemaV1 | undefined = undefined>(
    method: string,
    schemas: RequestHandlerSchemas<Params, Answer>,
    handler: (
      params: InferOutput<Params>,
      context: ContextT,
    ) => InferHandlerResult<Answer> | Promise<InferHandlerResult<Answer>>,
  ): void;
  setRequestHandler(
    method: string,
    second: RequestHandlerSchemas | ((request: never, context: ContextT) => unknown),
    third?: (params: never, context: ContextT) => unknown,
  ): void {
    this.assertRequestHandlerCapability(method);
    this.#requests.set(method, toMessageHandler(second, third));
  }

  removeRequestHandler(method: string): void {
    this.#requests.delete(method);
  }

  /** @throws TypeError when the method has a handler */
  assertCanSetRequestHandler(method: string): void {
    if (!this.#requests.has(method)) return;
    throw new TypeError(`${method} has a handler, which would be replaced`);
  }

  /** Receives a notification; a second handler replaces the first. @throws TypeError without a handler */
  setNotificationHandler<Method extends NotificationMethod>(
    method: Method,
    handler: (notification: NotificationTypeMap[Method]) => void | Promise<void>,
  ): void;
  setNotificationHandler<Params extends StandardSchemaV1>(
    method: string,
    schemas: { readonly params: Params },
    handler: (params: InferOutput<Params>, notification: ProtocolMessage) => void | Promise<void>,
  ): void;
  setNotificationHandler(
    method: string,
    second: { readonly params: StandardSchemaV1 } | ((notification: never) => unknown),
    third?: (params: never, notification: ProtocolMessage) => unknown,
  ): void {
    this.#notifications.set(method, toMessageHandler(second, third));
  }

  removeNotificationHandler(method: string): void {
    this.#notifications.delete(method);
  }

  async #ask(
    method: string,
    params: ProtocolMessage['params'],
    options: ProtocolRequestOptions | undefined,
  ): Promise<unknown> {
    const peer = this.#connected();
    if (this.#options.enforceStrictCapabilities === true) this.assertCapabilityForMethod(method);
    try {
      return await peer.request(method, params, toPeerOptions(options));
    } catch (error) {
      throw toLocalError(error);
    }
  }

  #connected(): Peer {
    if (this.#peer === undefined) throw new SdkError('NOT_CONNECTED');
    return this.#peer;
  }

  #mayWait(method: string, params: unknown, options: NotificationOptions | undefined): boolean {
    const methods = this.#options.debouncedNotificationMethods ?? [];
    return methods.includes(method) && params === undefined && options?.relatedRequestId === undefined;
  }

  #serve(request: JSONRPCRequest, context: RequestContext): unknown {
    const handler = this.#requests.get(request.method);
    if (handler === undefined && this.fallbackRequestHandler === undefined) {
      throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${request.method}`);
    }
    const { extra } = context;
    const base: BaseContext = {
      sessionId: this.#transport?.sessionId,
      mcpReq: {
        id: context.id,
        method: request.method,
        _meta: context.meta,
        requestState: () => undefined,
        // A getter: a signal that nobody looks at is never made.
        get signal() {
          return context.signal;
        },
        ...toSendFunctions(context),
      },
      ...(extra?.authInfo === undefined ? {} : { http: { authInfo: extra.authInfo } }),
    };
    const own = this.buildContext(base, extra);
    return handler === undefined ? this.fallbackRequestHandler?.(request, own) : handler(request, own);
  }

  #receive(notification: JSONRPCNotification): unknown {
    const handler = this.#notifications.get(notification.method);
    if (handler !== undefined) return handler(notification, notification);
    return this.fallbackNotificationHandler?.(notification);
  }
}
