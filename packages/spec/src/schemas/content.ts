import { z } from 'zod';
import {
  AnnotationsSchema,
  BaseMetadataSchema,
  IconsSchema,
  MetaSchema,
  RoleSchema,
  cacheHints,
  inputAnswers,
  NotificationParamsSchema,
  PaginatedRequestParamsSchema,
  PaginatedResultSchema,
  RequestParamsSchema,
  ResultSchema,
  demanding,
  plain,
} from './base.ts';

const base64 = z.base64();

export const ResourceContentsSchema = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  _meta: MetaSchema.optional(),
});
export const TextResourceContentsSchema = ResourceContentsSchema.extend({ text: z.string() });
export const BlobResourceContentsSchema = ResourceContentsSchema.extend({ blob: base64 });
const AnyResourceContentsSchema = z.union([TextResourceContentsSchema, BlobResourceContentsSchema]);

export const ResourceSchema = BaseMetadataSchema.extend({
  ...IconsSchema.shape,
  uri: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  size: z.number().optional(),
  annotations: AnnotationsSchema.optional(),
  _meta: MetaSchema.optional(),
});
export const ResourceTemplateSchema = BaseMetadataSchema.extend({
  ...IconsSchema.shape,
  uriTemplate: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  annotations: AnnotationsSchema.optional(),
  _meta: MetaSchema.optional(),
});

const frame = { annotations: AnnotationsSchema.optional(), _meta: MetaSchema.optional() };
const bytes = { data: base64, mimeType: z.string(), ...frame };

export const TextContentSchema = z.looseObject({ type: z.literal('text'), text: z.string(), ...frame });
export const ImageContentSchema = z.looseObject({ type: z.literal('image'), ...bytes });
export const AudioContentSchema = z.looseObject({ type: z.literal('audio'), ...bytes });
export const EmbeddedResourceSchema = z.looseObject({
  type: z.literal('resource'),
  resource: AnyResourceContentsSchema,
  ...frame,
});
export const ResourceLinkSchema = ResourceSchema.extend({ type: z.literal('resource_link') });
export const ContentBlockSchema = z.union([
  TextContentSchema,
  ImageContentSchema,
  AudioContentSchema,
  ResourceLinkSchema,
  EmbeddedResourceSchema,
]);
export const PromptMessageSchema = z.looseObject({ role: RoleSchema, content: ContentBlockSchema });

export const ToolUseContentSchema = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  _meta: MetaSchema.optional(),
});
export const ToolResultContentSchema = z.looseObject({
  type: z.literal('tool_result'),
  toolUseId: z.string(),
  content: z.array(ContentBlockSchema),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  _meta: MetaSchema.optional(),
});

export const ListResourcesRequestSchema = plain('resources/list', PaginatedRequestParamsSchema);
export const ListResourcesResultSchema = PaginatedResultSchema.extend({
  ...cacheHints,
  resources: z.array(ResourceSchema),
});
export const ListResourceTemplatesRequestSchema = plain(
  'resources/templates/list',
  PaginatedRequestParamsSchema,
);
export const ListResourceTemplatesResultSchema = PaginatedResultSchema.extend({
  ...cacheHints,
  resourceTemplates: z.array(ResourceTemplateSchema),
});
export const ResourceRequestParamsSchema = RequestParamsSchema.extend({ uri: z.string() });
export const ReadResourceRequestParamsSchema = ResourceRequestParamsSchema.extend(inputAnswers);
export const ReadResourceRequestSchema = demanding('resources/read', ReadResourceRequestParamsSchema);
export const ReadResourceResultSchema = ResultSchema.extend({
  ...cacheHints,
  contents: z.array(AnyResourceContentsSchema),
});
export const SubscribeRequestParamsSchema = ResourceRequestParamsSchema.extend({});
export const SubscribeRequestSchema = demanding('resources/subscribe', SubscribeRequestParamsSchema);
export const UnsubscribeRequestParamsSchema = ResourceRequestParamsSchema.extend({});
export const UnsubscribeRequestSchema = demanding('resources/unsubscribe', UnsubscribeRequestParamsSchema);
export const ResourceUpdatedNotificationParamsSchema = NotificationParamsSchema.extend({ uri: z.string() });
export const ResourceUpdatedNotificationSchema = demanding(
  'notifications/resources/updated',
  ResourceUpdatedNotificationParamsSchema,
);
export const ResourceListChangedNotificationSchema = plain(
  'notifications/resources/list_changed',
  NotificationParamsSchema,
);
