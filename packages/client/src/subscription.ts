import type { Clock, JSONRPCNotification, RequestId } from '@portico/rpc';
import { SUBSCRIPTION_ID_META_KEY } from '@portico/spec';
import type { SubscriptionFilter } from '@portico/spec';
import { SdkError } from './errors.ts';
import { abortedBy } from './local-error.ts';
import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@portico/rpc';
import type { RequestOptions } from './request-options.ts';
import type { Wire } from './wire.ts';

/** How a stream of change notices ended: by us, by the server saying so, or by a broken connection. */
export type SubscriptionEnd = 'local' | 'graceful' | 'remote';

/** An open stream of change notices; they go to the ordinary notification handlers. */
export interface McpSubscription {
  /** What the server agreed to watch. */
  readonly honoredFilter: SubscriptionFilter;
  /** Ends the stream; does nothing when it has ended. */
  close(): Promise<void>;
  /** How it ended. Settles once and never rejects; nobody opens the stream again by himself. */
  readonly closed: Promise<SubscriptionEnd>;
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const CANCELLED = 'notifications/cancelled';

/** One stream, from the request on. */
interface OpenStream {
  acknowledge(filter: SubscriptionFilter): void;
  /** The server takes the request back, which on pipes is how it may end a stream. */
  end(): void;
}

/** The streams of change notices of one client; what concerns them names the request they belong to. */
export class Subscriptions {
  readonly #clock: Clock;
  readonly #open = new Map<RequestId, OpenStream>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the notification concerned a stream itself and is done with. */
  take({ method, params }: JSONRPCNotification): boolean {
    if (method === CANCELLED) {
      const stream = this.#open.get(params?.['requestId'] as RequestId);
      stream?.end();
      return stream !== undefined;
    }
    if (method !== ACKNOWLEDGED) return false;
    const meta = params?.['_meta'] as Record<string, unknown> | undefined;
    const stream = this.#open.get(meta?.[SUBSCRIPTION_ID_META_KEY] as RequestId);
    stream?.acknowledge((params?.['notifications'] ?? {}) as SubscriptionFilter);
    return true;
  }

  /**
   * Opens a stream; resolves with the acknowledgement.
   *
   * @throws SdkError `REQUEST_TIMEOUT` when none comes in time, `REQUEST_ABORTED`, `CONNECTION_CLOSED`
   *   when it ends before, and what a request throws
   */
  async listen(wire: Wire, filter: SubscriptionFilter, options: RequestOptions): Promise<McpSubscription> {
    if (options.signal?.aborted === true) throw abortedBy(options.signal.reason);
    const id = wire.nextRequestId;
    const leave = new AbortController();
    let endedBy: SubscriptionEnd = 'remote';
    const leaveAs = (end: SubscriptionEnd, reason?: unknown): void => {
      if (leave.signal.aborted) return;
      endedBy = end;
      leave.abort(reason);
    };
    const abort = (): void => leaveAs('local', options.signal?.reason);
    options.signal?.addEventListener('abort', abort, { once: true });
    const acknowledged = withResolvers<SubscriptionFilter>();
    // Before the request goes out: in-process servers acknowledge while it is being sent.
    this.#open.set(id, {
      acknowledge: acknowledged.resolve,
      end: () => {
        acknowledged.reject(endedEarly());
        leaveAs('graceful');
      },
    });
    const answer = wire.request(
      'subscriptions/listen',
      { notifications: filter },
      { timeout: Number.POSITIVE_INFINITY, signal: leave.signal },
    );
    answer.then(() => acknowledged.reject(endedEarly()), acknowledged.reject);
    const closed = answer.then(
      () => 'graceful' as const,
      () => endedBy,
    );
    void closed.then(() => {
      this.#open.delete(id);
      options.signal?.removeEventListener('abort', abort);
    });
    const timeoutMs = options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC;
    const timer = this.#clock.setTimer(timeoutMs, () => {
      acknowledged.reject(new SdkError('REQUEST_TIMEOUT', { data: { timeout: timeoutMs } }));
      leaveAs('local');
    });
    try {
      const honoredFilter = await acknowledged.promise;
      const close = async (): Promise<void> => {
        leaveAs('local');
        await closed;
      };
      return { honoredFilter, close, closed };
    } finally {
      timer.cancel();
    }
  }
}

function endedEarly(): SdkError {
  return new SdkError('CONNECTION_CLOSED', { message: 'the server ended the stream before it began' });
}

interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>['resolve'] = () => undefined;
  let reject: Resolvers<T>['reject'] = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
