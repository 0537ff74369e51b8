import { InMemoryEraStore } from '@portico/client';
import { ConnectionsError } from '../errors.ts';
import { checkConfig, checkServerId } from './check-config.ts';
import { Bursts } from './bursts.ts';
import { remindOfCallback } from './callback-reminder.ts';
import { createParts } from './create-parts.ts';
import { DeclaredServers, splitOptions } from './declared-servers.ts';
import type { Declaration, ServerOptions } from './declared-servers.ts';
import type { Environment } from './environment.ts';
import { Holders } from './holders.ts';
import { ManagerListeners } from './manager-listeners.ts';
import type { ManagerEvents } from './manager-listeners.ts';
import { settledConfig } from './resolve-config.ts';
import type { ServerDefaults } from './resolve-config.ts';
import { sameValue } from '../same-value.ts';
import type { McpServerConfig, ServerCallbacks } from './server-config.ts';
import { ServerEntry } from './server-entry.ts';
import type { ServerManager, ServerManagerOptions, ServerReading } from './server-manager.ts';
import { createRpcLog } from './rpc-log.ts';
import type { RpcLog } from './rpc-log.ts';
import { StoredServers } from './stored-servers.ts';
import type { StoredServersPort } from './stored-servers.ts';
import type { StorageProvider } from './storage-provider.ts';
import { ServerReader } from './server-facade.ts';
import type { McpServer } from './server-parts.ts';

/** Creates a manager without servers. Nothing is done before it is retained. */
export function createServerManager(options: ServerManagerOptions): ServerManager {
  return new Manager(options);
}

type Report = Parameters<StoredServersPort['report']>;

class Manager implements ServerManager {
  readonly environment: Environment;
  readonly rpcLog: RpcLog | undefined;
  readonly #hasQueues: boolean;
  readonly #eras = new InMemoryEraStore();
  readonly #entries = new Map<string, ServerEntry>();
  readonly #callbacks = new Map<string, ServerCallbacks>();
  readonly #listeners: ManagerListeners;
  readonly #declared: DeclaredServers;
  readonly #holders: Holders;
  readonly #stored: StoredServers | undefined;
  /** What there was no log for yet. */
  readonly #reports: Report[] = [];
  /** Changes at the side of servers, so that a burst of messages makes readers look once. */
  readonly #beside: Bursts;
  readonly #whole = new WeakMap<ServerEntry, ServerReader>();
  /** Those of the manager, which count while nobody declares others. */
  readonly #ownDefaults: ServerDefaults;
  #defaults: ServerDefaults;
  #ids: readonly string[] | undefined;
  #isAtWork = false;
  #stopReminding: () => void = () => undefined;
  #isClosed = false;

  constructor(options: ServerManagerOptions) {
    const { environment, defaults = {}, hasQueues = true, rpcLogging = false, storageProvider } = options;
    this.rpcLog = rpcLogging ? createRpcLog(() => environment.clock.now()) : undefined;
    this.environment = environment;
    this.#ownDefaults = defaults;
    this.#defaults = defaults;
    this.#hasQueues = hasQueues;
    this.#listeners = new ManagerListeners((id, error) =>
      this.#entries.get(id)?.parts.log('error', textOf(error)),
    );
    this.#stored = storageProvider === undefined ? undefined : this.#createStored(storageProvider);
    this.#beside = new Bursts(environment.clock, (id) => this.#listeners.changed(id));
    this.#declared = this.#createDeclared();
    this.#holders = new Holders({
      clock: environment.clock,
      begin: () => this.#resume(),
      end: () => void this.#pause(),
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
    checkConfig(settledConfig(config, this.#defaults, () => this.environment.page));
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

  declare(): Declaration {
    return this.#declared.declare();
  }

  observe(events: ManagerEvents): () => void {
    return this.#listeners.observe(events);
  }

  retain(): () => void {
    return this.#holders.hold();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isAtWork = false;
    this.#stopReminding();
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#ids = undefined;
    await Promise.all(entries.map((entry) => entry.remove()));
    this.environment.rest?.();
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
      report: (level, message) => this.#report(level, message),
    });
  }

  #createDeclared(): DeclaredServers {
    return new DeclaredServers({
      has: (id) => this.#entries.has(id),
      add: (id, config) => this.#add(id, config),
      patch: (id, changes) => void this.#entries.get(id)?.configure(changes),
      replace: (id, config) => void this.#entries.get(id)?.replaceConfig(config),
      remove: (id) => void this.removeServer(id),
      setCallbacks: (id, callbacks) => this.#callbacks.set(id, callbacks),
      setDefaults: (defaults) => this.#setDefaults(defaults ?? this.#ownDefaults),
      disagree: (id) => this.#tellOfDisagreement(id),
      later: (run) => {
        const timer = this.environment.clock.setTimer(0, run);
        return () => timer.cancel();
      },
    });
  }

  #setDefaults(defaults: ServerDefaults): () => void {
    if (sameValue(defaults, this.#defaults)) return () => undefined;
    this.#defaults = defaults;
    return () => {
      for (const entry of this.#entries.values()) void entry.replaceConfig(entry.config);
    };
  }

  #tellOfDisagreement(id: string | undefined): void {
    const message =
      id === undefined
        ? 'two parts of the application say different defaults: those that were said first count'
        : `the server ${id} is declared twice with different settings: those that were declared first count`;
    if (this.environment.isDevelopment === true) this.environment.console?.error(message);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (entry === undefined) this.#report('error', message);
    else entry.parts.log('error', message);
  }

  /** Into the log of the first server, when there is one. */
  #report(...[level, message]: Report): void {
    const [first] = this.#entries.values();
    if (first === undefined) this.#reports.push([level, message]);
    else first.parts.log(level, message);
  }

  #changed(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#listeners.changed(id);
    if (this.#isAtWork) this.#listeners.tell(entry.core, () => this.#read(entry));
  }

  async #pause(): Promise<void> {
    this.#isAtWork = false;
    this.#stopReminding();
    await Promise.all([...this.#entries.values()].map((entry) => entry.suspend()));
    if (!this.#isAtWork) this.environment.rest?.();
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
      sideChanged: (of) => this.#beside.add(of),
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
