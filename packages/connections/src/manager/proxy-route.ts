import type { McpServerConfig } from './server-config.ts';

/** Which ways lead to a server. */
export interface ProxyRoute {
  /** Where the first try goes. */
  readonly first: 'server' | 'proxy';
  /** Takes the requests when they go by the proxy from the start. */
  readonly proxyAddress?: string;
  /** Takes them when the direct way fails with what a proxy may help against. */
  readonly fallbackAddress?: string;
  /** A fallback is asked for, but there is no address for it: it is off, and that is worth a warning. */
  readonly lacksFallbackAddress: boolean;
}

/** What the route depends on. */
export type RouteSettings = Pick<McpServerConfig, 'connectionMode' | 'proxyConfig' | 'autoProxyFallback'>;

interface Fallback {
  readonly isEnabled: boolean;
  readonly ownAddress: string | undefined;
}

function readFallback(setting: McpServerConfig['autoProxyFallback']): Fallback {
  if (setting === undefined || typeof setting === 'boolean') {
    return { isEnabled: setting === true, ownAddress: undefined };
  }
  const isEnabled = setting.enabled !== false;
  return { isEnabled, ownAddress: isEnabled ? setting.proxyAddress : undefined };
}

/**
 * Where requests go first and whether there is a second way. In `direct` nothing ever goes by a proxy;
 * in `proxy` nothing goes past it. Source: R43–R46.
 *
 * @param settings checked ones: `proxy` has an address
 */
export function planRoute({ connectionMode, proxyConfig, autoProxyFallback }: RouteSettings): ProxyRoute {
  const proxyAddress = proxyConfig?.proxyAddress;
  const { isEnabled, ownAddress } = readFallback(autoProxyFallback);
  const fallbackAddress = ownAddress ?? proxyAddress;
  const byProxy: ProxyRoute = {
    first: 'proxy',
    ...(proxyAddress === undefined ? {} : { proxyAddress }),
    lacksFallbackAddress: false,
  };
  switch (connectionMode) {
    case 'direct':
      return DIRECT;
    case 'proxy':
      return byProxy;
    case undefined:
      if (!isEnabled) return proxyAddress === undefined ? DIRECT : byProxy;
      break;
    case 'auto':
      break;
  }
  return {
    first: 'server',
    ...(fallbackAddress === undefined ? {} : { fallbackAddress }),
    lacksFallbackAddress: isEnabled && fallbackAddress === undefined,
  };
}

const DIRECT: ProxyRoute = { first: 'server', lacksFallbackAddress: false };
