import { z } from 'zod';
import { toolCallSchema } from './conversations.ts';

/** Opens one rendered instance of an MCP App for a tool call. */
export const openViewSchema = z.object({
  conversationId: z.string(),
  callId: z.string(),
  /** The page cannot reach sandbox hosts: serve it here, with an opaque origin. */
  opaque: z.boolean().default(false),
});

export const viewSessionSchema = z.object({
  viewId: z.string(),
  /** Address of the sandbox document, on the connector's own origin. */
  url: z.string(),
  /** `opaque` where the page cannot reach sandbox hosts. */
  origin: z.string(),
  connectorName: z.string(),
  call: toolCallSchema,
  /** Definition of the called tool, as the server lists it. */
  tool: z.looseObject({ name: z.string() }),
  prefersBorder: z.boolean().optional(),
  /** Browser features granted to the frame, as an `allow` attribute. */
  allow: z.string(),
  /** Origins outside its own that the document's policy lets it use, by kind (connect, resource, frame …). */
  grantedOrigins: z.record(z.string(), z.array(z.string())).optional(),
});

/** A request that a view makes of its own connector. */
export const viewRequestSchema = z.object({
  method: z.enum([
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
  ]),
  params: z.record(z.string(), z.unknown()).default({}),
});

export type OpenView = z.input<typeof openViewSchema>;
export type ViewSession = z.infer<typeof viewSessionSchema>;
export type ViewRequest = z.infer<typeof viewRequestSchema>;
