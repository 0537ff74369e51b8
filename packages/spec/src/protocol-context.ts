import type { PeerRequestOptions, RequestId } from '@portico/rpc';
import type { RequestMeta } from './base.ts';
import type { RequestEnvelope } from './codec.ts';
import type { ElicitRequestParams, ElicitResult } from './elicitation.ts';
import type { LoggingLevel } from './lifecycle.ts';
import type { RequestMethod, ResultTypeMap } from './method-types.ts';
import type { CreateMessageRequestParams, CreateMessageResult } from './sampling.ts';
import type { InferOutput, StandardSchemaV1 } from './standard-schema.ts';

/** What accompanies one request: what the engine knows, and the official names of its limits. */
export interface ProtocolRequestOptions extends PeerRequestOptions {
  /** Milliseconds; 60,000 by default. */
  timeout?: number | undefined;
  /** Milliseconds in all, whatever progress comes. */
  maxTotalTimeout?: number | undefined;
}

/** What accompanies one notification. */
export interface NotificationOptions {
  readonly relatedRequestId?: RequestId | undefined;
}

/** A request or notification of any method. */
export interface ProtocolMessage {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Sends a request: the result follows from the method's name, or from a schema. */
export interface SendRequest {
  <Method extends RequestMethod>(
    request: { readonly method: Method; readonly params?: Readonly<Record<string, unknown>> | undefined },
    options?: ProtocolRequestOptions,
  ): Promise<ResultTypeMap[Method]>;
  <Schema extends StandardSchemaV1>(
    request: ProtocolMessage,
    resultSchema: Schema,
    options?: ProtocolRequestOptions,
  ): Promise<InferOutput<Schema>>;
}

/** Reads what an earlier round of a request stored. */
export type RequestStateAccessor = <State = unknown>() => State | undefined;

/** What every handler gets beside the request. */
export interface BaseContext {
  readonly sessionId?: string | undefined;
  readonly mcpReq: {
    readonly id: RequestId;
    readonly method: string;
    readonly _meta?: RequestMeta | undefined;
    readonly envelope?: Partial<RequestEnvelope> | undefined;
    readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
    requestState<State = unknown>(): State | undefined;
    /** Fires when the other side gives the request up, or the connection ends. */
    readonly signal: AbortSignal;
    /** Sends a request that belongs to this one. */
    readonly send: SendRequest;
    /** Sends a notification that belongs to this request. */
    readonly notify: (notification: ProtocolMessage) => Promise<void>;
  };
  readonly http?: { readonly authInfo?: unknown } | undefined;
}

/** What handlers of clients have in common, whoever made the client. */
export type ClientContext = BaseContext;

/** What handlers of servers have in common, whoever made the server. */
export interface ServerContext extends BaseContext {
  readonly mcpReq: BaseContext['mcpReq'] & {
    /** @deprecated The specification deprecates logging over the protocol; it works unchanged. */
    log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
    elicitInput(params: ElicitRequestParams, options?: ProtocolRequestOptions): Promise<ElicitResult>;
    /** @deprecated The specification deprecates sampling; it works unchanged. */
    requestSampling(
      params: CreateMessageRequestParams,
      options?: ProtocolRequestOptions,
    ): Promise<CreateMessageResult>;
  };
  readonly http?:
    | {
        readonly authInfo?: unknown;
        readonly req?: globalThis.Request;
        readonly closeSSE?: () => void;
        readonly closeStandaloneSSE?: () => void;
      }
    | undefined;
}
