import { type Clock, ErrorCode, isProtocolError } from '@portico/rpc';
import type { ClientCapabilities, InputRequests, Result } from '@portico/spec';
import { missingCapabilities, neededCapabilities } from '../client-capability.ts';
import { ServerError } from '../errors.ts';
import { asModernError, asOwnError, toWireError } from '../wire-error.ts';
import { answered, asking, described, ended, isFinal, type TaskEnd } from './task-changes.ts';
import type { StoredTask, TaskStore } from './task-store.ts';

/** What the work of a task is given. */
export interface TaskRun {
  readonly taskId: string;
  /** Fires when the client cancels the task, or its time is over. */
  readonly signal: AbortSignal;
  /** Says for people and models how far the work is. */
  describe(statusMessage: string): Promise<void>;
  /**
   * Asks the client, and resolves with its answers once all are there. They come from the client:
   * check them. Keys are new ones: none may be used twice within a task.
   *
   * @throws ServerError `INVALID_INPUT_REQUEST` for a used key, `CAPABILITY_NOT_SUPPORTED`,
   *   `TASK_ENDED` when the task ends meanwhile
   */
  requestInput(inputRequests: InputRequests): Promise<Readonly<Record<string, unknown>>>;
}

/** The work of a task. What it returns or throws is what the call would have been answered with. */
export type TaskWork = (run: TaskRun) => object | Promise<object>;

export interface TaskRunOptions {
  readonly taskId: string;
  readonly ttlMs: number | null;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly capabilities: ClientCapabilities | undefined;
  /** Makes of what the work returned or threw how the task ends. */
  readonly finish: (work: () => Promise<object>) => Promise<Result>;
  readonly report: (error: Error) => void;
}

/** Does the work and keeps the store up to date. Never rejects. */
export async function runTask(work: TaskWork, options: TaskRunOptions): Promise<void> {
  const { taskId, ttlMs, store, clock, finish, report } = options;
  const controller = new AbortController();
  const stopped = (): void => controller.abort(new ServerError('TASK_ENDED'));
  const timer = ttlMs === null ? undefined : clock.setTimer(ttlMs, stopped);
  timer?.unref?.();
  const unwatch = store.watch(taskId, ({ state }) => {
    if (isFinal(state)) stopped();
  });
  try {
    const run = new Run(options, controller.signal);
    const end = await outcomeOf(() => finish(async () => await work(run)));
    unwatch();
    await store.change(taskId, (task) => ended(task, end, clock.now()));
  } catch (error) {
    report(error instanceof Error ? error : new TypeError(String(error)));
  } finally {
    unwatch();
    timer?.cancel();
  }
}

async function outcomeOf(run: () => Promise<Result>): Promise<TaskEnd> {
  try {
    return { status: 'completed', result: await run() };
  } catch (thrown) {
    // Tasks are looked at by modern clients only.
    const error = asModernError(asOwnError(thrown));
    const { code, message, data } = isProtocolError(error)
      ? toWireError(error)
      : { code: ErrorCode.InternalError, message: 'Internal error', data: undefined };
    return { status: 'failed', error: data === undefined ? { code, message } : { code, message, data } };
  }
}

class Run implements TaskRun {
  readonly signal: AbortSignal;
  readonly #options: TaskRunOptions;

  constructor(options: TaskRunOptions, signal: AbortSignal) {
    this.#options = options;
    this.signal = signal;
  }

  get taskId(): string {
    return this.#options.taskId;
  }

  async describe(statusMessage: string): Promise<void> {
    const { store, clock, taskId } = this.#options;
    await store.change(taskId, (task) => described(task, statusMessage, clock.now()));
  }

  async requestInput(inputRequests: InputRequests): Promise<Readonly<Record<string, unknown>>> {
    const { store, clock, taskId } = this.#options;
    this.#assertAskable(inputRequests);
    const keys = Object.keys(inputRequests);
    let used: string | undefined;
    const collected = this.#collect(keys);
    const task = await store.change(taskId, (before) => {
      used = keys.find((key) => before.usedKeys.includes(key));
      return used === undefined ? asking(before, inputRequests, clock.now()) : before;
    });
    if (used !== undefined) {
      collected.stop();
      throw refused(`the question ${used} was asked before`);
    }
    if (task === undefined || isFinal(task.state)) collected.stop();
    const answers = await collected.answers;
    await store.change(taskId, (before) => withoutAnswers(before, keys));
    return answers;
  }

  #assertAskable(inputRequests: InputRequests): void {
    const requests = Object.values(inputRequests);
    if (requests.length === 0) throw refused('there is no question');
    for (const { method, params } of requests) {
      const needed = neededCapabilities(method, params === undefined ? undefined : { ...params });
      const missing = missingCapabilities(needed, this.#options.capabilities);
      if (missing === undefined) continue;
      throw new ServerError('CAPABILITY_NOT_SUPPORTED', {
        message: `the client did not declare what ${method} needs`,
        data: { requiredCapabilities: missing },
      });
    }
  }

  /** Waits for all answers, however many updates bring them. */
  #collect(keys: readonly string[]): {
    readonly answers: Promise<Readonly<Record<string, unknown>>>;
    stop(): void;
  } {
    const { store, taskId } = this.#options;
    const { signal } = this;
    let stop = (): void => undefined;
    const answers = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      const settle = (): void => {
        unwatch();
        signal.removeEventListener('abort', stop);
      };
      stop = () => {
        settle();
        reject(new ServerError('TASK_ENDED'));
      };
      const unwatch = store.watch(taskId, (task) => {
        if (!keys.every((key) => Object.hasOwn(task.answers, key))) return;
        settle();
        resolve(Object.fromEntries(keys.map((key) => [key, task.answers[key]])));
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    // Stopped before anybody waits: the one who asks gets it all the same.
    answers.catch(() => undefined);
    return { answers, stop: () => stop() };
  }
}

function withoutAnswers(task: StoredTask, keys: readonly string[]): StoredTask {
  const left = Object.entries(task.answers).filter(([key]) => !keys.includes(key));
  return { ...task, answers: Object.fromEntries(left) };
}

function refused(message: string): ServerError {
  return new ServerError('INVALID_INPUT_REQUEST', { message });
}

/** Takes a client's answers for whoever waits for them. */
export function takeAnswers(
  store: TaskStore,
  taskId: string,
  { given, nowMs }: { readonly given: Readonly<Record<string, unknown>>; readonly nowMs: number },
): ReturnType<TaskStore['change']> {
  return store.change(taskId, (task) => answered(task, given, nowMs));
}
