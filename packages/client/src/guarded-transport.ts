import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@portico/rpc';

/**
 * A transport whose incoming messages pass a check first. Refused ones are as if they had never come,
 * which an answer of the engine would not be.
 */
export class GuardedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #inner: Transport;
  readonly #accepts: (message: JSONRPCMessage) => boolean;

  constructor(inner: Transport, accepts: (message: JSONRPCMessage) => boolean) {
    this.#inner = inner;
    this.#accepts = accepts;
  }

  async start(): Promise<void> {
    // Callbacks that somebody set before keep working.
    const { onclose, onerror, onmessage } = this.#inner;
    this.#inner.onclose = () => {
      try {
        onclose?.();
      } finally {
        this.onclose?.();
      }
    };
    this.#inner.onerror = (error) => {
      onerror?.(error);
      this.onerror?.(error);
    };
    this.#inner.onmessage = (message, extra) => {
      onmessage?.(message, extra);
      if (this.#accepts(message)) this.onmessage?.(message, extra);
    };
    await this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
