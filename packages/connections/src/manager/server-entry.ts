import type { EraStore } from '@portico/client';
import { ConnectionEntry } from '../entry.ts';
import { DEFAULT_CONNECTION_LIMITS } from '../options.ts';
import type { ConnectionState, ListName } from '../state.ts';
import { afterCallback, resolveCallbackUrl } from './callback-place.ts';
import { compareConfigs, mergeConfig } from './config-change.ts';
import { connectionOptions, reconnectPolicy } from './entry-connection.ts';
import type { Environment } from './environment.ts';
import { HEAD_LIMIT_MS, HealthWatch } from './health-watch.ts';
import { projectCore } from './project-core.ts';
import type { CoreParts } from './project-core.ts';
import { withDefaults } from './resolve-config.ts';
import { usableSettings } from './usable-settings.ts';
import type { UsableSettings } from './usable-settings.ts';
import type { ResolvedConfig, ServerDefaults } from './resolve-config.ts';
import { EntrySignIn } from './entry-sign-in.ts';
import type { McpServerConfig, ServerCallbacks } from './server-config.ts';
import type { ServerParts } from './entry-parts.ts';
import { EntryRoads } from './entry-roads.ts';
import { toServerCallError } from './failure-codes.ts';
import { createActions } from './server-actions.ts';
import type { ActionsPort } from './server-actions.ts';
import type { ServerActions, ServerCore } from './server-parts.ts';

/** What an entry needs of the manager that holds it. */
export interface EntryPort extends ActionsPort {
  readonly environment: Environment;
  /** What is remembered of servers' eras, by origin. */
  readonly eras: EraStore;
  defaults(): ServerDefaults;
  /** The newest ones. */
  callbacks(id: string): ServerCallbacks;
  /** Whether the queues of questions are there although nobody gave a callback. */
  readonly hasQueues: boolean;
  createParts(entry: ServerEntry): ServerParts;
  /** What readers see is another one now. Must not throw. */
  changed(id: string): void;
  /** What lies at the side of a server is another thing now. Must not throw. */
  sideChanged(id: string): void;
  /** What was known of a server before it answers; the same object until that differs. */
  known(id: string): CoreParts['cached'];
  /** The settings name another server now. */
  forgotten(id: string): void;
  /** A server told who it is. Must not throw. */
  described(id: string, core: ServerCore): void;
}

/** One managed server: its settings, its connection, its sign-in, and what readers see of them. */
export class ServerEntry {
  readonly id: string;
  readonly port: EntryPort;
  readonly parts: ServerParts;
  readonly connection: ConnectionEntry;
  readonly signIn: EntrySignIn;
  readonly roads: EntryRoads;
  readonly actions: ServerActions;
  readonly #health: HealthWatch;
  #config: McpServerConfig;
  #settings: UsableSettings;
  #core: ServerCore | undefined;
  /** What readers were told of last. */
  #published: { readonly core: ServerCore; readonly config: McpServerConfig } | undefined;
  /** Its manager is at work. */
  #active = false;
  /** Somebody told it to leave. */
  #left = false;
  #removed = false;
  #shown:
    | { readonly from: McpServerConfig; readonly defaults: ServerDefaults; readonly config: McpServerConfig }
    | undefined;
  #reconnecting: Promise<void> | undefined;
  #inService = false;
  #stopWaiting: (() => void) | undefined;

  /** @param config as it was given; one that cannot be used makes the server `failed` */
  constructor(id: string, config: McpServerConfig, port: EntryPort) {
    this.id = id;
    this.port = port;
    this.#config = config;
    this.#settings = usableSettings(config, port.defaults(), () => port.environment.page);
    this.parts = port.createParts(this);
    this.signIn = new EntrySignIn(this);
    this.roads = new EntryRoads(this);
    const { environment } = port;
    this.connection = new ConnectionEntry(id, undefined, {
      options: connectionOptions(this),
      limits: { ...DEFAULT_CONNECTION_LIMITS, listMaxPages: 1_000, pingEveryMs: 0 },
      random: () => environment.random(),
      policyFor: () => reconnectPolicy(this.resolved),
      changed: () => this.#connectionChanged(),
    });
    this.actions = createActions(this, port);
    this.#warnOfRoute();
    this.#health = new HealthWatch({
      environment,
      settings: () => ({
        everyMs: this.resolved.reconnect.healthCheckIntervalMs,
        limitMs: this.resolved.reconnect.healthCheckTimeoutMs,
      }),
      head: (signal) => this.roads.head(signal),
      heardMs: () => this.roads.heardMs,
      isAlive: () => this.connection.isAlive(HEAD_LIMIT_MS),
      lost: () =>
        this.connection.lose({
          code: 'connection_lost',
          message: 'nothing was heard of the server for too long',
          step: 'closed',
          retryable: true,
        }),
    });
  }

  /** As it was given. */
  get config(): McpServerConfig {
    return this.#config;
  }

  get resolved(): ResolvedConfig {
    return this.#settings.resolved;
  }

  /** What readers see; the same object until something differs. */
  get core(): ServerCore {
    return (this.#core ??= this.#project());
  }

  /** With the defaults of all; the same object until something differs. */
  get shownConfig(): McpServerConfig {
    const defaults = this.port.defaults();
    if (this.#shown?.from !== this.#config || this.#shown.defaults !== defaults) {
      const config = withDefaults(this.#config, defaults);
      this.#shown = { from: this.#config, defaults, config };
    }
    return this.#shown.config;
  }

  /** Whether it is to be connected whenever its manager is at work. */
  get isWanted(): boolean {
    const { isEnabled, url } = this.resolved;
    return isEnabled && url !== undefined && !this.#left && !this.#removed;
  }

  /** Its manager is at work: connects if that is wanted. */
  start(): void {
    if (this.#active || this.#removed) return;
    this.#active = true;
    // What fails here is tried again, and told of, where it is needed.
    this.signIn.prepare().catch(() => undefined);
    const { environment } = this.port;
    // On the page that somebody comes back to, the sign-in is ended before anything is connected.
    const back = resolveCallbackUrl(environment.page, this.resolved.callbackUrl);
    this.#stopWaiting = afterCallback(environment, back, () => {
      if (this.isWanted) this.connection.dispatch({ type: 'connect' });
    });
    this.publish();
  }

  /** Its manager pauses: ends the connection, and stays what it is. */
  async suspend(): Promise<void> {
    this.#active = false;
    this.#stopWaiting?.();
    this.#end();
    await this.connection.whenClosed();
    // Closing needed the tokens; from here on nobody listens for others.
    if (!this.#active) this.signIn.dispose();
  }

  /** Told that a part of what readers see may differ. */
  publish(): void {
    if (this.#removed) return;
    const before = this.#published;
    this.#core = this.#project();
    this.#published = { core: this.#core, config: this.shownConfig };
    const same = before?.core === this.#core && before.config === this.#published.config;
    if (!same) this.port.changed(this.id);
  }

  /** Ends the connection until somebody asks for it. */
  async disconnect(): Promise<void> {
    this.#left = true;
    this.#end();
    await this.connection.whenClosed();
  }

  /** Closes first and makes one attempt; who asks meanwhile shares it. */
  reconnect(): Promise<void> {
    this.#left = false;
    const shared = this.connection.state.status === 'connecting' ? this.#reconnecting : undefined;
    return shared ?? (this.#reconnecting = this.#attempt());
  }

  /** One attempt more when the last one failed. @returns whether there is one now */
  retry(): boolean {
    if (this.core.state !== 'failed') return false;
    void this.reconnect();
    return true;
  }

  /** The state that the attempt under way ends with. */
  settled(): Promise<ConnectionState> {
    return this.connection.settled();
  }

  /** Takes other settings; resolves when what they ask for has settled. */
  async configure(patch: Partial<McpServerConfig>): Promise<void> {
    await this.replaceConfig(mergeConfig(this.#config, patch));
  }

  /** As {@link ServerEntry.configure}, with all of them. */
  async replaceConfig(config: McpServerConfig): Promise<void> {
    const before = this.#shown?.config ?? this.shownConfig;
    this.#config = config;
    this.#settings = usableSettings(config, this.port.defaults(), () => this.port.environment.page);
    const after = this.shownConfig;
    const change = compareConfigs(before, after);
    if (change === 'same') return this.publish();
    if (before.url !== after.url) this.#forgetServer();
    if (change === 'in_force') return this.#takeOver();
    this.#warnOfRoute();
    this.roads.forget();
    this.signIn.renew();
    const samePlace = before.url === after.url;
    if (!samePlace || !this.isWanted) this.#end();
    if (!this.isWanted) return this.connection.whenClosed();
    this.connection.redefine(undefined);
    this.#reconnecting = undefined;
    await this.reconnect();
  }

  /**
   * Reads a list again. Resolves when what it brought can be seen.
   *
   * @throws ConnectionsError why it could not be read
   */
  async readList(list: ListName): Promise<void> {
    const failed = await this.connection.readList(list);
    if (failed !== undefined) throw toServerCallError(this.id, failed);
  }

  /** Ends everything for good; resolves when nothing of it is left. */
  async remove(): Promise<void> {
    if (!this.#removed) {
      this.#stopWaiting?.();
      this.#end();
      this.#removed = true;
      this.signIn.dispose();
      this.parts.dispose();
    }
    await this.connection.whenClosed();
  }

  #warnOfRoute(): void {
    if (!this.resolved.route.lacksFallbackAddress) return;
    this.parts.log('warn', 'there is no fallback to a proxy, since no address of one is given');
  }

  #forgetServer(): void {
    this.parts.forgetServer();
    this.port.forgotten(this.id);
  }

  #takeOver(): void {
    this.connection.renewPolicy();
    this.#health.renew();
    this.publish();
  }

  #end(): void {
    this.signIn.withdraw();
    this.connection.dispatch({ type: 'disconnect', status: 'idle' });
    this.publish();
  }

  async #attempt(): Promise<void> {
    if (!this.isWanted || !this.#active) return this.publish();
    this.connection.dispatch({ type: 'reconnect' });
    this.publish();
    await this.connection.settled();
  }

  #connectionChanged(): void {
    const { status } = this.connection.state;
    const inService = status === 'ready' || status === 'degraded';
    if (inService !== this.#inService) {
      this.#inService = inService;
      if (inService) {
        this.roads.served();
        this.signIn.served();
        this.#health.start();
        this.parts.connectionMade();
      } else {
        this.#health.stop();
        this.parts.connectionLost();
      }
    }
    if (status === 'needs_sign_in') this.signIn.wanted();
    this.publish();
    if (inService) this.port.described(this.id, this.core);
  }

  #project(): ServerCore {
    return projectCore(
      {
        connection: this.connection.state,
        signIn: this.signIn.view,
        fault: this.#settings.fault,
        wanted: this.isWanted,
        isPinned: typeof this.resolved.protocolNegotiation === 'object',
        client: this.connection.client,
        ...this.parts.seen(),
        cached: this.port.known(this.id),
      },
      this.#core,
    );
  }
}
