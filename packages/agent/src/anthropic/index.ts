import type Anthropic from '@anthropic-ai/sdk';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import type { ModelInfo } from '../contract/query.ts';
import type { ModelProvider, ModelRequest, ModelStreamEvent } from '../provider/model-provider.ts';
import { requestFailure } from './failures.ts';
import { requestBody } from './request-body.ts';
import { streamEvents } from './stream-events.ts';

const DEFAULT_MODEL = 'claude-sonnet-5';

export interface AnthropicProviderOptions {
  /** A key; goes before `authToken`. */
  readonly apiKey?: string;
  /** Sent as a bearer token. */
  readonly authToken?: string;
  /** Any endpoint that speaks the Messages API; default: Anthropic's own. */
  readonly baseUrl?: string;
  readonly defaultModel?: string;
  /** Mark prompts for caching, default true; for endpoints that refuse unknown fields: false. */
  readonly cacheMarks?: boolean;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
}

/**
 * Exactly one of key and token, so that the library looks for credentials nowhere else; an endpoint
 * that asks for none gets a placeholder.
 */
function credentials(options: AnthropicProviderOptions): {
  apiKey: string | null;
  authToken: string | null;
  defaultHeaders?: Record<string, string>;
} {
  const { apiKey, authToken, baseUrl } = options;
  if (apiKey === undefined && authToken !== undefined) return { apiKey: null, authToken };
  const key = apiKey ?? 'none';
  // The library sends a key as a bearer token; most compatible endpoints know the older header only.
  const older = baseUrl === undefined ? {} : { defaultHeaders: { 'x-api-key': key } };
  return { apiKey: key, authToken: null, ...older };
}

/** Makes the client on its first use: loading the library takes longer than anything else here. */
function createClient(options: AnthropicProviderOptions): () => Promise<Anthropic> {
  let client: Promise<Anthropic> | undefined;
  return () => {
    client ??= import('@anthropic-ai/sdk').then(
      ({ Anthropic: Client }) =>
        new Client({
          ...credentials(options),
          baseURL: options.baseUrl ?? 'https://api.anthropic.com',
          // The loop repeats requests itself, so that counts and waits hold.
          maxRetries: 0,
          logLevel: 'off',
          ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
        }),
    );
    return client;
  };
}

/**
 * A provider that asks Anthropic, or whatever speaks the Messages API at `baseUrl`.
 * Its failures are AgentErrors with the codes `provider_auth` (401, 402, 403),
 * `provider_rate_limited` (429), `provider_overloaded` (500 and above), `provider_bad_request` (other
 * refusals), `provider_stream_cut` and `provider_unreachable`.
 */
export function createAnthropicProvider(options: AnthropicProviderOptions): ModelProvider {
  const client = createClient(options);
  const clock = options.clock ?? systemClock;

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelStreamEvent, void> {
    let response: Response;
    try {
      const { messages } = await client();
      response = await messages
        .create(requestBody(request, options.cacheMarks ?? true), { signal })
        .asResponse();
    } catch (thrown) {
      throw requestFailure(thrown, clock.now());
    }
    yield* streamEvents(response);
  }

  return {
    name: 'anthropic',
    defaultModel: options.defaultModel ?? DEFAULT_MODEL,
    apiKeySource: options.apiKey === undefined ? 'temporary' : 'user',
    stream,
    models: async (): Promise<ModelInfo[]> => {
      const found: ModelInfo[] = [];
      for await (const model of (await client()).models.list({ limit: 100 })) {
        found.push({ value: model.id, displayName: model.display_name, description: '' });
        if (found.length >= 1000) break;
      }
      return found;
    },
  };
}
