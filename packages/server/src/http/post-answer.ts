import {
  type JSONRPCErrorObject,
  type JSONRPCMessage,
  type JSONRPCResponse,
  RpcError,
  isJSONRPCRequest,
  serializeMessage,
} from '@portico/rpc';
import type { EventStream } from './event-stream.ts';
import { EVENT_STREAM_HEADERS } from './event-stream.ts';
import type { ResponseMode } from './exchange.ts';
import { type HttpAnswer, JSON_HEADERS, emptyAnswer } from './http-message.ts';
import type { SessionStream } from './session-stream.ts';

export interface PostAnswerOptions {
  /** How many requests the POST holds. */
  readonly requests: number;
  /** Whether several answers in one body, or a single one, are an array. */
  readonly asArray: boolean;
  readonly mode: ResponseMode;
  /** Carries what is sent as events. */
  readonly stream: SessionStream;
  readonly openConnection: () => EventStream;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The status of a single error in a JSON body. */
  readonly errorStatus: (error: JSONRPCErrorObject) => number;
}

/** An answer beside its text, so that it is written once. */
export interface WrittenAnswer {
  readonly message: JSONRPCResponse;
  readonly text: string;
}

/** @throws RpcError `unsendable_message` */
export function writtenAnswer(message: JSONRPCResponse): WrittenAnswer {
  return { message, text: serializeMessage(message) };
}

/** The answer to one POST: one JSON body, or an event stream that ends after the last answer. */
export class PostAnswer {
  /** Settles once, with the body or the stream. */
  readonly answer: Promise<HttpAnswer>;
  readonly stream: SessionStream;
  readonly #options: PostAnswerOptions;
  readonly #answers: WrittenAnswer[] = [];
  #missing: number;
  #settle: (answer: HttpAnswer) => void = () => undefined;
  #streaming = false;

  constructor(options: PostAnswerOptions) {
    this.#options = options;
    this.stream = options.stream;
    this.#missing = options.requests;
    this.answer = new Promise((resolve) => (this.#settle = resolve));
    if (options.mode === 'sse') this.#openStream();
  }

  /**
   * Takes the answer to one of the requests, or that there will be none. `then` runs once everything
   * is on its way.
   */
  respond(answer: WrittenAnswer | undefined, then: () => void): void {
    this.#missing -= 1;
    if (answer === undefined) {
      // Given up by the client, which waits for nothing any more.
    } else if (this.#streaming) {
      void this.stream.write(answer.message, answer.text);
    } else {
      this.#answers.push(answer);
    }
    if (this.#missing > 0) return;
    if (this.#streaming) {
      this.stream.finish(then);
      return;
    }
    this.#settle(this.#answers.length === 0 ? emptyAnswer(202) : this.#json());
    then();
  }

  /**
   * Sends a message that belongs to one of the requests. JSON answers have no room for it.
   * @throws RpcError `send_failed` for a request where the answer is JSON
   */
  async write(message: JSONRPCMessage): Promise<void> {
    if (this.#options.mode === 'json') {
      if (!isJSONRPCRequest(message)) return;
      const why = 'A session that answers in JSON cannot carry requests within a call.';
      throw new RpcError('send_failed', { method: message.method }, { message: why });
    }
    this.#openStream();
    await this.stream.write(message);
  }

  /** Ends it without the answers that are missing: a stream closes, a waiting client gets `answer`. */
  end(answer: HttpAnswer): void {
    this.stream.finish(() => undefined);
    this.#settle(answer);
  }

  #json(): HttpAnswer {
    const { asArray, headers, errorStatus } = this.#options;
    const texts = this.#answers.map(({ text }) => text);
    const [only] = this.#answers;
    const single = asArray ? undefined : only?.message;
    const status = single !== undefined && 'error' in single ? errorStatus(single.error) : 200;
    const body = asArray ? `[${texts.join(',')}]` : only?.text;
    return { status, headers: { ...JSON_HEADERS, ...headers }, body };
  }

  /** What was answered already goes first, so that the order of sending is kept. */
  #openStream(): void {
    if (this.#streaming) return;
    this.#streaming = true;
    const connection = this.#options.openConnection();
    this.stream.attach(connection);
    for (const { message, text } of this.#answers) void this.stream.write(message, text);
    this.#settle({
      status: 200,
      headers: { ...EVENT_STREAM_HEADERS, ...this.#options.headers },
      stream: connection,
    });
  }
}
