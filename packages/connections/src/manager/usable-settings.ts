import { ConnectionsError } from '../errors.ts';
import { checkConfig } from './check-config.ts';
import type { ShownFailure } from './failure-codes.ts';
import { resolveConfig, settledConfig } from './resolve-config.ts';
import type { PageOf, ResolvedConfig, ServerDefaults } from './resolve-config.ts';
import type { McpServerConfig } from './server-config.ts';

/** What there is to work with: the settings, or why they cannot be used, and then nothing is connected. */
export interface UsableSettings {
  readonly resolved: ResolvedConfig;
  readonly fault: ShownFailure | undefined;
}

/** Looks at settings that nobody looked at before, as an application declares them. Never throws. */
export function usableSettings(
  config: McpServerConfig,
  defaults: ServerDefaults,
  pageOf: PageOf,
): UsableSettings {
  try {
    const settled = settledConfig(config, defaults, pageOf);
    checkConfig(settled);
    return { resolved: resolveConfig(settled), fault: undefined };
  } catch (error) {
    if (!(error instanceof ConnectionsError)) throw error;
    const { code, message } = error;
    return { resolved: resolveConfig({}), fault: { code, message, retryable: false } };
  }
}
