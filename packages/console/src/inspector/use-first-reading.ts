import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { useEffect, useState } from 'react';

interface Lister {
  readonly client: McpServer['client'];
  readonly read: () => Promise<void>;
}

/**
 * Whether it is still to be found out that an empty list is empty: a server is ready before its further lists
 * have come. Only while there is nothing to show the list is read once more for that.
 */
export function useFirstReading(connectorId: string, list: 'resources' | 'prompts'): boolean {
  const lister = useMcpServer(connectorId, (server) => emptyLister(server, list), sameLister);
  const [known, setKnown] = useState<McpServer['client']>();
  const { client, read } = lister ?? {};
  useEffect(() => {
    if (client === undefined || read === undefined) return;
    // What goes wrong is told where the list stands.
    void read()
      .catch(() => undefined)
      .then(() => setKnown(client));
  }, [client, read]);
  return lister !== undefined && known !== client;
}

function emptyLister(server: McpServer | undefined, list: 'resources' | 'prompts'): Lister | undefined {
  if (server === undefined || server.state !== 'ready' || server.capabilities?.[list] === undefined)
    return undefined;
  const { client, resources, resourceTemplates, prompts, listResources, listPrompts } = server;
  if (list === 'prompts') return prompts.length > 0 ? undefined : { client, read: listPrompts };
  return resources.length + resourceTemplates.length > 0 ? undefined : { client, read: listResources };
}

function sameLister(a: Lister | undefined, b: Lister | undefined): boolean {
  return a?.client === b?.client && a?.read === b?.read;
}
