import type { Page } from './environment.ts';
import { planRoute } from './proxy-route.ts';
import type { ProxyRoute } from './proxy-route.ts';
import { isPagePath } from './setting-faults.ts';
import type {
  ClientInfo,
  LogLevel,
  McpServerConfig,
  ProxyConfig,
  ReconnectionOptions,
  VersionNegotiationMode,
} from './server-config.ts';

/** What a provider says for all its servers. Source: R134. */
export interface ServerDefaults {
  readonly serverConfig?: McpServerConfig | undefined;
  readonly proxyConfig?: ProxyConfig | undefined;
  readonly autoProxyFallback?: McpServerConfig['autoProxyFallback'];
  readonly callbackUrl?: string | undefined;
  readonly oauthProxyUrl?: string | undefined;
  readonly clientInfo?: ClientInfo | undefined;
}

/** How a lost connection is made anew; times in milliseconds. */
export interface ResolvedReconnect {
  readonly isEnabled: boolean;
  readonly initialDelayMs: number;
  /** False: no HEAD request is ever sent. */
  readonly healthCheckIntervalMs: number | false;
  readonly healthCheckTimeoutMs: number;
}

/** Settings with every default filled in. */
export interface ResolvedConfig {
  /** Undefined: nothing is connected. */
  readonly url: string | undefined;
  readonly isEnabled: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly displayName: string | undefined;
  readonly route: ProxyRoute;
  readonly proxyHeaders: Readonly<Record<string, string>>;
  readonly oauth: NonNullable<McpServerConfig['oauth']>;
  readonly oauthProxyUrl: string | undefined;
  /** Undefined: `/oauth/callback` on the page's origin, which only a page knows. */
  readonly callbackUrl: string | undefined;
  readonly storageKeyPrefix: string;
  readonly clientInfo: ClientInfo;
  readonly clientOptions: NonNullable<McpServerConfig['clientOptions']>;
  readonly protocolNegotiation: VersionNegotiationMode;
  readonly timeoutMs: number;
  /** Wait between tries of a first connection; undefined: it is tried once. */
  readonly retryDelayMs: number | undefined;
  readonly reconnect: ResolvedReconnect;
  /** How a broken stream is opened again; no retries when reconnecting is off and nothing was said. */
  readonly streamReconnection: Required<ReconnectionOptions>;
  readonly preventAutoAuth: boolean;
  readonly useRedirectFlow: boolean;
  readonly popupFeatures: string;
  readonly logLevel: LogLevel;
}

/** Said of this program unless the application says something else. */
export const DEFAULT_CLIENT_INFO: ClientInfo = { name: 'portico', version: '0.1.0' };

const INITIAL_DELAY_MS = 3_000;
const HEALTH_CHECK_INTERVAL_MS = 10_000;
const HEALTH_CHECK_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 5_000;

const STREAM_RECONNECTION: Required<ReconnectionOptions> = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};

/**
 * Answers the page whose address the paths of settings belong to; undefined in a program without one. It is
 * asked for a path only, since settings are looked at while rendering, which touches nothing of the world.
 */
export type PageOf = () => Pick<Page, 'href'> | undefined;

/** The members that are there and are not undefined. */
type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

function given<T extends object>(value: T): Given<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Given<T>;
}

function givenHeaders(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([, text]) => text !== undefined));
}

/**
 * The settings of an entry over the provider's. A member of the entry replaces the default whole, and
 * a default with a name of its own goes before the same member of `serverConfig`.
 */
export function withDefaults(config: McpServerConfig, defaults: ServerDefaults = {}): McpServerConfig {
  const { serverConfig = {}, ...named } = defaults;
  return { ...given(serverConfig), ...given(named), ...given(config) };
}

/** The same, with a server that is named by a path put on the page's origin; without a page it stays a path. */
export function settledConfig(
  config: McpServerConfig,
  defaults: ServerDefaults | undefined,
  pageOf: PageOf,
): McpServerConfig {
  const said = withDefaults(config, defaults);
  const { url } = said;
  if (!isPagePath(url)) return said;
  const page = pageOf();
  if (page === undefined || !URL.canParse(url, page.href)) return said;
  return { ...said, url: new URL(url, page.href).href };
}

function resolveReconnect(setting: McpServerConfig['autoReconnect']): ResolvedReconnect {
  const said =
    typeof setting === 'object'
      ? setting
      : typeof setting === 'number'
        ? { initialDelay: setting }
        : { enabled: setting ?? true };
  const isEnabled = said.enabled ?? true;
  return {
    isEnabled,
    initialDelayMs: said.initialDelay ?? INITIAL_DELAY_MS,
    healthCheckIntervalMs: isEnabled ? (said.healthCheckInterval ?? HEALTH_CHECK_INTERVAL_MS) : false,
    healthCheckTimeoutMs: said.healthCheckTimeout ?? HEALTH_CHECK_TIMEOUT_MS,
  };
}

function resolveRetry(setting: McpServerConfig['autoRetry']): number | undefined {
  if (typeof setting === 'number') return setting;
  return setting === true ? RETRY_DELAY_MS : undefined;
}

function resolveStreams(
  setting: ReconnectionOptions | undefined,
  { isEnabled }: ResolvedReconnect,
): Required<ReconnectionOptions> {
  if (setting === undefined && !isEnabled) return { ...STREAM_RECONNECTION, maxRetries: 0 };
  return { ...STREAM_RECONNECTION, ...given(setting ?? {}) };
}

/**
 * Fills in from the number table what settings leave out.
 *
 * @param said the result of {@link settledConfig}, checked by `checkConfig`
 */
export function resolveConfig(said: McpServerConfig): ResolvedConfig {
  const reconnect = resolveReconnect(said.autoReconnect);
  return {
    url: said.url,
    isEnabled: said.enabled ?? true,
    headers: givenHeaders(said.headers),
    displayName: said.displayName,
    route: planRoute(said),
    proxyHeaders: givenHeaders(said.proxyConfig?.headers),
    oauth: said.oauth ?? {},
    oauthProxyUrl: said.oauthProxyUrl,
    callbackUrl: said.callbackUrl,
    storageKeyPrefix: said.storageKeyPrefix ?? 'mcp:auth',
    clientInfo: said.clientInfo ?? DEFAULT_CLIENT_INFO,
    clientOptions: said.clientOptions ?? {},
    protocolNegotiation: said.protocolNegotiation ?? 'auto',
    timeoutMs: said.timeout ?? CONNECT_TIMEOUT_MS,
    retryDelayMs: resolveRetry(said.autoRetry),
    reconnect,
    streamReconnection: resolveStreams(said.reconnectionOptions, reconnect),
    preventAutoAuth: said.preventAutoAuth ?? true,
    useRedirectFlow: said.useRedirectFlow ?? false,
    popupFeatures: said.popupFeatures ?? 'popup=yes,width=600,height=700',
    logLevel: said.logLevel ?? 'silent',
  };
}
