// What browser tests load into a page around managed servers, as `portico`.
import { StrictMode, memo } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { ServerManager } from '@portico/connections/manager';
import { McpClientProvider, useMcpClient, useMcpServer } from '../packages/react/src/index.ts';
import type { McpClientProviderProps, UseMcpClientResult } from '../packages/react/src/index.ts';
import { useMcpServerIds } from '../packages/react/src/observe.ts';

/** What tests see of the page and do with it. */
export interface McpPage {
  /** How often each component rendered, by name; rows by the id of their server. */
  readonly renders: Record<string, number>;
  /** What the provider told, in order. */
  readonly told: string[];
  readonly client: () => UseMcpClientResult;
  readonly unmount: () => void;
  /** Characters that were made of values as JSON so far. */
  readonly serialized: () => number;
}

/** How the page is mounted. */
export interface MountOptions {
  readonly urls: readonly string[];
  readonly strict?: boolean;
  readonly manager?: ServerManager;
}

export function mount({ urls, strict = false }: MountOptions): McpPage {
  const renders: Record<string, number> = {};
  const told: string[] = [];
  let latest: UseMcpClientResult | undefined;
  const count = (name: string): void => void (renders[name] = (renders[name] ?? 0) + 1);
  const Row = memo(function Row({ id }: { readonly id: string }): ReactNode {
    count(id);
    const server = useMcpServer(id);
    return <li>{`${id} ${server?.state} ${server?.tools.length}`}</li>;
  });
  const Unread = (): ReactNode => {
    count('unread');
    return <output>{useMcpServer('s0')?.unreadNotificationCount}</output>;
  };
  const Functions = (): ReactNode => {
    count('functions');
    latest = useMcpClient();
    return null;
  };
  const Rows = (): ReactNode => {
    count('rows');
    return useMcpServerIds().map((id) => <Row key={id} id={id} />);
  };
  const props: McpClientProviderProps = {
    mcpServers: Object.fromEntries(
      urls.map((url, index) => [`s${index}`, { url, protocolNegotiation: 'legacy' as const }]),
    ),
    onServerAdded: (id) => told.push(`+ ${id}`),
    onServerRemoved: (id) => told.push(`- ${id}`),
    onServerStateChange: (id, state) => told.push(`${id} ${state}`),
  };
  const place = document.createElement('main');
  document.body.append(place);
  const root = createRoot(place);
  const tree = (
    <McpClientProvider {...props}>
      <Rows />
      <Unread />
      <Functions />
    </McpClientProvider>
  );
  root.render(strict ? <StrictMode>{tree}</StrictMode> : tree);
  return {
    renders,
    told,
    client: () => latest as UseMcpClientResult,
    unmount: () => {
      root.unmount();
      place.remove();
    },
    serialized: countSerialized(),
  };
}

/** Counts what is made of values as JSON from now on. */
function countSerialized(): () => number {
  const { stringify } = JSON;
  let total = 0;
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    total += (text as string | undefined)?.length ?? 0;
    return text;
  }) as typeof stringify;
  return () => total;
}
