import { type Report, isPromiseLike } from './callbacks.ts';
import type { Clock } from './clock.ts';
import { ErrorCode, RpcError, isProtocolError } from './errors.ts';
import {
  type JSONRPCErrorObject,
  type JSONRPCParams,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
  isRequestId,
} from './message.ts';
import { OpenTable } from './open-table.ts';
import type { PeerOptions, PeerRequestOptions, Progress, RequestContext } from './peer.ts';
import { RequestReports } from './request-reports.ts';
import type { MessageExtraInfo } from './transport.ts';

/** What {@link IncomingRequests} needs from its peer. */
export interface IncomingPort {
  readonly clock: Clock;
  readonly maxPending: number;
  readonly progressMethod: string;
  /** Notifications that may be lost when a handler floods the peer with them. */
  readonly reportMethods: readonly string[];
  readonly maxReportsPerSecond: number | undefined;
  readonly onRequest: PeerOptions['onRequest'];
  readonly report: Report;
  /** Sends an answer; its failure is reported by the peer. */
  answer(message: JSONRPCResponse): void;
  notify(method: string, params: object | undefined, relatedTo: RequestId): Promise<void>;
  request(method: string, params: object | undefined, options: PeerRequestOptions): Promise<unknown>;
}

/** The requests of the other side: one handler run each, at most one answer each. */
export class IncomingRequests {
  readonly #port: IncomingPort;
  readonly #open = new OpenTable<RequestId, OpenRequest>();

  constructor(port: IncomingPort) {
    this.#port = port;
  }

  get size(): number {
    return this.#open.size;
  }

  receive(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    const { id, method } = request;
    const first = this.#open.get(id);
    if (first !== undefined) {
      first.ambiguous = true;
      // Any answer would settle the first use of the id, so this one gets none.
      this.#port.report(new RpcError('duplicate_request', { id, method }));
      return;
    }
    if (this.#open.size >= this.#port.maxPending) {
      this.#refuse(request);
      return;
    }
    const handler = this.#port.onRequest;
    if (handler === undefined) {
      const message = `Method not found: ${method}`;
      this.#answerError(id, { code: ErrorCode.MethodNotFound, message });
      return;
    }
    const open = new OpenRequest(request, extra, this.#port);
    this.#open.set(id, open);
    this.#run(handler, request, open);
  }

  /**
   * Stops the request when it is open, unless its id was used again meanwhile: nobody can tell which of
   * the two is meant then. Returns whether it was open.
   */
  cancel(id: unknown, reason: unknown): boolean {
    const open = this.#open.get(id as RequestId);
    if (open === undefined) return false;
    if (open.ambiguous) return true;
    this.#open.delete(open.id);
    open.end(new RpcError('aborted', { method: open.method }, { cause: reason }));
    return true;
  }

  /** The open request whose caller gave this progress token. */
  withToken(token: unknown): RequestContext | undefined {
    if (!isRequestId(token)) return undefined;
    for (const open of this.#open.values()) if (open.meta?.['progressToken'] === token) return open;
    return undefined;
  }

  /** The conversation ended: every handler is told, none is answered. */
  closeAll(): void {
    for (const request of this.#open.drain()) {
      request.end(new RpcError('connection_closed', { method: request.method }));
    }
  }

  #run(handler: NonNullable<PeerOptions['onRequest']>, request: JSONRPCRequest, open: OpenRequest): void {
    try {
      const outcome = handler(request, open);
      // Some peers take notifications in a turn of their own, and answers at once: the answer waits its turn.
      if (!isPromiseLike(outcome) && !open.hasTold) {
        this.#succeed(open, outcome);
        return;
      }
      Promise.resolve(outcome).then(
        (result) => this.#succeed(open, result),
        (thrown: unknown) => this.#fail(open, thrown),
      );
    } catch (thrown) {
      this.#fail(open, thrown);
    }
  }

  #succeed(open: OpenRequest, result: unknown): void {
    if (!this.#finish(open)) return;
    this.#port.answer({ jsonrpc: '2.0', id: open.id, result: result === undefined ? {} : result });
  }

  #fail(open: OpenRequest, thrown: unknown): void {
    if (!this.#finish(open)) return;
    this.#answerError(open.id, wireError(thrown));
  }

  /** False when the request was cancelled meanwhile, so that it gets no answer. */
  #finish(open: OpenRequest): boolean {
    if (this.#open.get(open.id) !== open) return false;
    this.#open.delete(open.id);
    open.finish();
    return true;
  }

  #refuse({ id, method }: JSONRPCRequest): void {
    const limit = this.#port.maxPending;
    this.#port.report(new RpcError('too_many_requests', { limit, method }));
    const message = `Too many requests are open; the limit is ${String(limit)}.`;
    this.#answerError(id, { code: ErrorCode.InternalError, message });
  }

  #answerError(id: RequestId, error: JSONRPCErrorObject): void {
    this.#port.answer({ jsonrpc: '2.0', id, error });
  }
}

/** The context that one handler run sees. */
class OpenRequest implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly extra: MessageExtraInfo | undefined;
  /** Another request came under the same id and was dropped. */
  ambiguous = false;
  /** Its handler has sent something to the peer. */
  hasTold = false;
  #ended = false;
  readonly #params: JSONRPCParams | undefined;
  readonly #port: IncomingPort;
  #controller: AbortController | undefined;
  #stoppedBy: RpcError | undefined;
  #reports: RequestReports | undefined;

  constructor(request: JSONRPCRequest, extra: MessageExtraInfo | undefined, port: IncomingPort) {
    this.id = request.id;
    this.method = request.method;
    this.extra = extra;
    this.#params = request.params;
    this.#port = port;
  }

  get meta(): Readonly<Record<string, unknown>> | undefined {
    const meta = this.#params?.['_meta'];
    return typeof meta === 'object' && meta !== null && !Array.isArray(meta)
      ? (meta as Record<string, unknown>)
      : undefined;
  }

  /** Building a signal costs as much as the rest of a call, so only handlers that look pay for it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stoppedBy !== undefined) this.#controller.abort(this.#stoppedBy);
    }
    return this.#controller.signal;
  }

  /** The handler is done and its answer is next. */
  finish(): void {
    this.#ended = true;
    this.#reports?.end();
  }

  /** Cancelled, or the connection is over: there will be no answer. */
  end(error: RpcError): void {
    this.#ended = true;
    this.#reports?.stop();
    this.#stoppedBy = error;
    this.#controller?.abort(error);
  }

  notify(method: string, params?: object): Promise<void> {
    const { progressMethod, reportMethods } = this.#port;
    if (method !== progressMethod && !reportMethods.includes(method)) return this.#tell(method, params);
    this.#reporting().notify(method, params);
    return Promise.resolve();
  }

  request(method: string, params?: object, options: PeerRequestOptions = {}): Promise<unknown> {
    return this.#port.request(method, params, { relatedRequestId: this.id, ...options });
  }

  progress(progress: Progress): void {
    this.#reporting().progress(progress);
  }

  #tell(method: string, params: object | undefined): Promise<void> {
    this.hasTold = true;
    return this.#port.notify(method, params, this.id);
  }

  #reporting(): RequestReports {
    if (this.#reports !== undefined) return this.#reports;
    const { clock, progressMethod, maxReportsPerSecond: maxPerSecond, report } = this.#port;
    this.#reports = new RequestReports({
      clock,
      token: this.meta?.['progressToken'],
      maxPerSecond,
      progressMethod,
      report,
      send: (method, params) => this.#tell(method, params),
    });
    if (this.#ended) this.#reports.stop();
    return this.#reports;
  }
}

/** What the peer may know of a thrown value: the message of an Error, never its stack. */
function wireError(thrown: unknown): JSONRPCErrorObject {
  if (isProtocolError(thrown)) {
    const code = Number.isInteger(thrown.code) ? thrown.code : ErrorCode.InternalError;
    const { message, data } = thrown;
    return data === undefined ? { code, message } : { code, message, data };
  }
  const message = thrown instanceof Error && thrown.message !== '' ? thrown.message : undefined;
  return { code: ErrorCode.InternalError, message: message ?? 'Internal error' };
}
