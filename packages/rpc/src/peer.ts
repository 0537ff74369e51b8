import type { Clock } from './clock.ts';
import type { ReceiveLimits } from './limits.ts';
import type { JSONRPCNotification, JSONRPCRequest, RequestId } from './message.ts';
import type { MessageExtraInfo, Transport } from './transport.ts';

/** One report of progress. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Called in order for each report. A throw or a rejection is reported and changes nothing else; what it
 * returns is not waited for.
 */
export type ProgressCallback = (progress: Progress) => unknown;

/**
 * How the peer learns that a request was given up.
 * `notice`: by the cancel notification; `signal`: the transport ends the exchange itself, through
 * the signal it was given with the message; `none`: not at all.
 */
export type CancelMode = 'notice' | 'signal' | 'none';

/** What accompanies one outgoing request. */
export interface PeerRequestOptions {
  /** Gives the request up; the call rejects with `aborted`. */
  signal?: AbortSignal | undefined;
  /** Time limit in milliseconds. Default: the peer's `defaultTimeoutMs`. */
  timeoutMs?: number | undefined;
  /**
   * Limit in milliseconds that no progress extends. Default: none, or ten times `timeoutMs` when
   * `resetTimeoutOnProgress` is set.
   */
  maxTotalTimeoutMs?: number | undefined;
  /** Each report of progress starts `timeoutMs` anew. Default false. */
  resetTimeoutOnProgress?: boolean | undefined;
  /** Asks the peer for progress and receives it. */
  onprogress?: ProgressCallback | undefined;
  /** The incoming request that this one belongs to. */
  relatedRequestId?: RequestId | undefined;
  /** Extra headers for this message, where the channel has headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the peer's `cancelMode`. */
  cancelMode?: CancelMode | undefined;
  /** Passed on to the transport: see its send options. */
  resumptionToken?: string | undefined;
  /** Passed on to the transport: see its send options. */
  onresumptiontoken?: ((token: string) => void) | undefined;
}

/** What accompanies one outgoing notification. */
export interface PeerNotifyOptions {
  relatedRequestId?: RequestId | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What a request handler gets beside the request. Call its functions on it, not taken out of it. */
export interface RequestContext {
  readonly id: RequestId;
  readonly method: string;
  /** Fires when the peer cancels, or the connection closes. Built at first use. */
  readonly signal: AbortSignal;
  /** The `_meta` member of the params, untouched. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly extra: MessageExtraInfo | undefined;
  /**
   * Sends a notification that belongs to this request. Progress is held to the rules of
   * {@link RequestContext.progress}.
   */
  notify(method: string, params?: object): Promise<void>;
  /** Sends a request that belongs to this request. */
  request(method: string, params?: object, options?: PeerRequestOptions): Promise<unknown>;
  /**
   * Reports progress to the caller. Does nothing when the caller gave no token. A value that does
   * not rise, or comes after the request ended, is dropped and reported as `progress_refused`. Of more
   * than `maxReportsPerSecond`, the newest is sent.
   */
  progress(progress: Progress): void;
}

/** What {@link createPeer} needs. */
export interface PeerOptions {
  /** Owned by the peer from now on. */
  transport: Transport;
  clock: Clock;
  /** Overrides of the default receive limits. */
  limits?: Partial<ReceiveLimits>;
  /**
   * Serves a request of the peer: what it returns becomes the result (undefined becomes `{}`), a
   * thrown ProtocolError the error answer, any other throw error -32603 with its message. Without
   * it every request is answered -32601.
   */
  onRequest?: (request: JSONRPCRequest, context: RequestContext) => unknown;
  /** Receives notifications; a throw or rejection is reported. */
  onNotification?: (notification: JSONRPCNotification, extra: MessageExtraInfo | undefined) => unknown;
  /** Default 60 000 ms. */
  defaultTimeoutMs?: number;
  /** Default `notice`. */
  cancelMode?: CancelMode;
  /** Method of the cancel notification. Default `notifications/cancelled`. */
  cancelMethod?: string;
  /** Method of the progress notification. Default `notifications/progress`. */
  progressMethod?: string;
  /** Notifications beside progress that count as reports of the request they belong to. */
  reportMethods?: readonly string[];
  /** Reports that one request may send in a second; of those beyond, the newest is sent. Default 100. */
  maxReportsPerSecond?: number;
  /** First number used as a request id, for a session that goes on over a new channel. Default 1. */
  firstRequestId?: number | undefined;
}

/** One end of a JSON-RPC conversation. */
export interface Peer {
  /**
   * Opens the transport. When that fails the peer is closed.
   * @throws RpcError `wrong_state` the second time
   * @throws Error whatever the transport could not open with
   */
  start(): Promise<void>;
  /**
   * Sends a request and resolves with the `result` of its answer.
   * @throws ProtocolError the peer's error answer
   * @throws RpcError `request_timeout`, `aborted`, `connection_closed`, `wrong_state`, `send_failed`
   * @throws Error whatever the transport rejected the message with
   */
  request(method: string, params?: object, options?: PeerRequestOptions): Promise<unknown>;
  /**
   * Sends a notification; resolves when the transport took it.
   * @throws RpcError `connection_closed`, `wrong_state`
   */
  notify(method: string, params?: object, options?: PeerNotifyOptions): Promise<void>;
  /** Ends the conversation: open calls reject with `connection_closed`, handlers' signals fire. */
  close(): Promise<void>;
  /** Fires once, when the conversation has ended whatever the reason. */
  onclose?: (() => void) | undefined;
  /**
   * Faults that end nothing by themselves: bad messages, unknown answers, throwing callbacks. Of more
   * than 100 of one kind in a second the rest come as one `faults_merged`.
   */
  onerror?: ((error: Error) => void) | undefined;
  /** Own requests that are still open. */
  readonly pendingCount: number;
  /** Requests of the peer that are still open. */
  readonly inFlightCount: number;
  /** Id that the next request will use. */
  readonly nextRequestId: number;
  /** How requests are given up unless a call says otherwise; may change once the peer is known. */
  cancelMode: CancelMode;
}
