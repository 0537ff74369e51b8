import { isRecord, type DetailedTask, type InputRequests, type Result, type WireError } from '@portico/spec';
import type { StoredTask } from './task-store.ts';

/** How a task ended. */
export type TaskEnd =
  | { readonly status: 'completed'; readonly result: Result }
  | { readonly status: 'failed'; readonly error: WireError }
  | { readonly status: 'cancelled' };

/** True for states that nothing follows. */
export function isFinal({ status }: DetailedTask): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Ends a task; one that has ended stays as it is. */
export function ended(task: StoredTask, end: TaskEnd, nowMs: number): StoredTask {
  return isFinal(task.state) ? task : { ...task, answers: {}, state: { ...common(task, nowMs), ...end } };
}

/** Puts questions beside those that are open. */
export function asking(task: StoredTask, questions: InputRequests, nowMs: number): StoredTask {
  const { state, usedKeys } = task;
  if (isFinal(state)) return task;
  const open = state.status === 'input_required' ? state.inputRequests : {};
  return {
    ...task,
    usedKeys: [...usedKeys, ...Object.keys(questions)],
    state: { ...common(task, nowMs), status: 'input_required', inputRequests: { ...open, ...questions } },
  };
}

/** Takes the answers to open questions; anything else in `given` is passed over. */
export function answered(
  task: StoredTask,
  given: Readonly<Record<string, unknown>>,
  nowMs: number,
): StoredTask {
  const { state } = task;
  if (state.status !== 'input_required') return task;
  const open = Object.entries(state.inputRequests);
  const taken = open.filter(([key]) => Object.hasOwn(given, key) && isBareAnswer(given[key]));
  if (taken.length === 0) return task;
  const keys = new Set(taken.map(([key]) => key));
  const left = open.filter(([key]) => !keys.has(key));
  const answers = { ...task.answers, ...Object.fromEntries(taken.map(([key]) => [key, given[key]])) };
  const rest = common(task, nowMs);
  return {
    ...task,
    answers,
    state:
      left.length === 0
        ? { ...rest, status: 'working' }
        : { ...rest, status: 'input_required', inputRequests: Object.fromEntries(left) },
  };
}

/** Says how far the work is. */
export function described(task: StoredTask, statusMessage: string, nowMs: number): StoredTask {
  if (isFinal(task.state)) return task;
  return { ...task, state: { ...task.state, statusMessage, lastUpdatedAt: isoTime(nowMs) } };
}

export function isoTime(nowMs: number): string {
  return new Date(nowMs).toISOString();
}

/** Answers are plain result objects, as in requests of several rounds. */
function isBareAnswer(answer: unknown): boolean {
  return isRecord(answer) && !('method' in answer);
}

/** What every state has, with the time of the change. */
function common({ state }: StoredTask, nowMs: number): Omit<DetailedTask, 'status'> {
  const { taskId, createdAt, ttlMs, pollIntervalMs, statusMessage } = state;
  return {
    taskId,
    createdAt,
    lastUpdatedAt: isoTime(nowMs),
    ttlMs,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
  };
}
