import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { JSONRPCNotification } from '@portico/rpc';
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ElicitationCompleteNotificationParams,
  InferOutput,
  ListRootsResult,
  LoggingMessageNotificationParams,
  RequestParams,
  ResourceUpdatedNotificationParams,
  Result,
  StandardSchemaV1,
  TasksNotificationParams,
} from '@portico/spec';
import { isStandardSchema } from '@portico/spec';
import { SdkError } from './errors.ts';
import { parseParams } from './schema-parsing.ts';
import type { ClientContext } from './handler-context.ts';
import type { Guard } from './feature-guards.ts';

/** A request as handlers see it. */
export interface IncomingRequest {
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown };
}

/** A notification as handlers see it. */
export type IncomingNotification = IncomingRequest;

/** May throw a ProtocolError, which is sent; any other throw is sent as an internal error. */
export type RequestHandler = (request: IncomingRequest, context: ClientContext) => unknown;
/** A throw or rejection is reported through `onerror`. */
export type NotificationHandler = (notification: IncomingNotification) => unknown;

type Open = { readonly [key: string]: unknown };

/** The requests of servers that the protocol defines, with what answers them. */
export interface ServedRequests {
  'sampling/createMessage': { params: CreateMessageRequestParams & Open; result: CreateMessageResult };
  'elicitation/create': { params: ElicitRequestParams & Open; result: ElicitResult };
  'roots/list': { params?: RequestParams & Open; result: ListRootsResult };
  ping: { params?: RequestParams & Open; result: Result };
}

/** The notifications of servers that the protocol defines. */
export interface ServedNotifications {
  'notifications/message': { params: LoggingMessageNotificationParams & Open };
  'notifications/resources/updated': { params: ResourceUpdatedNotificationParams & Open };
  'notifications/elicitation/complete': { params: ElicitationCompleteNotificationParams & Open };
  'notifications/tasks': { params: TasksNotificationParams & Open };
}

/** A handler of a method the protocol defines. */
export type ServedRequestHandler<Method extends keyof ServedRequests> = (
  request: { readonly method: Method } & Omit<ServedRequests[Method], 'result'>,
  context: ClientContext,
) => ServedRequests[Method]['result'] | Promise<ServedRequests[Method]['result']>;

/** A handler of a notification the protocol defines. */
export type ServedNotificationHandler<Method extends keyof ServedNotifications> = (
  notification: { readonly method: Method } & ServedNotifications[Method],
) => unknown;

/** The schemas of a method of one's own: params are checked, results only typed. */
export interface HandlerSchemas<
  Params extends StandardSchemaV1 = StandardSchemaV1,
  Outcome extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  readonly params: Params;
  readonly result?: Outcome;
}

/** What a handler with schemas returns. */
export type HandlerOutcome<Outcome extends StandardSchemaV1 | undefined> = Outcome extends StandardSchemaV1
  ? InferOutput<Outcome>
  : Result;

/** The capability that has to be declared before the method can be served. */
const NEEDED: Readonly<Record<GuardedMethod, 'sampling' | 'elicitation' | 'roots'>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** A method whose requests and answers are checked around its handler. */
export type GuardedMethod = Exclude<keyof ServedRequests, 'ping'>;

function isGuarded(method: string): method is GuardedMethod {
  return Object.hasOwn(NEEDED, method);
}

const methodNotFound = (method: string): ProtocolError =>
  new ProtocolError(ErrorCode.MethodNotFound, `this client does not serve ${method}`);

/** Handlers by method. */
export class Handlers {
  fallbackRequestHandler: RequestHandler | undefined;
  fallbackNotificationHandler: NotificationHandler | undefined;

  readonly #capabilities: () => ClientCapabilities;
  readonly #requests = new Map<string, RequestHandler>([['ping', () => ({})]]);
  readonly #notifications = new Map<string, NotificationHandler>();
  #guards: Readonly<Record<GuardedMethod, Guard>> | undefined;

  constructor(capabilities: () => ClientCapabilities) {
    this.#capabilities = capabilities;
  }

  /** @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the client does not declare what it needs */
  setRequestHandler(method: string, schemas: unknown, handler: unknown): void {
    const needed = isGuarded(method) ? NEEDED[method] : undefined;
    if (needed !== undefined && this.#capabilities()[needed] === undefined) {
      throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
        message: `${method} is served only by clients that declare ${needed}`,
        data: { capability: needed },
      });
    }
    this.#requests.set(method, withSchemas(schemas, handler));
  }

  /** @throws TypeError when something taken for a handler is none */
  setNotificationHandler(method: string, schemas: unknown, handler: unknown): void {
    this.#notifications.set(method, withSchemas(schemas, handler) as NotificationHandler);
  }

  /** @throws TypeError when the method has a handler that somebody set */
  assertCanSetRequestHandler(method: string): void {
    if (method === 'ping' || !this.#requests.has(method)) return;
    throw new TypeError(`${method} has a handler already`);
  }

  removeNotificationHandler(method: string): void {
    this.#notifications.delete(method);
  }

  removeRequestHandler(method: string): void {
    this.#requests.delete(method);
  }

  /** @throws ProtocolError -32601 when nobody serves the method, -32602 when its params are malformed */
  run(request: IncomingRequest, context: ClientContext): unknown {
    const handler = this.#requests.get(request.method) ?? this.fallbackRequestHandler;
    if (handler === undefined) throw methodNotFound(request.method);
    const { method } = request;
    if (!isGuarded(method)) return handler(request, context);
    const guarded = (guard: Guard): unknown =>
      guard(request, context.connection, (checked) => handler(checked, context));
    if (this.#guards !== undefined) return guarded(this.#guards[method]);
    return this.#loadGuards().then((guards) => guarded(guards[method]));
  }

  /**
   * Loads what stands around the handlers that there are, so that requests and notifications reach them
   * in the order in which they came.
   */
  async prepare(): Promise<void> {
    const guarded = this.fallbackRequestHandler !== undefined || [...this.#requests.keys()].some(isGuarded);
    if (guarded) await this.#loadGuards();
  }

  async #loadGuards(): Promise<Readonly<Record<GuardedMethod, Guard>>> {
    this.#guards ??= (await import('./feature-guards.ts')).GUARDS;
    return this.#guards;
  }

  notify(notification: JSONRPCNotification): unknown {
    const handler = this.#notifications.get(notification.method) ?? this.fallbackNotificationHandler;
    return handler?.(notification);
  }
}

/** One handler for both forms of registering: with schemas it gets the parsed params alone. */
function withSchemas(schemas: unknown, handler: unknown): RequestHandler {
  if (typeof schemas === 'function') return schemas as RequestHandler;
  const params: unknown = (schemas as Partial<HandlerSchemas> | undefined)?.params;
  if (!isStandardSchema(params)) throw new TypeError('the schema of the params is no Standard Schema');
  if (typeof handler !== 'function') throw new TypeError('the handler is no function');
  const call = handler as (params: unknown, second: unknown) => unknown;
  return async (request, context) => call(await parseParams(params, request), context ?? request);
}
