import { createSendRequest, isStandardSchema, toMessageHandler } from '@portico/spec';
import type {
  HandlerResultTypeMap,
  InferHandlerResult,
  InferOutput,
  NotificationMethod,
  NotificationTypeMap,
  ProtocolMessage,
  ProtocolRequestOptions,
  RequestHandlerSchemas,
  RequestMethod,
  RequestTypeMap,
  ResultTypeMap,
  StandardSchemaV1,
} from '@portico/spec';
import type { ServerContext } from './context.ts';
import type { ServerRequestHandler } from './dispatcher.ts';
import { Server as UntypedServer, type ServerNotificationHandler } from './server.ts';

type Params = Readonly<Record<string, unknown>>;
type Handled<Method extends RequestMethod> =
  | HandlerResultTypeMap[Method]
  | Promise<HandlerResultTypeMap[Method]>;

/**
 * A low-level MCP server: handlers by method name, served in both eras. Requests and handlers are
 * typed by method, or by schemas for methods of vendors. `McpServer` is built on it and is what
 * most servers want.
 */
export class Server extends UntypedServer {
  /**
   * Sends a request to the client. The result is checked by what the specification says of the
   * method, or by the schema, which methods of vendors need. With a method name instead of a message
   * the result comes unchecked. Legacy connections only.
   *
   * @throws ServerError `NOT_CONNECTED`, `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`, `CAPABILITY_NOT_SUPPORTED`
   * @throws SdkError `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, `CONNECTION_CLOSED`, `INVALID_RESULT`
   * @throws ProtocolError what the client answered
   * @throws TypeError for a vendor's method without a schema
   */
  override request<Method extends RequestMethod>(
    request: { readonly method: Method; readonly params?: Params | undefined },
    options?: ProtocolRequestOptions,
  ): Promise<ResultTypeMap[Method]>;
  override request<Schema extends StandardSchemaV1>(
    request: ProtocolMessage,
    resultSchema: Schema,
    options?: ProtocolRequestOptions,
  ): Promise<InferOutput<Schema>>;
  override request(method: string, params?: Params, options?: ProtocolRequestOptions): Promise<unknown>;
  override async request(
    first: string | ProtocolMessage,
    second?: object,
    third?: ProtocolRequestOptions,
  ): Promise<unknown> {
    if (typeof first === 'string') return super.request(first, second as Params | undefined, third);
    const send = createSendRequest((method, params, options) => super.request(method, params, options));
    if (isStandardSchema(second)) return send(first, second, third);
    // A vendor's method without a schema is refused by the function itself.
    return send(first as { readonly method: RequestMethod }, second);
  }

  /** Sends a notification to a connected client. @throws ServerError `NOT_CONNECTED` */
  override async notification(message: string | ProtocolMessage, params?: Params): Promise<void> {
    if (typeof message === 'string') await super.notification(message, params);
    else await super.notification(message.method, message.params);
  }

  /**
   * Serves a method; a second handler replaces the first. Methods of vendors take schemas, too, and
   * their handler gets the params that the schema made; others are answered -32602.
   *
   * @throws ServerError `CAPABILITY_NOT_SUPPORTED`
   */
  override setRequestHandler<Method extends RequestMethod>(
    method: Method,
    handler: (request: RequestTypeMap[Method], context: ServerContext) => Handled<Method>,
  ): void;
  override setRequestHandler<
    Given extends StandardSchemaV1,
    Answer extends StandardSchemaV1 | undefined = undefined,
  >(
    method: string,
    schemas: RequestHandlerSchemas<Given, Answer>,
    handler: (
      params: InferOutput<Given>,
      context: ServerContext,
    ) => InferHandlerResult<Answer> | Promise<InferHandlerResult<Answer>>,
  ): void;
  override setRequestHandler(method: string, handler: ServerRequestHandler): void;
  override setRequestHandler(
    method: string,
    second: RequestHandlerSchemas | ((request: never, context: ServerContext) => unknown),
    third?: (params: never, context: ServerContext) => unknown,
  ): void {
    super.setRequestHandler(method, toMessageHandler(second, third));
  }

  /** Receives a notification of the client; those of vendors may be given a schema. */
  override setNotificationHandler<Method extends NotificationMethod>(
    method: Method,
    handler: (notification: NotificationTypeMap[Method]) => void | Promise<void>,
  ): void;
  override setNotificationHandler<Given extends StandardSchemaV1>(
    method: string,
    schemas: { readonly params: Given },
    handler: (params: InferOutput<Given>, notification: ProtocolMessage) => void | Promise<void>,
  ): void;
  override setNotificationHandler(method: string, handler: ServerNotificationHandler): void;
  override setNotificationHandler(
    method: string,
    second: { readonly params: StandardSchemaV1 } | ((notification: never) => unknown),
    third?: (params: never, notification: ProtocolMessage) => unknown,
  ): void {
    const serve = toMessageHandler<ProtocolMessage>(second, third);
    super.setNotificationHandler(method, (notification) => serve(notification, notification));
  }
}
