import type { Clock, JSONRPCNotification, RequestId } from '@portico/rpc';
import { SUBSCRIPTION_ID_META_KEY } from '@portico/spec';
import type { SubscriptionFilter } from '@portico/spec';
import { SdkError } from './errors.ts';
import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@portico/rpc';
import type { RequestOptions } from './request-options.ts';
import type { Wire } from './wire.ts';

/** An open stream of change notices; they go to the ordinary notification handlers. */
export interface McpSubscription {
  /** What the server agreed to watch. */
  readonly honoredFilter: SubscriptionFilter;
  /** Ends the stream; does nothing when it has ended. */
  close(): Promise<void>;
  /** How it ended: by us, by the server saying so, or by a broken connection. Never rejects. */
  readonly closed: Promise<'local' | 'graceful' | 'remote'>;
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** The wait for one acknowledgement. */
interface Acknowledgement {
  readonly filter: Promise<SubscriptionFilter>;
  readonly resolve: (filter: SubscriptionFilter) => void;
  readonly reject: (error: unknown) => void;
}

/** Waits for acknowledgements, which name the request they belong to. */
export class Subscriptions {
  readonly #clock: Clock;
  readonly #waiting = new Map<RequestId, (filter: SubscriptionFilter) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the notification was an acknowledgement and is done with. */
  take(notification: JSONRPCNotification): boolean {
    if (notification.method !== ACKNOWLEDGED) return false;
    const { _meta: meta, notifications } = (notification.params ?? {}) as {
      _meta?: Record<string, unknown>;
      notifications?: unknown;
    };
    const id = meta?.[SUBSCRIPTION_ID_META_KEY] as RequestId;
    const acknowledged = this.#waiting.get(id);
    this.#waiting.delete(id);
    acknowledged?.((notifications ?? {}) as SubscriptionFilter);
    return true;
  }

  /**
   * Opens a stream; resolves with the acknowledgement.
   *
   * @throws SdkError `REQUEST_TIMEOUT` when none comes in time, and what a request throws
   */
  async listen(wire: Wire, filter: SubscriptionFilter, options: RequestOptions): Promise<McpSubscription> {
    const id = wire.nextRequestId;
    const leave = new AbortController();
    let endedBy: 'local' | 'remote' = 'remote';
    const abort = (): void => {
      endedBy = 'local';
      leave.abort(options.signal?.reason);
    };
    options.signal?.addEventListener('abort', abort, { once: true });
    // Before the request goes out: in-process servers acknowledge while it is being sent.
    const acknowledged = this.#await(id, options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC);
    const answer = wire.request(
      'subscriptions/listen',
      { notifications: filter },
      { timeout: Number.POSITIVE_INFINITY, signal: leave.signal },
    );
    answer.then(
      // Ended before it began: nothing is watched.
      () => acknowledged.resolve({}),
      (error: unknown) => acknowledged.reject(error),
    );
    const closed = answer.then(
      () => 'graceful' as const,
      () => endedBy,
    );
    void closed.then(() => options.signal?.removeEventListener('abort', abort));
    try {
      const honoredFilter = await acknowledged.filter;
      const close = async (): Promise<void> => {
        abort();
        await closed;
      };
      return { honoredFilter, close, closed };
    } catch (error) {
      abort();
      throw error;
    }
  }

  #await(id: RequestId, timeoutMs: number): Acknowledgement {
    let resolve: Acknowledgement['resolve'] = () => undefined;
    let reject: Acknowledgement['reject'] = () => undefined;
    const filter = new Promise<SubscriptionFilter>((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    const timer = this.#clock.setTimer(timeoutMs, () =>
      reject(new SdkError('REQUEST_TIMEOUT', { data: { timeout: timeoutMs } })),
    );
    this.#waiting.set(id, resolve);
    const settled = (): void => {
      timer.cancel();
      this.#waiting.delete(id);
    };
    filter.then(settled, settled);
    return { filter, resolve, reject };
  }
}
