import type { SDKMessage, SDKUserMessage } from './contract/messages.ts';
import type { Options } from './contract/options.ts';
import type { ModelInfo, Query } from './contract/query.ts';
import { AgentError } from './errors.ts';
import { createQueryDriver } from './loop/query-driver.ts';
import type { QueryDriver } from './loop/query-driver.ts';
import type { OpenRun } from './loop/open-run.ts';
import { isPermissionMode } from './permissions/permission-state.ts';

const onlyModel = (model: string): ModelInfo[] => [{ value: model, displayName: model, description: '' }];

async function supportedModels(driver: QueryDriver): Promise<ModelInfo[]> {
  const { run } = await driver.open();
  const models = await run.provider.models?.().catch((): ModelInfo[] => []);
  return models === undefined || models.length === 0 ? onlyModel(run.model()) : models;
}

async function whileRunning(driver: QueryDriver): Promise<OpenRun> {
  if (driver.ended) throw new AgentError('query_ended', undefined);
  return await driver.open();
}

/** Lets `await using` end the query, on platforms that have it. */
function disposable(self: Query, driver: QueryDriver): Query {
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  return asyncDispose === undefined
    ? self
    : Object.defineProperty(self, asyncDispose, { value: () => driver.close() });
}

/**
 * Starts a conversation with a model that may use tools. Nothing happens before the first `next()`
 * or control call; leaving the loop early ends the query.
 *
 * The generator rejects with AbortError when `options.abortController` is aborted, with what the
 * prompt's iterable threw, and with AgentError `invalid_option`, `option_not_available`,
 * `invalid_prompt` or `session_failed`. A failure of the provider does not reject: it ends the turn
 * with a `success` result whose `is_error` is true, after `portico.onProviderError` was told.
 */
export function query({
  prompt,
  options = {},
}: {
  prompt: string | AsyncIterable<SDKUserMessage>;
  options?: Options;
}): Query {
  const driver = createQueryDriver(prompt, options);
  const self: Query = {
    next: () => driver.next(),
    return: async () => {
      await driver.close();
      return { done: true, value: undefined };
    },
    throw: async (error: unknown): Promise<IteratorResult<SDKMessage, void>> => {
      await driver.close();
      throw error;
    },
    [Symbol.asyncIterator]: () => self,
    interrupt: () => driver.interrupt(),
    setPermissionMode: async (mode) => {
      const { run } = await whileRunning(driver);
      if (!isPermissionMode(mode)) throw new AgentError('unknown_mode', { mode: String(mode) });
      run.permissions.setMode(mode);
    },
    setModel: async (model) => (await whileRunning(driver)).setModel(model),
    supportedCommands: () => Promise.resolve([]),
    supportedModels: () => supportedModels(driver),
    mcpServerStatus: async () => (await driver.open()).run.mcp.status(),
  };
  return disposable(self, driver);
}
