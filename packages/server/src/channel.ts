import type { AuthInfo } from '@portico/oauth/resource';
import type { PeerRequestOptions, RequestId } from '@portico/rpc';
import type { LegacySession } from './caller.ts';
import type { ServerEventBus } from './server-events.ts';

/** What a request that came by HTTP adds to its context. */
export interface HttpDetails {
  /** The request as a web `Request`; its body has been read. */
  readonly req: Request;
  /** What the authentication gate attached. */
  readonly authInfo?: AuthInfo;
  /** Ends this request's stream early. Only where the client can and will take it up again. */
  readonly closeSSE?: () => void;
  /** The same for the session's stream of messages that belong to no request. */
  readonly closeStandaloneSSE?: () => void;
}

/**
 * The way back to whoever sent one request. Connections make one from their peer, the HTTP handler
 * one from its exchange, so that serving a request does not depend on how it arrived.
 */
export interface RequestChannel {
  readonly id: RequestId;
  /** Fires when the caller gives up or is gone. Built at first use. */
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  readonly http: HttpDetails | undefined;
  /** Sends a notification that belongs to the request. */
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Sends a request that belongs to the request. Absent where nothing can carry an answer back. */
  readonly request?: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: PeerRequestOptions,
  ) => Promise<unknown>;
  /** Told when a handler takes the request: errors before that are faults of its form. */
  readonly onhandling?: (() => void) | undefined;
  /** Reports progress, when the caller asked for it. */
  progress(progress: { progress: number; total?: number; message?: string }): void;
  /** Where change events for subscriptions come from, when not from the server itself. */
  readonly events?: ServerEventBus | undefined;
  /** Revisions served where the request came in, when they are fewer than the server speaks. */
  readonly servedVersions?: readonly string[] | undefined;
  /** What `initialize` and its kin change. Absent on modern requests. */
  readonly session?: LegacySession | undefined;
  /** The subscriptions that this request's handler or connection has open. */
  readonly subscriptions: SubscriptionSlots;
}

/** Counts the open subscriptions of one handler or connection. */
export interface SubscriptionSlots {
  /** Takes a slot and answers how to give it back; undefined when all are taken. `end` is called to end the subscription. */
  open(end: () => void): (() => void) | undefined;
  /** Ends all subscriptions gracefully. */
  endAll(): void;
}

/** Open subscriptions a handler or a connection allows by default. */
const DEFAULT_MAX_SUBSCRIPTIONS = 1024;

export function createSubscriptionSlots(
  maxSubscriptions: number = DEFAULT_MAX_SUBSCRIPTIONS,
): SubscriptionSlots {
  const open = new Set<() => void>();
  return {
    open(end) {
      if (open.size >= maxSubscriptions) return undefined;
      open.add(end);
      return () => void open.delete(end);
    },
    endAll() {
      for (const end of open) end();
      open.clear();
    },
  };
}
