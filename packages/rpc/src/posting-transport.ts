import { isRpcError, RpcError } from './errors.ts';
import type { ReceiveLimits } from './limits.ts';
import type { JSONRPCMessage } from './message.ts';
import { readPostedMessage } from './posted-message.ts';
import type { MessageExtraInfo, Transport } from './transport.ts';

/** How one kind of posting channel opens, posts and closes. */
export interface PostingChannel {
  /** Starts listening; returns what stops it. */
  listen(sink: PostingSink): () => void;
  post(message: JSONRPCMessage): void;
}

/** Where a channel delivers. Values have passed the channel's own checks of the sender. */
export interface PostingSink {
  receive(value: unknown): void;
  undecodable(): void;
  /** The other end is gone. */
  ended(): void;
}

/** What window and port channels share: states, receive limits, closing once. */
export class PostingTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly handsOverObjects: boolean = true;

  readonly #channel: PostingChannel;
  readonly #limits: ReceiveLimits;
  #stop: (() => void) | undefined;
  #closed = false;

  constructor(channel: PostingChannel, limits: ReceiveLimits) {
    this.#channel = channel;
    this.#limits = limits;
  }

  async start(): Promise<void> {
    if (this.#closed) throw new RpcError('connection_closed', {});
    this.#stop ??= this.#channel.listen({
      receive: (value) => this.#receive(value),
      undecodable: () => this.onerror?.(new RpcError('undecodable_message', undefined)),
      ended: () => this.#finish(),
    });
  }

  /** @throws RpcError `connection_closed`, `unsendable_message` */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new RpcError('connection_closed', {});
    try {
      this.#channel.post(message);
    } catch (cause) {
      throw new RpcError('unsendable_message', 'method' in message ? { method: message.method } : {}, {
        cause,
      });
    }
  }

  async close(): Promise<void> {
    this.#finish();
  }

  #receive(value: unknown): void {
    if (this.#closed) return;
    let message: JSONRPCMessage;
    try {
      message = readPostedMessage(value, this.#limits);
    } catch (thrown) {
      // A getter or proxy cannot arrive by posting, so anything else is a fault of this code.
      if (!isRpcError(thrown)) throw thrown;
      this.onerror?.(thrown);
      return;
    }
    this.onmessage?.(message);
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop?.();
    this.onclose?.();
  }
}
