'use client';
import type { McpServer, ServerManager } from '@portico/connections/manager';
import { createContext, useContext } from 'react';
import type { Context } from 'react';
import { ReactError } from '../errors.ts';
import type { McpClientFunctions } from './client-functions.ts';

/** What there was at the first render: a server rendered the same, and hydration compares with it. */
export interface FirstRender {
  readonly servers: ReadonlyMap<string, McpServer>;
  readonly storageLoaded: boolean;
}

/** What a provider provides; the same object for as long as its manager is the same. */
export interface ProvidedMcp {
  readonly manager: ServerManager;
  readonly functions: McpClientFunctions;
  readonly first: FirstRender;
}

export const McpContext: Context<ProvidedMcp | undefined> = createContext<ProvidedMcp | undefined>(undefined);

/** @throws ReactError `no_provider` */
export function useProvidedMcp(): ProvidedMcp {
  const provided = useContext(McpContext);
  if (provided === undefined) throw new ReactError('no_provider');
  return provided;
}

/** What a manager holds now. */
export function firstRenderOf(manager: ServerManager): FirstRender {
  const servers = new Map<string, McpServer>();
  for (const id of manager.ids()) {
    const server = manager.getServer(id);
    if (server !== undefined) servers.set(id, server);
  }
  return { servers, storageLoaded: manager.storageLoaded };
}
