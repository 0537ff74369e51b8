import type { ModelProvider } from '@portico/agent';
import type { ModelInfo } from '@portico/api';
import type { ModelOptions } from '../host-options.ts';

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
    return createAnthropicProvider({
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(authToken === undefined ? {} : { authToken }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
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
  const endpoint =
    baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : 'api.anthropic.com';
  return { configured: true, model, endpoint };
}
