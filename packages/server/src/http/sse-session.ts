import {
  type Clock,
  ErrorCode,
  type JSONRPCMessage,
  type MessageExtraInfo,
  RpcError,
  type Transport,
  isJSONRPCMessage,
  systemClock,
  reportGuarded,
  runGuarded,
} from '@portico/rpc';
import { bodyRefusal, methodNotAllowed, refusal, refusedRequest } from './error-answers.ts';
import { DEFAULT_KEEP_ALIVE_MS, EVENT_STREAM_HEADERS, EventStream } from './event-stream.ts';
import { fromWebRequest, toWebResponse } from './fetch-face.ts';
import {
  type HandWiredGuardOptions,
  type HostGuardOptions,
  handWiredGuard,
  refuseForeignHost,
} from './host-guard.ts';
import { DEFAULT_MAX_REQUEST_BODY_SIZE, type HttpAnswer, type HttpRequest } from './http-message.ts';
import { contentFault, readMessages } from './read-messages.ts';
import { sessionPrincipal } from '../principal.ts';
import type { HandleRequestOptions } from './web-standard-transport.ts';

export interface SseSessionOptions extends HandWiredGuardOptions {
  /** Milliseconds between comments while nothing is said; 0 for none. Default 15 000. */
  readonly keepAliveMs?: number;
  readonly clock?: Clock;
}

/**
 * One session of the transport of revision 2024-11-05: an event stream whose first event names the
 * address to post to, and posts that are only acknowledged. Everything goes out on the one stream,
 * whose end is the session's end.
 */
export class SseSession implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly sessionId: string = crypto.randomUUID();
  readonly stream: EventStream;
  readonly #endpoint: string;
  readonly #guard: HostGuardOptions;
  #state: 'new' | 'open' | 'closed' = 'new';
  /** Who posted first, as soon as somebody has. */
  #owner: { readonly principal: string | undefined } | undefined;

  /** @param endpoint where clients post to: an absolute address, or one relative to the stream's */
  constructor(endpoint: string, options: SseSessionOptions = {}) {
    this.#endpoint = endpoint;
    this.#guard = handWiredGuard(options);
    const { clock = systemClock, keepAliveMs = DEFAULT_KEEP_ALIVE_MS } = options;
    this.stream = new EventStream({ clock, keepAliveMs });
    this.stream.onclose = () => this.#finish();
  }

  /** @throws RpcError `wrong_state` the second time */
  start(): Promise<void> {
    if (this.#state !== 'new') return Promise.reject(new RpcError('wrong_state', { state: 'started' }));
    this.#state = 'open';
    // Only the path is told: a client posts to no other origin than it listens to.
    const address = new URL(this.#endpoint, 'http://localhost');
    address.searchParams.set('sessionId', this.sessionId);
    this.stream.writeEvent('endpoint', address.pathname + address.search + address.hash);
    return Promise.resolve();
  }

  /** Serves one web request: a GET gets the stream, a POST brings a message. */
  async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    const headers = EVENT_STREAM_HEADERS;
    if (request.method === 'GET') return toWebResponse({ status: 200, headers, stream: this.stream });
    if (request.method !== 'POST') return toWebResponse(methodNotAllowed('GET, POST'));
    return toWebResponse(await this.post(fromWebRequest(request, options)));
  }

  /** Takes one posted message. */
  async post(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await this.#take(request);
    if (answer.status >= 400) {
      reportGuarded(this.onerror, refusedRequest(answer.status, 'body' in answer ? answer.body : undefined));
    }
    return answer;
  }

  /**
   * Takes one message that came by another way.
   * @throws RpcError `invalid_message`
   */
  async handleMessage(message: unknown, extra?: MessageExtraInfo): Promise<void> {
    await Promise.resolve();
    if (!isJSONRPCMessage(message)) throw new RpcError('invalid_message', {});
    this.onmessage?.(message, extra);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === 'closed') throw new RpcError('connection_closed', {});
    if (this.#state === 'new') throw new RpcError('wrong_state', { state: 'new' });
    await this.stream.writeMessage(JSON.stringify(message));
  }

  close(): Promise<void> {
    this.stream.end();
    this.#finish();
    return Promise.resolve();
  }

  #finish(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    runGuarded(
      'onclose',
      () => this.onclose?.(),
      (error) => reportGuarded(this.onerror, error),
    );
  }

  async #take(request: HttpRequest): Promise<HttpAnswer> {
    const foreign = refuseForeignHost(
      { host: request.header('host'), origin: request.header('origin') },
      this.#guard,
    );
    if (foreign !== undefined) return refusal(403, foreign);
    if (this.#state === 'new') {
      return refusal(500, 'The event stream of this session is not open.', ErrorCode.InternalError);
    }
    if (this.#state === 'closed') return refusal(404, 'The session has ended.');
    // The stream comes without a request, so the first post tells whose session it is.
    const principal = sessionPrincipal(request.authInfo);
    this.#owner ??= { principal };
    if (this.#owner.principal !== principal) return refusal(404, 'The session has ended.');
    const fault = contentFault(request);
    if (fault !== undefined) return fault;
    try {
      const limits = { maxBodyBytes: DEFAULT_MAX_REQUEST_BODY_SIZE, maxDepth: undefined };
      const { messages } = await readMessages(request, limits, () => false);
      for (const message of messages) this.onmessage?.(message, extraOf(request));
    } catch (error) {
      return bodyRefusal(error);
    }
    return { status: 202, headers: { 'content-type': 'text/plain' }, body: 'Accepted' };
  }
}

function extraOf(request: HttpRequest): MessageExtraInfo {
  const extra: MessageExtraInfo = { request: request.web };
  if (request.authInfo !== undefined) extra.authInfo = request.authInfo;
  return extra;
}
