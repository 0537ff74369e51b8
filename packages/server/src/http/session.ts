import {
  type Clock,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageExtraInfo,
  type RequestId,
  RpcError,
  type Transport,
  type TransportSendOptions,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
} from '@portico/rpc';
import { codecFor } from '@portico/spec';
import { refusal } from './error-answers.ts';
import type { EventStore } from './event-store.ts';
import { EVENT_STREAM_HEADERS, EventStream } from './event-stream.ts';
import type { ResponseMode } from './exchange.ts';
import { type HttpAnswer, type HttpRequest, emptyAnswer } from './http-message.ts';
import { OpenRequests } from './open-requests.ts';
import { PostAnswer, writtenAnswer } from './post-answer.ts';
import { resumeStream } from './resume-stream.ts';
import { SessionStream } from './session-stream.ts';
import { StandaloneStream } from './standalone-stream.ts';

export interface SessionTransportOptions {
  readonly clock: Clock;
  readonly keepAliveMs: number;
  readonly mode: ResponseMode;
  /** Lets clients whose connection broke get what they missed. POSTs are then answered as streams. */
  readonly eventStore?: EventStore | undefined;
  /** How long clients are told to wait before they come back, in milliseconds. */
  readonly retryMs?: number | undefined;
  readonly supportedVersions: () => readonly string[];
  readonly report: (error: Error) => void;
}

/** Legacy errors ride in 200: only transport faults have a status of their own. */
const legacyStatus = (): number => 200;

/**
 * One legacy session as a transport: what belongs to a request goes out on the answer to its POST,
 * everything else on the stream of the session's GET. Without a session id it is one exchange.
 */
export class SessionTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  sessionId: string | undefined;
  /** The revision that `initialize` agreed on. */
  protocolVersion: string | undefined;
  /** Told after each answer, and at the end. */
  onanswered: (() => void) | undefined;
  readonly #options: SessionTransportOptions;
  #open: OpenRequests | undefined;
  #streams: Map<string, SessionStream> | undefined;
  #standalone: StandaloneStream | undefined;
  #posts = 0;
  #closed = false;

  constructor(sessionId: string | undefined, options: SessionTransportOptions) {
    this.#options = options;
    this.sessionId = sessionId;
  }

  /** True while somebody waits for an answer or listens. */
  get busy(): boolean {
    return this.answering || this.#standalone?.connected === true;
  }

  /** True while somebody waits for an answer. */
  get answering(): boolean {
    return this.#open !== undefined;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  /** Takes the messages of one POST. */
  post(
    messages: readonly JSONRPCMessage[],
    request: HttpRequest,
    asArray: boolean,
  ): Promise<HttpAnswer> | HttpAnswer {
    const requests = messages.filter(isJSONRPCRequest);
    if (requests.length === 0) {
      const extra = extraOf(request);
      for (const message of messages) this.#deliver(message, extra);
      return emptyAnswer(202);
    }
    const resumable = this.#resumable(versionOf(requests) ?? this.protocolVersion);
    const answer = this.#openAnswer(requests.length, asArray, resumable);
    if (this.sessionId === undefined) request.onDisconnect(() => void this.close());
    const extra = extraOf(request);
    if (resumable && this.#options.mode !== 'json') {
      extra.closeSSEStream = () => answer.stream.closeConnection();
    }
    if (resumable) extra.closeStandaloneSSEStream = () => this.closeStandaloneStream();
    for (const message of messages) {
      if (isJSONRPCRequest(message))
        this.onmessage?.((this.#open ??= new OpenRequests()).add(message, answer), extra);
      else this.#deliver(message, extra);
    }
    return answer.answer;
  }

  /** The answer to a GET: the session's own stream, or one that is taken up again. */
  listen(lastEventId: string | undefined): Promise<HttpAnswer> | HttpAnswer {
    const { eventStore, retryMs, report } = this.#options;
    if (lastEventId !== undefined && eventStore !== undefined) {
      return resumeStream({
        lastEventId,
        store: eventStore,
        streamFor: (id) => (this.#closed ? undefined : this.#streamFor(id)),
        openConnection: () => this.#connection(),
        headers: this.#headers(),
        report,
      });
    }
    const standalone = this.#standaloneStream();
    if (standalone.stream.alive) return refusal(409, 'The session has a stream open already.');
    const connection = this.#connection();
    standalone.stream.attach(connection);
    if (this.#resumable(this.protocolVersion)) standalone.stream.announceResumption(retryMs);
    standalone.connect();
    return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...this.#headers() }, stream: connection };
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) throw new RpcError('connection_closed', {});
    if (isJSONRPCResponse(message)) {
      if (message.id !== undefined && message.id !== null) this.#respond(message, message.id);
      return;
    }
    const related = options?.relatedRequestId;
    if (related === undefined && this.sessionId !== undefined) {
      await this.#standaloneStream().send(message);
      return;
    }
    const call = related === undefined ? undefined : this.#open?.get(related);
    if (call !== undefined && !(this.sessionId === undefined && isJSONRPCRequest(message))) {
      await call.answer.write(message);
    } else if (isJSONRPCRequest(message)) {
      const why = 'Nothing can carry a request to the client, or its answer back.';
      throw new RpcError('send_failed', { method: message.method }, { message: why });
    }
  }

  /** Ends the connection of one call's stream; its client comes back for the rest. Needs a store. */
  closeStream(requestId: RequestId): void {
    if (this.#resumable(this.protocolVersion)) {
      this.#open?.byWireId(requestId)?.answer.stream.closeConnection();
    }
  }

  /** The same for the session's own stream. */
  closeStandaloneStream(): void {
    if (this.#resumable(this.protocolVersion)) this.#standalone?.stream.closeConnection();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    const waiting = this.#open?.answers() ?? [];
    for (const answer of waiting) answer.end(refusal(404, 'The session has ended.'));
    this.#open = undefined;
    for (const stream of this.#streams?.values() ?? []) stream.finish(() => undefined);
    this.#streams = undefined;
    this.#standalone?.stream.finish(() => undefined);
    this.onanswered?.();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Whether streams can be taken up again, and the client of this revision can be told so. */
  #resumable(version: string | undefined): boolean {
    if (this.#options.eventStore === undefined || this.sessionId === undefined) return false;
    return version !== undefined && codecFor(version)?.takesEmptyEvents === true && this.#serves(version);
  }

  #serves(version: string): boolean {
    return this.#options.supportedVersions().includes(version);
  }

  /** Hands over what is no request. A cancel that is not clear is nobody's. */
  #deliver(message: JSONRPCMessage, extra: MessageExtraInfo): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') {
      this.onmessage?.(message, extra);
      return;
    }
    const cancel = this.#open?.cancelOf(message);
    if (cancel === undefined) return;
    this.onmessage?.(cancel.message, extra);
    // The request was given up, so nothing else will end its answer.
    this.#respond(undefined, cancel.id);
  }

  #respond(message: JSONRPCResponse | undefined, id: RequestId): void {
    const open = this.#open;
    const call = open?.get(id);
    if (open === undefined || call === undefined) return;
    const { answer, wireId } = call;
    // A result that is no JSON throws here, while the call can still be answered otherwise.
    const answered = message === undefined ? undefined : writtenAnswer({ ...message, id: wireId });
    open.delete(id);
    // An idle session keeps nothing that it can make again.
    if (open.size === 0) this.#open = undefined;
    answer.respond(answered, () => void this.#streams?.delete(answer.stream.id));
    this.onanswered?.();
  }

  #openAnswer(requests: number, asArray: boolean, resumable: boolean): PostAnswer {
    const { mode, eventStore, retryMs } = this.#options;
    // One exchange ends with its connection: there is nothing to take up again.
    const store = this.sessionId === undefined ? undefined : eventStore;
    const stream = this.#makeStream(String((this.#posts += 1)), store);
    const answer = new PostAnswer({
      requests,
      asArray,
      mode: store !== undefined && mode === 'auto' ? 'sse' : mode,
      stream,
      openConnection: () => this.#connection(),
      headers: this.#headers(),
      errorStatus: legacyStatus,
    });
    if (store !== undefined && mode !== 'json') (this.#streams ??= new Map()).set(stream.id, stream);
    if (resumable && mode !== 'json') stream.announceResumption(retryMs);
    return answer;
  }

  #standaloneStream(): StandaloneStream {
    const { eventStore } = this.#options;
    this.#standalone ??= new StandaloneStream(this.#makeStream('get', eventStore), eventStore !== undefined);
    return this.#standalone;
  }

  #makeStream(name: string, store: EventStore | undefined): SessionStream {
    const id = `${this.sessionId ?? ''}/${name}`;
    const { clock, report } = this.#options;
    return new SessionStream({ id, store, clock, report });
  }

  /** The stream of this id, if it is one of this session; a finished one has nothing but its past. */
  #streamFor(id: string): SessionStream | undefined {
    const slash = id.lastIndexOf('/');
    if (slash < 0 || id.slice(0, slash) !== this.sessionId) return undefined;
    const name = id.slice(slash + 1);
    if (name === 'get') {
      const standalone = this.#standaloneStream();
      standalone.connect();
      return standalone.stream;
    }
    const open = this.#streams?.get(id);
    if (open !== undefined) return open;
    const past = this.#makeStream(name, this.#options.eventStore);
    past.finish(() => undefined);
    return past;
  }

  #connection(): EventStream {
    const { clock, keepAliveMs } = this.#options;
    const connection = new EventStream({ clock, keepAliveMs });
    if (this.sessionId !== undefined) return connection;
    // Nobody can come back for the rest of a single exchange.
    connection.onclose = ({ cut }) => {
      if (cut) void this.close();
    };
    return connection;
  }

  #headers(): Readonly<Record<string, string>> {
    return this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId };
  }
}

/** The revision that an opening asks for; undefined for anything else. */
function versionOf(requests: readonly JSONRPCRequest[]): string | undefined {
  const opening = requests.find(({ method }) => method === 'initialize');
  const version = opening?.params?.['protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** What handlers may learn of the HTTP request. The web object is made when one looks. */
function extraOf(request: HttpRequest): MessageExtraInfo {
  const extra: MessageExtraInfo = {
    get request() {
      return request.web;
    },
  };
  if (request.authInfo !== undefined) extra.authInfo = request.authInfo;
  return extra;
}
