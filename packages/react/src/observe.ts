'use client';
export { useConnections } from './use-connections.ts';
export type { ObservableStore } from './use-connections.ts';
export { useMcpServerIds } from './mcp/use-mcp-server-ids.ts';
export { holdOwnStream } from './mcp/hold-own-stream.ts';
