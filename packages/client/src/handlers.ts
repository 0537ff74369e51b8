import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { JSONRPCNotification, JSONRPCRequest, RequestContext, RequestId } from '@portico/rpc';
import type { ClientCapabilities } from '@portico/spec';
import { SdkError } from './errors.ts';

/** A request as handlers see it. */
export interface IncomingRequest {
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown };
}

/** A notification as handlers see it. */
export type IncomingNotification = IncomingRequest;

/** What a handler gets beside the request. */
export interface ClientContext {
  readonly sessionId?: string;
  readonly mcpReq: {
    /** Undefined for a request that came inside an interim answer. */
    readonly id: RequestId | undefined;
    readonly method: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
    /** Fires when the server or the caller gave it up. */
    readonly signal: AbortSignal;
  };
}

/** May throw a ProtocolError, which is sent; any other throw is sent as an internal error. */
export type RequestHandler = (request: IncomingRequest, context: ClientContext) => unknown;
/** A throw or rejection is reported through `onerror`. */
export type NotificationHandler = (notification: IncomingNotification) => unknown;

/** The capability that has to be declared before the method can be served. */
const NEEDED: Readonly<Record<string, 'sampling' | 'elicitation' | 'roots'>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

const methodNotFound = (method: string): ProtocolError =>
  new ProtocolError(ErrorCode.MethodNotFound, `this client does not serve ${method}`);

/** Handlers by method. */
export class Handlers {
  fallbackRequestHandler: RequestHandler | undefined;
  fallbackNotificationHandler: NotificationHandler | undefined;

  readonly #requests = new Map<string, RequestHandler>([['ping', () => ({})]]);
  readonly #notifications = new Map<string, NotificationHandler>();

  /** @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the client does not declare what it needs */
  setRequestHandler(method: string, handler: RequestHandler, capabilities: ClientCapabilities): void {
    const needed = NEEDED[method];
    if (needed !== undefined && capabilities[needed] === undefined) {
      throw new SdkError('CAPABILITY_NOT_SUPPORTED', {
        message: `${method} is served only by clients that declare ${needed}`,
        data: { capability: needed },
      });
    }
    this.#requests.set(method, handler);
  }

  setNotificationHandler(method: string, handler: NotificationHandler): void {
    this.#notifications.set(method, handler);
  }

  removeNotificationHandler(method: string): void {
    this.#notifications.delete(method);
  }

  removeRequestHandler(method: string): void {
    this.#requests.delete(method);
  }

  /** Serves a request that came on the wire. */
  serve(request: JSONRPCRequest, context: RequestContext, sessionId: string | undefined): unknown {
    return this.run(request, {
      ...(sessionId === undefined ? {} : { sessionId }),
      mcpReq: {
        id: context.id,
        method: request.method,
        ...(context.meta === undefined ? {} : { _meta: context.meta }),
        // A getter: a signal that nobody looks at is never made.
        get signal() {
          return context.signal;
        },
      },
    });
  }

  /** @throws ProtocolError -32601 when nobody serves the method */
  run(request: IncomingRequest, context: ClientContext): unknown {
    const handler = this.#requests.get(request.method) ?? this.fallbackRequestHandler;
    if (handler === undefined) throw methodNotFound(request.method);
    return handler(request, context);
  }

  notify(notification: JSONRPCNotification): unknown {
    const handler = this.#notifications.get(notification.method) ?? this.fallbackNotificationHandler;
    return handler?.(notification);
  }
}
