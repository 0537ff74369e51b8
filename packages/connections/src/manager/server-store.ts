import { createLocalLocks } from '@portico/oauth';
import { persistedConfig } from './persisted-config.ts';
import { sameValue } from '../same-value.ts';
import type { McpServerConfig, PersistedMcpServerConfig } from './server-config.ts';
import { cachedMetadata } from './server-metadata.ts';
import type { CachedServerMetadata } from './server-metadata.ts';
import type { StorageProvider } from './storage-provider.ts';

/** What is stored of the servers of a manager, whatever the provider does. Nothing here ever rejects. */
export interface ServerStore {
  /** The stored entries in stored order, cleaned; what had to be cleaned is stored clean again. */
  load(): Promise<ReadonlyMap<string, PersistedMcpServerConfig>>;
  /** Resolves when the entry is stored, or when it is clear that it cannot be. */
  save(id: string, config: McpServerConfig): Promise<void>;
  /** Takes the entry away, with how the server presented itself. */
  remove(id: string): Promise<void>;
  loadMetadata(id: string): Promise<CachedServerMetadata | undefined>;
  saveMetadata(id: string, metadata: CachedServerMetadata): Promise<void>;
  removeMetadata(id: string): Promise<void>;
}

/** What a {@link ServerStore} needs. */
export interface ServerStoreOptions {
  readonly provider: StorageProvider;
  /** Told at most once that something cannot be read (error) or written (warn). Must not throw. */
  readonly report: (level: 'error' | 'warn', message: string) => void;
}

const UNREADABLE = 'some stored servers cannot be read; they are left as they are';
const UNWRITABLE = 'servers cannot be stored; they last until the page is left';

/** Source: R79–R83, R85. */
export function createServerStore({ provider, report }: ServerStoreOptions): ServerStore {
  const locks = createLocalLocks();
  const told = new Set<string>();
  const tell = (level: 'error' | 'warn', message: string): void => {
    if (told.has(message)) return;
    told.add(message);
    report(level, message);
  };
  /** One after the other, so that a slow provider keeps the order of what is done. */
  const write = (work: () => unknown): Promise<void> =>
    locks.run('', async () => {
      try {
        await work();
      } catch {
        tell('warn', UNWRITABLE);
      }
    });
  const read = async (): Promise<ReadonlyMap<string, unknown>> => {
    try {
      return await provider.getServers();
    } catch {
      tell('error', UNREADABLE);
      return new Map();
    }
  };

  return {
    async load() {
      const servers = new Map<string, PersistedMcpServerConfig>();
      for (const [id, stored] of await read()) {
        const config = id === '' ? undefined : persistedConfig(stored);
        if (config === undefined) {
          tell('error', UNREADABLE);
          continue;
        }
        servers.set(id, config);
        if (!sameValue(stored, config)) await write(() => provider.setServer(id, config));
      }
      return servers;
    },
    save: (id, config) => write(() => provider.setServer(id, persistedConfig(config) ?? {})),
    async remove(id) {
      await write(() => provider.removeServer(id));
      await write(() => provider.removeServerMetadata?.(id));
    },
    removeMetadata: (id) => write(() => provider.removeServerMetadata?.(id)),
    async loadMetadata(id) {
      try {
        return cachedMetadata(await provider.getServerMetadata?.(id));
      } catch {
        // What is only shown in advance is learnt again with the next connection.
        return undefined;
      }
    },
    async saveMetadata(id, metadata) {
      const kept = cachedMetadata(metadata);
      if (kept !== undefined) await write(() => provider.setServerMetadata?.(id, kept));
    },
  };
}
