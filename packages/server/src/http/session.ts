import {
  type Clock,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  RpcError,
  type Transport,
  type TransportSendOptions,
  isJSONRPCRequest,
  isJSONRPCResponse,
} from '@portico/rpc';
import { errorAnswer, refusal } from './error-answers.ts';
import { EVENT_STREAM_HEADERS, EventStream } from './event-stream.ts';
import type { ResponseMode } from './exchange.ts';
import { type HttpAnswer, type HttpRequest, emptyAnswer, jsonAnswer } from './http-message.ts';

export interface SessionTransportOptions {
  readonly sessionId: string;
  readonly clock: Clock;
  readonly keepAliveMs: number;
  readonly mode: ResponseMode;
}

/** Answers of one POST, kept together until all its requests are answered. */
class PostedBatch {
  readonly answer: Promise<HttpAnswer>;
  readonly #open: Set<RequestId>;
  readonly #answers: JSONRPCMessage[] = [];
  readonly #asArray: boolean;
  readonly #options: SessionTransportOptions;
  #settle: (answer: HttpAnswer) => void = () => undefined;
  #stream: EventStream | undefined;

  constructor(ids: readonly RequestId[], asArray: boolean, options: SessionTransportOptions) {
    this.#open = new Set(ids);
    this.#asArray = asArray;
    this.#options = options;
    this.answer = new Promise((resolve) => (this.#settle = resolve));
    if (options.mode === 'sse') this.#openStream();
  }

  /** Takes an answer; true when it was the last one. */
  respond(message: JSONRPCMessage, id: RequestId): boolean {
    this.#open.delete(id);
    if (this.#stream !== undefined) void this.#stream.writeMessage(JSON.stringify(message));
    else this.#answers.push(message);
    if (this.#open.size > 0) return false;
    if (this.#stream !== undefined) this.#stream.end();
    else this.#settle(this.#json(this.#asArray ? this.#answers : this.#answers[0]));
    return true;
  }

  /** Sends a message that belongs to one of the requests. JSON answers have no room for it. */
  async write(message: JSONRPCMessage): Promise<void> {
    if (this.#options.mode === 'json') {
      if (!isJSONRPCRequest(message)) return;
      throw new RpcError(
        'send_failed',
        { method: message.method },
        {
          message: 'A session that answers in JSON cannot carry requests within a call.',
        },
      );
    }
    await this.#openStream().writeMessage(JSON.stringify(message));
  }

  /** The session is over: the stream closes without an answer. */
  close(): void {
    this.#stream?.end();
    this.#settle(refusal(404, 'The session has ended.'));
  }

  #json(body: unknown): HttpAnswer {
    return jsonAnswer(200, body, { 'mcp-session-id': this.#options.sessionId });
  }

  /** What was answered already goes first, so that the order of sending is kept. */
  #openStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const { clock, keepAliveMs, sessionId } = this.#options;
    const stream = new EventStream({ clock, keepAliveMs });
    for (const message of this.#answers) void stream.writeMessage(JSON.stringify(message));
    this.#stream = stream;
    const headers = { ...EVENT_STREAM_HEADERS, 'mcp-session-id': sessionId };
    this.#settle({ status: 200, headers, stream });
    return stream;
  }
}

/**
 * One legacy session as a transport: what belongs to a request goes out on the answer to its POST,
 * everything else on the stream of the session's GET. Without such a stream it is dropped.
 */
export class SessionTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly sessionId: string;
  /** The revision that `initialize` agreed on. */
  protocolVersion: string | undefined;
  readonly #options: SessionTransportOptions;
  readonly #posts = new Map<RequestId, PostedBatch>();
  #standalone: EventStream | undefined;
  #closed = false;

  constructor(options: SessionTransportOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
  }

  /** True while somebody waits for an answer or listens. */
  get busy(): boolean {
    return this.#posts.size > 0 || this.#standalone?.closed === false;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setProtocolVersion = (version: string): void => {
    this.protocolVersion = version;
  };

  /** Takes the messages of one POST. */
  post(
    messages: readonly JSONRPCMessage[],
    request: HttpRequest,
    asArray: boolean,
  ): Promise<HttpAnswer> | HttpAnswer {
    const requests = messages.filter(isJSONRPCRequest);
    const repeated = this.#repeatedId(requests);
    if (repeated !== undefined) {
      const text = 'A request with this id is open in this session.';
      return errorAnswer(400, { code: -32_600, message: text }, repeated);
    }
    const extra: MessageExtraInfo = {
      get requestInfo() {
        return request.web;
      },
      ...(request.authInfo === undefined ? {} : { authInfo: request.authInfo }),
    };
    if (requests.length === 0) {
      for (const message of messages) this.onmessage?.(message, extra);
      return emptyAnswer(202);
    }
    const batch = new PostedBatch(
      requests.map(({ id }) => id),
      asArray,
      this.#options,
    );
    for (const { id } of requests) this.#posts.set(id, batch);
    for (const message of messages) this.onmessage?.(message, extra);
    return batch.answer;
  }

  /** Opens the stream for what belongs to no call; a second one waits until the first has ended. */
  listen(): HttpAnswer {
    if (this.#standalone?.closed === false) {
      return refusal(409, 'This session has a stream already.');
    }
    const { clock, keepAliveMs } = this.#options;
    const stream = new EventStream({ clock, keepAliveMs });
    this.#standalone = stream;
    const headers = { ...EVENT_STREAM_HEADERS, 'mcp-session-id': this.sessionId };
    return { status: 200, headers, stream };
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) throw new RpcError('connection_closed', {});
    if (isJSONRPCResponse(message)) {
      const id = message.id ?? undefined;
      const batch = id === undefined ? undefined : this.#posts.get(id);
      if (id === undefined || batch === undefined) return;
      batch.respond(message, id);
      this.#posts.delete(id);
      return;
    }
    const related = options?.relatedRequestId;
    const batch = related === undefined ? undefined : this.#posts.get(related);
    if (batch !== undefined) {
      await batch.write(message);
      return;
    }
    if (this.#standalone?.closed === false) {
      await this.#standalone.writeMessage(JSON.stringify(message));
      return;
    }
    if (!isJSONRPCRequest(message)) return;
    throw new RpcError(
      'send_failed',
      { method: message.method },
      {
        message: 'No stream is open that could carry a request to the client.',
      },
    );
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const batch of new Set(this.#posts.values())) batch.close();
    this.#posts.clear();
    this.#standalone?.end();
    this.onclose?.();
    return Promise.resolve();
  }

  #repeatedId(requests: readonly JSONRPCRequest[]): RequestId | undefined {
    const seen = new Set<RequestId>();
    for (const { id } of requests) {
      if (this.#posts.has(id) || seen.has(id)) return id;
      seen.add(id);
    }
    return undefined;
  }
}
