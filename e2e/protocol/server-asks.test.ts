import { McpServer } from '@portico/server';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawClient, SERVER_ROUTES, type Seen } from './server-routes.ts';

const open: RawClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const SAMPLE = { messages: [], maxTokens: 1 };
const FORM = { message: 'm', requestedSchema: { type: 'object' as const, properties: {} } };
const RESULTS: Readonly<Record<string, object>> = {
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'y' } },
  'elicitation/create': { action: 'decline' },
  'roots/list': { roots: [] },
  'com.example/own': {},
};

/** Only legacy servers send requests. */
const LEGACY = SERVER_ROUTES.filter(({ era }) => era === 'legacy');

describe.each(LEGACY)('a server that asks its client, $name', (route) => {
  it('W6 gives each of a thousand mixed requests an id of its own, and none the id null', async () => {
    const client = await route.open(
      () => {
        const server = new McpServer({ name: 'asks', version: '1' });
        server.registerTool('ask', {}, async ({ mcpReq }) => {
          const kinds = [
            () => mcpReq.requestSampling(SAMPLE),
            () => mcpReq.elicitInput(FORM),
            () => mcpReq.send({ method: 'roots/list' }),
            () => mcpReq.send({ method: 'ping' }),
            // Given up at once, while others are open.
            () => mcpReq.requestSampling(SAMPLE, { signal: AbortSignal.timeout(0) }),
          ];
          await Promise.all(
            Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length]?.().catch(() => undefined)),
          );
          return { content: [] };
        });
        return server;
      },
      { capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} } },
    );
    open.push(client);
    const isAsked = ({ id, method }: Seen): boolean => method !== undefined && id !== undefined;
    let answered = 0;
    const asked: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      const call = client.request(`call ${String(round)}`, 'tools/call', { name: 'ask' });
      let isOver = false;
      void call.then(() => (isOver = true));
      while (!isOver) {
        await new Promise((resolve) => setImmediate(resolve));
        for (const message of client.received.slice(answered).filter(isAsked)) {
          asked.push(message['id']);
          const result = RESULTS[String(message['method'])] ?? {};
          void client.send(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
        }
        answered = client.received.length;
      }
    }
    expect(asked).toHaveLength(1_000);
    expect(asked.filter((id) => typeof id !== 'string' && typeof id !== 'number')).toEqual([]);
    expect(new Set(asked).size).toBe(1_000);
  });
});
