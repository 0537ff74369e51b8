import type { AuthInfo } from '@portico/oauth/resource';
import {
  type Clock,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  RpcError,
  type Transport,
  isJSONRPCRequest,
  isJSONRPCResponse,
  systemClock,
  reportGuarded,
  runGuarded,
} from '@portico/rpc';
import { modernStatus } from './error-answers.ts';
import { DEFAULT_KEEP_ALIVE_MS, EventStream } from './event-stream.ts';
import type { ResponseMode } from './exchange.ts';
import { toWebResponse } from './fetch-face.ts';
import { emptyAnswer } from './http-message.ts';
import type { MessageClassification } from '@portico/spec';
import { PostAnswer, writtenAnswer } from './post-answer.ts';
import { SessionStream } from './session-stream.ts';

export interface PerRequestHTTPServerTransportOptions {
  /** What `classifyInboundRequest` made of the message. */
  readonly classification: MessageClassification;
  /** Default `auto`. */
  readonly responseMode?: ResponseMode;
  /** Milliseconds between comments on an idle event stream; 0 for none. Default 15 000. */
  readonly keepAliveMs?: number;
  readonly clock?: Clock;
}

export interface PerRequestMessageExtra {
  /** The request that carried the message; when its signal fires, the exchange ends. */
  readonly request?: Request;
  /** What the authentication gate made of the credentials. */
  readonly authInfo?: AuthInfo | undefined;
}

/**
 * A transport whose whole life is one modern HTTP exchange, for servers that are wired by hand:
 * connect a server to it, give it one classified message, and send the response it answers.
 */
export class PerRequestHTTPServerTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #options: PerRequestHTTPServerTransportOptions;
  #state: 'new' | 'started' | 'used' | 'closed' = 'new';
  #answer: PostAnswer | undefined;
  #connection: EventStream | undefined;
  #fail: ((error: Error) => void) | undefined;
  #handled = false;

  constructor(options: PerRequestHTTPServerTransportOptions) {
    this.#options = options;
  }

  get classification(): MessageClassification {
    return this.#options.classification;
  }

  /** @throws RpcError `wrong_state` the second time */
  start(): Promise<void> {
    if (this.#state !== 'new') return Promise.reject(new RpcError('wrong_state', { state: 'started' }));
    this.#state = 'started';
    return Promise.resolve();
  }

  /**
   * Serves the one message.
   * @throws RpcError `wrong_state` before a server is connected and for a second message,
   *   `connection_closed` when the exchange ends without an answer
   */
  async handleMessage(
    message: JSONRPCRequest | JSONRPCNotification,
    { request, authInfo }: PerRequestMessageExtra = {},
  ): Promise<Response> {
    if (this.#state !== 'started') {
      throw new RpcError('wrong_state', { state: this.#state === 'new' ? 'new' : 'closed' });
    }
    this.#state = 'used';
    const extra: MessageExtraInfo = { onhandling: () => (this.#handled = true) };
    if (request !== undefined) extra.request = request;
    if (authInfo !== undefined) extra.authInfo = authInfo;
    if (!isJSONRPCRequest(message)) {
      this.onmessage?.(message, extra);
      return toWebResponse(emptyAnswer(202));
    }
    const answer = this.#open();
    const closed = new Promise<never>((_, reject) => (this.#fail = reject));
    const leave = (): void => void this.close();
    if (request?.signal.aborted === true) leave();
    request?.signal.addEventListener('abort', leave, { once: true });
    if (!this.#isClosed()) this.onmessage?.(message, extra);
    return toWebResponse(await Promise.race([answer.answer, closed]));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed()) throw new RpcError('connection_closed', {});
    if (isJSONRPCResponse(message)) {
      this.#answer?.respond(writtenAnswer(message), () => undefined);
    } else if (isJSONRPCRequest(message)) {
      const why = 'A modern exchange carries no requests to the client.';
      throw new RpcError('send_failed', { method: message.method }, { message: why });
    } else {
      await this.#answer?.write(message);
    }
  }

  /** Sends a comment on the event stream; does nothing while there is none. */
  writeCommentFrame(comment: string): void {
    this.#connection?.writeComment(comment.replaceAll(/[\r\n]+/g, ' '));
  }

  close(): Promise<void> {
    if (this.#isClosed()) return Promise.resolve();
    this.#state = 'closed';
    this.#connection?.cut();
    this.#fail?.(new RpcError('connection_closed', {}));
    runGuarded(
      'onclose',
      () => this.onclose?.(),
      (error) => reportGuarded(this.onerror, error),
    );
    return Promise.resolve();
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #open(): PostAnswer {
    const { responseMode = 'auto', keepAliveMs = DEFAULT_KEEP_ALIVE_MS, clock = systemClock } = this.#options;
    this.#answer = new PostAnswer({
      requests: 1,
      asArray: false,
      mode: responseMode,
      stream: new SessionStream({
        id: '',
        store: undefined,
        clock,
        report: (error) => reportGuarded(this.onerror, error),
      }),
      openConnection: () => {
        this.#connection = new EventStream({ clock, keepAliveMs });
        this.#connection.onclose = ({ cut }) => {
          if (cut) void this.close();
        };
        return this.#connection;
      },
      headers: {},
      errorStatus: (error) => modernStatus(error, this.#handled),
    });
    return this.#answer;
  }
}
