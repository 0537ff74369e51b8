// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { McpServer } from '@portico/server';
import { until } from './test-server.ts';
import { type RawClient, SERVER_ROUTES, type Seen } from './server-routes.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const INFO = { name: 'lifecycle', version: '3', title: 'Life' };
const CLIENT = { name: 'raw', version: '1' };
const CAPABILITIES = { sampling: {}, elicitation: { form: {} } };
const LEGACY = SERVER_ROUTES.filter(({ era }) => era === 'legacy');

const initialize = (protocolVersion: unknown, id: string = 'hello'): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities: CAPABILITIES, clientInfo: CLIENT },
  });
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** Holds the servers that a route made. */
function recorded(build: () => McpServer): { make: () => McpServer; made: McpServer[] } {
  const made: McpServer[] = [];
  return {
    made,
    make: () => {
      const server = build();
      made.push(server);
      return server;
    },
  };
}

const resultOf = (message: Seen): Record<string, unknown> => message['result'] as Record<string, unknown>;
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

describe.each(LEGACY)('the handshake of a server over $name', (route) => {
  it('W16 sends nothing but pings and log messages before the client has confirmed it', async () => {
    const { make, made } = recorded(() => {
      const server = new McpServer(INFO, { capabilities: { logging: {} } });
      server.registerTool('t', {}, () => ({ content: [] }));
      return server;
    });
    const outcomes: unknown[] = [];
    const attempt = async ({ server }: McpServer): Promise<void> => {
      const sampling = { messages: [], maxTokens: 1 };
      const refused = [
        server.createMessage(sampling),
        server.listRoots(),
        server.request('com.example/ask'),
        server.elicitInput({ message: 'm', requestedSchema: { type: 'object', properties: {} } }),
        server.notification('notifications/tools/list_changed'),
        server.notification('com.example/note'),
      ];
      for (const promise of refused) {
        outcomes.push(await promise.then(() => 'sent', codeOf));
      }
      await server.sendToolListChanged();
      await server.sendLoggingMessage({ level: 'error', data: 'early' });
    };
    const client = await route.open(make, { handshake: false });
    open.push(client);
    const [early] = made;
    if (early !== undefined) await attempt(early);
    await client.send(initialize('2025-11-25'));
    await client.next(({ id }) => id === 'hello');
    const [server] = made;
    if (server === undefined) throw new TypeError('no server was made');
    await attempt(server);
    expect(outcomes).not.toContain('sent');
    const others = client.received.filter(
      ({ id, method }) => id !== 'hello' && method !== 'notifications/message',
    );
    expect(others).toEqual([]);
    let confirmed = 0;
    server.server.oninitialized = () => void (confirmed += 1);
    await client.send(INITIALIZED);
    await until(() => confirmed === 1, 'the confirmation');
    if (route.transport === 'http') return;
    void server.server
      .createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
        maxTokens: 1,
      })
      .catch(() => undefined);
    expect(await client.next(({ method }) => method === 'sampling/createMessage')).toBeDefined();
  });

  it('W18 answers each served version with itself and anything else with its newest', async () => {
    const served = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
    const others = ['2099-01-01', '2026-07-28', '1999-01-01', 'nonsense', '', '2025-11-25 '];
    for (const asked of [...served, ...others]) {
      // A header that names a modern version served here is a mismatch: another rule's matter.
      const stated = [asked.trim(), '2099-01-01', '2025-03-26'].filter((header) => header !== '2026-07-28');
      for (const header of route.transport === 'http' ? [undefined, ...stated] : [undefined]) {
        const client = await route.open(() => new McpServer(INFO), {
          handshake: false,
          ...(header === undefined ? {} : { openingVersion: header }),
        });
        open.push(client);
        await client.send(initialize(asked));
        const answer = await client.next(({ id }) => id === 'hello');
        const expected = served.includes(asked) ? asked : '2025-11-25';
        expect([asked, header, resultOf(answer)?.['protocolVersion']]).toEqual([asked, header, expected]);
      }
    }
    const older = await route.open(
      () => new McpServer(INFO, { supportedProtocolVersions: ['2026-07-28', '2025-03-26', '2024-11-05'] }),
      { handshake: false },
    );
    open.push(older);
    await older.send(initialize('2025-11-25'));
    expect(resultOf(await older.next(({ id }) => id === 'hello'))['protocolVersion']).toBe('2025-03-26');
  });
});
