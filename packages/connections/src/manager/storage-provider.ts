import { createLocalLocks } from '@portico/oauth';
import type { TextStorage } from './environment.ts';
import type { PersistedMcpServerConfig } from './server-config.ts';
import type { CachedServerMetadata } from './server-metadata.ts';

/**
 * Where the settings of servers are kept between two visits. Every function may answer at once or by a
 * promise, and may throw or reject: the servers then work without it. Entries are written one by one, so
 * that two tabs which add servers lose none.
 */
export interface StorageProvider {
  /** All entries in the order of adding; values may be anything, they are looked at. */
  getServers(): ReadonlyMap<string, unknown> | Promise<ReadonlyMap<string, unknown>>;
  /** Adds an entry at the end, or replaces it where it is. Kept when it returns or resolves. */
  setServer(id: string, config: PersistedMcpServerConfig): void | Promise<void>;
  /** Does nothing when there is no such entry. */
  removeServer(id: string): void | Promise<void>;
  /** May be anything, it is looked at; undefined when nothing is cached. */
  getServerMetadata?(id: string): unknown;
  setServerMetadata?(id: string, metadata: CachedServerMetadata): void | Promise<void>;
  removeServerMetadata?(id: string): void | Promise<void>;
}

/** Keeps entries for as long as it exists. */
export class MemoryStorageProvider implements StorageProvider {
  readonly #servers = new Map<string, PersistedMcpServerConfig>();
  readonly #metadata = new Map<string, CachedServerMetadata>();

  getServers(): ReadonlyMap<string, unknown> {
    return new Map(this.#servers);
  }

  setServer(id: string, config: PersistedMcpServerConfig): void {
    this.#servers.set(id, structuredClone(config));
  }

  removeServer(id: string): void {
    this.#servers.delete(id);
  }

  getServerMetadata(id: string): unknown {
    return this.#metadata.get(id);
  }

  setServerMetadata(id: string, metadata: CachedServerMetadata): void {
    this.#metadata.set(id, structuredClone(metadata));
  }

  removeServerMetadata(id: string): void {
    this.#metadata.delete(id);
  }
}

interface StoredServer {
  /** Entries come in rising order; those added at the same moment by two tabs share one. */
  readonly order: number;
  readonly config: unknown;
}

function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readServer(text: string | null): StoredServer | undefined {
  const { order, config } = Object(parse(text)) as Partial<StoredServer>;
  return typeof order === 'number' && Number.isFinite(order) ? { order, config } : undefined;
}

/**
 * Keeps each entry under a key of its own: `<key>:server:<id>`, beside it `<key>:metadata:<id>`. An entry
 * that cannot be read goes to `<key>:unreadable:<id>` before another takes its place.
 */
export class TextStorageProvider implements StorageProvider {
  readonly #storage: TextStorage;
  readonly #key: string;
  readonly #locks = createLocalLocks();

  /** @param key `mcp-client-servers` by default */
  constructor(storage: TextStorage, key = 'mcp-client-servers') {
    this.#storage = storage;
    this.#key = key;
  }

  async getServers(): Promise<ReadonlyMap<string, unknown>> {
    const entries: (StoredServer & { readonly id: string })[] = [];
    const start = this.#keyOf('server', '');
    for (const key of await this.#storage.keys()) {
      if (!key.startsWith(start)) continue;
      const text = await this.#storage.getItem(key);
      if (text === null) continue;
      const { order, config } = readServer(text) ?? { order: Infinity, config: text };
      entries.push({ id: key.slice(start.length), order, config });
    }
    entries.sort((a, b) => (a.order === b.order ? (a.id < b.id ? -1 : 1) : a.order - b.order));
    return new Map(entries.map(({ id, config }) => [id, config]));
  }

  setServer(id: string, config: PersistedMcpServerConfig): Promise<void> {
    return this.#locks.run('', async () => {
      const key = this.#keyOf('server', id);
      const before = await this.#storage.getItem(key);
      const known = readServer(before);
      if (before !== null && known === undefined) {
        await this.#storage.setItem(this.#keyOf('unreadable', id), before);
      }
      const order = known?.order ?? (await this.#lastOrder()) + 1;
      await this.#storage.setItem(key, JSON.stringify({ order, config }));
    });
  }

  async removeServer(id: string): Promise<void> {
    await this.#locks.run('', async () => this.#storage.removeItem(this.#keyOf('server', id)));
  }

  async getServerMetadata(id: string): Promise<unknown> {
    return parse(await this.#storage.getItem(this.#keyOf('metadata', id)));
  }

  async setServerMetadata(id: string, metadata: CachedServerMetadata): Promise<void> {
    await this.#storage.setItem(this.#keyOf('metadata', id), JSON.stringify(metadata));
  }

  async removeServerMetadata(id: string): Promise<void> {
    await this.#storage.removeItem(this.#keyOf('metadata', id));
  }

  #keyOf(kind: 'server' | 'metadata' | 'unreadable', id: string): string {
    return `${this.#key}:${kind}:${id}`;
  }

  async #lastOrder(): Promise<number> {
    let last = 0;
    const start = this.#keyOf('server', '');
    for (const key of await this.#storage.keys()) {
      if (!key.startsWith(start)) continue;
      last = Math.max(last, readServer(await this.#storage.getItem(key))?.order ?? 0);
    }
    return last;
  }
}
