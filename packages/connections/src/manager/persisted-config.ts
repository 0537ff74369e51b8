import { isRecord } from '@portico/spec';
import { memberFault } from './check-config.ts';
import type { McpServerConfig, PersistedMcpServerConfig } from './server-config.ts';

/** What is kept of a value: all of it when it is a plain word, number or flag, or the named members. */
type Kept = true | { readonly [name: string]: Kept } | readonly [items: Kept];

const ADDRESS = { proxyAddress: true } as const;

/** Everything that may be stored; what has no name here is not. Source: R80. */
const KEPT: Readonly<Record<keyof PersistedMcpServerConfig, Kept>> = {
  autoProxyFallback: { enabled: true, ...ADDRESS },
  autoReconnect: { enabled: true, initialDelay: true, healthCheckInterval: true, healthCheckTimeout: true },
  autoRetry: true,
  callbackUrl: true,
  clientInfo: {
    name: true,
    version: true,
    title: true,
    description: true,
    websiteUrl: true,
    icons: [{ src: true, mimeType: true, sizes: [true] }],
  },
  connectionMode: true,
  displayName: true,
  enabled: true,
  logLevel: true,
  oauth: { clientId: true, clientMetadataUrl: true, scope: true },
  oauthProxyUrl: true,
  popupFeatures: true,
  preventAutoAuth: true,
  protocolNegotiation: { pin: true },
  proxyConfig: ADDRESS,
  reconnectionOptions: {
    initialReconnectionDelay: true,
    maxReconnectionDelay: true,
    reconnectionDelayGrowFactor: true,
    maxRetries: true,
  },
  storageKeyPrefix: true,
  timeout: true,
  url: true,
  useRedirectFlow: true,
};

const PLAIN_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

function keep(value: unknown, kept: Kept): unknown {
  if (PLAIN_TYPES.has(typeof value)) return value;
  if (kept === true) return undefined;
  if (isListShape(kept)) return Array.isArray(value) ? value.map((item) => keep(item, kept[0])) : undefined;
  if (!isRecord(value)) return undefined;
  const part: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(kept)) {
    const member = Object.hasOwn(value, name) ? keep(value[name], shape) : undefined;
    if (member !== undefined) part[name] = member;
  }
  return part;
}

function isListShape(kept: Exclude<Kept, true>): kept is readonly [Kept] {
  return Array.isArray(kept);
}

/**
 * The part of settings that may be stored, as a copy. Used before storing, and again after reading, since
 * anybody may have written the store: what is of the wrong kind is left out, too.
 *
 * @returns undefined when there are no settings at all
 */
export function persistedConfig(value: unknown): PersistedMcpServerConfig | undefined {
  if (!isRecord(value)) return undefined;
  const persisted: Record<string, unknown> = {};
  for (const [member, shape] of Object.entries(KEPT)) {
    if (!Object.hasOwn(value, member)) continue;
    const part = keep(value[member], shape);
    if (part === undefined || memberFault(member as keyof McpServerConfig, part) !== undefined) continue;
    persisted[member] = part;
  }
  return persisted;
}
