import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestId,
  RpcError,
  type Transport,
  type TransportSendOptions,
  isJSONRPCRequest,
  isJSONRPCResponse,
  runGuarded,
} from '@portico/rpc';

/**
 * The pipe as one server sees it. A server that only answered a probe can be let go without an end to the
 * pipe; the server that is bound closes it.
 */
export class PipeChannel implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #pipe: Transport;
  readonly #unanswered = new Set<RequestId>();
  #onsettled: (() => void) | undefined;
  #detached = false;
  #closed = false;

  constructor(pipe: Transport) {
    this.#pipe = pipe;
  }

  get sessionId(): string | undefined {
    return this.#pipe.sessionId;
  }

  get handsOverObjects(): boolean | undefined {
    return this.#pipe.handsOverObjects;
  }

  get setProtocolVersion(): Transport['setProtocolVersion'] {
    return (version) => this.#pipe.setProtocolVersion?.(version);
  }

  get setSupportedProtocolVersions(): Transport['setSupportedProtocolVersions'] {
    return (versions) => this.#pipe.setSupportedProtocolVersions?.(versions);
  }

  /** The pipe is open already. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) throw new RpcError('connection_closed', {});
    try {
      await this.#pipe.send(message, options);
    } finally {
      if (isJSONRPCResponse(message)) this.#settle(message.id);
    }
  }

  async close(): Promise<void> {
    if (!this.#closed && !this.#detached) await this.#pipe.close();
    this.end();
  }

  /** Hands over what came, to a server that is not bound yet. */
  deliver(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    else if ('method' in message) this.#settle(message.params?.['requestId'] as RequestId | undefined);
    this.onmessage?.(message, extra);
  }

  /** The pipe goes on without this server, which may close from now on. */
  detach(): void {
    this.#detached = true;
  }

  /** Settles when all that was delivered is answered or withdrawn. */
  answered(): Promise<void> {
    if (this.#closed || this.#unanswered.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onsettled = resolve));
  }

  /** The pipe is over, or goes on without this server. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onsettled?.();
    runGuarded(
      'onclose',
      () => this.onclose?.(),
      (error) => this.onerror?.(error),
    );
  }

  #settle(id: RequestId | null | undefined): void {
    if (id === undefined || id === null || !this.#unanswered.delete(id)) return;
    if (this.#unanswered.size === 0) this.#onsettled?.();
  }
}
