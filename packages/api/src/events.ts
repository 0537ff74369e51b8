import { z } from 'zod';
import { artifactSchema } from './artifacts.ts';
import { connectorSchema } from './connectors.ts';
import { conversationSchema, itemSchema } from './conversations.ts';

/** Everything the one stream of a tab can say; each is stored with a growing number before it is sent. */
export const hostEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connector.changed'), connector: connectorSchema }),
  z.object({ type: z.literal('connector.removed'), connectorId: z.string() }),
  z.object({ type: z.literal('conversation.changed'), conversation: conversationSchema }),
  z.object({ type: z.literal('conversation.removed'), conversationId: z.string() }),
  z.object({ type: z.literal('item.changed'), conversationId: z.string(), item: itemSchema }),
  /** Text that follows after `offset` UTF-16 units of the item's text; repeating it is harmless. */
  z.object({
    type: z.literal('item.text'),
    conversationId: z.string(),
    itemId: z.string(),
    offset: z.number().int(),
    text: z.string(),
  }),
  z.object({ type: z.literal('artifact.changed'), artifact: artifactSchema }),
  z.object({ type: z.literal('artifact.removed'), artifactId: z.string() }),
  /** Events before this one are gone: load everything again. */
  z.object({ type: z.literal('resync') }),
]);

export const modelInfoSchema = z.object({
  configured: z.boolean(),
  model: z.string().optional(),
  /** Host name of the endpoint, never the key. */
  endpoint: z.string().optional(),
});

/** First load of the console, and the number of the last event it includes. */
export const bootstrapSchema = z.object({
  seq: z.number().int(),
  version: z.string(),
  model: modelInfoSchema,
  connectors: z.array(connectorSchema),
  conversations: z.array(conversationSchema),
  artifacts: z.array(artifactSchema),
  /**
   * Address on a sandbox host that answers every page. A page that cannot reach it is in a browser
   * where `*.localhost` does not resolve, and opens views and frames with opaque origins.
   */
  isolationProbe: z.string(),
});

export type HostEvent = z.infer<typeof hostEventSchema>;
export type ModelInfo = z.infer<typeof modelInfoSchema>;
export type Bootstrap = z.infer<typeof bootstrapSchema>;
