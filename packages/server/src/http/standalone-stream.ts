import { type JSONRPCMessage, type JSONRPCRequest, RpcError, isJSONRPCRequest } from '@portico/rpc';
import type { SessionStream } from './session-stream.ts';

/** Requests to the client that may wait for it to listen. */
const MAX_HELD = 64;

/**
 * The one stream of a session for what belongs to no call. Notifications that nobody listens for
 * are stored or lost; requests wait for a listener, since a client confirms the handshake before it
 * listens and somebody waits for their answers.
 */
export class StandaloneStream {
  readonly stream: SessionStream;
  readonly #stores: boolean;
  #held: JSONRPCRequest[] = [];
  #everConnected = false;

  constructor(stream: SessionStream, stores: boolean) {
    this.stream = stream;
    this.#stores = stores;
  }

  get connected(): boolean {
    return this.stream.connected;
  }

  /** Told that a client listens: what waits for it goes out. */
  connect(): void {
    this.#everConnected = true;
    const held = this.#held;
    this.#held = [];
    for (const message of held) void this.stream.write(message);
  }

  /** @throws RpcError `send_failed` when too many requests wait already */
  async send(message: JSONRPCMessage): Promise<void> {
    // A client that has listened comes back with the id of what it saw last, and gets the rest.
    const kept = this.#stores && this.#everConnected;
    if (this.connected || kept) {
      await this.stream.write(message);
      return;
    }
    if (isJSONRPCRequest(message)) this.#hold(message);
    else if (!this.#forget(message)) await this.stream.write(message);
  }

  #hold(request: JSONRPCRequest): void {
    if (this.#held.length < MAX_HELD) {
      this.#held.push(request);
      return;
    }
    const why = 'Too many requests wait for the client to listen.';
    throw new RpcError('send_failed', { method: request.method }, { message: why });
  }

  /** A request that was given up before anybody heard of it needs no cancel. */
  #forget(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
    const index = this.#held.findIndex(({ id }) => id === message.params?.['requestId']);
    if (index >= 0) this.#held.splice(index, 1);
    return index >= 0;
  }
}
