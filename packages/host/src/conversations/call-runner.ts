import type { ToolCall } from '@portico/api';
import { failureOf } from '@portico/client';
import { ConnectionsError } from '@portico/connections';
import type { Connections } from '@portico/connections';
import type { CallToolResult } from '@portico/spec';
import { describeProblem } from '../gateway/problems.ts';
import type { Readiness } from '../gateway/readiness.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { boundedResult } from './bounded-result.ts';
import type { ConversationBook } from './conversation-book.ts';

/** A call from a conversation may be silent for this long, in milliseconds. */
export const CALL_SILENCE_MS = 300_000;
/** A call from a conversation ends after this time whatever it reports, in milliseconds. */
export const CALL_TOTAL_MS = 3_600_000;
/**
 * Progress of one call is shown at most once in this time, in milliseconds: each showing repeats the
 * call with its arguments, so large ones show more seldom and the event log stays small.
 */
const PROGRESS_EVERY_MS = 200;
const PROGRESS_MS_A_KIB = 20;

export interface CallRunnerOptions {
  readonly book: ConversationBook;
  readonly connections: Pick<Connections, 'callTool'>;
  readonly readiness: Readiness;
  readonly clock: Clock;
}

export interface RunOptions {
  /** Cancels it, beside {@link CallRunner.cancel}. */
  readonly signal?: AbortSignal;
  /** It was refused for want of a sign-in before, and has not been sent since. */
  readonly waitsForSignIn?: boolean;
}

/** Runs tool calls of conversations, whoever asked for them, and writes what becomes of them. */
export interface CallRunner {
  /**
   * Runs the call and settles with its item when it has ended; a failure of the call is in the item. One
   * that is refused for want of a sign-in, or of more of one, waits for it, and is sent once after it (K46–K48).
   */
  run(conversationId: string, call: ToolCall, options?: RunOptions): Promise<CallOutcome>;
  /** Whether such a call was running or waiting for a sign-in. */
  cancel(conversationId: string, callId: string): boolean;
  /** Cancels every call of a conversation. */
  cancelAll(conversationId: string): void;
  /** From now on what waits for a sign-in is written as waiting, however it ends: the host is stopping. */
  suspend(): void;
  /** Cancels everything and waits until it is written. */
  close(): Promise<void>;
}

interface CallOutcome {
  readonly item: ToolCall;
  /** The tool's whole answer, before it was cut for storing. */
  readonly result?: CallToolResult;
}

interface Running {
  readonly conversationId: string;
  readonly controller: AbortController;
  readonly done: Promise<CallOutcome>;
}

export function createCallRunner(options: CallRunnerOptions): CallRunner {
  const running = new Map<string, Running>();
  let suspended = false;
  return {
    async run(conversationId, call, { signal, waitsForSignIn = false } = {}) {
      const controller = new AbortController();
      const both = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
      const execution = { conversationId, call, signal: both, isSuspended: () => suspended };
      const done = waitsForSignIn
        ? afterSignIn(options, { ...execution, refusal: 'all' })
        : execute(options, execution);
      running.set(call.id, { conversationId, controller, done });
      try {
        return await done;
      } finally {
        running.delete(call.id);
      }
    },
    cancel(conversationId, callId) {
      const call = running.get(callId);
      if (call === undefined || call.conversationId !== conversationId) return false;
      call.controller.abort();
      return true;
    },
    cancelAll(conversationId) {
      for (const call of running.values()) {
        if (call.conversationId === conversationId) call.controller.abort();
      }
    },
    suspend() {
      suspended = true;
    },
    async close() {
      suspended = true;
      const calls = [...running.values()];
      for (const call of calls) call.controller.abort();
      await Promise.allSettled(calls.map((call) => call.done));
    },
  };
}

interface Execution {
  readonly conversationId: string;
  readonly call: ToolCall;
  readonly signal: AbortSignal;
  readonly isSuspended: () => boolean;
}

/** Sends the call; where only a sign-in is missing, waits for it and sends the call once after it. */
async function execute(options: CallRunnerOptions, execution: Execution): Promise<CallOutcome> {
  const outcome = await send(options, execution);
  const { refusal } = outcome;
  if (refusal !== undefined) return await afterSignIn(options, { ...execution, refusal });
  await options.book.putItem(execution.conversationId, outcome.item);
  return outcome;
}

/** What a call was refused for want of: everything of its account, or a part. */
type Refusal = 'all' | 'part';

async function afterSignIn(
  options: CallRunnerOptions,
  execution: Execution & { readonly refusal: Refusal },
): Promise<CallOutcome> {
  const { book, readiness, clock } = options;
  const { conversationId, call, signal, isSuspended, refusal } = execution;
  const waiting: ToolCall = { ...call, status: 'waiting_sign_in' };
  // Begun before anything is waited for, so that no sign-in is missed.
  const ending = readiness[refusal === 'part' ? 'untilGranted' : 'untilReady'](call.connectorId, signal);
  await book.putItem(conversationId, waiting);
  const end = await ending;
  if (end === 'aborted' && isSuspended()) return { item: waiting };
  // How often it may be refused anew is counted where sign-ins are.
  if (end === 'ready') return await execute(options, execution);
  const outcome = { item: given(call, end, clock.now()) };
  await book.putItem(conversationId, outcome.item);
  return outcome;
}

/** A call that was never sent again. */
function given(call: ToolCall, end: 'gone' | 'aborted', nowMs: number): ToolCall {
  const error = { code: 'needs_sign_in', message: '' };
  return failed(call, { error, cancelled: end === 'aborted', nowMs });
}

/** @returns how it ended; with `refusal` for one that its server did not take as it is, which is not written */
async function send(
  options: CallRunnerOptions,
  { conversationId, call, signal }: Execution,
): Promise<CallOutcome & { readonly refusal?: Refusal | undefined }> {
  const { book, connections, clock } = options;
  const started: ToolCall = { ...call, status: 'running' };
  await book.putItem(conversationId, started);
  const everyMs = PROGRESS_EVERY_MS + (PROGRESS_MS_A_KIB * JSON.stringify(started).length) / 1024;
  const progress = createProgressWriter({ clock, everyMs }, (shown) =>
    book.putItem(conversationId, { ...started, progress: shown }),
  );
  try {
    const result = await connections.callTool(
      call.connectorId,
      { name: call.tool, arguments: call.arguments },
      {
        signal,
        timeoutMs: CALL_SILENCE_MS,
        maxTotalTimeoutMs: CALL_TOTAL_MS,
        onProgress: (shown) => progress.report(shown),
      },
    );
    const status = result.isError === true ? 'tool_error' : 'done';
    return { item: { ...started, status, result: boundedResult(result), endedAtMs: clock.now() }, result };
  } catch (error) {
    const refusal = signal.aborted ? undefined : refusalIn(error);
    return { item: failed(started, { error, cancelled: signal.aborted, nowMs: clock.now() }), refusal };
  } finally {
    await progress.close();
  }
}

/** What only a person can help with; undefined for every other failure. */
function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof ConnectionsError) || error.code !== 'needs_sign_in') return undefined;
  return failureOf(error.cause).partial === true ? 'part' : 'all';
}

interface Ending {
  readonly error: unknown;
  readonly cancelled: boolean;
  readonly nowMs: number;
}

function failed(call: ToolCall, ending: Ending): ToolCall {
  if (ending.cancelled) return { ...call, status: 'cancelled', endedAtMs: ending.nowMs };
  const { kind, facts, code, message } = describeProblem(ending.error);
  const problem = { kind, facts, code, message };
  return { ...call, status: 'failed', problem, endedAtMs: ending.nowMs };
}

type Progress = NonNullable<ToolCall['progress']>;

/** Writes the newest progress now and then; close it before the result is written. */
function createProgressWriter(
  { clock, everyMs }: { readonly clock: Clock; readonly everyMs: number },
  write: (progress: Progress) => Promise<void>,
) {
  let newest: Progress | undefined;
  let writing: Promise<void> = Promise.resolve();
  let timer: Timer | undefined;
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    timer = undefined;
    if (newest === undefined) return;
    const progress = newest;
    newest = undefined;
    writtenAtMs = clock.now();
    // Progress that cannot be stored is not worth the call.
    writing = writing.then(() => write(progress)).catch(() => undefined);
  };
  return {
    report(progress: Progress): void {
      const { total, message } = progress;
      newest = {
        progress: progress.progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: message.slice(0, 500) }),
      };
      const dueInMs = writtenAtMs + everyMs - clock.now();
      if (dueInMs <= 0) flush();
      else timer ??= clock.setTimer(dueInMs, flush);
    },
    async close(): Promise<void> {
      timer?.cancel();
      newest = undefined;
      await writing;
    },
  };
}
