import type {
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  RequestParams,
  Result,
} from './base.ts';
import type { TaskMetadata, TaskRequestParams, TaskStatus } from './tasks.ts';

// Tasks as revision 2025-11-25 wrote them, before they became an extension.

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  /** ISO 8601 time. */
  createdAt: string;
  /** ISO 8601 time. */
  lastUpdatedAt: string;
  /** Milliseconds that it is kept; null for ever. */
  ttl: number | null;
  /** Milliseconds between looks at it. */
  pollInterval?: number;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface TaskCreationParams {
  /** Milliseconds to keep the task. */
  ttl?: number;
  /** Milliseconds between looks at it. */
  pollInterval?: number;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface TaskAugmentedRequestParams extends RequestParams {
  task?: TaskMetadata;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface RelatedTaskMetadata {
  taskId: string;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface CreateTaskResult extends Result {
  task: Task;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface GetTaskRequest {
  method: 'tasks/get';
  params: TaskRequestParams;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface GetTaskPayloadRequest {
  method: 'tasks/result';
  params: TaskRequestParams;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface CancelTaskRequest {
  method: 'tasks/cancel';
  params: TaskRequestParams;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export type GetTaskResult = Result & Task;

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export type GetTaskPayloadResult = Result;

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export type CancelTaskResult = Result & Task;

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface ListTasksRequest {
  method: 'tasks/list';
  params?: PaginatedRequestParams;
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface ListTasksResult extends PaginatedResult {
  tasks: Task[];
}

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export type TaskStatusNotificationParams = NotificationParams & Task;

/** @deprecated A word of revision 2025-11-25, which nothing here serves; kept readable. */
export interface TaskStatusNotification {
  method: 'notifications/tasks/status';
  params: TaskStatusNotificationParams;
}
