import { createPeer } from '@portico/rpc';
import type {
  Clock,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Peer,
  ReceiveLimits,
  RequestContext,
  Transport,
} from '@portico/rpc';
import type {
  ClientCapabilities,
  Codec,
  DecodedResult,
  Implementation,
  LoggingLevel,
  RequestEnvelope,
} from '@portico/spec';
import { SdkError } from './errors.ts';
import type { SdkErrorCode } from './errors.ts';
import { GuardedTransport } from './guarded-transport.ts';
import { toLocalError } from './local-error.ts';
import { toPeerOptions } from './request-options.ts';
import type { RequestOptions, WireExtras } from './request-options.ts';

/** What a wire is made of. */
export interface WireOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly limits: Partial<ReceiveLimits>;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly codec: Codec;
  readonly firstRequestId?: number;
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
  /** Least severe log level that modern requests ask for. */
  logLevel: LoggingLevel | undefined;

  readonly transport: Transport;
  readonly #options: WireOptions;
  readonly #peer: Peer;
  #codec: Codec;
  #closed = false;
  #endedBy: Error | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#codec = options.codec;
    this.transport = options.transport;
    this.#peer = createPeer({
      transport: new GuardedTransport(options.transport, (message) => this.#accepts(message)),
      clock: options.clock,
      limits: options.limits,
      onRequest: options.onRequest,
      onNotification: options.onNotification,
      ...(options.firstRequestId === undefined ? {} : { firstRequestId: options.firstRequestId }),
    });
    this.#peer.onerror = (error) => this.#noteError(error);
    this.#peer.onclose = () => {
      this.#closed = true;
      options.onclose();
    };
    this.use(options.codec);
  }

  get codec(): Codec {
    return this.#codec;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get nextRequestId(): number {
    return this.#peer.nextRequestId;
  }

  /** Why the connection ended, when the transport said. */
  get endedBy(): Error | undefined {
    return this.#endedBy;
  }

  /** Whether each request has a response of its own, as over HTTP. */
  get isPerRequest(): boolean {
    return this.transport.hasPerRequestStream === true;
  }

  /** Speaks another revision from now on. */
  use(codec: Codec): void {
    this.#codec = codec;
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
  async request(
    method: string,
    params: object | undefined,
    options: RequestOptions & WireExtras = {},
  ): Promise<DecodedResult> {
    const encoded = this.#codec.encodeParams(params, this.#envelope());
    const headers = this.isPerRequest
      ? {
          ...this.#codec.headersFor({
            method,
            id: this.#peer.nextRequestId,
            ...(encoded === undefined ? {} : { params: encoded }),
          }),
        }
      : undefined;
    try {
      const extras = options.cancelMode === undefined ? {} : { cancelMode: options.cancelMode };
      const answer = await this.#peer.request(
        method,
        encoded,
        toPeerOptions(options, { headers, ...extras }),
      );
      return this.#codec.decodeResult(method, answer);
    } catch (error) {
      throw toLocalError(error, this.#endedBy);
    }
  }

  async notify(method: string, params?: { readonly [key: string]: unknown }): Promise<void> {
    try {
      await this.#peer.notify(method, params);
    } catch (error) {
      throw toLocalError(error, this.#endedBy);
    }
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  #envelope(): RequestEnvelope {
    const { clientInfo, capabilities } = this.#options;
    return {
      protocolVersion: this.#codec.version,
      clientCapabilities: capabilities,
      clientInfo,
      ...(this.logLevel === undefined ? {} : { logLevel: this.logLevel }),
    };
  }

  /** Requests of a server that may not write any are ignored, not answered. */
  #accepts(message: JSONRPCMessage): boolean {
    if (this.#codec.serverMayRequest || !isRequest(message)) return true;
    this.#noteError(
      new SdkError('INVALID_MESSAGE', {
        message: 'the server sent a request although this revision has none from servers',
      }),
    );
    return false;
  }

  #noteError(error: Error): void {
    if (error instanceof SdkError && FATAL.has(error.code)) this.#endedBy = error;
    this.#options.onerror(error);
  }
}
