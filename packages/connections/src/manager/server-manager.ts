import type { Declaration, ServerOptions } from './declared-servers.ts';
import type { Environment } from './environment.ts';
import type { ManagerEvents } from './manager-listeners.ts';
import type { ServerDefaults } from './resolve-config.ts';
import type { RpcLog } from './rpc-log.ts';
import type { McpServerConfig } from './server-config.ts';
import type { McpServer } from './server-parts.ts';
import type { StorageProvider } from './storage-provider.ts';

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
  /** For a part of the application that says which servers there are; touches nothing before it is followed. */
  declare(): Declaration;
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
