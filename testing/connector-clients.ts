import { routePath } from '@portico/api';
import type { Connector } from '@portico/api';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import type { ClientOptions } from '@portico/client';
import {
  Client as OfficialClient,
  StreamableHTTPClientTransport as OfficialTransport,
} from '@modelcontextprotocol/client';
import type { InProcessHost } from './in-process-host.ts';

export type Mode = 'legacy' | 'modern';
export const MODES: readonly Mode[] = ['legacy', 'modern'];

export const versionsOf = (mode: Mode) => ({
  mode: mode === 'legacy' ? ('legacy' as const) : { pin: '2026-07-28' as const },
});

/** Clients of connectors as a page of the console has them: with its cookie and its origin. */
export interface ConnectorClients {
  urlOf(connectorId: string): URL;
  readonly headers: Readonly<Record<string, string>>;
  transport(connectorId: string): StreamableHTTPClientTransport;
  ours(connectorId: string, mode: Mode, options?: ClientOptions): Promise<Client>;
  official(connectorId: string, mode: Mode): Promise<OfficialClient>;
}

export function connectorClients(host: InProcessHost): ConnectorClients {
  const headers = { cookie: host.cookie, origin: host.origin };
  const urlOf = (connectorId: string): URL =>
    // The names of the console are not resolved outside of browsers.
    new URL(routePath('connectorMcp', { connectorId }), `http://127.0.0.1:${host.host.port}`);
  const transport = (connectorId: string): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(urlOf(connectorId), { requestInit: { headers } });
  return {
    urlOf,
    headers,
    transport,
    async ours(connectorId, mode, options = {}) {
      const info = { name: 'page', version: '1' };
      const client = new Client(info, { ...options, versionNegotiation: versionsOf(mode) });
      await client.connect(transport(connectorId));
      return client;
    },
    async official(connectorId, mode) {
      const info = { name: 'page', version: '1' };
      const client = new OfficialClient(info, { versionNegotiation: versionsOf(mode) });
      await client.connect(new OfficialTransport(urlOf(connectorId), { requestInit: { headers } }));
      return client;
    },
  };
}

/** Adds a connector to a server over HTTP and waits until it is connected. */
export async function addWebConnector(
  host: InProcessHost,
  url: string,
  options: { readonly name?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Connector> {
  const { name = 'Web', headers = {} } = options;
  const added = await host.call<Connector>('POST', '/api/connectors', {
    name,
    transport: { kind: 'http', url, headers },
  });
  return await host.untilConnector(added.id, 'ready');
}
