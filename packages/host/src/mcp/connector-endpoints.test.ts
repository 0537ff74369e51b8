import { Client, StreamableHTTPClientTransport } from '@portico/client';
import {
  Client as OfficialClient,
  StreamableHTTPClientTransport as OfficialTransport,
} from '@modelcontextprotocol/client';
import { routePath } from '@portico/api';
import type { Connector } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { serverEntry } from '../../../../testing/npm-servers.ts';

const MODES = ['legacy', 'modern'] as const;
type Mode = (typeof MODES)[number];

const negotiation = (mode: Mode) => ({
  versionNegotiation: { mode: mode === 'legacy' ? ('legacy' as const) : { pin: '2026-07-28' as const } },
});

describe('a connector as an MCP server', () => {
  let host: InProcessHost;
  let everything: Connector;
  let demo: Connector;
  beforeAll(async () => {
    host = await startInProcessHost();
    [demo] = (await host.bootstrap()).connectors as [Connector];
    const added = await host.call<Connector>('POST', '/api/connectors', {
      name: 'Everything',
      transport: {
        kind: 'stdio',
        command: process.execPath,
        args: [serverEntry('server-everything'), 'stdio'],
      },
    });
    await host.call('POST', `/api/connectors/${added.id}/approval`, { hash: added.pendingApproval?.hash });
    everything = await host.untilConnector(added.id, 'ready');
  });
  afterAll(() => host.close());

  const urlOf = (id: string): URL =>
    new URL(routePath('connectorMcp', { connectorId: id }), `http://127.0.0.1:${host.host.port}`);
  const requestInit = () => ({ headers: { cookie: host.cookie, origin: host.origin } });
  const ours = async (id: string, mode: Mode): Promise<Client> => {
    const client = new Client({ name: 'page', version: '1' }, negotiation(mode));
    await client.connect(new StreamableHTTPClientTransport(urlOf(id), { requestInit: requestInit() }));
    return client;
  };
  const official = async (id: string, mode: Mode): Promise<OfficialClient> => {
    const client = new OfficialClient({ name: 'page', version: '1' }, negotiation(mode));
    await client.connect(new OfficialTransport(urlOf(id), { requestInit: requestInit() }));
    return client;
  };

  it.each([
    ...MODES.map((mode) => ['our', mode, ours] as const),
    ...MODES.map((mode) => ['the official', mode, official] as const),
  ])('answers %s %s client as the server behind it', async (_, mode, connect) => {
    const client = (await connect(everything.id, mode)) as Client;
    expect(client.getServerVersion()).toMatchObject({ name: everything.server?.name });
    expect(client.getInstructions()).toContain('');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(everything.toolCount);
    const echo = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    expect(echo.content).toMatchObject([{ type: 'text', text: expect.stringContaining('hi') as string }]);
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(0);
    const read = await client.readResource({ uri: resources[0]!.uri });
    expect(read.contents).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    expect((await client.getPrompt({ name: 'simple-prompt' })).messages).toHaveLength(1);
    await client.close();
  });

  it('is not there for a connector that nobody has', async () => {
    const answer = await host.request('POST', '/api/connectors/none/mcp', {});
    expect(answer.status).toBe(404);
  });

  it('says which state a connector is in that cannot be used', async () => {
    await host.call('PUT', `/api/connectors/${demo.id}/enabled`, { enabled: false });
    const answer = await host.request('POST', `/api/connectors/${demo.id}/mcp`, {});
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({
      error: { data: { code: 'connector_not_ready', status: 'disabled' } },
    });
  });
});
