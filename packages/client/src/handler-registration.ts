import { mergeCapabilities } from '@portico/spec';
import type { ClientCapabilities, InferOutput, StandardSchemaV1 } from '@portico/spec';
import { requireExtensionIds } from './capability-check.ts';
import type { ClientContext } from './handler-context.ts';
import { Handlers } from './handlers.ts';
import type {
  HandlerOutcome,
  HandlerSchemas,
  NotificationHandler,
  RequestHandler,
  ServedNotificationHandler,
  ServedNotifications,
  ServedRequestHandler,
  ServedRequests,
} from './handlers.ts';
import type { OutgoingRequest } from './handler-context.ts';

/** What a client can do for servers: its capabilities and its handlers. */
export class HandlerRegistration {
  /** @internal */
  protected readonly handlers: Handlers;
  #capabilities: ClientCapabilities;

  constructor(capabilities: ClientCapabilities = {}) {
    this.#capabilities = requireExtensionIds(capabilities);
    this.handlers = new Handlers(() => this.#capabilities);
  }

  /** @internal */
  get capabilities(): ClientCapabilities {
    return this.#capabilities;
  }

  /** @internal */
  protected addCapabilities(capabilities: ClientCapabilities): void {
    this.#capabilities = mergeCapabilities(this.#capabilities, requireExtensionIds(capabilities));
  }

  /**
   * Serves a method of the server, in place of any handler before. Methods of the protocol are checked
   * around the handler: it never sees malformed requests, and what it returns has to keep the rules. For
   * a method of one's own, schemas may stand before the handler, which then gets the parsed params.
   *
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the capability for it is not declared
   */
  setRequestHandler<Method extends keyof ServedRequests>(
    method: Method,
    handler: ServedRequestHandler<Method>,
  ): void;
  setRequestHandler<
    Params extends StandardSchemaV1,
    Outcome extends StandardSchemaV1 | undefined = undefined,
  >(
    method: string,
    schemas: HandlerSchemas<Params, Outcome>,
    handler: (
      params: InferOutput<Params>,
      context: ClientContext,
    ) => HandlerOutcome<Outcome> | Promise<HandlerOutcome<Outcome>>,
  ): void;
  setRequestHandler<Method extends string>(
    method: Method extends keyof ServedRequests ? never : Method,
    handler: RequestHandler,
  ): void;
  setRequestHandler(method: string, second: unknown, handler?: unknown): void {
    this.handlers.setRequestHandler(method, second, handler);
  }

  removeRequestHandler(method: string): void {
    this.handlers.removeRequestHandler(method);
  }

  /** @throws TypeError when somebody set a handler for the method */
  assertCanSetRequestHandler(method: string): void {
    this.handlers.assertCanSetRequestHandler(method);
  }

  /**
   * Hears of a notification, in place of any handler before. For a method of one's own, schemas may
   * stand before the handler, which then gets the parsed params and the notification.
   */
  setNotificationHandler<Method extends keyof ServedNotifications>(
    method: Method,
    handler: ServedNotificationHandler<Method>,
  ): void;
  setNotificationHandler<Params extends StandardSchemaV1>(
    method: string,
    schemas: { readonly params: Params },
    handler: (params: InferOutput<Params>, notification: OutgoingRequest) => unknown,
  ): void;
  setNotificationHandler<Method extends string>(
    method: Method extends keyof ServedNotifications ? never : Method,
    handler: NotificationHandler,
  ): void;
  setNotificationHandler(method: string, second: unknown, handler?: unknown): void {
    this.handlers.setNotificationHandler(method, second, handler);
  }

  removeNotificationHandler(method: string): void {
    this.handlers.removeNotificationHandler(method);
  }

  /** Gets the notifications that no other handler takes. */
  get fallbackNotificationHandler(): NotificationHandler | undefined {
    return this.handlers.fallbackNotificationHandler;
  }

  set fallbackNotificationHandler(handler: NotificationHandler | undefined) {
    this.handlers.fallbackNotificationHandler = handler;
  }

  /** Serves the requests that no other handler takes. */
  get fallbackRequestHandler(): RequestHandler | undefined {
    return this.handlers.fallbackRequestHandler;
  }

  set fallbackRequestHandler(handler: RequestHandler | undefined) {
    this.handlers.fallbackRequestHandler = handler;
  }
}
