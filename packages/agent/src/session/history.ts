import type { ContentBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources';
import type { ModelMessage } from '../provider/model-provider.ts';
import { failureResult } from '../tools/tool-result.ts';
import type { SessionEntry } from './session-store.ts';

/** Told to the model about a call of which no result is known. */
export const INTERRUPTED_CALL =
  '[interrupted] The call was stopped before its result arrived; it may have had an effect.';

type Role = ModelMessage['role'];

const isBlank = (block: ContentBlockParam): boolean => block.type === 'text' && block.text.trim() === '';

/** Entries as messages of alternating roles, blank texts removed. */
function joined(entries: readonly SessionEntry[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const entry of entries) {
    if (entry.type === 'rewind') continue;
    const content = entry.content.filter((block) => !isBlank(block));
    if (content.length === 0) continue;
    const role: Role = entry.type;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
}

/** Ids of a message's tool uses, in order. */
function askedIn(message: ModelMessage | undefined): string[] {
  if (message?.role !== 'assistant') return [];
  return message.content.filter((block) => block.type === 'tool_use').map((block) => block.id);
}

/** One result for each tool use, in the order of the uses. */
function resultsFor(asked: readonly string[], content: readonly ContentBlockParam[]): ToolResultBlockParam[] {
  const given = new Map<string, ToolResultBlockParam>();
  for (const block of content) {
    if (block.type === 'tool_result' && !given.has(block.tool_use_id)) given.set(block.tool_use_id, block);
  }
  return asked.map((id) => given.get(id) ?? failureResult(id, INTERRUPTED_CALL));
}

/** Removes uses whose id was used before: a provider takes each id once. */
function withoutRepeatedUses(message: ModelMessage, seen: Set<string>): ModelMessage {
  const content = message.content.filter((block) => {
    if (block.type !== 'tool_use') return true;
    if (seen.has(block.id)) return false;
    seen.add(block.id);
    return true;
  });
  return { role: message.role, content };
}

/**
 * The history as a provider accepts it, whatever happened to the session: roles alternate from a
 * user message on, each tool use is answered in the next message (by its result, or by a note that
 * it was interrupted), results come first and in the order of the uses, results without a use are
 * dropped (rule G166).
 */
export function validHistory(entries: readonly SessionEntry[]): ModelMessage[] {
  const seen = new Set<string>();
  const messages: ModelMessage[] = [];
  const add = (message: ModelMessage): void => {
    const last = messages.at(-1);
    if (message.content.length === 0) return;
    if (last?.role === message.role) last.content.push(...message.content);
    else messages.push(message);
  };
  for (const message of joined(entries)) {
    const asked = askedIn(messages.at(-1));
    if (message.role === 'assistant') {
      if (asked.length > 0) add({ role: 'user', content: resultsFor(asked, []) });
      if (messages.length > 0) add(withoutRepeatedUses(message, seen));
      continue;
    }
    const others = message.content.filter((block) => block.type !== 'tool_result');
    add({ role: 'user', content: [...resultsFor(asked, message.content), ...others] });
  }
  const open = askedIn(messages.at(-1));
  if (open.length > 0) add({ role: 'user', content: resultsFor(open, []) });
  return messages;
}
