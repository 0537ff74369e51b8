import { callbackFailure, reportGuarded } from './callbacks.ts';
import { RpcError } from './errors.ts';
import { DEFAULT_RECEIVE_LIMITS } from './limits.ts';
import type { JSONRPCMessage } from './message.ts';
import {
  HANDED_OVER,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from './transport.ts';
import { isDeeperThan } from './parse-message.ts';

type State = 'new' | 'started' | 'closed';

/**
 * One end of an in-process channel. Messages are handed over as they are, not copied: both sides
 * must treat them as read-only. Delivery happens within `send`, in order. What arrives before anybody
 * listens waits for `start`, or for the next message after `onmessage` was set: an end that a test speaks by
 * hand needs no start.
 */
export class InMemoryTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  sessionId?: string | undefined;
  readonly handsOverObjects: boolean = true;

  #other: InMemoryTransport | undefined;
  #state: State = 'new';
  #early: { readonly message: JSONRPCMessage; readonly extra: MessageExtraInfo | undefined }[] = [];

  /** Two connected ends. Closing one closes both. */
  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const first = new InMemoryTransport();
    const second = new InMemoryTransport();
    first.#other = second;
    second.#other = first;
    return [first, second];
  }

  /** @throws RpcError `connection_closed` after close */
  async start(): Promise<void> {
    if (this.#state === 'started') return;
    if (this.#state === 'closed') throw new RpcError('connection_closed', {});
    this.#state = 'started';
    this.#deliverEarly();
  }

  /**
   * `authInfo` is handed over beside the message, as a channel that knows its sender would.
   * @throws RpcError `connection_closed` when either end is closed or the end has no partner,
   *   `too_deep` for messages of more than 512 levels
   */
  send(
    message: JSONRPCMessage,
    options?: TransportSendOptions & { readonly authInfo?: unknown },
  ): Promise<void> {
    const other = this.#other;
    if (other === undefined || this.#state === 'closed') {
      return Promise.reject(new RpcError('connection_closed', {}));
    }
    const { maxDepth } = DEFAULT_RECEIVE_LIMITS;
    if (isDeeperThan(message, maxDepth)) {
      return Promise.reject(new RpcError('too_deep', { limit: maxDepth }));
    }
    const authInfo = options?.authInfo;
    const extra = authInfo === undefined ? undefined : { authInfo };
    other.#early.push({ message, extra });
    if (other.#state === 'started' || other.onmessage !== undefined) other.#deliverEarly();
    return HANDED_OVER;
  }

  #deliverEarly(): void {
    for (let next = this.#early.shift(); next !== undefined; next = this.#early.shift()) {
      this.#deliver(next.message, next.extra);
    }
  }

  /** A throw of the receiver's callback is the receiver's matter, not the sender's. */
  #deliver(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    try {
      this.onmessage?.(message, extra);
    } catch (thrown) {
      reportGuarded(this.onerror, callbackFailure(thrown, 'onmessage'));
    }
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#early = [];
    const other = this.#other;
    this.#other = undefined;
    try {
      await other?.close();
    } finally {
      this.onclose?.();
    }
  }
}

/** Two connected in-process transports, see {@link InMemoryTransport}. */
export function createMemoryTransportPair(): [InMemoryTransport, InMemoryTransport] {
  return InMemoryTransport.createLinkedPair();
}
