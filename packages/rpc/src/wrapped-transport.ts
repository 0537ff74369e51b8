import { runGuarded } from './callbacks.ts';
import type { JSONRPCMessage } from './message.ts';
import type { MessageExtraInfo, Transport, TransportSendOptions } from './transport.ts';

/** What a {@link WrappedTransport} is told on the way. */
export interface TransportWatch {
  /** Sees each incoming message first; those it refuses are as if they had never come. */
  readonly accepts: (message: JSONRPCMessage) => boolean;
  /** The inner transport has ended. */
  readonly ended?: () => void;
}

/**
 * A transport around another, for what wants to see its messages or keep some of them back. Whoever
 * starts it owns both. Callbacks that somebody set on the inner one before keep working, and keep nothing
 * from anybody when they throw.
 */
export class WrappedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #inner: Transport;
  readonly #watch: TransportWatch;

  constructor(inner: Transport, watch: TransportWatch) {
    this.#inner = inner;
    this.#watch = watch;
  }

  async start(): Promise<void> {
    const inner = this.#inner;
    const { onclose, onerror, onmessage } = inner;
    const tell = (error: Error): void => this.onerror?.(error);
    inner.onclose = () => {
      runGuarded('onclose', () => onclose?.(), tell);
      this.#watch.ended?.();
      this.onclose?.();
    };
    inner.onerror = (error) => {
      runGuarded('onerror', () => onerror?.(error), tell);
      tell(error);
    };
    inner.onmessage = (message, extra) => {
      if (onmessage !== undefined) runGuarded('onmessage', () => onmessage(message, extra), tell);
      if (this.#watch.accepts(message)) this.onmessage?.(message, extra);
    };
    await inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
