import { type Clock, systemClock } from '@portico/rpc';
import type { DetailedTask } from '@portico/spec';
import { ServerError } from '../errors.ts';

/** A task with what only the server knows of it. */
export interface StoredTask {
  /** What clients see. */
  readonly state: DetailedTask;
  /** Who created it; undefined without authorization. Others never meet it. */
  readonly owner: string | undefined;
  /** Answers of the client that the work has not taken yet, by key. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Keys of all questions so far; none is ever used again. */
  readonly usedKeys: readonly string[];
}

/**
 * Where tasks live. The server that does the work and the server that is asked for it need not be
 * the same, as long as they share a store. Every member may reject; then the call at hand fails with
 * an internal error, and work that cannot be stored is lost.
 */
export interface TaskStore {
  /** Resolves once `get` finds the task, on every server that shares the store. */
  create(task: StoredTask): void | Promise<void>;
  /** The task, unless it is unknown or its time is over. */
  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;
  /**
   * Replaces a task by what `change` makes of it, with no other change between; `change` must not
   * throw, and answers the same object to leave the task as it is. Undefined for unknown tasks.
   */
  change(
    taskId: string,
    change: (task: StoredTask) => StoredTask,
  ): StoredTask | undefined | Promise<StoredTask | undefined>;
  /** Tells of every later change. The answer ends that. Listeners do not throw. */
  watch(taskId: string, listener: (task: StoredTask) => void): () => void;
}

/** Tasks one process keeps at once. */
const DEFAULT_MAX_TASKS = 10_000;

/** Keeps tasks in this process, each until its time is over. */
export class InMemoryTaskStore implements TaskStore {
  readonly #clock: Clock;
  readonly #maxTasks: number;
  readonly #tasks = new Map<string, StoredTask>();
  readonly #watchers = new Map<string, Set<(task: StoredTask) => void>>();

  /** @param options `maxTasks` at once, 10 000 by default */
  constructor(clock: Clock = systemClock, options: { readonly maxTasks?: number } = {}) {
    this.#clock = clock;
    this.#maxTasks = options.maxTasks ?? DEFAULT_MAX_TASKS;
  }

  /** @throws ServerError `TOO_MANY_TASKS` */
  create(task: StoredTask): void {
    if (this.#tasks.size >= this.#maxTasks) this.#dropExpired();
    if (this.#tasks.size >= this.#maxTasks) throw new ServerError('TOO_MANY_TASKS');
    this.#tasks.set(task.state.taskId, task);
  }

  get(taskId: string): StoredTask | undefined {
    const task = this.#tasks.get(taskId);
    if (task === undefined || !this.#isExpired(task)) return task;
    this.#tasks.delete(taskId);
    return undefined;
  }

  change(taskId: string, change: (task: StoredTask) => StoredTask): StoredTask | undefined {
    const task = this.get(taskId);
    if (task === undefined) return undefined;
    const changed = change(task);
    if (changed === task) return task;
    this.#tasks.set(taskId, changed);
    for (const listener of this.#watchers.get(taskId) ?? []) listener(changed);
    return changed;
  }

  watch(taskId: string, listener: (task: StoredTask) => void): () => void {
    const watchers = this.#watchers.get(taskId) ?? new Set();
    this.#watchers.set(taskId, watchers);
    watchers.add(listener);
    return () => {
      watchers.delete(listener);
      if (watchers.size === 0) this.#watchers.delete(taskId);
    };
  }

  #isExpired({ state }: StoredTask): boolean {
    return state.ttlMs !== null && this.#clock.now() >= Date.parse(state.createdAt) + state.ttlMs;
  }

  #dropExpired(): void {
    for (const [taskId, task] of this.#tasks) if (this.#isExpired(task)) this.#tasks.delete(taskId);
  }
}
