import {
  DEFAULT_REPLY_BUDGET_MS,
  MAX_REPLY_BUDGET_MS,
  MIN_REPLY_BUDGET_MS,
  UNSERVED_AFTER_MS,
} from '../limits.ts';
import type { McpErrorCode } from '../errors.ts';
import { METHODS, NOTICES } from '../wire.ts';
import type { FrameMethod } from '../wire.ts';
import { createSafeMap, hasOwn, isArray, isFiniteNumber, own, parseJson } from './builtins.ts';
import type { SafeMap } from './builtins.ts';
import { createFailure, failureFromShell } from './failure.ts';
import type { Failure } from './failure.ts';

/** The kernel's end of the channel. */
export interface KernelPort {
  post(text: string): void;
  /** Called once; every text that arrives goes to `receive`. */
  receive(receive: (text: unknown) => void): void;
}

/** Time for the kernel, from built-ins saved before author code. */
export interface KernelClock {
  now(): number;
  /** Runs `run` once after `delayMs`; the answer disarms it. */
  setTimer(delayMs: number, run: () => void): () => void;
}

/** How one call ends: called at most once, and at once when this view cannot serve the call. */
type Settle = (failure: Failure | undefined, result: unknown) => void;

/** One call of a page. */
interface SessionCall {
  readonly method: FrameMethod;
  /** JSON text of the params. */
  readonly params: string;
  /** The connector it names, if any. */
  readonly server?: string;
  readonly settle: Settle;
}

export interface Session {
  /** Queues or sends a call; the answer gives it up (with a notice to the shell if it was sent). */
  call(call: SessionCall): () => void;
}

type Lifecycle =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unserved' }
  | {
      readonly kind: 'served';
      readonly granted: boolean;
      readonly bridge: boolean;
      readonly methods: unknown;
      readonly budgetMs: number;
    };

interface Pending extends SessionCall {
  readonly id: number;
  sent: boolean;
  disarm: (() => void) | undefined;
  dueMs: number;
  remainingMs: number;
}

function budget(value: unknown): number {
  if (typeof value !== 'number' || !isFiniteNumber(value)) return DEFAULT_REPLY_BUDGET_MS;
  if (value < MIN_REPLY_BUDGET_MS) return MIN_REPLY_BUDGET_MS;
  return value > MAX_REPLY_BUDGET_MS ? MAX_REPLY_BUDGET_MS : value;
}

function readInit(params: unknown): Lifecycle {
  return {
    kind: 'served',
    granted: own(params, 'granted') === true,
    bridge: own(params, 'bridge') === true,
    methods: own(params, 'methods'),
    budgetMs: budget(own(params, 'replyBudgetMs')),
  };
}

function lists(methods: unknown, method: string): boolean {
  if (!isArray(methods)) return false;
  for (let index = 0; index < methods.length; index++) if (methods[index] === method) return true;
  return false;
}

/** Why a method cannot be used in this state, if so. */
function obstacle(state: Lifecycle, method: FrameMethod): McpErrorCode | undefined {
  if (state.kind === 'waiting') return undefined;
  if (state.kind === 'unserved' || !state.granted) return 'not_granted';
  if (!state.bridge) return 'capability_disabled';
  // This kernel has no watches yet, whatever the shell offers.
  const has = method !== METHODS.watchTool && lists(state.methods, method);
  return has ? undefined : 'capability_removed';
}

class KernelSession implements Session {
  private state: Lifecycle = { kind: 'waiting' };
  private nextId = 1;
  private readonly pending: SafeMap<Pending> = createSafeMap();
  private readonly port: KernelPort;
  private readonly clock: KernelClock;

  constructor(port: KernelPort, clock: KernelClock) {
    this.port = port;
    this.clock = clock;
    port.receive((text) => this.receive(text));
    clock.setTimer(UNSERVED_AFTER_MS, () => {
      if (this.state.kind === 'waiting') this.enter({ kind: 'unserved' });
    });
  }

  call(call: SessionCall): () => void {
    const entry: Pending = {
      method: call.method,
      params: call.params,
      ...(call.server === undefined ? {} : { server: call.server }),
      settle: call.settle,
      id: this.nextId++,
      sent: false,
      disarm: undefined,
      dueMs: 0,
      remainingMs: 0,
    };
    this.pending.set(entry.id, entry);
    if (this.state.kind !== 'waiting') this.admit(entry);
    return () => this.cancel(entry);
  }

  private enter(state: Lifecycle): void {
    this.state = state;
    this.pending.each((entry) => this.admit(entry));
  }

  /** Sends a call that has waited, or ends it when this view cannot serve it. */
  private admit(entry: Pending): void {
    const code = obstacle(this.state, entry.method);
    if (code !== undefined) {
      this.settle(entry, createFailure(code), undefined);
    } else if (!entry.sent && this.state.kind === 'served') {
      entry.sent = true;
      this.port.post(
        `{"jsonrpc":"2.0","id":${entry.id},"method":"${entry.method}","params":${entry.params}}`,
      );
      this.arm(entry, this.state.budgetMs);
    }
  }

  private arm(entry: Pending, delayMs: number): void {
    entry.dueMs = this.clock.now() + delayMs;
    entry.disarm = this.clock.setTimer(delayMs, () => {
      const message = 'No answer came in time; the tool may have run all the same.';
      this.settle(entry, createFailure('upstream_error', { message, server: entry.server }), undefined);
    });
  }

  private settle(entry: Pending, failure: Failure | undefined, result: unknown): void {
    if (!this.pending.delete(entry.id)) return;
    entry.disarm?.();
    entry.settle(failure, result);
  }

  private cancel(entry: Pending): void {
    if (!this.pending.delete(entry.id)) return;
    entry.disarm?.();
    if (entry.sent) {
      this.port.post(`{"jsonrpc":"2.0","method":"${NOTICES.cancel}","params":{"requestId":${entry.id}}}`);
    }
  }

  private receive(text: unknown): void {
    if (typeof text !== 'string') return;
    let message: unknown;
    try {
      message = parseJson(text);
    } catch {
      return;
    }
    const method = own(message, 'method');
    if (typeof method === 'string') this.notice(method, own(message, 'params'));
    else this.answer(message);
  }

  private answer(message: unknown): void {
    const entry = this.pending.get(own(message, 'id') as number);
    if (entry === undefined || !entry.sent) return;
    if (hasOwn(message as object, 'error')) {
      const error = own(message, 'error');
      const data = own(error, 'data');
      this.settle(entry, failureFromShell(data ?? error, entry.server), undefined);
    } else {
      this.settle(entry, undefined, own(message, 'result'));
    }
  }

  private notice(method: string, params: unknown): void {
    if (method === NOTICES.init) {
      this.enter(readInit(params));
      return;
    }
    const entry = this.pending.get(own(params, 'id') as number);
    if (entry === undefined) return;
    if (method === NOTICES.hold && entry.disarm !== undefined) {
      entry.disarm();
      entry.disarm = undefined;
      entry.remainingMs = entry.dueMs - this.clock.now();
    } else if (method === NOTICES.resume && entry.sent && entry.disarm === undefined) {
      this.arm(entry, entry.remainingMs);
    }
  }
}

/**
 * One frame's conversation with its shell: holds calls until the shell has said what this view may
 * do, gives up after 10 s without it, and ends calls that are not answered within the budget.
 */
export function createSession(port: KernelPort, clock: KernelClock): Session {
  return new KernelSession(port, clock);
}
