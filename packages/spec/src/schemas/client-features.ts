import { z } from 'zod';
import {
  MetaSchema,
  NotificationParamsSchema,
  RequestParamsSchema,
  ResultSchema,
  RoleSchema,
  TaskAugmentedRequestParamsSchema,
  demanding,
  plain,
} from './base.ts';
import {
  AudioContentSchema,
  ImageContentSchema,
  TextContentSchema,
  ToolResultContentSchema,
  ToolUseContentSchema,
} from './content.ts';
import { ToolSchema } from './tools-and-prompts.ts';

const share = z.number().min(0).max(1).optional();

export const ModelHintSchema = z.looseObject({ name: z.string().optional() });
export const ModelPreferencesSchema = z.looseObject({
  hints: z.array(ModelHintSchema).optional(),
  costPriority: share,
  speedPriority: share,
  intelligencePriority: share,
});
export const ToolChoiceSchema = z.looseObject({ mode: z.enum(['auto', 'required', 'none']).optional() });
export const SamplingContentSchema = z.union([TextContentSchema, ImageContentSchema, AudioContentSchema]);
export const SamplingMessageContentBlockSchema = z.union([
  TextContentSchema,
  ImageContentSchema,
  AudioContentSchema,
  ToolUseContentSchema,
  ToolResultContentSchema,
]);
const OneOrMoreBlocksSchema = z.union([
  SamplingMessageContentBlockSchema,
  z.array(SamplingMessageContentBlockSchema),
]);
export const SamplingMessageSchema = z.looseObject({
  role: RoleSchema,
  content: OneOrMoreBlocksSchema,
  _meta: MetaSchema.optional(),
});
export const CreateMessageRequestParamsSchema = TaskAugmentedRequestParamsSchema.extend({
  messages: z.array(SamplingMessageSchema),
  modelPreferences: ModelPreferencesSchema.optional(),
  systemPrompt: z.string().optional(),
  includeContext: z.enum(['none', 'thisServer', 'allServers']).optional(),
  temperature: z.number().optional(),
  maxTokens: z.int(),
  stopSequences: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  tools: z.array(ToolSchema).optional(),
  toolChoice: ToolChoiceSchema.optional(),
});
export const CreateMessageRequestSchema = demanding(
  'sampling/createMessage',
  CreateMessageRequestParamsSchema,
);
export const CreateMessageResultSchema = ResultSchema.extend({
  role: RoleSchema,
  content: SamplingContentSchema,
  model: z.string(),
  stopReason: z.string().optional(),
});
export const CreateMessageResultWithToolsSchema = CreateMessageResultSchema.extend({
  content: OneOrMoreBlocksSchema,
});

export const RootSchema = z.looseObject({
  uri: z.string().startsWith('file://'),
  name: z.string().optional(),
  _meta: MetaSchema.optional(),
});
export const ListRootsRequestSchema = plain('roots/list', RequestParamsSchema);
export const ListRootsResultSchema = ResultSchema.extend({ roots: z.array(RootSchema) });
export const RootsListChangedNotificationSchema = plain(
  'notifications/roots/list_changed',
  NotificationParamsSchema,
);

const titles = { title: z.string().optional(), description: z.string().optional() };
const TitledConstSchema = z.looseObject({ const: z.string(), title: z.string() });

export const BooleanSchemaSchema = z.looseObject({
  type: z.literal('boolean'),
  ...titles,
  default: z.boolean().optional(),
});
export const StringSchemaSchema = z.looseObject({
  type: z.literal('string'),
  ...titles,
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  default: z.string().optional(),
});
export const NumberSchemaSchema = z.looseObject({
  type: z.enum(['number', 'integer']),
  ...titles,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
export const UntitledSingleSelectEnumSchemaSchema = z.looseObject({
  type: z.literal('string'),
  ...titles,
  enum: z.array(z.string()),
  default: z.string().optional(),
});
export const TitledSingleSelectEnumSchemaSchema = z.looseObject({
  type: z.literal('string'),
  ...titles,
  oneOf: z.array(TitledConstSchema),
  default: z.string().optional(),
});
export const LegacyTitledEnumSchemaSchema = z.looseObject({
  type: z.literal('string'),
  ...titles,
  enum: z.array(z.string()),
  enumNames: z.array(z.string()).optional(),
  default: z.string().optional(),
});
export const SingleSelectEnumSchemaSchema = z.union([
  UntitledSingleSelectEnumSchemaSchema,
  TitledSingleSelectEnumSchemaSchema,
]);
const several = {
  type: z.literal('array'),
  ...titles,
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  default: z.array(z.string()).optional(),
};
export const UntitledMultiSelectEnumSchemaSchema = z.looseObject({
  ...several,
  items: z.looseObject({ type: z.literal('string'), enum: z.array(z.string()) }),
});
export const TitledMultiSelectEnumSchemaSchema = z.looseObject({
  ...several,
  items: z.looseObject({ anyOf: z.array(TitledConstSchema) }),
});
export const MultiSelectEnumSchemaSchema = z.union([
  UntitledMultiSelectEnumSchemaSchema,
  TitledMultiSelectEnumSchemaSchema,
]);
export const EnumSchemaSchema = z.union([
  LegacyTitledEnumSchemaSchema,
  SingleSelectEnumSchemaSchema,
  MultiSelectEnumSchemaSchema,
]);
export const PrimitiveSchemaDefinitionSchema = z.union([
  EnumSchemaSchema,
  BooleanSchemaSchema,
  StringSchemaSchema,
  NumberSchemaSchema,
]);

export const ElicitRequestFormParamsSchema = TaskAugmentedRequestParamsSchema.extend({
  mode: z.literal('form').optional(),
  message: z.string(),
  requestedSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), PrimitiveSchemaDefinitionSchema),
    required: z.array(z.string()).optional(),
  }),
});
export const ElicitRequestURLParamsSchema = TaskAugmentedRequestParamsSchema.extend({
  mode: z.literal('url'),
  message: z.string(),
  elicitationId: z.string().optional(),
  url: z.url(),
});
export const ElicitRequestParamsSchema = z.union([
  ElicitRequestFormParamsSchema,
  ElicitRequestURLParamsSchema,
]);
export const ElicitRequestSchema = demanding('elicitation/create', ElicitRequestParamsSchema);
export const ElicitResultSchema = ResultSchema.extend({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional(),
});
export const ElicitationCompleteNotificationParamsSchema = NotificationParamsSchema.extend({
  elicitationId: z.string(),
});
export const ElicitationCompleteNotificationSchema = demanding(
  'notifications/elicitation/complete',
  ElicitationCompleteNotificationParamsSchema,
);
