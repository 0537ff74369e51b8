import { CONFIG_MEMBERS } from './check-config.ts';
import { sameValue } from '../same-value.ts';
import type { McpServerConfig } from './server-config.ts';

/** What a change of settings asks for. */
export type ConfigChange = 'same' | 'in_force' | 'reconnect';

/** What a changed member asks for; the type wants all of them named. Source: R13, R131. */
const CHANGES: Readonly<Record<keyof McpServerConfig, Exclude<ConfigChange, 'same'>>> = {
  url: 'reconnect',
  enabled: 'reconnect',
  headers: 'reconnect',
  connectionMode: 'reconnect',
  proxyConfig: 'reconnect',
  autoProxyFallback: 'reconnect',
  oauth: 'reconnect',
  oauthProxyUrl: 'reconnect',
  callbackUrl: 'reconnect',
  storageKeyPrefix: 'reconnect',
  clientInfo: 'reconnect',
  clientOptions: 'reconnect',
  protocolNegotiation: 'reconnect',
  displayName: 'in_force',
  timeout: 'in_force',
  autoRetry: 'in_force',
  autoReconnect: 'in_force',
  reconnectionOptions: 'in_force',
  preventAutoAuth: 'in_force',
  useRedirectFlow: 'in_force',
  popupFeatures: 'in_force',
  logLevel: 'in_force',
};

/** What leaving a reconnecting member out comes to: saying so aloud changes nothing. */
const UNSAID: McpServerConfig = {
  enabled: true,
  headers: {},
  autoProxyFallback: false,
  oauth: {},
  storageKeyPrefix: 'mcp:auth',
  clientOptions: {},
  protocolNegotiation: 'auto',
};

function changeOf(
  member: keyof McpServerConfig,
  before: McpServerConfig,
  after: McpServerConfig,
): ConfigChange {
  const [old, now] = [before[member], after[member]];
  if (sameValue(old, now)) return 'same';
  if (sameValue(old ?? UNSAID[member], now ?? UNSAID[member])) return 'in_force';
  return CHANGES[member];
}

/**
 * What it takes to get from one state of the settings to another: nothing, taking them over, or a new
 * connection (or the end of it, when `enabled` became false).
 *
 * @param before settings with the provider's defaults filled in, as `withDefaults` does it
 * @param after the same of the new ones
 */
export function compareConfigs(before: McpServerConfig, after: McpServerConfig): ConfigChange {
  const changes = new Set(CONFIG_MEMBERS.map((member) => changeOf(member, before, after)));
  if (changes.has('reconnect')) return 'reconnect';
  return changes.has('in_force') ? 'in_force' : 'same';
}

/**
 * Settings with a patch on them: members it has replace those there are whole, and undefined removes one.
 *
 * @returns the settings themselves when the patch changes nothing
 */
export function mergeConfig(config: McpServerConfig, patch: Partial<McpServerConfig>): McpServerConfig {
  const changed = CONFIG_MEMBERS.filter(
    (member) => Object.hasOwn(patch, member) && !sameValue(config[member], patch[member]),
  );
  if (changed.length === 0) return config;
  const merged: Record<string, unknown> = { ...config };
  for (const member of changed) {
    if (patch[member] === undefined) delete merged[member];
    else merged[member] = patch[member];
  }
  return merged;
}

/** The patch that leads from one to the other; a member that is gone is undefined in it. */
export function changesBetween(before: McpServerConfig, after: McpServerConfig): Partial<McpServerConfig> {
  const changed = CONFIG_MEMBERS.filter((member) => !sameValue(before[member], after[member]));
  return Object.fromEntries(changed.map((member) => [member, after[member]]));
}
