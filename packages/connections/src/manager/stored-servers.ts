import { sameValue } from '../same-value.ts';
import type { McpServerConfig } from './server-config.ts';
import { createServerStore } from './server-store.ts';
import type { ServerStore } from './server-store.ts';
import type { CachedServerMetadata } from './server-metadata.ts';
import type { ServerCore, ServerInfo } from './server-parts.ts';
import type { StorageProvider } from './storage-provider.ts';

/** What was known of a server before it answers. */
export interface KnownServer {
  readonly name: string;
  readonly serverInfo: ServerInfo;
}

/** What storing takes of the manager. */
export interface StoredServersPort {
  readonly provider: StorageProvider;
  readonly now: () => number;
  readonly has: (id: string) => boolean;
  readonly ids: () => readonly string[];
  readonly add: (id: string, config: McpServerConfig) => void;
  /** What is known of a server in advance is another thing. */
  readonly known: (id: string) => void;
  /** All that was stored is there. */
  readonly loaded: () => void;
  /** Told at most once that something cannot be read or written. */
  readonly report: (level: 'error' | 'warn', message: string) => void;
}

/** The servers of a manager, and what is stored of them. Source: R80–R85. */
export class StoredServers {
  readonly #port: StoredServersPort;
  readonly #store: ServerStore;
  readonly #known = new Map<
    string,
    { readonly metadata: CachedServerMetadata; readonly shown: KnownServer }
  >();
  /** Went while what is stored was being read. */
  readonly #gone = new Set<string>();
  #begun = false;
  isLoaded = false;

  constructor(port: StoredServersPort) {
    this.#port = port;
    this.#store = createServerStore({ provider: port.provider, report: port.report });
  }

  /** Reads what is stored, once. A server that is there already goes before a stored one of its id. */
  async load(): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    const stored = await this.#store.load();
    const ids = new Set([...this.#port.ids(), ...stored.keys()]);
    await Promise.all([...ids].map((id) => this.#loadKnown(id)));
    for (const [id, config] of stored) {
      if (!this.#port.has(id) && !this.#gone.has(id)) this.#port.add(id, config);
    }
    this.isLoaded = true;
    this.#port.loaded();
  }

  known(id: string): KnownServer | undefined {
    return this.#known.get(id)?.shown;
  }

  /** Resolves when the settings are stored, or when it is clear that they cannot be. */
  async save(id: string, config: McpServerConfig): Promise<void> {
    this.#gone.delete(id);
    await this.#store.save(id, config);
  }

  async remove(id: string): Promise<void> {
    this.#gone.add(id);
    this.#known.delete(id);
    await this.#store.remove(id);
  }

  /** The settings name another server now. */
  forget(id: string): void {
    if (this.#known.delete(id)) void this.#store.removeMetadata(id);
  }

  /** A server said who it is. */
  described(id: string, { name, serverInfo }: ServerCore): void {
    if (serverInfo === undefined) return;
    const { title, version, websiteUrl, icons, icon } = serverInfo;
    const metadata = { name, title, version, websiteUrl, icons, icon, cachedAt: this.#port.now() };
    const before = this.#known.get(id)?.metadata;
    if (before !== undefined && sameValue({ ...before, cachedAt: metadata.cachedAt }, metadata)) return;
    this.#keep(id, metadata as CachedServerMetadata);
    void this.#store.saveMetadata(id, metadata as CachedServerMetadata);
  }

  async #loadKnown(id: string): Promise<void> {
    const metadata = await this.#store.loadMetadata(id);
    // A server that answered meanwhile knows better.
    if (metadata === undefined || this.#known.has(id)) return;
    this.#keep(id, metadata);
    this.#port.known(id);
  }

  #keep(id: string, metadata: CachedServerMetadata): void {
    const { cachedAt: _cachedAt, ...serverInfo } = metadata;
    this.#known.set(id, { metadata, shown: Object.freeze({ name: metadata.name, serverInfo }) });
  }
}
