// What an application with React 18 writes; only compiled, against the types that are published.
import {
  LocalStorageProvider,
  McpClientProvider,
  ViewRenderer,
  onMcpAuthorization,
  useMcp,
  useMcpClient,
  useMcpServer,
  useRpcLog,
} from '@portico/react';
import { ArtifactFrame } from '@portico/react/artifact';
import { useConnections, useMcpServerIds } from '@portico/react/observe';
import { SessionView } from '@portico/react/views';
import { StrictMode } from 'react';
import type { ComponentProps, FunctionComponent, ReactElement } from 'react';

function Row({ id }: { readonly id: string }): ReactElement | null {
  const server = useMcpServer(id);
  const count: number = useMcpServer(id, (one) => one?.tools.length ?? 0);
  const { entries } = useRpcLog(id);
  if (server === undefined) return null;
  return (
    <li>
      {server.state} {count} {entries.length}
      <ViewRenderer source={{ server, tool: 'show' }} viewId={id} />
    </li>
  );
}

function Rows(): ReactElement {
  const { storageLoaded } = useMcpClient();
  const { state } = useMcp({ url: 'https://mcp.test/mcp' });
  return (
    <ul title={storageLoaded ? state : ''}>
      {useMcpServerIds().map((id) => (
        <Row key={id} id={id} />
      ))}
    </ul>
  );
}

export function App(): ReactElement {
  return (
    <StrictMode>
      <McpClientProvider mcpServers={{ a: {} }} storageProvider={new LocalStorageProvider()}>
        <Rows />
      </McpClientProvider>
    </StrictMode>
  );
}

export const frame: FunctionComponent<ComponentProps<typeof ArtifactFrame>> = ArtifactFrame;
export const view: FunctionComponent<ComponentProps<typeof SessionView>> = SessionView;

export const functions: readonly unknown[] = [onMcpAuthorization, useConnections];
