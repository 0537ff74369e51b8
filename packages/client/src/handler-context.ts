import type { JSONRPCRequest, RequestContext, RequestId } from '@portico/rpc';
import type { InferOutput, Result, StandardSchemaV1 } from '@portico/spec';
import type { ClientConnection } from './client-connection.ts';
import type { RequestOptions } from './request-options.ts';

/** A request to be sent, as the protocol object takes it. */
export interface OutgoingRequest {
  readonly method: string;
  readonly params?: object | undefined;
}

/** Sends a request; a method of one's own needs the schema of its result. */
export interface SendRequest {
  (request: OutgoingRequest, options?: RequestOptions): Promise<Result>;
  <Schema extends StandardSchemaV1>(
    request: OutgoingRequest,
    resultSchema: Schema,
    options?: RequestOptions,
  ): Promise<InferOutput<Schema>>;
}

/** The request that is being served, and what can be done about it. */
export interface ClientRequestContext {
  /** Of a request that came inside an interim answer: the key it had there. */
  readonly id: RequestId;
  readonly method: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Fires when the server or the caller gave it up. */
  readonly signal: AbortSignal;
  /** Sends a request that belongs to this one. */
  readonly send: SendRequest;
  /** Sends a notification that belongs to this request. */
  readonly notify: (notification: OutgoingRequest) => Promise<void>;
}

/** What a handler gets beside the request. */
export interface ClientContext {
  readonly sessionId?: string;
  readonly mcpReq: ClientRequestContext;
  /** The connection to the server that asks, so that it can be named before anything is shown or sent. */
  readonly connection: ClientConnection;
}

/** Where a context gets its parts from; signals are made at first use. */
interface ContextSource {
  readonly id: RequestId;
  readonly method: string;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
}

class RequestPart implements ClientRequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly send: SendRequest;
  readonly notify: ClientRequestContext['notify'];
  declare readonly _meta?: Readonly<Record<string, unknown>>;
  readonly #source: ContextSource;

  constructor(source: ContextSource, connection: ClientConnection, related: RequestId | undefined) {
    this.id = source.id;
    this.method = source.method;
    if (source.meta !== undefined) this._meta = source.meta;
    this.#source = source;
    const relatedTo = related === undefined ? {} : { relatedRequestId: related };
    const send = (request: OutgoingRequest, second?: unknown, third?: RequestOptions): Promise<unknown> => {
      const hasSchema = third !== undefined || (second !== undefined && '~standard' in Object(second));
      return hasSchema
        ? connection.request(request, second as StandardSchemaV1, { ...relatedTo, ...third })
        : connection.request(request, { ...relatedTo, ...(second as RequestOptions | undefined) });
    };
    this.send = send as SendRequest;
    this.notify = (notification) => connection.notification(notification, relatedTo);
  }

  /** A signal that nobody looks at is never made. */
  get signal(): AbortSignal {
    return this.#source.signal;
  }
}

/** The context of a request that came on the wire. */
export function contextOnWire(
  request: JSONRPCRequest,
  context: RequestContext,
  connection: ClientConnection,
): ClientContext {
  const sessionId = connection.transport?.sessionId;
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    mcpReq: new RequestPart(context, connection, request.id),
    connection,
  };
}

/** The context of a question inside an interim answer or a task. */
export function contextInside(source: ContextSource, connection: ClientConnection): ClientContext {
  const sessionId = connection.transport?.sessionId;
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    mcpReq: new RequestPart(source, connection, undefined),
    connection,
  };
}
