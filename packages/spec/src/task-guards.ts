import { isNumber, isRecord, isResult, isString, optional } from './guards.ts';
import type { UnknownRecord } from './guards.ts';
import { isRequestParams } from './param-guards.ts';
import { isInputRequests } from './result-guards.ts';
import type {
  DetailedTask,
  TaskHandleResult,
  TaskRequestParams,
  TaskState,
  UpdateTaskRequestParams,
} from './tasks.ts';

const STATUSES: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

function isDuration(value: unknown): boolean {
  return isNumber(value) && value >= 0;
}

function isTaskState(value: UnknownRecord): value is UnknownRecord & TaskState {
  const { ttlMs } = value;
  return (
    isString(value['taskId']) &&
    value['taskId'] !== '' &&
    STATUSES.includes(value['status']) &&
    isString(value['createdAt']) &&
    isString(value['lastUpdatedAt']) &&
    (ttlMs === null || isDuration(ttlMs)) &&
    optional(value['pollIntervalMs'], isDuration) &&
    optional(value['statusMessage'], isString)
  );
}

function isWireError(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value['code']) && isString(value['message']);
}

/** A task with everything its status asks for: an answer to `tasks/get`, or params of a notification. */
export function isDetailedTask(value: unknown): value is DetailedTask {
  if (!isResult(value) || !isTaskState(value)) return false;
  switch (value.status) {
    case 'working':
    case 'cancelled':
      return true;
    case 'input_required':
      return isInputRequests(value['inputRequests']);
    case 'completed':
      return isResult(value['result']);
    case 'failed':
      return isWireError(value['error']);
  }
}

/** The answer that turns a call into a task. */
export function isTaskHandleResult(value: unknown): value is TaskHandleResult {
  return isResult(value) && value['resultType'] === 'task' && isTaskState(value);
}

export function isTaskRequestParams(value: unknown): value is TaskRequestParams {
  return isRequestParams(value) && isString(value['taskId']);
}

export function isUpdateTaskRequestParams(value: unknown): value is UpdateTaskRequestParams {
  return isTaskRequestParams(value) && isRecord((value as { inputResponses?: unknown }).inputResponses);
}
