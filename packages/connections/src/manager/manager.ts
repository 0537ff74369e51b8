import { InMemoryEraStore } from '@portico/client';
import { ConnectionsError } from '../errors.ts';
import { checkConfig, checkServerId } from './check-config.ts';
import { createParts } from './create-parts.ts';
import type { Environment } from './environment.ts';
import { ManagerListeners } from './manager-listeners.ts';
import type { ManagerEvents } from './manager-listeners.ts';
import { withDefaults } from './resolve-config.ts';
import type { ServerDefaults } from './resolve-config.ts';
import { sameValue } from '../same-value.ts';
import type { McpServerConfig, ServerCallbacks } from './server-config.ts';
import { ServerEntry } from './server-entry.ts';
import { ServerReader, createLiveFacade } from './server-facade.ts';
import type { McpServer } from './server-parts.ts';

/** What servers are managed with. */
export interface ServerManagerOptions {
  readonly environment: Environment;
  readonly defaults?: ServerDefaults;
  /** Whether questions of servers wait in queues; true by default. Without, only callbacks answer them. */
  readonly hasQueues?: boolean;
}

/** Reads one server for one reader. */
export interface ServerReading {
  /** The server as far as this reader looks; the same object until that differs. */
  read(): McpServer | undefined;
}

/** Many servers as one observable thing, for any framework and for none. */
export interface ServerManager {
  readonly environment: Environment;
  /** In the order of their coming; the same object until that differs. */
  ids(): readonly string[];
  /** The newest state, whoever asks. */
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
  addServer(id: string, config: McpServerConfig): void;
  /** Resolves when its connection is closed. Sign-ins stay stored unless told otherwise. */
  removeServer(id: string, options?: { readonly clearCredentials?: boolean }): Promise<void>;
  /**
   * Changes settings; undefined removes one. Resolves when what that asks for has settled.
   *
   * @throws ConnectionsError `unknown_server`, `invalid_config`
   */
  updateServer(id: string, patch: Partial<McpServerConfig>): Promise<void>;
  /** Replaces what is filled in for all; only those whom it concerns are connected anew. */
  setDefaults(defaults: ServerDefaults): void;
  /** Replaces who is told of a server; no connection is touched. */
  setCallbacks(id: string, callbacks: ServerCallbacks): void;
  /** Replaces who is told of all servers. */
  setEvents(events: ManagerEvents): void;
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
  readonly #hasQueues: boolean;
  readonly #eras = new InMemoryEraStore();
  readonly #entries = new Map<string, ServerEntry>();
  readonly #callbacks = new Map<string, ServerCallbacks>();
  readonly #listeners: ManagerListeners;
  #defaults: ServerDefaults;
  #ids: readonly string[] | undefined;
  #holders = 0;
  #isAtWork = false;
  #isClosed = false;

  constructor({ environment, defaults = {}, hasQueues = true }: ServerManagerOptions) {
    this.environment = environment;
    this.#defaults = defaults;
    this.#hasQueues = hasQueues;
    this.#listeners = new ManagerListeners((id, error) =>
      this.#entries.get(id)?.parts.log('error', textOf(error)),
    );
  }

  ids(): readonly string[] {
    return (this.#ids ??= Object.freeze([...this.#entries.keys()]));
  }

  getServer(id: string): McpServer | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : createLiveFacade(entry);
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

  addServer(id: string, config: McpServerConfig): void {
    checkServerId(id);
    const known = this.#entries.get(id);
    if (known !== undefined) {
      known.parts.log('warn', 'a server was added under an id that is taken: nothing changed');
      return;
    }
    checkConfig(withDefaults(config, this.#defaults));
    if (this.#isClosed) throw new ConnectionsError('closed', undefined);
    const entry = this.#createEntry(id, config);
    this.#entries.set(id, entry);
    this.#ids = undefined;
    this.#listeners.added(id, () => createLiveFacade(entry));
    if (this.#isAtWork) entry.start();
  }

  async removeServer(id: string, options: { readonly clearCredentials?: boolean } = {}): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (options.clearCredentials === true) entry.signIn.clear();
    this.#entries.delete(id);
    this.#callbacks.delete(id);
    this.#ids = undefined;
    const removed = entry.remove();
    this.#listeners.changed(id);
    await removed;
    this.#listeners.removed(id);
  }

  async updateServer(id: string, patch: Partial<McpServerConfig>): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new ConnectionsError('unknown_server', { id });
    await entry.actions.updateConfig(patch);
  }

  setDefaults(defaults: ServerDefaults): void {
    if (sameValue(defaults, this.#defaults)) return;
    this.#defaults = defaults;
    for (const entry of this.#entries.values()) void entry.replaceConfig(entry.config);
  }

  setCallbacks(id: string, callbacks: ServerCallbacks): void {
    this.#callbacks.set(id, callbacks);
  }

  setEvents(events: ManagerEvents): void {
    this.#listeners.events = events;
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
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#ids = undefined;
    await Promise.all(entries.map((entry) => entry.remove()));
  }

  #resume(): void {
    if (this.#isAtWork || this.#isClosed) return;
    this.#isAtWork = true;
    for (const entry of this.#entries.values()) entry.start();
  }

  async #pause(): Promise<void> {
    this.#isAtWork = false;
    await Promise.all([...this.#entries.values()].map((entry) => entry.suspend()));
  }

  #createEntry(id: string, config: McpServerConfig): ServerEntry {
    return new ServerEntry(id, config, {
      environment: this.environment,
      eras: this.#eras,
      hasQueues: this.#hasQueues,
      defaults: () => this.#defaults,
      callbacks: (of) => this.#callbacks.get(of) ?? {},
      createParts: (entry) => createParts(entry),
      changed: (of) => {
        const entry = this.#entries.get(of);
        if (entry !== undefined) this.#listeners.changed(of, entry.core.state);
      },
      described: () => undefined,
      stored: async () => undefined,
    });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
