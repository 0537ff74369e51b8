import { isRecord } from '@portico/spec';
import { ConnectionsError } from '../errors.ts';
import { clientInfoFault } from './client-info-fault.ts';
import {
  addressFault,
  choiceFault,
  countFault,
  durationFault,
  flagFault,
  membersFault,
  periodFault,
  placeFault,
  textFault,
  wordFault,
} from './setting-faults.ts';
import type { SettingFault } from './setting-faults.ts';
import type { McpServerConfig } from './server-config.ts';

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Line ends and characters above 255 cannot stand in a header.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const headersFault: SettingFault = (value, member) => {
  if (!isRecord(value)) return member;
  for (const [name, text] of Object.entries(value)) {
    if (!HEADER_NAME.test(name)) return member;
    if (text !== undefined && (typeof text !== 'string' || !HEADER_VALUE.test(text))) {
      return `${member}.${name}`;
    }
  }
  return undefined;
};

const proxyFault = membersFault({ proxyAddress: addressFault, headers: headersFault });

const fallbackMembersFault = membersFault({ enabled: flagFault, proxyAddress: addressFault });
const fallbackFault: SettingFault = (value, member) =>
  typeof value === 'boolean' ? undefined : fallbackMembersFault(value, member);

const documentFault: SettingFault = (value, member) => {
  if (addressFault(value, member) !== undefined) return member;
  return String(value).toLowerCase().startsWith('https:') ? undefined : member;
};

const OAUTH_MEMBERS = { clientId: wordFault, clientMetadataUrl: documentFault, scope: textFault };
const oauthMembersFault = membersFault(OAUTH_MEMBERS);
/** Beside the three public members there is nothing: a secret in a page is none. */
const oauthFault: SettingFault = (value, member) => {
  if (!isRecord(value)) return member;
  const stranger = Object.keys(value).find(
    (name) => value[name] !== undefined && !Object.hasOwn(OAUTH_MEMBERS, name),
  );
  return stranger === undefined ? oauthMembersFault(value, member) : `${member}.${stranger}`;
};

const capabilitiesFault = membersFault({ views: flagFault });
const clientOptionsFault = membersFault({ capabilities: capabilitiesFault });

const pinFault = membersFault({ pin: wordFault });
const negotiationFault: SettingFault = (value, member) => {
  if (value === 'auto' || value === 'legacy') return undefined;
  if (!isRecord(value) || value['pin'] === undefined) return member;
  return pinFault(value, member);
};

const retryFault: SettingFault = (value, member) =>
  typeof value === 'boolean' ? undefined : durationFault(value, member);

const reconnectMembersFault = membersFault({
  enabled: flagFault,
  initialDelay: durationFault,
  healthCheckInterval: (value, member) => (value === false ? undefined : periodFault(value, member)),
  healthCheckTimeout: periodFault,
});
const reconnectFault: SettingFault = (value, member) =>
  typeof value === 'number' ? durationFault(value, member) : reconnectObjectFault(value, member);
const reconnectObjectFault: SettingFault = (value, member) =>
  typeof value === 'boolean' ? undefined : reconnectMembersFault(value, member);

const growthFault: SettingFault = (value, member) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 1 ? undefined : member;

const streamFault = membersFault({
  initialReconnectionDelay: durationFault,
  maxReconnectionDelay: durationFault,
  reconnectionDelayGrowFactor: growthFault,
  maxRetries: countFault,
});

/** What each member may hold; the type asks for all of them. */
const FAULTS: Readonly<Record<keyof McpServerConfig, SettingFault>> = {
  url: placeFault,
  enabled: flagFault,
  headers: headersFault,
  displayName: textFault,
  connectionMode: choiceFault(['auto', 'direct', 'proxy']),
  proxyConfig: proxyFault,
  autoProxyFallback: fallbackFault,
  oauth: oauthFault,
  oauthProxyUrl: addressFault,
  callbackUrl: placeFault,
  storageKeyPrefix: wordFault,
  clientInfo: clientInfoFault,
  clientOptions: clientOptionsFault,
  protocolNegotiation: negotiationFault,
  timeout: periodFault,
  autoRetry: retryFault,
  autoReconnect: reconnectFault,
  reconnectionOptions: streamFault,
  preventAutoAuth: flagFault,
  useRedirectFlow: flagFault,
  popupFeatures: textFault,
  logLevel: choiceFault(['silent', 'error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly']),
};

/** The names of all settings. */
export const CONFIG_MEMBERS: readonly (keyof McpServerConfig)[] = Object.keys(
  FAULTS,
) as (keyof McpServerConfig)[];

/** The path of what cannot be used in the value of one member; undefined when all can. */
export function memberFault(member: keyof McpServerConfig, value: unknown): string | undefined {
  return value === undefined ? undefined : FAULTS[member](value, member);
}

const REMEDIES: Readonly<Record<string, string>> = {
  url: ': give an absolute http or https address; only on a page a path such as /mcp will do',
};

function refuse(member: string): never {
  const remedy = REMEDIES[member] ?? '';
  throw new ConnectionsError('invalid_config', { member }, { message: `${member} cannot be used${remedy}` });
}

/**
 * Looks at settings, the provider's defaults and the page's address already filled in, before anything is done
 * with them.
 * Members that do not exist are let through. Messages never repeat a value, which may be secret.
 *
 * @throws ConnectionsError `invalid_config`; its data names the first member that cannot be used
 */
export function checkConfig(config: unknown): asserts config is McpServerConfig {
  if (!isRecord(config)) return refuse('config');
  for (const member of CONFIG_MEMBERS) {
    const fault = memberFault(member, config[member]);
    if (fault !== undefined) refuse(fault);
  }
  const { url, connectionMode, proxyConfig } = config as McpServerConfig;
  // A path without a page leads nowhere.
  if (url !== undefined && addressFault(url, 'url') !== undefined) refuse('url');
  if (connectionMode === 'proxy' && proxyConfig?.proxyAddress === undefined) {
    refuse('proxyConfig.proxyAddress');
  }
}

/** @throws ConnectionsError `invalid_config` for an id that is no text or empty */
export function checkServerId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || id === '') refuse('id');
}
