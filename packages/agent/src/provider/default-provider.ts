import { AgentError } from '../errors.ts';
import type { ModelProvider, ModelStreamEvent } from './model-provider.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Ends every turn with a text that tells what to set. */
function withoutCredentials(): ModelProvider {
  const message =
    'No model is set up: give portico.provider, or ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN in env.';
  return {
    name: 'none',
    defaultModel: 'none',
    stream: (): AsyncIterable<ModelStreamEvent> => {
      throw new AgentError('provider_auth', {}, { message });
    },
  };
}

/**
 * The provider of a query that names none: Anthropic, or what speaks like it at
 * `ANTHROPIC_BASE_URL`, with the credentials of the given environment (rule G198).
 */
export async function defaultProvider(environment: Environment): Promise<ModelProvider> {
  const apiKey = environment['ANTHROPIC_API_KEY'] ?? '';
  const authToken = environment['ANTHROPIC_AUTH_TOKEN'] ?? '';
  const baseUrl = environment['ANTHROPIC_BASE_URL'] ?? '';
  if (apiKey === '' && authToken === '') return withoutCredentials();
  // Loaded here so that a query with a provider of its own never loads it.
  const { createAnthropicProvider } = await import('../anthropic/index.ts');
  return createAnthropicProvider({
    ...(apiKey === '' ? { authToken } : { apiKey }),
    ...(baseUrl === '' ? {} : { baseUrl }),
  });
}
