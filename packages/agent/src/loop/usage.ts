import type { ModelUsage, NonNullableUsage } from '../contract/messages.ts';
import type { ModelPrice } from '../portico-options.ts';

type Figures = Readonly<Record<string, unknown>>;

const isFigures = (value: unknown): value is Figures =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Usage of nothing, with every figure present. */
export function noUsage(): NonNullableUsage {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    server_tool_use: { web_fetch_requests: 0, web_search_requests: 0 },
    output_tokens_details: { thinking_tokens: 0 },
    fallback_credit: { status: { type: 'not_applied', reason: 'not_enabled' } },
    inference_geo: '',
    iterations: [],
    service_tier: 'standard',
    speed: 'standard',
  };
}

/** Numbers added, lists joined, objects likewise, words taken from the newer; null says nothing. */
function summed(older: unknown, newer: unknown): unknown {
  if (newer === null || newer === undefined) return older;
  if (typeof older === 'number' && typeof newer === 'number') return older + newer;
  if (Array.isArray(older) && Array.isArray(newer)) return [...(older as unknown[]), ...(newer as unknown[])];
  if (!isFigures(older) || !isFigures(newer)) return newer;
  const known = Object.keys(older).map((name) => [name, summed(older[name], newer[name])] as const);
  const added = Object.entries(newer).filter(
    ([name, value]) => !Object.hasOwn(older, name) && value !== null,
  );
  return Object.fromEntries([...known, ...added]);
}

/** The sum of two usages; `newer` may lack figures. */
export function addUsage(older: NonNullableUsage, newer: unknown): NonNullableUsage {
  return summed(older, newer) as NonNullableUsage;
}

/** The newest figures of one stream: each report replaces the figures that it names. */
export function mergeUsage(older: Figures, newer: unknown): Figures {
  if (!isFigures(newer)) return older;
  const named = Object.entries(newer).filter(([, value]) => value !== null && value !== undefined);
  return { ...older, ...Object.fromEntries(named) };
}

/** The price with the longest name that begins the model's name. */
function priceOf(model: string, prices: Readonly<Record<string, ModelPrice>>): ModelPrice | undefined {
  const [best] = Object.entries(prices)
    .filter(([name]) => model.startsWith(name))
    .sort(([a], [b]) => b.length - a.length);
  return best?.[1];
}

/** Figures per model over a whole query. */
export interface UsageBook {
  add(model: string, usage: NonNullableUsage): void;
  byModel(): Record<string, ModelUsage>;
  totalCostUsd(): number;
}

/** @param prices dollars per million tokens; a model without a price costs nothing */
export function createUsageBook(prices: Readonly<Record<string, ModelPrice>>): UsageBook {
  const models = new Map<string, ModelUsage>();
  return {
    add: (model, usage) => {
      const price = priceOf(model, prices);
      const before = models.get(model);
      const cost =
        price === undefined
          ? 0
          : (usage.input_tokens * price.input +
              usage.output_tokens * price.output +
              usage.cache_read_input_tokens * price.cacheRead +
              usage.cache_creation_input_tokens * price.cacheWrite) /
            1_000_000;
      models.set(model, {
        inputTokens: (before?.inputTokens ?? 0) + usage.input_tokens,
        outputTokens: (before?.outputTokens ?? 0) + usage.output_tokens,
        cacheReadInputTokens: (before?.cacheReadInputTokens ?? 0) + usage.cache_read_input_tokens,
        cacheCreationInputTokens: (before?.cacheCreationInputTokens ?? 0) + usage.cache_creation_input_tokens,
        webSearchRequests: (before?.webSearchRequests ?? 0) + usage.server_tool_use.web_search_requests,
        costUSD: (before?.costUSD ?? 0) + cost,
        contextWindow: 0,
      });
    },
    byModel: () => Object.fromEntries([...models].map(([model, figures]) => [model, { ...figures }])),
    totalCostUsd: () => [...models.values()].reduce((sum, figures) => sum + figures.costUSD, 0),
  };
}
