import { isDetailedTask, receivedError } from '@portico/spec';
import type { DetailedTask, InputRequest, InputRequests, Result, TaskState } from '@portico/spec';
import { runGuarded } from '@portico/rpc';
import type { CancelMode, Clock } from '@portico/rpc';
import { SdkError } from './errors.ts';
import { abortedBy } from './local-error.ts';
import type { RequestOptions, WireRequestOptions } from './request-options.ts';
import type { ToolCallPort } from './tool-calls.ts';
import { abortWith, pause, unlessAborted } from './waiting.ts';
import type { Wire } from './wire.ts';

/** What is told of a task that is being driven. */
export interface TaskOptions {
  /**
   * Told the state of the task whenever it is seen, first when the call became one. Its id lets another
   * process go on with `resumeTask`. A throw or a rejection is reported and changes nothing else.
   */
  readonly ontask?: ((task: TaskState) => unknown) | undefined;
}

/** What driving a task needs. */
export interface TaskPort {
  readonly clock: Clock;
  readonly report: (error: Error) => void;
  /** Sends a request of the extension. */
  send(method: string, params: object, options: WireRequestOptions): Promise<Result>;
  /** Asks this side's handler. */
  ask(key: string, question: InputRequest, signal: AbortSignal): Promise<unknown>;
  /** Whether questions go to handlers; otherwise whoever hears of the task answers them. */
  readonly answers: boolean;
  /** How one look at a task is given up. */
  readonly cancelMode: CancelMode;
  /** Fires with the end of the connection; the task itself may be resumed on another. */
  readonly ended: AbortSignal;
}

/** Drives tasks over the connection that calls of tools go over. */
export function taskPort(calls: ToolCallPort, { isPerRequest, ended }: Wire): TaskPort {
  return {
    ...calls.tasks,
    cancelMode: isPerRequest ? 'signal' : 'none',
    ended,
    send: async (method, params, options) =>
      calls.final(method, await calls.sender.exchange(method, params, options)),
  };
}

const DEFAULT_POLL_MS = 1_000;
const LEAST_POLL_MS = 250;
/** Timers take no more. */
const MOST_POLL_MS = 2_147_483_647;
/** Questions of one task before it is given up: each may cost a person's time. */
const MAX_QUESTIONS = 100;

/** One task from its handle to its end. */
class TaskRun {
  readonly #taskId: string;
  readonly #port: TaskPort;
  readonly #options: RequestOptions & TaskOptions;
  /** Fires when the task is over for us, whatever the reason. */
  readonly #over = new AbortController();
  readonly #asked = new Set<string>();
  readonly #endMs: number;

  constructor(taskId: string, port: TaskPort, options: RequestOptions & TaskOptions) {
    this.#taskId = taskId;
    this.#port = port;
    this.#options = options;
    this.#endMs = port.clock.now() + (options.maxTotalTimeout ?? Number.POSITIVE_INFINITY);
  }

  async run(first: TaskState | undefined): Promise<Result> {
    const { ended } = this.#port;
    const release = abortWith(this.#over, [this.#options.signal, ended]);
    try {
      return await this.#follow(first);
    } catch (error) {
      const isGivenUp = this.#over.signal.aborted || isOurs(error);
      if (isGivenUp && !ended.aborted) this.#cancel();
      throw this.#endedBy(error);
    } finally {
      release();
      this.#over.abort();
    }
  }

  async #follow(first: TaskState | undefined): Promise<Result> {
    let seen: TaskState | undefined = first;
    for (;;) {
      if (seen !== undefined) {
        this.#tell(seen);
        // Whoever waits for us, or is done, is not kept waiting.
        if (seen !== first || seen.status === 'working') await this.#wait(seen.pollIntervalMs);
      }
      const task = await this.#look();
      switch (task.status) {
        case 'completed':
          this.#tell(task);
          return task.result;
        case 'failed':
          this.#tell(task);
          throw receivedError(task.error);
        case 'cancelled':
          this.#tell(task);
          throw new SdkError('REQUEST_ABORTED', {
            message: task.statusMessage ?? 'the task was cancelled',
            data: { taskId: this.#taskId },
          });
        case 'input_required':
          if (this.#port.answers) this.#answer(task.inputRequests);
          break;
        case 'working':
          break;
      }
      seen = task;
    }
  }

  #tell(task: TaskState): void {
    const { ontask } = this.#options;
    if (ontask !== undefined) runGuarded('ontask', () => ontask(task), this.#port.report);
  }

  #wait(pollIntervalMs: number | undefined): Promise<void> {
    const wanted = Math.max(LEAST_POLL_MS, pollIntervalMs ?? DEFAULT_POLL_MS);
    const { clock } = this.#port;
    return pause(clock, Math.min(wanted, MOST_POLL_MS, this.#left()), this.#over.signal);
  }

  async #look(): Promise<DetailedTask> {
    const params = { taskId: this.#taskId };
    const result = await this.#port.send('tasks/get', params, this.#requestOptions());
    if (isDetailedTask(result) && result.taskId === this.#taskId) return result;
    throw new SdkError('INVALID_RESULT', { message: 'the answer to tasks/get is not the task' });
  }

  /** Asks handlers for what was not asked before; the task is looked at further meanwhile. */
  #answer(questions: InputRequests): void {
    for (const [key, question] of Object.entries(questions)) {
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      if (this.#asked.size > MAX_QUESTIONS) {
        const data = { taskId: this.#taskId };
        this.#over.abort(new SdkError('INPUT_REQUIRED_ROUNDS_EXCEEDED', { data }));
        return;
      }
      this.#answerOne(key, question).catch((error: unknown) => this.#over.abort(error));
    }
  }

  async #answerOne(key: string, question: InputRequest): Promise<void> {
    const { signal } = this.#over;
    const answer = await unlessAborted(this.#port.ask(key, question, signal), signal);
    const inputResponses = Object.fromEntries([[key, answer]]);
    await this.#port.send('tasks/update', { taskId: this.#taskId, inputResponses }, this.#requestOptions());
  }

  #left(): number {
    const leftMs = this.#endMs - this.#port.clock.now();
    if (leftMs > 0) return leftMs;
    throw new SdkError('REQUEST_TIMEOUT', { data: { timeout: this.#options.maxTotalTimeout } });
  }

  #requestOptions(): WireRequestOptions {
    const leftMs = this.#left();
    const { timeout, headers } = this.#options;
    return {
      timeout,
      headers,
      signal: this.#over.signal,
      ...(leftMs === Number.POSITIVE_INFINITY ? {} : { maxTotalTimeout: leftMs }),
      // A task is given up by a request of its own; a notice would name one look at it.
      cancelMode: this.#port.cancelMode,
    };
  }

  /** Tells the server that nobody waits any more; whether it stops is its own decision. */
  #cancel(): void {
    const { timeout, headers } = this.#options;
    this.#port.send('tasks/cancel', { taskId: this.#taskId }, { timeout, headers }).catch(() => undefined);
  }

  /** What ended it: the caller's signal, a handler that failed, or the request itself. */
  #endedBy(error: unknown): unknown {
    const { signal } = this.#options;
    if (signal?.aborted === true) return abortedBy(signal.reason);
    return this.#over.signal.aborted ? this.#over.signal.reason : error;
  }
}

/** Failures after which the work is of no use to anybody. */
function isOurs(error: unknown): boolean {
  return error instanceof SdkError && error.code === 'REQUEST_TIMEOUT';
}

/**
 * Drives a task to its end: looks at it as often as the server wishes, has its questions answered, each
 * once, and returns what the call came to.
 *
 * @param first the state the server answered with; undefined to go on from the id alone
 * @throws ProtocolError what the call failed with
 * @throws SdkError `REQUEST_ABORTED`, also when the server cancelled it; `CONNECTION_CLOSED`,
 *   `REQUEST_TIMEOUT`, `INVALID_RESULT`, `INPUT_REQUIRED_ROUNDS_EXCEEDED`; what a handler throws
 */
export function runTask(
  task: { readonly taskId: string; readonly first?: TaskState },
  port: TaskPort,
  options: RequestOptions & TaskOptions,
): Promise<Result> {
  return new TaskRun(task.taskId, port, options).run(task.first);
}
