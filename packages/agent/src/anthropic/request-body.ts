import type { ContentBlockParam, MessageCreateParamsStreaming, Tool } from '@anthropic-ai/sdk/resources';
import type { ModelMessage, ModelRequest } from '../provider/model-provider.ts';

const CACHED = { cache_control: { type: 'ephemeral' as const } };

/** Marks the last block that can be marked, so that everything before it is cached. */
function withMark(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last === undefined || block === undefined) return [...messages];
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return [...messages];
  const content = [...last.content.slice(0, -1), { ...block, ...CACHED } as ContentBlockParam];
  return [...messages.slice(0, -1), { ...last, content }];
}

/**
 * The body of a Messages request.
 * @param cacheMarks whether system prompt, tools and the newest message are marked for caching
 */
export function requestBody(request: ModelRequest, cacheMarks: boolean): MessageCreateParamsStreaming {
  const mark = cacheMarks ? CACHED : {};
  const tools = request.tools.map(
    (tool, index): Tool => ({ ...tool, ...(index === request.tools.length - 1 ? mark : {}) }) as Tool,
  );
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    messages: cacheMarks ? withMark(request.messages) : [...request.messages],
    ...(request.system === '' ? {} : { system: [{ type: 'text' as const, text: request.system, ...mark }] }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(request.thinkingBudgetTokens === undefined
      ? {}
      : { thinking: { type: 'enabled' as const, budget_tokens: request.thinkingBudgetTokens } }),
  };
}
