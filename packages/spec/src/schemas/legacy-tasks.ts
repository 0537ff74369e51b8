// Tasks as revision 2025-11-25 wrote them. Nothing here serves them; the words stay readable.
import { z } from 'zod';
import {
  NotificationParamsSchema,
  PaginatedRequestParamsSchema,
  PaginatedResultSchema,
  RequestParamsSchema,
  ResultSchema,
  demanding,
  plain,
} from './base.ts';

export const TaskStatusSchema = z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']);
export const TaskSchema = z.looseObject({
  taskId: z.string(),
  status: TaskStatusSchema,
  statusMessage: z.string().optional(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  ttl: z.number().nullable(),
  pollInterval: z.number().optional(),
});
const OfTaskSchema = RequestParamsSchema.extend({ taskId: z.string() });

export const CreateTaskResultSchema = ResultSchema.extend({ task: TaskSchema });
export const GetTaskRequestSchema = demanding('tasks/get', OfTaskSchema);
export const GetTaskResultSchema = ResultSchema.extend(TaskSchema.shape);
export const GetTaskPayloadRequestSchema = demanding('tasks/result', OfTaskSchema);
export const GetTaskPayloadResultSchema = ResultSchema;
export const ListTasksRequestSchema = plain('tasks/list', PaginatedRequestParamsSchema);
export const ListTasksResultSchema = PaginatedResultSchema.extend({ tasks: z.array(TaskSchema) });
export const CancelTaskRequestSchema = demanding('tasks/cancel', OfTaskSchema);
export const CancelTaskResultSchema = ResultSchema.extend(TaskSchema.shape);
export const TaskStatusNotificationParamsSchema = NotificationParamsSchema.extend(TaskSchema.shape);
export const TaskStatusNotificationSchema = demanding(
  'notifications/tasks/status',
  TaskStatusNotificationParamsSchema,
);
