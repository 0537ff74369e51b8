import type { SamplingMessage, SamplingMessageContentBlock } from './sampling.ts';

function blocksOf({ content }: SamplingMessage): readonly SamplingMessageContentBlock[] {
  return Array.isArray(content) ? content : [content];
}

function idsOf(message: SamplingMessage | undefined, type: 'tool_use' | 'tool_result'): readonly string[] {
  if (message === undefined) return [];
  const ids: string[] = [];
  for (const block of blocksOf(message)) {
    if (block.type !== type) continue;
    ids.push(block.type === 'tool_use' ? block.id : block.toolUseId);
  }
  return ids;
}

function sameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id));
}

/**
 * Why a conversation that a server hands to a model breaks the rules on tools; undefined when it keeps
 * them. Results stand alone in a message of the user, right after the message whose uses they answer,
 * and every use has one, also in the last message.
 */
export function samplingMessagesFault(messages: readonly SamplingMessage[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const results = idsOf(message, 'tool_result');
    if (results.length > 0) {
      if (message.role !== 'user') return 'tool results belong in a message of the user';
      if (results.length < blocksOf(message).length) return 'tool results stand alone in their message';
      const uses = idsOf(messages[index - 1], 'tool_use');
      if (!sameIds(results, uses)) return 'tool results do not answer the tool uses before them';
    }
    const uses = idsOf(message, 'tool_use');
    if (uses.length === 0) continue;
    if (message.role !== 'assistant') return 'tool uses belong in a message of the assistant';
    if (!sameIds(uses, idsOf(messages[index + 1], 'tool_result'))) return 'a tool use has no result next';
  }
  return undefined;
}
