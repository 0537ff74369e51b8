// The rows of `testing/mcp-page.tsx` with the hooks of the peer.
import { McpClientProvider, useMcpClient, useMcpServer } from 'mcp-use/react';
import { createElement } from 'react';
import { mountRows } from '../../testing/mcp-rows.tsx';

export function mount({ urls, strict = false }) {
  // As its documentation shows it; one value for all renders, since a new one is loaded anew.
  const mcpServers = Object.fromEntries(urls.map((url, index) => [`s${index}`, { url }]));
  return mountRows(
    {
      provide: (rows) => createElement(McpClientProvider, { mcpServers }, rows),
      useIds: () => useMcpClient().servers.map(({ id }) => id),
      useServer: useMcpServer,
      useClient: useMcpClient,
    },
    strict,
  );
}
