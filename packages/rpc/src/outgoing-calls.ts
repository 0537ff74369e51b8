import { type Report, runGuarded } from './callbacks.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import { ProtocolError, RpcError } from './errors.ts';
import type { ExchangeScope } from './exchange-scope.ts';
import type { JSONRPCResponse, RequestId } from './message.ts';
import { OpenTable } from './open-table.ts';
import type { CancelMode, PeerRequestOptions, Progress, ProgressCallback } from './peer.ts';

/** Given-up ids that are remembered, so that a late answer is no fault. */
const MAX_GIVEN_UP = 1024;

/** How many times the limit a call may last when progress extends it and no total was given. */
const TOTAL_FACTOR = 10;

/** One own request that waits for its answer. */
export interface OutgoingCall {
  readonly id: number;
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancelMode: CancelMode;
  onprogress: ProgressCallback | undefined;
  resetOnProgress: boolean;
  deadline: Deadline | undefined;
  totalDeadline: Deadline | undefined;
  /** Takes the listener off the caller's signal. */
  release: (() => void) | undefined;
  /** Ends the exchange at the transport, in `signal` mode. */
  scope: ExchangeScope | undefined;
  /** Id of an answer that would fit if ids were compared loosely. */
  answeredAs: RequestId | undefined;
}

/** What {@link OutgoingCalls} needs from its peer. */
export interface OutgoingPort {
  readonly deadlines: Deadlines;
  readonly firstId: number;
  readonly defaultTimeoutMs: number;
  readonly report: Report;
  /** Tells the peer that a call was given up. */
  sendCancel(id: RequestId, reason: string): void;
}

/** The own requests of a peer: ids, matching of answers, time limits, giving up. */
export class OutgoingCalls {
  readonly #port: OutgoingPort;
  readonly #open = new OpenTable<RequestId, OutgoingCall>();
  readonly #givenUp = new Set<RequestId>();
  #nextId: number;

  constructor(port: OutgoingPort) {
    this.#port = port;
    this.#nextId = port.firstId;
  }

  get size(): number {
    return this.#open.size;
  }

  get nextId(): number {
    return this.#nextId;
  }

  /** Registers a call. The caller sends the message and, where it cannot, calls {@link fail}. */
  open(call: Omit<OutgoingCall, 'id'>, options: PeerRequestOptions | undefined): OutgoingCall {
    const opened = call as OutgoingCall & { id: number };
    opened.id = this.#nextId++;
    this.#open.set(opened.id, opened);
    this.#limit(opened, options);
    return opened;
  }

  /** Settles the call that the answer belongs to, or reports that there is none. */
  settle(response: JSONRPCResponse): void {
    const id = response.id;
    const call = id === undefined || id === null ? undefined : this.#open.get(id);
    if (call === undefined) {
      if (id !== undefined && id !== null) {
        if (this.#givenUp.delete(id)) return;
        this.#noteOtherType(id);
      }
      this.#port.report(new RpcError('unknown_response', id === undefined ? {} : { id }, describe(response)));
      return;
    }
    this.#close(call);
    if ('result' in response) {
      call.resolve(response.result);
      return;
    }
    const { code, message, data } = response.error;
    call.reject(new ProtocolError(code, message, data));
  }

  /** Hands a report of progress to its call and starts the call's time anew where it asked so. */
  progress(token: unknown, progress: Progress): void {
    const call = this.#open.get(token as RequestId);
    if (call === undefined || call.onprogress === undefined) {
      if (!this.#wasIssued(token)) this.#port.report(new RpcError('unknown_progress', { token }));
      return;
    }
    if (call.resetOnProgress) call.deadline?.restart();
    const { onprogress } = call;
    runGuarded('onprogress', () => onprogress(progress), this.#port.report);
  }

  /** The message of this call was lost. */
  fail(call: OutgoingCall, error: Error): void {
    if (this.#open.get(call.id) !== call) return;
    this.#close(call);
    call.reject(error);
  }

  /** The answer to this request came and is none: there will be no other. */
  failAnswer(id: RequestId, error: Error): void {
    const call = this.#open.get(id);
    if (call === undefined) this.#givenUp.delete(id);
    else this.fail(call, error);
  }

  /** The caller's signal fired. */
  abort(call: OutgoingCall, cause: unknown): void {
    this.#giveUp(call, new RpcError('aborted', { method: call.method }, { cause }), reasonText(cause));
  }

  /** The conversation ended: nothing is sent any more. */
  closeAll(): void {
    this.#givenUp.clear();
    for (const call of this.#open.drain()) {
      this.#release(call);
      call.reject(new RpcError('connection_closed', { method: call.method }));
    }
  }

  #limit(call: OutgoingCall, options: PeerRequestOptions | undefined): void {
    const timeoutMs = options?.timeoutMs ?? this.#port.defaultTimeoutMs;
    if (Number.isFinite(timeoutMs)) {
      call.deadline = this.#port.deadlines.add(timeoutMs, () => this.#expire(call, timeoutMs, false));
    }
    const totalMs =
      options?.maxTotalTimeoutMs ?? (call.resetOnProgress ? timeoutMs * TOTAL_FACTOR : undefined);
    if (totalMs === undefined || !Number.isFinite(totalMs)) return;
    call.totalDeadline = this.#port.deadlines.add(totalMs, () => this.#expire(call, totalMs, true));
  }

  #expire(call: OutgoingCall, timeoutMs: number, total: boolean): void {
    const { method, answeredAs } = call;
    const data =
      answeredAs === undefined ? { timeoutMs, method, total } : { timeoutMs, method, total, answeredAs };
    this.#giveUp(call, new RpcError('request_timeout', data));
  }

  /** Ids are compared by type and value; an answer that differs only in type earns a hint. */
  #noteOtherType(id: RequestId): void {
    const call = typeof id === 'string' && id !== '' ? this.#open.get(Number(id)) : undefined;
    if (call !== undefined) call.answeredAs = id;
  }

  #giveUp(call: OutgoingCall, error: Error, reason: string = error.message): void {
    if (this.#open.get(call.id) !== call) return;
    this.#close(call);
    this.#remember(call.id);
    call.reject(error);
    if (call.cancelMode === 'notice') this.#port.sendCancel(call.id, reason);
    else if (call.cancelMode === 'signal') call.scope?.abort(error);
  }

  #close(call: OutgoingCall): void {
    this.#open.delete(call.id);
    this.#release(call);
  }

  #release(call: OutgoingCall): void {
    call.deadline?.cancel();
    call.totalDeadline?.cancel();
    call.release?.();
  }

  #remember(id: RequestId): void {
    this.#givenUp.add(id);
    if (this.#givenUp.size <= MAX_GIVEN_UP) return;
    for (const oldest of this.#givenUp) {
      this.#givenUp.delete(oldest);
      break;
    }
  }

  /** Progress may cross the end of its call on the way; only an invented token is a fault. */
  #wasIssued(token: unknown): boolean {
    return (
      typeof token === 'number' &&
      Number.isInteger(token) &&
      token >= this.#port.firstId &&
      token < this.#nextId
    );
  }
}

function describe(response: JSONRPCResponse): { message?: string } {
  // An error answer without an id is the peer's complaint about something it could not read.
  if (!('error' in response) || (response.id !== undefined && response.id !== null)) return {};
  return { message: `The peer reported an error without a request id: ${response.error.message}` };
}

/** Undefined when the caller gave none. */
function reasonText(cause: unknown): string | undefined {
  if (typeof cause === 'string') return cause;
  return cause instanceof Error ? cause.message : undefined;
}
