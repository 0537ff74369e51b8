import { z } from 'zod';
import {
  ImplementationSchema,
  NotificationParamsSchema,
  RequestIdSchema,
  RequestParamsSchema,
  ResultMetaObjectSchema,
  ResultSchema,
  cacheHints,
  demanding,
  plain,
} from './base.ts';

const flag = z.looseObject({});
const named = z.record(z.string(), flag);

export const ClientCapabilitiesSchema = z.looseObject({
  experimental: named.optional(),
  extensions: named.optional(),
  roots: z.looseObject({ listChanged: z.boolean().optional() }).optional(),
  sampling: z.looseObject({ context: flag.optional(), tools: flag.optional() }).optional(),
  elicitation: z.looseObject({ form: flag.optional(), url: flag.optional() }).optional(),
  tasks: flag.optional(),
});
export const ServerCapabilitiesSchema = z.looseObject({
  experimental: named.optional(),
  extensions: named.optional(),
  logging: flag.optional(),
  completions: flag.optional(),
  prompts: z.looseObject({ listChanged: z.boolean().optional() }).optional(),
  resources: z
    .looseObject({ subscribe: z.boolean().optional(), listChanged: z.boolean().optional() })
    .optional(),
  tools: z.looseObject({ listChanged: z.boolean().optional() }).optional(),
  tasks: flag.optional(),
});

export const InitializeRequestParamsSchema = RequestParamsSchema.extend({
  protocolVersion: z.string(),
  capabilities: ClientCapabilitiesSchema,
  clientInfo: ImplementationSchema,
});
export const InitializeRequestSchema = demanding('initialize', InitializeRequestParamsSchema);
export const InitializeResultSchema = ResultSchema.extend({
  protocolVersion: z.string(),
  capabilities: ServerCapabilitiesSchema,
  serverInfo: ImplementationSchema,
  instructions: z.string().optional(),
});
export const InitializedNotificationSchema = plain('notifications/initialized', NotificationParamsSchema);

export const DiscoverRequestSchema = plain('server/discover', RequestParamsSchema);
export const DiscoverResultSchema = ResultSchema.extend({
  ...cacheHints,
  supportedVersions: z.array(z.string()),
  capabilities: ServerCapabilitiesSchema,
  instructions: z.string().optional(),
});

export const SubscriptionFilterSchema = z.looseObject({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
});
export const SubscriptionsListenRequestParamsSchema = RequestParamsSchema.extend({
  notifications: SubscriptionFilterSchema,
});
export const SubscriptionsListenRequestSchema = demanding(
  'subscriptions/listen',
  SubscriptionsListenRequestParamsSchema,
);
export const SubscriptionsListenResultMetaSchema = ResultMetaObjectSchema.extend({
  'io.modelcontextprotocol/subscriptionId': RequestIdSchema,
});
export const SubscriptionsListenResultSchema = ResultSchema.extend({
  _meta: SubscriptionsListenResultMetaSchema,
});
export const SubscriptionsAcknowledgedNotificationParamsSchema = NotificationParamsSchema.extend({
  notifications: SubscriptionFilterSchema,
});
export const SubscriptionsAcknowledgedNotificationSchema = demanding(
  'notifications/subscriptions/acknowledged',
  SubscriptionsAcknowledgedNotificationParamsSchema,
);
