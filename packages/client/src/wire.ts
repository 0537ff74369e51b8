import { WrappedTransport, createPeer } from '@portico/rpc';
import type {
  Clock,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Peer,
  PeerNotifyOptions,
  ReceiveLimits,
  RequestContext,
  RequestId,
  Transport,
} from '@portico/rpc';
import type {
  ClientCapabilities,
  Codec,
  DecodedResult,
  Implementation,
  RequestEnvelope,
} from '@portico/spec';
import { SdkError } from './errors.ts';
import type { SdkErrorCode } from './errors.ts';
import { toLocalError } from './local-error.ts';
import type { Observe } from './observing.ts';
import { toPeerOptions } from './request-options.ts';
import type { WireRequestOptions } from './request-options.ts';

/** What a wire is made of. */
export interface WireOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly limits: Partial<ReceiveLimits>;
  /** Told with each modern request; undefined tells nobody. */
  readonly clientInfo: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  readonly codec: Codec;
  readonly firstRequestId: number | undefined;
  readonly observe: Observe | undefined;
  readonly onRequest: (request: JSONRPCRequest, context: RequestContext) => unknown;
  readonly onNotification: (notification: JSONRPCNotification) => unknown;
  readonly onerror: (error: Error) => void;
  readonly onclose: () => void;
}

/** Transport errors after which the connection ends; they are why open calls fail. */
const FATAL: ReadonlySet<SdkErrorCode> = new Set(['STDIO_EXITED', 'MESSAGE_TOO_LARGE', 'SEND_FAILED']);

function isRequest(message: JSONRPCMessage): boolean {
  return 'method' in message && 'id' in message && message.id !== undefined;
}

/** One connection at one revision: the JSON-RPC engine with a codec around its requests. */
export class Wire {
  readonly transport: Transport;
  /** Whether each request has a response of its own, as over HTTP. */
  readonly isPerRequest: boolean;
  readonly #options: WireOptions;
  readonly #peer: Peer;
  readonly #observed: ReturnType<Observe> | undefined;
  #codec: Codec;
  #envelope: RequestEnvelope;
  readonly #ended = new AbortController();
  /** Who hears of what comes with the answer to an open request. */
  readonly #told = new Map<RequestId | undefined, NonNullable<WireRequestOptions['onnotification']>>();
  #endedBy: Error | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#codec = options.codec;
    this.#envelope = envelopeOf(options, options.codec);
    this.transport = options.transport;
    this.isPerRequest = options.transport.hasPerRequestStream === true;
    const guarded = new WrappedTransport(options.transport, { accepts: (message) => this.#accepts(message) });
    this.#observed = options.observe?.(guarded, options.transport);
    this.#peer = createPeer({
      transport: this.#observed ?? guarded,
      clock: options.clock,
      limits: options.limits,
      onRequest: options.onRequest,
      onNotification: (notification, extra) =>
        this.#told.get(extra?.relatedRequestId)?.(notification) === true ||
        options.onNotification(notification),
      firstRequestId: options.firstRequestId,
    });
    this.#peer.onerror = (error) => this.#noteError(error);
    this.#peer.onclose = () => {
      this.#ended.abort(new SdkError('CONNECTION_CLOSED', { cause: this.#endedBy }));
      options.onclose();
    };
    this.use(options.codec);
  }

  get codec(): Codec {
    return this.#codec;
  }

  get closed(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Fires when the connection has ended; its reason is what calls fail with that nothing is open of. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get nextRequestId(): number {
    return this.#peer.nextRequestId;
  }

  /** Why the connection ended, when the transport said. */
  get endedBy(): Error | undefined {
    return this.#endedBy;
  }

  /** Speaks another revision from now on. */
  use(codec: Codec): void {
    this.#codec = codec;
    this.#envelope = envelopeOf(this.#options, codec);
    this.#peer.cancelMode = this.isPerRequest ? codec.httpCancel : 'notice';
  }

  start(): Promise<void> {
    return this.#peer.start();
  }

  /**
   * @throws ProtocolError what the server answered
   * @throws SdkError `REQUEST_TIMEOUT`, `REQUEST_ABORTED`, `CONNECTION_CLOSED`, `NOT_CONNECTED`,
   *   `SEND_FAILED` and what the transport rejects with
   */
  request(method: string, params: object | undefined, options?: WireRequestOptions): Promise<DecodedResult> {
    const codec = this.#codec;
    return this.send(method, params, options).then(
      (answer) => codec.decodeResult(method, answer),
      (error: unknown) => {
        throw this.localError(error);
      },
    );
  }

  /**
   * As `request`, but answers what came undecoded and rejects with what the engine says: one promise less
   * for whoever waits anyway, and makes of both by `codec.decodeResult` and `localError` what `request` makes.
   */
  send(
    method: string,
    params: object | undefined,
    options: WireRequestOptions | undefined,
  ): Promise<unknown> {
    const codec = this.#codec;
    const encoded = codec.encodeParams(params, this.#envelopeFor(options));
    const id = this.#peer.nextRequestId;
    const headers = this.isPerRequest ? codec.headersFor({ method, params: encoded }) : undefined;
    const told = options?.onnotification;
    // Before it is sent: a server in this process may tell something before it goes out.
    if (told !== undefined) this.#told.set(id, told);
    const answer = this.#peer.request(method, encoded, toPeerOptions(options, headers));
    this.#observed?.follow(id, answer);
    if (told !== undefined) {
      // A request that is refused before it is sent has used up no id: the next one has it then.
      const ended = (): void => void (this.#told.get(id) === told && this.#told.delete(id));
      answer.then(ended, ended);
    }
    return answer;
  }

  /** What callers are told of a failure of this connection. */
  localError(error: unknown): Error {
    return toLocalError(error, this.#endedBy);
  }

  async notify(method: string, params?: object, options?: PeerNotifyOptions): Promise<void> {
    try {
      await this.#peer.notify(method, params, options);
    } catch (error) {
      throw this.localError(error);
    }
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  /** Requests of a server that may not write any are ignored, not answered. */
  #accepts(message: JSONRPCMessage): boolean {
    if (this.#codec.serverMayRequest || !isRequest(message)) return true;
    this.#noteError(
      new SdkError('INVALID_MESSAGE', {
        message: 'servers of this revision send no requests',
      }),
    );
    return false;
  }

  #envelopeFor(options: WireRequestOptions | undefined): RequestEnvelope {
    const clientCapabilities = options?.capabilities;
    return clientCapabilities === undefined ? this.#envelope : { ...this.#envelope, clientCapabilities };
  }

  #noteError(error: Error): void {
    if (error instanceof SdkError && FATAL.has(error.code)) this.#endedBy = error;
    this.#options.onerror(error);
  }
}

function envelopeOf({ clientInfo, capabilities }: WireOptions, codec: Codec): RequestEnvelope {
  return {
    protocolVersion: codec.version,
    clientCapabilities: capabilities,
    ...(clientInfo === undefined ? {} : { clientInfo }),
  };
}
