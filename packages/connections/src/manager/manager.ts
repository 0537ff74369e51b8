import { InMemoryEraStore } from '@portico/client';
import { ConnectionsError } from '../errors.ts';
import { checkConfig, checkServerId } from './check-config.ts';
import { remindOfCallback } from './callback-reminder.ts';
import { createParts } from './create-parts.ts';
import type { Environment } from './environment.ts';
import { ManagerListeners } from './manager-listeners.ts';
import type { ManagerEvents } from './manager-listeners.ts';
import { withDefaults } from './resolve-config.ts';
import type { ServerDefaults } from './resolve-config.ts';
import { sameValue } from '../same-value.ts';
import type { McpServerConfig, ServerCallbacks } from './server-config.ts';
import { ServerEntry } from './server-entry.ts';
import { FollowedServers, splitOptions } from './followed-servers.ts';
import type { ServerOptions } from './followed-servers.ts';
import { createRpcLog } from './rpc-log.ts';
import type { RpcLog } from './rpc-log.ts';
import { StoredServers } from './stored-servers.ts';
import type { StoredServersPort } from './stored-servers.ts';
import type { StorageProvider } from './storage-provider.ts';
import { ServerReader } from './server-facade.ts';
import type { McpServer } from './server-parts.ts';

/** What servers are managed with. */
export interface ServerManagerOptions {
  readonly environment: Environment;
  readonly defaults?: ServerDefaults;
  /** Whether questions of servers wait in queues; true by default. Without, only callbacks answer them. */
  readonly hasQueues?: boolean;
  /** Whether every JSON-RPC message is recorded; false by default. */
  readonly rpcLogging?: boolean | undefined;
  /** Where servers are kept between two visits; without, they are not kept. */
  readonly storageProvider?: StorageProvider | undefined;
}

/** Reads one server for one reader. */
export interface ServerReading {
  /** The server as far as this reader looks; the same object until that differs. */
  read(): McpServer | undefined;
}

/** Many servers as one observable thing, for any framework and for none. */
export interface ServerManager {
  readonly environment: Environment;
  /** Whether what was stored is among the servers; true from the beginning where nothing is stored. */
  readonly storageLoaded: boolean;
  /** What went over the wire; undefined unless that is recorded. */
  readonly rpcLog: RpcLog | undefined;
  /** In the order of their coming; the same object until that differs. */
  ids(): readonly string[];
  /** The newest state, whoever asks; the same object until something of it differs. */
  getServer(id: string): McpServer | undefined;
  /** For a reader that wants to be told only of what it looks at. */
  reader(id: string): ServerReading;
  /** Told of every change, of any server. @returns how to stop that */
  subscribe(listener: () => void): () => void;
  /** Told of changes of one server, its coming and going included. */
  subscribeTo(id: string, listener: () => void): () => void;
  /**
   * Adds a server, which is there at once; a known id changes nothing.
   *
   * @throws ConnectionsError `invalid_config`
   */
  addServer(id: string, options: ServerOptions): void;
  /** Resolves when its connection is closed. Sign-ins stay stored unless told otherwise. */
  removeServer(id: string, options?: { readonly clearCredentials?: boolean }): Promise<void>;
  /**
   * Changes settings; undefined removes one. Resolves when what that asks for has settled.
   *
   * @throws ConnectionsError `unknown_server`, `invalid_config`
   */
  updateServer(id: string, patch: Partial<McpServerConfig>): Promise<void>;
  /**
   * Carries out what differs from the last time this was said: servers that came, went or have other
   * settings. Settings that cannot be used make a server `failed` with `invalid_config`.
   *
   * @param defaults replace what is filled in for all, when given; only those whom it concerns are connected anew
   */
  follow(servers: Readonly<Record<string, ServerOptions>>, defaults?: ServerDefaults): void;
  /** Replaces who is told of a server; nothing else of the options counts, and no connection is touched. */
  setCallbacks(id: string, options: ServerOptions): void;
  /**
   * Tells of the life of servers, from the moment the manager is first at work; members are asked for at
   * each event. @returns how to stop that
   */
  observe(events: ManagerEvents): () => void;
  /** Begins to connect. @returns how to let go; when the last one has, connections end within the next task */
  retain(): () => void;
  /** Ends everything for good. */
  close(): Promise<void>;
}

/** Creates a manager without servers. Nothing is done before it is retained. */
export function createServerManager(options: ServerManagerOptions): ServerManager {
  return new Manager(options);
}

class Manager implements ServerManager {
  readonly environment: Environment;
  readonly rpcLog: RpcLog | undefined;
  readonly #hasQueues: boolean;
  readonly #eras = new InMemoryEraStore();
  readonly #entries = new Map<string, ServerEntry>();
  readonly #callbacks = new Map<string, ServerCallbacks>();
  readonly #listeners: ManagerListeners;
  readonly #followed: FollowedServers;
  readonly #stored: StoredServers | undefined;
  /** What there was no log for yet. */
  readonly #reports: Parameters<StoredServersPort['report']>[] = [];
  /** Whose log or notifications changed since that was told last. */
  readonly #beside = new Set<string>();
  readonly #whole = new WeakMap<ServerEntry, ServerReader>();
  #defaults: ServerDefaults;
  #ids: readonly string[] | undefined;
  #holders = 0;
  #isAtWork = false;
  #stopReminding: () => void = () => undefined;
  #isClosed = false;

  constructor(options: ServerManagerOptions) {
    const { environment, defaults = {}, hasQueues = true, rpcLogging = false, storageProvider } = options;
    this.rpcLog = rpcLogging ? createRpcLog(() => environment.clock.now()) : undefined;
    this.environment = environment;
    this.#defaults = defaults;
    this.#hasQueues = hasQueues;
    this.#listeners = new ManagerListeners((id, error) =>
      this.#entries.get(id)?.parts.log('error', textOf(error)),
    );
    this.#stored = storageProvider === undefined ? undefined : this.#createStored(storageProvider);
    this.#followed = new FollowedServers({
      has: (id) => this.#entries.has(id),
      add: (id, config) => this.#add(id, config),
      patch: (id, changes) => void this.#entries.get(id)?.configure(changes),
      replace: (id, config) => void this.#entries.get(id)?.replaceConfig(config),
      remove: (id) => void this.removeServer(id),
      setCallbacks: (id, callbacks) => this.setCallbacks(id, callbacks),
    });
  }

  get storageLoaded(): boolean {
    return this.#stored?.isLoaded ?? true;
  }

  ids(): readonly string[] {
    return (this.#ids ??= Object.freeze([...this.#entries.keys()]));
  }

  getServer(id: string): McpServer | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : this.#read(entry);
  }

  reader(id: string): ServerReading {
    let of: ServerEntry | undefined;
    let reader: ServerReader | undefined;
    return {
      read: () => {
        const entry = this.#entries.get(id);
        if (entry === undefined) return undefined;
        if (entry !== of || reader === undefined) {
          of = entry;
          reader = new ServerReader(entry);
        }
        return reader.read();
      },
    };
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  subscribeTo(id: string, listener: () => void): () => void {
    return this.#listeners.subscribeTo(id, listener);
  }

  addServer(id: string, options: ServerOptions): void {
    const { config, callbacks } = splitOptions(options);
    checkServerId(id);
    const known = this.#entries.get(id);
    if (known !== undefined) {
      known.parts.log('warn', 'a server was added under an id that is taken: nothing changed');
      return;
    }
    checkConfig(withDefaults(config, this.#defaults));
    if (this.#isClosed) throw new ConnectionsError('closed', undefined);
    if (Object.keys(callbacks).length > 0) this.#callbacks.set(id, callbacks);
    this.#add(id, config);
    void this.#stored?.save(id, config);
  }

  async removeServer(id: string, options: { readonly clearCredentials?: boolean } = {}): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (options.clearCredentials === true) entry.signIn.clear();
    this.#entries.delete(id);
    this.#callbacks.delete(id);
    this.#ids = undefined;
    const isGone = this.#listeners.leaves(id);
    const removed = entry.remove();
    this.#listeners.changed(id);
    await Promise.all([removed, this.#stored?.remove(id)]);
    isGone();
  }

  async updateServer(id: string, patch: Partial<McpServerConfig>): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new ConnectionsError('unknown_server', { id });
    await entry.actions.updateConfig(patch);
  }

  follow(servers: Readonly<Record<string, ServerOptions>>, defaults?: ServerDefaults): void {
    const replaced = defaults !== undefined && !sameValue(defaults, this.#defaults);
    if (replaced) this.#defaults = defaults;
    this.#followed.follow(servers);
    if (!replaced) return;
    for (const entry of this.#entries.values()) void entry.replaceConfig(entry.config);
  }

  setCallbacks(id: string, options: ServerOptions): void {
    this.#callbacks.set(id, splitOptions(options).callbacks);
  }

  observe(events: ManagerEvents): () => void {
    return this.#listeners.observe(events);
  }

  retain(): () => void {
    this.#holders += 1;
    this.#resume();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      // Whoever lets go and takes hold again within a task, as a framework does, keeps the connections.
      this.environment.clock.setTimer(0, () => {
        if (this.#holders === 0) void this.#pause();
      });
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isAtWork = false;
    this.#stopReminding();
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#ids = undefined;
    await Promise.all(entries.map((entry) => entry.remove()));
  }

  #resume(): void {
    if (this.#isAtWork || this.#isClosed) return;
    this.#isAtWork = true;
    this.#stopReminding = remindOfCallback(this.environment, () =>
      [...this.#entries.values()].map(({ resolved }) => resolved.callbackUrl),
    );
    for (const entry of this.#entries.values()) this.#start(entry);
    void this.#stored?.load();
  }

  #start(entry: ServerEntry): void {
    this.#listeners.tell(entry.core, () => this.#read(entry));
    entry.start();
  }

  #read(entry: ServerEntry): McpServer {
    const reader = this.#whole.get(entry) ?? new ServerReader(entry, true);
    this.#whole.set(entry, reader);
    return reader.read();
  }

  /** @param config as it was given: one that cannot be used is shown, and nothing is done with it */
  #add(id: string, config: McpServerConfig): void {
    const entry = this.#createEntry(id, config);
    this.#entries.set(id, entry);
    this.#ids = undefined;
    this.#listeners.changed(id);
    for (const [level, message] of this.#reports.splice(0)) entry.parts.log(level, message);
    if (this.#isAtWork) this.#start(entry);
  }

  #createStored(provider: StorageProvider): StoredServers {
    return new StoredServers({
      provider,
      now: () => this.environment.clock.now(),
      has: (id) => this.#entries.has(id),
      ids: () => this.ids(),
      add: (id, config) => this.#add(id, config),
      known: (id) => this.#entries.get(id)?.publish(),
      loaded: () => this.#listeners.loaded(),
      report: (level, message) => {
        const [first] = this.#entries.values();
        if (first === undefined) this.#reports.push([level, message]);
        else first.parts.log(level, message);
      },
    });
  }

  #changed(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#listeners.changed(id);
    if (this.#isAtWork) this.#listeners.tell(entry.core, () => this.#read(entry));
  }

  /** A burst of messages makes readers look once. */
  #sideChanged(id: string): void {
    this.#beside.add(id);
    if (this.#beside.size > 1) return;
    this.environment.clock.setTimer(0, () => {
      const ids = [...this.#beside];
      this.#beside.clear();
      for (const changed of ids) this.#listeners.changed(changed);
    });
  }

  async #pause(): Promise<void> {
    this.#isAtWork = false;
    this.#stopReminding();
    await Promise.all([...this.#entries.values()].map((entry) => entry.suspend()));
  }

  #createEntry(id: string, config: McpServerConfig): ServerEntry {
    return new ServerEntry(id, config, {
      environment: this.environment,
      eras: this.#eras,
      hasQueues: this.#hasQueues,
      defaults: () => this.#defaults,
      callbacks: (of) => this.#callbacks.get(of) ?? {},
      createParts: (entry) => createParts(entry, this.rpcLog),
      changed: (of) => this.#changed(of),
      sideChanged: (of) => this.#sideChanged(of),
      known: (of) => this.#stored?.known(of),
      forgotten: (of) => this.#stored?.forget(of),
      described: (of, core) => this.#stored?.described(of, core),
      stored: async (of) => {
        const entry = this.#entries.get(of);
        if (entry !== undefined) await this.#stored?.save(of, entry.config);
      },
    });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
