import type { NotificationParams, RequestParams, Result } from './base.ts';
import type { InputRequests, InputResponses } from './input-required.ts';
import type { WireError } from './protocol-errors.ts';

/** Asks for a request to run as a task, in revision 2025-11-25. Vocabulary only: none is served. */
export interface TaskMetadata {
  /** Milliseconds to keep the task. */
  ttl?: number;
}

/** Id of the extension that lets a tool call be answered with a task; both sides have to declare it. */
export const TASKS_EXTENSION_ID = 'io.modelcontextprotocol/tasks';

/** `completed`, `failed` and `cancelled` are final: nothing follows them. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What every state of a task of the extension says. */
export interface TaskState {
  taskId: string;
  status: TaskStatus;
  /** For people and models: how far it is, or why it ended. */
  statusMessage?: string;
  /** ISO 8601 time. */
  createdAt: string;
  /** ISO 8601 time. */
  lastUpdatedAt: string;
  /** Milliseconds from its creation that the task is kept; null = without end. May change. */
  ttlMs: number | null;
  /** Milliseconds between two looks that the server wishes for. May change. */
  pollIntervalMs?: number;
}

export interface WorkingTask extends TaskState {
  status: 'working';
}

/** A task that waits for `tasks/update`. */
export interface InputRequiredTask extends TaskState {
  status: 'input_required';
  /** All that is open; a key is never used for two questions of one task. */
  inputRequests: InputRequests;
}

export interface CompletedTask extends TaskState {
  status: 'completed';
  /** What the call would have been answered with; may have `isError`. */
  result: Result;
}

/** A task that ended in a JSON-RPC error. */
export interface FailedTask extends TaskState {
  status: 'failed';
  error: WireError;
}

export interface CancelledTask extends TaskState {
  status: 'cancelled';
}

/** A task with what belongs to its status: the answer to `tasks/get`, and what notifications carry. */
export type DetailedTask = WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/** Takes the place of a tool's result: the work goes on under the id. */
export interface TaskHandleResult extends Result, TaskState {
  resultType: 'task';
}

/** Params of `tasks/get` and `tasks/cancel`. */
export interface TaskRequestParams extends RequestParams {
  taskId: string;
}

export interface UpdateTaskRequestParams extends TaskRequestParams {
  /** Answers by the keys of `inputRequests`; some may be left for later. */
  inputResponses: InputResponses;
}

/** Params of `notifications/tasks`, which travel on listen streams that name the task. */
export type TasksNotificationParams = NotificationParams & DetailedTask;
