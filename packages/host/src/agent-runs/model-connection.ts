import type { ModelProvider } from '@portico/agent';
import type { ModelInfo } from '@portico/api';
import type { ModelOptions } from '../host-options.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import { reachOf } from '../net/reach.ts';

/** Requests to the model that can be open at once. */
const MODEL_CONNECTIONS = 64;
/** Where models are unless the operator says otherwise. */
const DEFAULT_ENDPOINT = 'https://api.anthropic.com';

/** The configured model. Its code is loaded when the first turn begins, so that the start stays quick. */
export interface ModelConnection {
  readonly model: string;
  provider(): Promise<ModelProvider>;
}

export function createModelConnection(options: ModelOptions): ModelConnection {
  let loading: Promise<ModelProvider> | undefined;
  const load = async (): Promise<ModelProvider> => {
    const { createAnthropicProvider } = await import('@portico/agent/anthropic');
    const { apiKey, authToken, baseUrl } = options;
    const { fetch } = createGuardedFetch({
      mayReach: reachOf(baseUrl ?? DEFAULT_ENDPOINT),
      connections: MODEL_CONNECTIONS,
    });
    return createAnthropicProvider({
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(authToken === undefined ? {} : { authToken }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      fetch: (input, init) => fetch(input instanceof Request ? input.url : input, init),
    });
  };
  return {
    model: options.model,
    provider: () => (loading ??= load()),
  };
}

/** What pages may know of the model: its name and where it is, never the key. */
export function modelInfo(options: ModelOptions | undefined): ModelInfo {
  if (options === undefined) return { configured: false };
  const { baseUrl, model } = options;
  const endpoint = new URL(baseUrl !== undefined && URL.canParse(baseUrl) ? baseUrl : DEFAULT_ENDPOINT).host;
  return { configured: true, model, endpoint };
}
