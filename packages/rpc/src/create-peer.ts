import { callbackFailure, isPromiseLike, reportGuarded, runGuarded } from './callbacks.ts';
import { type Deadlines, createDeadlines } from './deadlines.ts';
import { ErrorCode, RpcError } from './errors.ts';
import { ExchangeScope } from './exchange-scope.ts';
import { FaultReporter } from './fault-reporter.ts';
import { IncomingRequests } from './incoming-requests.ts';
import { DEFAULT_REQUEST_TIMEOUT_MSEC, receiveLimits } from './limits.ts';
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCParams,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isRequestId,
} from './message.ts';
import { type OutgoingCall, OutgoingCalls } from './outgoing-calls.ts';
import type {
  CancelMode,
  Peer,
  PeerNotifyOptions,
  PeerOptions,
  PeerRequestOptions,
  Progress,
} from './peer.ts';
import { answerInstead, asSendFailure, sendOptions, withProgressToken } from './outgoing-message.ts';
import { readableIds } from './parse-message.ts';
import {
  HANDED_OVER,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from './transport.ts';

const DEFAULT_CANCEL_METHOD = 'notifications/cancelled';
const DEFAULT_PROGRESS_METHOD = 'notifications/progress';

/**
 * One end of a JSON-RPC conversation over a transport: matches answers to requests, runs the
 * handlers, cancels both ways, keeps time limits and receive limits. Knows no protocol above
 * JSON-RPC but the names of the cancel and the progress notification, which are options.
 *
 * Nothing a peer sends makes it throw; faults go to `onerror`.
 */
export function createPeer(options: PeerOptions): Peer {
  return new TransportPeer(options);
}

const NO_METHODS: readonly string[] = [];

class TransportPeer implements Peer {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  cancelMode: CancelMode;

  readonly #transport: Transport;
  readonly #onNotification: PeerOptions['onNotification'];
  readonly #cancelMethod: string;
  readonly #progressMethod: string;
  readonly #options: PeerOptions;
  readonly #faults: FaultReporter;
  #calls: OutgoingCalls | undefined;
  #deadlines: Deadlines | undefined;
  readonly #incoming: IncomingRequests;
  #state: 'new' | 'started' | 'closed' = 'new';

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#transport = options.transport;
    this.#onNotification = options.onNotification;
    this.#cancelMethod = options.cancelMethod ?? DEFAULT_CANCEL_METHOD;
    this.#progressMethod = options.progressMethod ?? DEFAULT_PROGRESS_METHOD;
    this.cancelMode = options.cancelMode ?? 'notice';
    this.#faults = new FaultReporter(options.clock, (error) => this.onerror?.(error));
    const { report } = this.#faults;
    this.#incoming = new IncomingRequests({
      clock: options.clock,
      maxPending: receiveLimits(options.limits).maxPending,
      progressMethod: this.#progressMethod,
      reportMethods: options.reportMethods ?? NO_METHODS,
      maxReportsPerSecond: options.maxReportsPerSecond,
      onRequest: options.onRequest,
      report,
      answer: (message) => this.#answer(message),
      notify: (method, params, relatedTo) => this.#notify(method, params, { relatedRequestId: relatedTo }),
      request: (method, params, requestOptions) => this.request(method, params, requestOptions),
    });
  }

  get pendingCount(): number {
    return this.#calls?.size ?? 0;
  }

  get inFlightCount(): number {
    return this.#incoming.size;
  }

  get nextRequestId(): number {
    return this.#outgoing.nextId;
  }

  /** Made at the first use: thousands of idle sessions never ask anything. */
  get #outgoing(): OutgoingCalls {
    if (this.#calls !== undefined) return this.#calls;
    const { clock, firstRequestId, defaultTimeoutMs } = this.#options;
    this.#deadlines = createDeadlines(clock);
    this.#calls = new OutgoingCalls({
      deadlines: this.#deadlines,
      firstId: firstRequestId ?? 1,
      defaultTimeoutMs: defaultTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MSEC,
      report: this.#faults.report,
      sendCancel: (id, reason) => this.#sendCancel(id, reason),
    });
    return this.#calls;
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new RpcError('wrong_state', { state: this.#state });
    this.#state = 'started';
    this.#listen();
    try {
      await this.#transport.start();
    } catch (error) {
      this.#finish();
      throw error;
    }
  }

  request(method: string, params?: object, options?: PeerRequestOptions): Promise<unknown> {
    if (this.#state !== 'started') return Promise.reject(this.#unusable());
    const signal = options?.signal;
    if (signal?.aborted === true) {
      return Promise.reject(new RpcError('aborted', { method }, { cause: signal.reason }));
    }
    return new Promise((resolve, reject) => {
      const call = this.#outgoing.open(
        {
          method,
          resolve,
          reject,
          cancelMode: options?.cancelMode ?? this.cancelMode,
          onprogress: options?.onprogress,
          resetOnProgress: options?.resetTimeoutOnProgress === true,
          deadline: undefined,
          totalDeadline: undefined,
          release: undefined,
          scope: undefined,
          answeredAs: undefined,
        },
        options,
      );
      if (signal !== undefined) call.release = this.#follow(signal, call);
      this.#sendRequest(call, params, options);
    });
  }

  async notify(method: string, params?: object, options?: PeerNotifyOptions): Promise<void> {
    if (method === this.#progressMethod && this.#state === 'started') {
      const progress = params as JSONRPCParams | undefined;
      const open = this.#incoming.withToken(progress?.['progressToken']);
      if (open !== undefined) return open.notify(method, params);
      this.#report(new RpcError('progress_refused', { progress: progress?.['progress'] }));
      return;
    }
    await this.#notify(method, params, options);
  }

  async #notify(method: string, params: object | undefined, options?: PeerNotifyOptions): Promise<void> {
    if (this.#state !== 'started') throw this.#unusable();
    const message: JSONRPCNotification =
      params === undefined
        ? { jsonrpc: '2.0', method }
        : { jsonrpc: '2.0', method, params: params as JSONRPCParams };
    await this.#transport.send(message, sendOptions(options));
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    try {
      const closing = this.#transport.close();
      // A transport that cannot be closed must not keep callers waiting.
      this.#finish();
      await closing;
    } finally {
      this.#finish();
    }
  }

  #unusable(): RpcError {
    if (this.#state === 'closed') return new RpcError('connection_closed', {});
    return new RpcError('wrong_state', { state: this.#state });
  }

  /** Callbacks that somebody set on the transport before keep working. */
  #listen(): void {
    const transport = this.#transport;
    const { onmessage, onclose, onerror } = transport;
    transport.onmessage = (message, extra) => {
      runGuarded('onmessage', () => onmessage?.(message, extra), this.#faults.report);
      this.#receive(message, extra);
    };
    if (onmessage === undefined) {
      transport.onmessage = (message, extra) => this.#receive(message, extra);
    }
    transport.onclose = () => {
      runGuarded('onclose', () => onclose?.(), this.#faults.report);
      this.#finish();
    };
    transport.onerror = (error) => {
      reportGuarded(onerror, error);
      this.#report(error);
      const id = brokenAnswerOf(error);
      if (id !== undefined) this.#outgoing.failAnswer(id, error);
    };
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (this.#state !== 'started') return;
    if (isJSONRPCResponse(message)) this.#outgoing.settle(message);
    else if (isJSONRPCRequest(message)) this.#incoming.receive(message, extra);
    else if (isJSONRPCNotification(message)) this.#receiveNotification(message, extra);
    else this.#refuse(message);
  }

  #receiveNotification(message: JSONRPCNotification, extra: MessageExtraInfo | undefined): void {
    const { method, params } = message;
    if (method === this.#progressMethod && params !== undefined) {
      this.#receiveProgress(params);
      return;
    }
    if (method === this.#cancelMethod && this.#incoming.cancel(params?.['requestId'], params?.['reason'])) {
      return;
    }
    try {
      const outcome = this.#onNotification?.(message, extra);
      if (!isPromiseLike(outcome)) return;
      outcome.then(undefined, (thrown: unknown) => this.#report(callbackFailure(thrown, 'onNotification')));
    } catch (thrown) {
      this.#report(callbackFailure(thrown, 'onNotification'));
    }
  }

  #receiveProgress(params: JSONRPCParams): void {
    const { progressToken, progress, total, message } = params;
    if (!isRequestId(progressToken) || typeof progress !== 'number') {
      this.#report(new RpcError('unknown_progress', { token: progressToken }));
      return;
    }
    const report: Progress = { progress };
    if (typeof total === 'number') report.total = total;
    if (typeof message === 'string') report.message = message;
    this.#outgoing.progress(progressToken, report);
  }

  /** Transports that hand over objects do not check them; a readable id still earns an answer. */
  #refuse(message: unknown): void {
    const ids = readableIds(message);
    const fault = new RpcError('invalid_message', ids);
    this.#report(fault);
    const { id, answerTo } = ids;
    if (answerTo !== undefined) this.#outgoing.failAnswer(answerTo, fault);
    if (id === undefined) return;
    const error = { code: ErrorCode.InvalidRequest, message: 'Invalid request' };
    this.#sendOrReport({ jsonrpc: '2.0', id, error });
  }

  #follow(signal: AbortSignal, call: OutgoingCall): () => void {
    const onAbort = (): void => this.#outgoing.abort(call, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  }

  #sendRequest(
    call: OutgoingCall,
    params: object | undefined,
    options: PeerRequestOptions | undefined,
  ): void {
    const { id, method } = call;
    const sent =
      call.onprogress === undefined ? (params as JSONRPCParams | undefined) : withProgressToken(params, id);
    const message: JSONRPCRequest =
      sent === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: sent };
    if (call.cancelMode === 'signal') call.scope = new ExchangeScope();
    const transportOptions = sendOptions(options, call.scope);
    const fail = (thrown: unknown): void => this.#outgoing.fail(call, asSendFailure(thrown, method));
    this.#send(message, fail, transportOptions);
  }

  #sendCancel(requestId: RequestId, reason: string): void {
    if (this.#state !== 'started') return;
    const params = { requestId, reason };
    this.#sendOrReport({ jsonrpc: '2.0', method: this.#cancelMethod, params });
  }

  #sendOrReport(message: JSONRPCMessage): void {
    this.#send(message, (thrown) => this.#report(asSendFailure(thrown, undefined)));
  }

  #send(message: JSONRPCMessage, fail: (thrown: unknown) => void, options?: TransportSendOptions): void {
    try {
      const sent = this.#transport.send(message, options);
      if (sent !== HANDED_OVER) sent.then(undefined, fail);
    } catch (thrown) {
      fail(thrown);
    }
  }

  /** An answer that cannot be put into a message becomes one that can, so that nobody waits for it. */
  #answer(message: JSONRPCResponse): void {
    const fail = (thrown: unknown): void => {
      this.#report(asSendFailure(thrown, undefined));
      const instead = this.#state === 'started' ? answerInstead(message, thrown) : undefined;
      if (instead !== undefined) this.#sendOrReport(instead);
    };
    this.#send(message, fail);
  }

  #finish(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#calls?.closeAll();
    this.#incoming.closeAll();
    this.#deadlines?.clear();
    runGuarded('onclose', () => this.onclose?.(), this.#faults.report);
    this.#faults.end();
  }

  #report(error: Error): void {
    this.#faults.report(error);
  }
}

/** The request whose answer a transport could not read, where it could tell. */
function brokenAnswerOf(error: Error): RequestId | undefined {
  const data = 'data' in error ? error.data : undefined;
  if (typeof data !== 'object' || data === null || !('answerTo' in data)) return undefined;
  return isRequestId(data.answerTo) ? data.answerTo : undefined;
}
