import { z } from 'zod';
import {
  BaseMetadataSchema,
  IconsSchema,
  MetaSchema,
  NotificationParamsSchema,
  PaginatedRequestParamsSchema,
  PaginatedResultSchema,
  RequestParamsSchema,
  ResultSchema,
  TaskAugmentedRequestParamsSchema,
  cacheHints,
  demanding,
  inputAnswers,
  plain,
} from './base.ts';
import { ContentBlockSchema, PromptMessageSchema } from './content.ts';

export const ToolAnnotationsSchema = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export const ToolExecutionSchema = z.looseObject({
  taskSupport: z.enum(['required', 'optional', 'forbidden']).optional(),
});
export const ToolSchema = BaseMetadataSchema.extend({
  ...IconsSchema.shape,
  description: z.string().optional(),
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  }),
  outputSchema: z.looseObject({ $schema: z.string().optional() }).optional(),
  annotations: ToolAnnotationsSchema.optional(),
  execution: ToolExecutionSchema.optional(),
  _meta: MetaSchema.optional(),
});
export const ListToolsRequestSchema = plain('tools/list', PaginatedRequestParamsSchema);
export const ListToolsResultSchema = PaginatedResultSchema.extend({
  ...cacheHints,
  tools: z.array(ToolSchema),
});
export const CallToolRequestParamsSchema = TaskAugmentedRequestParamsSchema.extend({
  ...inputAnswers,
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});
export const CallToolRequestSchema = demanding('tools/call', CallToolRequestParamsSchema);
/** Missing content is read as none: tools that only fill the structured part leave it out. */
export const CallToolResultSchema = ResultSchema.extend({
  content: z.array(ContentBlockSchema).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
/** Also the form of the oldest servers. */
export const CompatibilityCallToolResultSchema = CallToolResultSchema.or(
  ResultSchema.extend({ toolResult: z.unknown() }),
);
export const ToolListChangedNotificationSchema = plain(
  'notifications/tools/list_changed',
  NotificationParamsSchema,
);

export const PromptArgumentSchema = BaseMetadataSchema.extend({
  description: z.string().optional(),
  required: z.boolean().optional(),
});
export const PromptSchema = BaseMetadataSchema.extend({
  ...IconsSchema.shape,
  description: z.string().optional(),
  arguments: z.array(PromptArgumentSchema).optional(),
  _meta: MetaSchema.optional(),
});
export const ListPromptsRequestSchema = plain('prompts/list', PaginatedRequestParamsSchema);
export const ListPromptsResultSchema = PaginatedResultSchema.extend({
  ...cacheHints,
  prompts: z.array(PromptSchema),
});
export const GetPromptRequestParamsSchema = RequestParamsSchema.extend({
  ...inputAnswers,
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});
export const GetPromptRequestSchema = demanding('prompts/get', GetPromptRequestParamsSchema);
export const GetPromptResultSchema = ResultSchema.extend({
  description: z.string().optional(),
  messages: z.array(PromptMessageSchema),
});
export const PromptListChangedNotificationSchema = plain(
  'notifications/prompts/list_changed',
  NotificationParamsSchema,
);

export const PromptReferenceSchema = BaseMetadataSchema.extend({ type: z.literal('ref/prompt') });
export const ResourceTemplateReferenceSchema = z.looseObject({
  type: z.literal('ref/resource'),
  uri: z.string(),
});
export const CompleteRequestParamsSchema = RequestParamsSchema.extend({
  ref: z.union([PromptReferenceSchema, ResourceTemplateReferenceSchema]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});
export const CompleteRequestSchema = demanding('completion/complete', CompleteRequestParamsSchema);
export const CompleteResultSchema = ResultSchema.extend({
  completion: z.looseObject({
    values: z.array(z.string()).max(100),
    total: z.int().optional(),
    hasMore: z.boolean().optional(),
  }),
});

export const LoggingLevelSchema = z.enum([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);
export const SetLevelRequestParamsSchema = RequestParamsSchema.extend({ level: LoggingLevelSchema });
export const SetLevelRequestSchema = demanding('logging/setLevel', SetLevelRequestParamsSchema);
export const LoggingMessageNotificationParamsSchema = NotificationParamsSchema.extend({
  level: LoggingLevelSchema,
  logger: z.string().optional(),
  data: z.unknown(),
});
export const LoggingMessageNotificationSchema = demanding(
  'notifications/message',
  LoggingMessageNotificationParamsSchema,
);
