import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { useState } from 'react';

export type ListName = keyof NonNullable<McpServer['listErrors']>;

const ACTIONS = {
  tools: 'refreshTools',
  resources: 'refreshResources',
  resourceTemplates: 'refreshResourceTemplates',
  prompts: 'refreshPrompts',
} as const satisfies Record<ListName, keyof McpServer>;

export interface Refresh {
  readonly busy: boolean;
  /** Whether there is a server to ask. */
  readonly possible: boolean;
  readonly run: () => void;
}

/** Reads lists of a server again; what goes wrong is shown where they stand. */
export function useRefresh(connectorId: string, lists: readonly ListName[]): Refresh {
  const server = useMcpServer(connectorId, (now) => (now?.state === 'ready' ? now : undefined), sameActions);
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (server === undefined || busy) return;
    setBusy(true);
    await Promise.all(lists.map((list) => server[ACTIONS[list]]()));
    setBusy(false);
  };
  return { busy, possible: server !== undefined, run: () => void run() };
}

/** Functions of a server stay the same for as long as it is managed. */
function sameActions(a: McpServer | undefined, b: McpServer | undefined): boolean {
  return a?.refreshTools === b?.refreshTools;
}
