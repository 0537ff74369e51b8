// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import { isJSONRPCMessage } from '@portico/rpc';
import { type RawClient, SERVER_ROUTES } from './server-routes.ts';
import { createTestServer } from './test-server.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const call = { jsonrpc: '2.0', id: 'bad', method: 'tools/call' };
const params = { name: 'echo', arguments: { value: 'x' } };
const error = { code: -1, message: 'no' };

/** Bodies that fit none of the four forms, as text; each would run a tool if it were let through. */
const BROKEN: readonly string[] = [
  '7',
  'null',
  '"tools/call"',
  'true',
  '{}',
  ...[
    { ...call, params, jsonrpc: '1.0' },
    { ...call, params, jsonrpc: 2 },
    { id: 1, method: 'tools/call', params },
    { ...call, params, method: 7 },
    { ...call, params, method: null },
    { jsonrpc: '2.0', id: 1, params },
    { ...call, params: [params] },
    { ...call, params: 'echo' },
    { ...call, params: null },
    { ...call, params, result: {} },
    { ...call, params, error },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, result: {}, error },
    { jsonrpc: '2.0', result: {} },
    { jsonrpc: '2.0', id: null, result: {} },
    { jsonrpc: '2.0', id: 1, error: 'no' },
    { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'no' } },
    { jsonrpc: '2.0', id: 1, error: { code: '1', message: 'no' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { jsonrpc: '2.0', id: [], error },
  ].map((body) => JSON.stringify(body)),
];

/** Values that are no request id. */
const NO_IDS: readonly unknown[] = [null, 1.5, -0.1, true, false, [], [1], {}, { id: 1 }];

describe.each(SERVER_ROUTES)('a server over $name', (route) => {
  it('W1 W2 runs nothing for what is no message or has no proper id, and refuses it where it can answer', async () => {
    const { seen, make } = createTestServer();
    const client = await route.open(make);
    open.push(client);
    const withBadIds = NO_IDS.map((id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: client.params(params) }),
    );
    const bodies = [...BROKEN, ...withBadIds];
    expect(bodies).toHaveLength(34);
    expect(bodies.map((body) => isJSONRPCMessage(JSON.parse(body)))).not.toContain(true);
    for (const body of bodies) {
      const faults = client.faults.length;
      const status = await client.send(body);
      if (route.transport === 'http') expect([body, status]).toEqual([body, 400]);
      await client.request('in between', 'tools/list');
      expect([body, client.faults.length > faults]).toEqual([body, true]);
    }
    expect(seen.runs).toEqual([]);
    const answers = client.received.filter((message) => message['id'] !== 'in between');
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: -32_600 } });
    if (route.transport === 'http') expect(answers).toHaveLength(bodies.length);
    for (const body of withBadIds) {
      // No answer has an id that the peer did not give as one.
      expect(answers.map(({ id }) => id)).not.toContain((JSON.parse(body) as { id: unknown }).id);
    }

    const good = await client.request(1, 'tools/call', params);
    expect(good).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } });
  });
});
