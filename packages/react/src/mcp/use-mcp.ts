'use client';
import { createServerManager } from '@portico/connections/manager';
import type {
  Declaration,
  Environment,
  McpServer,
  ServerManager,
  ServerOptions,
} from '@portico/connections/manager';
import { useEffect, useInsertionEffect, useState, useSyncExternalStore } from 'react';
import { createBrowserEnvironment } from '../environment/browser-environment.ts';

/** What `useMcp` is given: the settings of a server, who is told of it, and the world around it. */
export interface UseMcpOptions extends ServerOptions {
  /** Replaces the browser's fetch, clock, storage and so on; that of the first render counts. */
  readonly environment?: Environment | undefined;
}

/** What only a provider gives. */
type ProviderMember =
  | 'id'
  | 'notifications'
  | 'unreadNotificationCount'
  | 'markNotificationRead'
  | 'markAllNotificationsRead'
  | 'clearNotifications'
  | 'pendingSamplingRequests'
  | 'approveSampling'
  | 'rejectSampling'
  | 'pendingElicitationRequests'
  | 'approveElicitation'
  | 'rejectElicitation'
  | 'updateConfig'
  | 'setHeaders'
  | 'setDisplayName'
  | 'reconnect';

/** A server as `useMcp` gives it. */
export type UseMcpResult = Omit<McpServer, ProviderMember>;

const ID = 'mcp';

/**
 * Connects one server for as long as the component is mounted. Settings are compared by value, and a
 * changed one has the effect it has in {@link McpServer.updateConfig}; callbacks are always the newest.
 * Settings that cannot be used show as `failed`, with `invalid_config`.
 */
export function useMcp(options: UseMcpOptions): UseMcpResult {
  const [held] = useState(() => hold(options));
  useInsertionEffect(() => held.declaration.setCallbacks({ [ID]: options }));
  useEffect(() => held.declaration.follow({ [ID]: settingsOf(options) }));
  useEffect(() => held.manager.retain(), [held]);
  return useSyncExternalStore(held.subscribe, held.read, held.readFirst);
}

interface Held {
  readonly manager: ServerManager;
  readonly declaration: Declaration;
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => McpServer;
  readonly readFirst: () => McpServer;
}

/** Nothing happens before it is retained, so that a render that comes to nothing leaves nothing. */
function hold(options: UseMcpOptions): Held {
  const { environment = createBrowserEnvironment() } = options;
  const manager = createServerManager({ environment, hasQueues: false });
  const declaration = manager.declare();
  declaration.follow({ [ID]: settingsOf(options) });
  const reading = manager.reader(ID);
  // The server of this hook is declared in every render, and nobody else can remove it.
  const first = manager.getServer(ID) as McpServer;
  return {
    manager,
    declaration,
    subscribe: (listener) => manager.subscribeTo(ID, listener),
    read: () => reading.read() ?? first,
    readFirst: () => first,
  };
}

function settingsOf({ environment: _environment, ...options }: UseMcpOptions): ServerOptions {
  return options;
}
