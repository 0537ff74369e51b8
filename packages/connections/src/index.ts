export { createConnections } from './connections.ts';
export type { Connections, ToolCall } from './connections.ts';
export { CONNECTIONS_ERRORS, ConnectionsError } from './errors.ts';
export type { ConnectionsErrorCode, ConnectionsErrorData } from './errors.ts';
export { DEFAULT_CONNECTION_LIMITS } from './options.ts';
export type {
  CallOptions,
  ConnectionLimits,
  ConnectionsOptions,
  ServerRequestHandler,
  ServerRequestHandlers,
} from './options.ts';
export { PROCESS_POLICY, REMOTE_POLICY } from './policy.ts';
export type { ReconnectPolicy } from './policy.ts';
export type {
  ConnectionFailure,
  ConnectionState,
  ConnectionStatus,
  DroppedItem,
  ListName,
  ServerAbout,
  ServerLists,
} from './state.ts';
export { sameValue } from './same-value.ts';
