import { z } from 'zod';
import { CONNECTOR_PROBLEM_FACTS, CONNECTOR_PROBLEM_KINDS } from './connector-problems.ts';

/** Longest message text, in UTF-16 units (256 KiB of ASCII). */
export const MAX_MESSAGE_TEXT = 262_144;

const conversationStatusSchema = z.enum(['idle', 'running', 'interrupted']);

export const conversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: conversationStatusSchema,
  /** Calls that wait for the person: for approval or for a sign-in. */
  waitingApprovals: z.number().int(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});

const callStatusSchema = z.enum([
  'waiting_approval',
  /** Refused before it ran, since its account has lost its grant; sent once after the sign-in. */
  'waiting_sign_in',
  'running',
  'done',
  'tool_error',
  'failed',
  'denied',
  'cancelled',
  /** The host stopped while it ran: it may have happened. */
  'unknown',
]);

/** A tool's answer as MCP defines it; its content blocks are kept open for kinds we do not know. */
export const toolResultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

const progressSchema = z.object({
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});

const itemBase = { id: z.string(), createdAtMs: z.number() };

const userMessageSchema = z.object({ ...itemBase, type: z.literal('user_message'), text: z.string() });

const assistantMessageSchema = z.object({
  ...itemBase,
  type: z.literal('assistant_message'),
  text: z.string(),
  streaming: z.boolean(),
  model: z.string(),
});

export const toolCallSchema = z.object({
  ...itemBase,
  type: z.literal('tool_call'),
  connectorId: z.string(),
  connectorName: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  arguments: z.record(z.string(), z.unknown()),
  /** Who asked for it. */
  origin: z.enum(['person', 'model']),
  status: callStatusSchema,
  progress: progressSchema.optional(),
  result: toolResultSchema.optional(),
  /** Of a connector, in the catalogues' words where `kind` is known. */
  problem: z
    .object({
      code: z.string(),
      message: z.string(),
      kind: z.enum(CONNECTOR_PROBLEM_KINDS).optional(),
      facts: z.partialRecord(z.enum(CONNECTOR_PROBLEM_FACTS), z.string()).optional(),
    })
    .optional(),
  /** Address of the view that shows this call. */
  viewUri: z.string().optional(),
  endedAtMs: z.number().optional(),
});

/** What went wrong in a turn and what the person can do about it. */
const problemCardSchema = z.object({
  ...itemBase,
  type: z.literal('problem'),
  code: z.enum([
    'provider_auth',
    'provider_rate_limited',
    'provider_overloaded',
    'provider_stream_cut',
    'provider_bad_request',
    'provider_unreachable',
    'too_many_rounds',
    'interrupted',
    'internal',
  ]),
  message: z.string(),
  /** Whether asking again without changes may work. */
  retryable: z.boolean(),
});

export const itemSchema = z.discriminatedUnion('type', [
  userMessageSchema,
  assistantMessageSchema,
  toolCallSchema,
  problemCardSchema,
]);

/** A conversation with everything in it, and the number of the last event it includes. */
export const conversationDetailSchema = z.object({
  conversation: conversationSchema,
  items: z.array(itemSchema),
  seq: z.number().int(),
});

export const createConversationSchema = z.object({ title: z.string().trim().min(1).max(200).optional() });
export const renameConversationSchema = z.object({ title: z.string().trim().min(1).max(200) });
/** `clientId` makes a repeated request have one effect. */
export const sendMessageSchema = z.object({
  text: z.string().trim().min(1).max(MAX_MESSAGE_TEXT),
  clientId: z.string().min(1).max(64).optional(),
});
export const startCallSchema = z.object({
  connectorId: z.string(),
  tool: z.string().min(1).max(256),
  arguments: z.record(z.string(), z.unknown()).default({}),
  clientId: z.string().min(1).max(64).optional(),
});
export const approvalDecisionSchema = z.object({
  decision: z.enum(['allow', 'deny']),
  /** Told to the model when the call is denied. */
  message: z.string().max(4096).optional(),
});

export type ConversationStatus = z.infer<typeof conversationStatusSchema>;
export type Conversation = z.infer<typeof conversationSchema>;
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;
export type CallStatus = z.infer<typeof callStatusSchema>;
export type ToolResult = z.infer<typeof toolResultSchema>;
export type Progress = z.infer<typeof progressSchema>;
export type UserMessage = z.infer<typeof userMessageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolCall = z.infer<typeof toolCallSchema>;
export type ProblemCard = z.infer<typeof problemCardSchema>;
export type Item = z.infer<typeof itemSchema>;
export type StartCall = z.infer<typeof startCallSchema>;
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;
