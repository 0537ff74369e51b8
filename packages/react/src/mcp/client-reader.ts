'use client';
import type { McpServer, ServerManager, ServerReading } from '@portico/connections/manager';
import type { McpClientFunctions } from './client-functions.ts';
import type { FirstRender } from './mcp-context.ts';

/** What `useMcpClient` answers: all servers of the provider, and what can be done with them. */
export interface UseMcpClientResult extends McpClientFunctions {
  /** In the order of their coming. */
  readonly servers: McpServer[];
  /** Whether what was stored is among the servers. */
  readonly storageLoaded: boolean;
}

type Member = 'servers' | 'storageLoaded';

interface Shown {
  readonly client: UseMcpClientResult;
  readonly servers: McpServer[];
  readonly storageLoaded: boolean;
}

/**
 * All servers as one component holds them. A new object comes only when something differs that the
 * component has looked at, so one that calls functions only never renders again.
 */
export class ClientReader {
  readonly #manager: ServerManager;
  readonly #functions: McpClientFunctions;
  readonly #looked = new Set<Member>();
  #readings = new Map<string, ServerReading>();
  #servers: McpServer[] = [];
  #shown: Shown | undefined;

  constructor(manager: ServerManager, functions: McpClientFunctions) {
    this.#manager = manager;
    this.#functions = functions;
  }

  read(): UseMcpClientResult {
    const servers = this.#looked.has('servers') ? this.#readServers() : this.#servers;
    const { storageLoaded } = this.#manager;
    const shown = this.#shown;
    if (shown !== undefined && !this.#differs(shown, { servers, storageLoaded })) return shown.client;
    let seen = this.#looked.has('servers') ? servers : undefined;
    const client = this.#create({
      servers: () => (seen ??= this.#readServers()),
      storageLoaded: () => storageLoaded,
    });
    this.#shown = { client, servers, storageLoaded };
    return client;
  }

  /** As it was at the first render. */
  readFirst({ servers, storageLoaded }: FirstRender): UseMcpClientResult {
    const list = [...servers.values()];
    return this.#create({ servers: () => list, storageLoaded: () => storageLoaded });
  }

  #differs(shown: Shown, now: Omit<Shown, 'client'>): boolean {
    return [...this.#looked].some((member) => shown[member] !== now[member]);
  }

  #create(members: { readonly servers: () => McpServer[]; readonly storageLoaded: () => boolean }) {
    const looked = this.#looked;
    return Object.freeze({
      ...this.#functions,
      get servers() {
        looked.add('servers');
        return members.servers();
      },
      get storageLoaded() {
        looked.add('storageLoaded');
        return members.storageLoaded();
      },
    });
  }

  /** The same array as long as each server in it is the same. */
  #readServers(): McpServer[] {
    const before = this.#readings;
    this.#readings = new Map(
      this.#manager.ids().map((id) => [id, before.get(id) ?? this.#manager.reader(id)]),
    );
    const servers = [...this.#readings.values()].flatMap((reading) => reading.read() ?? []);
    const same =
      servers.length === this.#servers.length && servers.every((server, at) => server === this.#servers[at]);
    if (!same) this.#servers = Object.freeze(servers) as McpServer[];
    return this.#servers;
  }
}
