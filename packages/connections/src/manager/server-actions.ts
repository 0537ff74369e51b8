import { ConnectionsError } from '../errors.ts';
import type { ListName } from '../state.ts';
import { checkConfig } from './check-config.ts';
import { settledConfig } from './resolve-config.ts';
import type { ServerDefaults } from './resolve-config.ts';
import { createCalls } from './server-calls.ts';
import type { ServerEntry } from './server-entry.ts';
import type { McpServerConfig } from './server-config.ts';
import type { ServerActions } from './server-parts.ts';

/** What else an action reaches: the store of the manager. */
export interface ActionsPort {
  defaults(): ServerDefaults;
  /** The settings were changed; resolves when that is stored. */
  stored(id: string): Promise<void>;
}

/** The functions of a managed server, made once. */
export function createActions(entry: ServerEntry, port: ActionsPort): ServerActions {
  const { parts, signIn } = entry;
  const check = (config: McpServerConfig): void =>
    checkConfig(settledConfig(config, port.defaults(), () => entry.port.environment.page));
  const configure = async (patch: Partial<McpServerConfig>): Promise<void> => {
    const settled = entry.configure(patch);
    await Promise.all([settled, port.stored(entry.id)]);
  };
  return Object.freeze({
    ...createCalls({
      id: entry.id,
      connection: entry.connection,
      state: () => entry.core.state,
      begins(what) {
        parts.log('debug', `${what} begins`);
        return (error) => {
          if (error === undefined) return parts.log('debug', `${what} is answered`);
          const code = error instanceof ConnectionsError ? error.code : 'aborted';
          parts.log('warn', `${what} failed: ${code}`);
        };
      },
    }),
    ...createListActions(entry),
    ...parts.actions,
    retry: () => {
      if (!entry.retry()) parts.log('warn', `retry() does nothing while the server is ${entry.core.state}`);
    },
    reconnect: () => entry.reconnect(),
    disconnect: () => entry.disconnect(),
    authenticate: () => signIn.authenticate(),
    clearStorage: () => {
      signIn.clear();
      void entry.disconnect();
    },
    updateConfig: async (patch: Partial<McpServerConfig>) => {
      check({ ...entry.config, ...patch });
      await configure(patch);
    },
    setHeaders: async (headers: Record<string, string> | undefined) => {
      check({ ...entry.config, headers } as McpServerConfig);
      // Explicitly undefined takes them away.
      await configure({ headers } as Partial<McpServerConfig>);
    },
    setDisplayName: async (displayName: string) => {
      await configure({
        displayName: displayName === '' ? undefined : displayName,
      } as Partial<McpServerConfig>);
    },
  });
}

type ListActions = Pick<
  ServerActions,
  | 'listResources'
  | 'listPrompts'
  | 'refreshTools'
  | 'refreshResources'
  | 'refreshResourceTemplates'
  | 'refreshPrompts'
  | 'refreshAll'
>;

function createListActions(entry: ServerEntry): ListActions {
  const list = async (name: ListName): Promise<void> => {
    const { state } = entry.core;
    if (state !== 'ready') {
      const message = `the server ${entry.id} is not ready: it is ${state}`;
      throw new ConnectionsError('not_ready', { id: entry.id, status: state }, { message });
    }
    await entry.readList(name);
  };
  const refresh = async (name: ListName): Promise<void> => {
    if (entry.core.state !== 'ready') return;
    try {
      await entry.readList(name);
    } catch {
      // The log tells of it, and the list stays what it was.
    }
  };
  return {
    listResources: () => list('resources'),
    listPrompts: () => list('prompts'),
    refreshTools: () => refresh('tools'),
    refreshResources: () => refresh('resources'),
    refreshResourceTemplates: () => refresh('resourceTemplates'),
    refreshPrompts: () => refresh('prompts'),
    refreshAll: async () => {
      await Promise.all(
        (['tools', 'resources', 'resourceTemplates', 'prompts'] as const).map((name) => refresh(name)),
      );
    },
  };
}
