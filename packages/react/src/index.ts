'use client';
export { MemoryStorageProvider } from '@portico/connections/manager';
export { LocalStorageProvider } from './mcp/local-storage-provider.ts';
export { McpClientProvider } from './mcp/mcp-client-provider.tsx';
export type { McpClientProviderProps } from './mcp/mcp-client-provider.tsx';
export { onMcpAuthorization } from './mcp/on-mcp-authorization.ts';
export type { OnMcpAuthorizationOptions } from './mcp/on-mcp-authorization.ts';
export { useMcp } from './mcp/use-mcp.ts';
export type { UseMcpOptions, UseMcpResult } from './mcp/use-mcp.ts';
export { useMcpClient } from './mcp/use-mcp-client.ts';
export type { UseMcpClientResult } from './mcp/client-reader.ts';
export { useMcpServer } from './mcp/use-mcp-server.ts';
export { useRpcLog } from './mcp/use-rpc-log.ts';
export type { UseRpcLogResult } from './mcp/use-rpc-log.ts';
export { ViewRenderer } from './view-renderer.tsx';
export type { ViewRendererProps } from './view-renderer.tsx';
export type {
  CachedServerMetadata,
  McpClient,
  McpNotification,
  McpServer,
  McpServerConfig,
  PendingElicitationRequest,
  PendingSamplingRequest,
  PersistedMcpServerConfig,
  ProtocolEra,
  ProxyConfig,
  ReconnectionOptions,
  StorageProvider,
  VersionNegotiationMode,
} from '@portico/connections/manager';
