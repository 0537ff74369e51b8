import { routePath } from '@portico/api';
import type { Connector } from '@portico/api';
import { McpClientProvider, useMcpServer } from '@portico/react';
import type { McpServer, McpServerConfig } from '@portico/react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { isUsable, useConsole, useHost } from '../state/console-context.tsx';

export interface ConnectorMcpProps {
  readonly connector: Connector;
  readonly children: ReactNode;
}

const NONE: Readonly<Record<string, McpServerConfig>> = {};
/** The host is watched by the page's own stream of events, and tells there how the connector is. */
const UNWATCHED = { autoReconnect: { healthCheckInterval: false } } as const satisfies McpServerConfig;

/**
 * A connection of this page's own to one connector, over the host, for as long as it is mounted and the host
 * says that the connector can be used. Below it the connector is the server with the connector's id.
 */
export function ConnectorMcp({ connector, children }: ConnectorMcpProps) {
  const { id, status, toolsVersion } = connector;
  const { mcp } = useConsole();
  const version = useHost((state) => state.version);
  const url = new URL(routePath('connectorMcp', { connectorId: id }), mcp.origin).href;
  return (
    <McpClientProvider
      mcpServers={isUsable(status) ? { [id]: { url, ...UNWATCHED } } : NONE}
      clientInfo={{ name: 'portico-console', version }}
      environment={mcp.environment}
      enableRpcLogging
    >
      <FollowHost connectorId={id} toolsVersion={toolsVersion} />
      {children}
    </McpClientProvider>
  );
}

interface FollowHostProps {
  readonly connectorId: string;
  readonly toolsVersion: string;
}

const refreshOf = (server: McpServer | undefined): McpServer['refreshTools'] | undefined =>
  server?.refreshTools;

/**
 * Reads the tools again when the host says that they are others: with many tabs open there is not for each of
 * them a connection to listen to the server by.
 */
function FollowHost({ connectorId, toolsVersion }: FollowHostProps): null {
  const refreshTools = useMcpServer(connectorId, refreshOf);
  const seen = useRef(toolsVersion);
  useEffect(() => {
    if (seen.current === toolsVersion) return;
    seen.current = toolsVersion;
    void refreshTools?.();
  }, [toolsVersion, refreshTools]);
  return null;
}
