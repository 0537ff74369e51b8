import {
  type Clock,
  ErrorCode,
  type JSONRPCErrorObject,
  type RequestId,
  RequestReports,
  serializeMessage,
} from '@portico/rpc';
import type { LegacySession } from '../caller.ts';
import type { HttpDetails, RequestChannel, SubscriptionSlots } from '../channel.ts';
import type { ServerEventBus } from '../server-events.ts';
import { errorAnswer } from './error-answers.ts';
import { EVENT_STREAM_HEADERS, EventStream } from './event-stream.ts';
import { type HttpAnswer, type HttpRequest, JSON_HEADERS } from './http-message.ts';

const PROGRESS = 'notifications/progress';
const REPORT_METHODS: ReadonlySet<string> = new Set([PROGRESS, 'notifications/message']);

/**
 * How a request is answered: `json` as one body, without what was sent on the way; `sse` always as
 * an event stream; `auto` as one body unless something is sent before the result.
 */
export type ResponseMode = 'auto' | 'json' | 'sse';

export interface ExchangeOptions {
  readonly id: RequestId;
  readonly request: HttpRequest;
  readonly mode: ResponseMode;
  readonly clock: Clock;
  readonly keepAliveMs: number;
  readonly subscriptions: SubscriptionSlots;
  readonly events?: ServerEventBus;
  readonly session?: LegacySession;
  readonly servedVersions?: readonly string[];
  readonly progressToken: unknown;
  /** Progress and log messages of one call in a second. Default 100. */
  readonly maxReportsPerSecond?: number | undefined;
  readonly report: (error: Error) => void;
  /** The status of an error that comes before any stream; `handled` says that a handler made it. */
  readonly errorStatus: (error: JSONRPCErrorObject, handled: boolean) => number;
}

/**
 * One HTTP request and its answer. The answer is settled by the first thing that is sent: the
 * result as one body, or an event stream that carries everything. A peer that goes away aborts it.
 */
export class HttpExchange implements RequestChannel {
  /** Fires when the request is given up. Must not throw. */
  onabort: (() => void) | undefined;
  readonly #options: ExchangeOptions;
  readonly #answer: Promise<HttpAnswer>;
  #settle: (answer: HttpAnswer) => void = () => undefined;
  #stream: EventStream | undefined;
  #done = false;
  #handled = false;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #aborted = false;
  #reports: RequestReports | undefined;
  #http: HttpDetails | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#answer = new Promise((resolve) => (this.#settle = resolve));
    options.request.onDisconnect(() => this.abort(new DOMException('The client is gone.', 'AbortError')));
    if (options.mode === 'sse') this.#openStream();
  }

  /** Settles once: with the result, an error, or the stream that will carry them. */
  get answer(): Promise<HttpAnswer> {
    return this.#answer;
  }

  get id(): RequestId {
    return this.#options.id;
  }

  get sessionId(): undefined {
    return undefined;
  }

  get subscriptions(): SubscriptionSlots {
    return this.#options.subscriptions;
  }

  get events(): ServerEventBus | undefined {
    return this.#options.events;
  }

  get servedVersions(): readonly string[] | undefined {
    return this.#options.servedVersions;
  }

  get session(): LegacySession | undefined {
    return this.#options.session;
  }

  get http(): HttpDetails {
    const { request } = this.#options;
    this.#http ??=
      request.authInfo === undefined
        ? { req: request.web }
        : { req: request.web, authInfo: request.authInfo };
    return this.#http;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  onhandling(): void {
    this.#handled = true;
  }

  /**
   * Gives the request up: its handler is told, and nothing more is sent.
   * @param status what a peer that is still there gets; by default nobody is
   */
  abort(reason: unknown, status = 499): void {
    if (this.#done) return;
    this.#done = true;
    this.#aborted = true;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.#reports?.stop();
    this.#stream?.cut();
    this.#settle({ status, headers: {}, body: undefined });
    this.onabort?.();
  }

  async notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void> {
    if (REPORT_METHODS.has(method)) this.#reporting().notify(method, params);
    else await this.#send(method, params);
  }

  async #send(method: string, params: object | undefined): Promise<void> {
    if (this.#done) return;
    // A listener's messages are its whole point, whatever the mode.
    if (this.#options.mode === 'json' && !method.startsWith('notifications/subscriptions/')) {
      if (this.#stream === undefined) return;
    }
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
    await this.#openStream().writeMessage(JSON.stringify(message));
  }

  progress(progress: { progress: number; total?: number; message?: string }): void {
    this.#reporting().progress(progress);
  }

  #reporting(): RequestReports {
    if (this.#reports !== undefined) return this.#reports;
    const { clock, progressToken: token, maxReportsPerSecond: maxPerSecond, report } = this.#options;
    this.#reports = new RequestReports({
      clock,
      token,
      maxPerSecond,
      progressMethod: PROGRESS,
      report,
      send: (method, params) => this.#send(method, params),
    });
    if (this.#done) this.#reports.stop();
    return this.#reports;
  }

  /** Ends with a result. */
  succeed(result: object): void {
    if (this.#done) return;
    this.#reports?.end();
    let text: string;
    try {
      text = serializeMessage({ jsonrpc: '2.0', id: this.id, result });
    } catch (error) {
      this.#options.report(error as Error);
      this.fail({ code: ErrorCode.InternalError, message: 'The result could not be sent.' });
      return;
    }
    this.#finish(text);
  }

  /** Ends with an error. */
  fail(thrown: JSONRPCErrorObject): void {
    if (this.#done) return;
    const error = sendable(thrown);
    this.#reports?.end();
    if (this.#stream === undefined) {
      this.#done = true;
      this.#settle(errorAnswer(this.#options.errorStatus(error, this.#handled), error, this.id));
      return;
    }
    this.#finish(JSON.stringify({ jsonrpc: '2.0', id: this.id, error }));
  }

  #finish(text: string): void {
    if (this.#done) return;
    this.#done = true;
    if (this.#stream === undefined) {
      this.#settle({ status: 200, headers: { ...JSON_HEADERS }, body: text });
      return;
    }
    void this.#stream.writeMessage(text);
    this.#stream.end();
  }

  #openStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const { clock, keepAliveMs } = this.#options;
    const stream = new EventStream({ clock, keepAliveMs });
    stream.onclose = ({ cut }) => {
      if (cut) this.abort(new DOMException('The client is gone.', 'AbortError'));
    };
    this.#stream = stream;
    this.#settle({ status: 200, headers: EVENT_STREAM_HEADERS, stream });
    return stream;
  }
}

/** The error without its data when JSON cannot hold that. */
function sendable(error: JSONRPCErrorObject): JSONRPCErrorObject {
  try {
    JSON.stringify(error.data);
    return error;
  } catch {
    return { code: error.code, message: error.message };
  }
}
