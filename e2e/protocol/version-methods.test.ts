// oxlint-disable vitest/no-conditional-expect -- which versions know a question is the point of the table
import { afterEach, describe, expect, it } from 'vitest';
import { McpServer } from '@portico/server';
import { type RawClient, SERVER_ROUTES } from './server-routes.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const CAPABILITIES = { sampling: {}, roots: {}, elicitation: { form: {}, url: {} } };
const VERSIONS = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** What a server may ask, and the first version that has it. */
const QUESTIONS: readonly [method: string, params: Record<string, unknown> | undefined, since: string][] = [
  ['ping', undefined, '2024-10-07'],
  [
    'sampling/createMessage',
    { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 },
    '2024-10-07',
  ],
  ['roots/list', undefined, '2024-10-07'],
  ['elicitation/create', { message: 'm', requestedSchema: { type: 'object', properties: {} } }, '2025-06-18'],
  [
    'elicitation/create',
    { mode: 'url', message: 'm', url: 'https://x.test/', elicitationId: 'e' },
    '2025-11-25',
  ],
  ['com.example/ask', undefined, '2024-10-07'],
  // The other era's, and those that clients send.
  ['server/discover', undefined, 'never'],
  ['subscriptions/listen', undefined, 'never'],
  ['tasks/update', undefined, 'never'],
];

/** What a server may tell unasked, and the first version that has it. */
const NOTICES: readonly [method: string, since: string][] = [
  ['notifications/elicitation/complete', '2025-11-25'],
  ['notifications/subscriptions/acknowledged', 'never'],
  ['notifications/tasks', 'never'],
  ['com.example/note', '2024-10-07'],
];

/** Blocks that younger versions brought. */
const BLOCKS = [
  { type: 'text', text: 'x', annotations: { lastModified: '2026-01-01T00:00:00Z' } },
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'test://r', name: 'r' },
] as const;

const routes = SERVER_ROUTES.filter(({ era, transport }) => era === 'legacy' && transport !== 'http');

describe.each(routes)('a server over $name', (route) => {
  it.each(VERSIONS)(
    'W26 W37 asks a client of %s only what it knows, and shows it every block',
    async (version) => {
      const made: McpServer[] = [];
      const client = await route.open(
        () => {
          const server = new McpServer({ name: 'versions', version: '1' });
          server.registerTool('blocks', {}, () => ({ content: [...BLOCKS] }));
          made.push(server);
          return server;
        },
        { version, capabilities: CAPABILITIES },
      );
      open.push(client);
      const answer = await client.request('blocks', 'tools/call', { name: 'blocks' });
      expect(answer['result']).toEqual({ content: BLOCKS });
      const [server] = made;
      if (server === undefined) throw new TypeError('no server was made');
      for (const [method, params, since] of QUESTIONS) {
        const before = client.received.length;
        const asked = server.server.request(method, params, { timeout: 60_000 });
        const refused = asked.then(
          () => 'answered',
          (error: unknown) => (error as { code: unknown }).code,
        );
        if (version >= since && since !== 'never') {
          const sent = await client.next((message) => client.received.indexOf(message) >= before);
          expect([method, sent['method']]).toEqual([method, method]);
          continue;
        }
        await client.request(`after ${method}`, 'ping');
        expect(client.received.slice(before).map(({ id }) => id)).toEqual([`after ${method}`]);
        expect([method, await refused]).toEqual([method, 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION']);
      }
      for (const [method, since] of NOTICES) {
        const before = client.received.length;
        const told = await server.server.notification(method, { elicitationId: 'e' }).then(
          () => 'told',
          (error: unknown) => (error as { code: unknown }).code,
        );
        await client.request(`after ${method}`, 'ping');
        const methods = client.received.slice(before).map((message) => message['method']);
        expect([method, told, methods]).toEqual(
          version >= since && since !== 'never'
            ? [method, 'told', [method, undefined]]
            : [method, 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', [undefined]],
        );
      }
    },
  );
});
