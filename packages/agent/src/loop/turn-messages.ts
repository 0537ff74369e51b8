import { randomUUID } from 'node:crypto';
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources';
import type { BetaMessage } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKResultMessage,
  SDKSystemMessage,
} from '../contract/messages.ts';
import type { SessionEntry } from '../session/session-store.ts';
import type { AnswerPart } from './answer-reader.ts';
import { noUsage } from './usage.ts';
import type { Run, Turn } from './run.ts';

/** How a turn ended. */
export type TurnEnd =
  | { readonly kind: 'success'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'error_max_turns' | 'error_during_execution' };

export function initMessage(run: Run): SDKSystemMessage {
  return {
    type: 'system',
    subtype: 'init',
    uuid: randomUUID(),
    session_id: run.session.id,
    apiKeySource: run.apiKeySource,
    cwd: run.cwd,
    tools: run.catalog().tools.map((tool) => tool.name),
    mcp_servers: run.mcp.status().map(({ name, status }) => ({ name, status })),
    model: run.model(),
    permissionMode: run.permissions.mode,
    slash_commands: [],
    output_style: 'default',
  };
}

/** A part of an answer as the message that passes it on. */
export function partMessage(run: Run, part: AnswerPart): SDKMessage {
  const base = { uuid: randomUUID(), session_id: run.session.id, parent_tool_use_id: null };
  return part.type === 'event'
    ? { type: 'stream_event', ...base, event: part.event }
    : { type: 'assistant', ...base, message: part.message };
}

/** An answer that the loop writes in the provider's place. */
export function syntheticAnswer(run: Run, text: string): SDKAssistantMessage {
  const message: BetaMessage = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content: [{ type: 'text', text, citations: null }],
    stop_reason: 'stop_sequence',
    stop_sequence: '',
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
    usage: noUsage(),
  };
  return {
    type: 'assistant',
    uuid: randomUUID(),
    session_id: run.session.id,
    parent_tool_use_id: null,
    message,
  };
}

/** A user message that the loop writes itself, as entry and as message. */
export function syntheticUser(
  run: Run,
  text: string,
): { readonly entry: SessionEntry; readonly message: SDKMessage } {
  const uuid = randomUUID();
  const content: ContentBlockParam[] = [{ type: 'text', text }];
  return {
    entry: { type: 'user', uuid, origin: 'synthetic', content },
    message: {
      type: 'user',
      uuid,
      session_id: run.session.id,
      parent_tool_use_id: null,
      isSynthetic: true,
      message: { role: 'user', content: structuredClone(content) },
    },
  };
}

export function resultMessage(run: Run, turn: Turn, end: TurnEnd): SDKResultMessage {
  const { figures } = turn;
  const common = {
    type: 'result' as const,
    uuid: randomUUID(),
    session_id: run.session.id,
    duration_ms: Math.max(0, Math.round(run.clock.now() - figures.startedAtMs)),
    duration_api_ms: Math.round(figures.apiMs),
    num_turns: figures.modelTurns,
    total_cost_usd: run.usageBook.totalCostUsd(),
    usage: figures.usage,
    modelUsage: run.usageBook.byModel(),
    permission_denials: [...figures.denials],
  };
  return end.kind === 'success'
    ? { ...common, subtype: 'success', is_error: end.isError, result: end.text }
    : { ...common, subtype: end.kind, is_error: true };
}
