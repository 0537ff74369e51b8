export type {
  Environment,
  LogConsole,
  OpenedWindow,
  Page,
  Places,
  TabChannel,
  TextStorage,
} from './environment.ts';
export type {
  AutoReconnect,
  ClientInfo,
  LogLevel,
  McpServerConfig,
  PersistedMcpServerConfig,
  ProtocolEra,
  ProxyConfig,
  ReconnectionOptions,
  ServerCallbacks,
  VersionNegotiationMode,
} from './server-config.ts';
export type {
  AuthTokens,
  ListError,
  LogEntry,
  McpClient,
  McpNotification,
  McpServer,
  McpServerState,
  PendingElicitationRequest,
  PendingSamplingRequest,
  ServerActions,
  ServerCallOptions,
  ServerCore,
  ServerFailure,
  ServerInfo,
  ServerSide,
} from './server-parts.ts';

export { MemoryStorageProvider, TextStorageProvider } from './storage-provider.ts';
export type { StorageProvider } from './storage-provider.ts';
export type { CachedServerMetadata } from './server-metadata.ts';
export type { Declaration, ServerOptions } from './declared-servers.ts';
export { createLocalEnvironment } from './local-environment.ts';
export type { LocalEnvironmentOptions } from './local-environment.ts';
export { createServerManager } from './manager.ts';
export type { ServerManager, ServerManagerOptions, ServerReading } from './server-manager.ts';
export type { ManagerEvents } from './manager-listeners.ts';
export type { ServerDefaults } from './resolve-config.ts';
export { oauthFetchOf } from './proxied-fetch.ts';
export { holdStream } from './stream-budget.ts';
export { finishCallback } from './callback.ts';
export type { CallbackReport, FinishCallbackOptions } from './callback.ts';
export type { RpcLog, RpcLogEntry } from './rpc-log.ts';
