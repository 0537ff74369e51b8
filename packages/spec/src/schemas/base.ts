import { z } from 'zod';

/** The id of a request: text or a whole number. */
export const RequestIdSchema = z.union([z.string(), z.int()]);
export const ProgressTokenSchema = z.union([z.string(), z.int()]);
export const CursorSchema = z.string();
export const RoleSchema = z.enum(['user', 'assistant']);

export const JSONValueSchema = z.json();
export const JSONObjectSchema = z.record(z.string(), JSONValueSchema);
export const JSONArraySchema = z.array(JSONValueSchema);

export const MetaSchema = z.record(z.string(), z.unknown());

/** Words of revision 2025-11-25 that nothing here acts on. */
export const TaskMetadataSchema = z.looseObject({ ttl: z.number().optional() });
export const TaskCreationParamsSchema = z.looseObject({
  ttl: z.number().optional(),
  pollInterval: z.number().optional(),
});
export const RelatedTaskMetadataSchema = z.looseObject({ taskId: z.string() });

export const RequestMetaSchema = z.looseObject({
  progressToken: ProgressTokenSchema.optional(),
  'io.modelcontextprotocol/related-task': RelatedTaskMetadataSchema.optional(),
});

export const RequestParamsSchema = z.looseObject({ _meta: RequestMetaSchema.optional() });
export const TaskAugmentedRequestParamsSchema = RequestParamsSchema.extend({
  task: TaskMetadataSchema.optional(),
});
export const NotificationParamsSchema = z.looseObject({ _meta: MetaSchema.optional() });
export const ResultMetaObjectSchema = z.looseObject({
  'io.modelcontextprotocol/serverInfo': z
    .lazy(() => ImplementationSchema)
    .optional()
    .catch(undefined),
});
export const ResultSchema = z.looseObject({ _meta: ResultMetaObjectSchema.optional() });
export const EmptyResultSchema = z.strictObject({ _meta: ResultMetaObjectSchema.optional() });

export const RequestSchema = z.looseObject({ method: z.string(), params: RequestParamsSchema.optional() });
export const NotificationSchema = z.looseObject({
  method: z.string(),
  params: NotificationParamsSchema.optional(),
});

/** How long an answer stays fresh, in the modern era. Hints that make no sense count as none. */
export const cacheHints = {
  ttlMs: z.int().min(0).optional().catch(undefined),
  cacheScope: z.enum(['public', 'private']).optional().catch(undefined),
};
/** What a request brings along on its second round. */
export const inputAnswers = {
  inputResponses: z.record(z.string(), z.looseObject({})).optional(),
  requestState: z.string().optional(),
};

export const PaginatedRequestParamsSchema = RequestParamsSchema.extend({ cursor: CursorSchema.optional() });
export const PaginatedRequestSchema = RequestSchema.extend({
  params: PaginatedRequestParamsSchema.optional(),
});
export const PaginatedResultSchema = ResultSchema.extend({ nextCursor: CursorSchema.optional() });

export const IconSchema = z.looseObject({
  src: z.string(),
  mimeType: z.string().optional(),
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});
export const IconsSchema = z.looseObject({ icons: z.array(IconSchema).optional() });
export const BaseMetadataSchema = z.looseObject({ name: z.string(), title: z.string().optional() });
export const ImplementationSchema = BaseMetadataSchema.extend({
  ...IconsSchema.shape,
  version: z.string(),
  description: z.string().optional(),
  websiteUrl: z.string().optional(),
});

export const AnnotationsSchema = z.looseObject({
  audience: z.array(RoleSchema).optional(),
  priority: z.number().min(0).max(1).optional(),
  lastModified: z.iso.datetime({ offset: true, local: true }).optional(),
});

export const ProgressSchema = z.looseObject({
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export const ProgressNotificationParamsSchema = NotificationParamsSchema.extend({
  ...ProgressSchema.shape,
  progressToken: ProgressTokenSchema,
});
export const CancelledNotificationParamsSchema = NotificationParamsSchema.extend({
  requestId: RequestIdSchema.optional(),
  reason: z.string().optional(),
});

/** A message whose params must be there. */
export const demanding = <Method extends string, Params extends z.ZodType>(method: Method, params: Params) =>
  z.looseObject({ method: z.literal(method), params });
/** A message whose params may be missing. */
export const plain = <Method extends string, Params extends z.ZodType>(method: Method, params: Params) =>
  z.looseObject({ method: z.literal(method), params: params.optional() });

export const PingRequestSchema = plain('ping', RequestParamsSchema);
export const ProgressNotificationSchema = demanding(
  'notifications/progress',
  ProgressNotificationParamsSchema,
);
export const CancelledNotificationSchema = demanding(
  'notifications/cancelled',
  CancelledNotificationParamsSchema,
);
