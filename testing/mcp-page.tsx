// What browser tests load into a page around managed servers, as `portico`.
import { McpClientProvider, useMcpClient, useMcpServer } from '../packages/react/src/index.ts';
import type { McpClientProviderProps, UseMcpClientResult } from '../packages/react/src/index.ts';
import { useMcpServerIds } from '../packages/react/src/observe.ts';
import { mountRows } from './mcp-rows.tsx';
import type { CountedRows } from './mcp-rows.tsx';

export { version } from 'react';

/** What tests see of the page and do with it. */
export interface McpPage extends CountedRows<UseMcpClientResult> {
  /** What the provider told, in order. */
  readonly told: string[];
}

/** How the page is mounted. */
export interface MountOptions {
  readonly urls: readonly string[];
  readonly strict?: boolean;
}

export function mount({ urls, strict = false }: MountOptions): McpPage {
  const told: string[] = [];
  const props: McpClientProviderProps = {
    mcpServers: Object.fromEntries(
      urls.map((url, index) => [`s${index}`, { url, protocolNegotiation: 'legacy' as const }]),
    ),
    onServerAdded: (id) => told.push(`+ ${id}`),
    onServerRemoved: (id) => told.push(`- ${id}`),
    onServerStateChange: (id, state) => told.push(`${id} ${state}`),
  };
  const rows = mountRows(
    {
      provide: (children) => <McpClientProvider {...props}>{children}</McpClientProvider>,
      useIds: useMcpServerIds,
      useServer: useMcpServer,
      useClient: useMcpClient,
    },
    strict,
  );
  return { ...rows, told };
}
