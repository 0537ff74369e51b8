'use client';
import type { McpServer, McpServerConfig, ServerManager, ServerOptions } from '@portico/connections/manager';

/** What can be done with the servers of a provider; the functions stay the same. */
export interface McpClientFunctions {
  /**
   * Adds a server, which `getServer` has at once; a known id changes nothing.
   *
   * @throws ConnectionsError `invalid_config`
   */
  readonly addServer: (id: string, options: ServerOptions) => void;
  /** Resolves when its connection is closed; an unknown id resolves. Sign-ins stay stored unless told otherwise. */
  readonly removeServer: (id: string, options?: { readonly clearCredentials?: boolean }) => Promise<void>;
  /**
   * Changes settings; undefined removes one. Resolves when what that asks for has settled.
   *
   * @throws ConnectionsError `unknown_server`, `invalid_config`
   */
  readonly updateServer: (id: string, patch: Partial<McpServerConfig>) => Promise<void>;
  /** The server as it is now. */
  readonly getServer: (id: string) => McpServer | undefined;
}

export function createClientFunctions(manager: ServerManager): McpClientFunctions {
  return Object.freeze({
    addServer: (id: string, options: ServerOptions) => manager.addServer(id, options),
    removeServer: (id: string, options?: { readonly clearCredentials?: boolean }) =>
      manager.removeServer(id, options),
    updateServer: (id: string, patch: Partial<McpServerConfig>) => manager.updateServer(id, patch),
    getServer: (id: string) => manager.getServer(id),
  });
}
