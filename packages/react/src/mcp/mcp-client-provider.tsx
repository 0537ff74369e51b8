'use client';
import { createServerManager } from '@portico/connections/manager';
import type {
  Declaration,
  Environment,
  ManagerEvents,
  McpServerConfig,
  ProxyConfig,
  ServerDefaults,
  ServerManager,
  ServerOptions,
  StorageProvider,
} from '@portico/connections/manager';
import { useEffect, useInsertionEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { createBrowserEnvironment } from '../environment/browser-environment.ts';
import { useLatest } from '../use-latest.ts';
import { createClientFunctions } from './client-functions.ts';
import { McpContext, firstRenderOf } from './mcp-context.ts';
import type { ProvidedMcp } from './mcp-context.ts';

/** What is provided, and who is told of it. Source: `contracts/react-connection.md`, R84, R127, R134, R136. */
export interface McpClientProviderProps extends ManagerEvents {
  /** Servers by id. Additions, removals and changed values of later renders are carried out. */
  readonly mcpServers?: Readonly<Record<string, ServerOptions>> | undefined;
  /** Fills what a server leaves out; the defaults with names of their own go before it. */
  readonly defaultServerConfig?: McpServerConfig | undefined;
  readonly defaultProxyConfig?: ProxyConfig | undefined;
  readonly defaultAutoProxyFallback?: McpServerConfig['autoProxyFallback'] | undefined;
  readonly defaultCallbackUrl?: string | undefined;
  readonly defaultOAuthProxyUrl?: string | undefined;
  /** What servers are told of the program, unless their settings say something else. */
  readonly clientInfo?: McpServerConfig['clientInfo'] | undefined;
  /** Where servers are kept between two visits; that of the first render counts, and by default none are. */
  readonly storageProvider?: StorageProvider | undefined;
  /** Records every JSON-RPC message for `useRpcLog`; false by default, and that of the first render counts. */
  readonly enableRpcLogging?: boolean | undefined;
  /**
   * A manager that was made elsewhere and stays when this is unmounted. Providers may share one: each owns
   * what it declares, and takes it with it when it goes.
   */
  readonly manager?: ServerManager | undefined;
  /** Replaces the browser's fetch, clock, storage and so on; that of the first render counts. */
  readonly environment?: Environment | undefined;
  readonly children?: ReactNode;
}

const NO_SERVERS: Readonly<Record<string, ServerOptions>> = {};

/** Manages servers for the components below, for as long as it is mounted. */
export function McpClientProvider(props: McpClientProviderProps): ReactElement {
  const { mcpServers = NO_SERVERS, children } = props;
  const { manager, declaration } = useManaged(props);
  const provided = useMemo(() => provide(manager), [manager]);
  useInsertionEffect(() => declaration.setCallbacks(mcpServers));
  useEffect(() => declaration.follow(mcpServers, defaultsOf(props)));
  useLife(manager, props);
  return <McpContext.Provider value={provided}>{children}</McpContext.Provider>;
}

function provide(manager: ServerManager): ProvidedMcp {
  return { manager, functions: createClientFunctions(manager), first: firstRenderOf(manager) };
}

/** A manager with what this provider declares of it. */
interface Managed {
  readonly manager: ServerManager;
  readonly declaration: Declaration;
}

/** The manager given, or one of this provider's own. */
function useManaged(props: McpClientProviderProps): Managed {
  const { manager: given } = props;
  const [own, setOwn] = useState(() => (given === undefined ? createOwn(props) : undefined));
  const shared = useMemo(
    () => (given === undefined ? undefined : { manager: given, declaration: given.declare() }),
    [given],
  );
  // What is declared of a manager that stays goes with who declared it.
  useEffect(() => () => shared?.declaration.release(), [shared]);
  if (shared !== undefined) return shared;
  if (own !== undefined) return own;
  const created = createOwn(props);
  setOwn(created);
  return created;
}

/** Nothing happens before it is retained, so that a render that comes to nothing leaves nothing. */
function createOwn(props: McpClientProviderProps): Managed {
  const { environment = createBrowserEnvironment(), mcpServers = NO_SERVERS } = props;
  const manager = createServerManager({
    environment,
    rpcLogging: props.enableRpcLogging,
    storageProvider: props.storageProvider,
  });
  const declaration = manager.declare();
  declaration.follow(mcpServers, defaultsOf(props));
  return { manager, declaration };
}

/** Keeps the manager at work while mounted, and passes its events on to the newest functions. */
function useLife(manager: ServerManager, props: ManagerEvents): void {
  const latest = useLatest(props);
  const events = useMemo(
    (): ManagerEvents => ({
      get onServerAdded() {
        return latest.current.onServerAdded;
      },
      get onServerRemoved() {
        return latest.current.onServerRemoved;
      },
      get onServerStateChange() {
        return latest.current.onServerStateChange;
      },
      get onSamplingRequest() {
        return latest.current.onSamplingRequest;
      },
      get onElicitationRequest() {
        return latest.current.onElicitationRequest;
      },
    }),
    [latest],
  );
  useEffect(() => {
    const stopObserving = manager.observe(events);
    const release = manager.retain();
    return () => {
      stopObserving();
      release();
    };
  }, [manager, events]);
}

/** Undefined when nothing is said. */
function defaultsOf(props: McpClientProviderProps): ServerDefaults | undefined {
  const defaults: ServerDefaults = {
    serverConfig: props.defaultServerConfig,
    proxyConfig: props.defaultProxyConfig,
    autoProxyFallback: props.defaultAutoProxyFallback,
    callbackUrl: props.defaultCallbackUrl,
    oauthProxyUrl: props.defaultOAuthProxyUrl,
    clientInfo: props.clientInfo,
  };
  return Object.values(defaults).some((value) => value !== undefined) ? defaults : undefined;
}
