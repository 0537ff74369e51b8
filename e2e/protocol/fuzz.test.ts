// oxlint-disable vitest/no-conditional-expect -- only some of the random messages are owed an answer
import process from 'node:process';
import fc from 'fast-check';
import { Client } from '@portico/client';
import { type JSONRPCMessage, createMemoryTransportPair, isJSONRPCRequest } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { SERVER_ROUTES } from './server-routes.ts';
import { createTestServer } from './test-server.ts';

/** Messages of one run; `npm run nightly` sends many more. */
const MESSAGES = Number(process.env['PORTICO_FUZZ_MESSAGES'] ?? 5_000);
const SEED = 20_260_728;
/** A minute for five thousand messages, where a run takes seconds. */
const TIME_LIMIT_MS = MESSAGES * 12;

const ids = fc.oneof(
  fc.constantFrom<unknown>(0, '', '0', 1, '1', null, undefined, 1.5, true, [], {}),
  fc.nat(50),
  fc.string({ maxLength: 3 }),
);
const methods = fc.oneof(
  fc.constantFrom<unknown>(
    'tools/call',
    'tools/list',
    'ping',
    'server/discover',
    'initialize',
    'logging/setLevel',
  ),
  fc.constantFrom<unknown>('notifications/cancelled', 'notifications/progress', 'notifications/initialized'),
  fc.constantFrom<unknown>(
    'sampling/createMessage',
    'roots/list',
    'notifications/message',
    '__proto__',
    'toString',
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const params = fc.oneof(
  fc.constant(undefined),
  fc.record({ name: fc.constantFrom('echo', 'wait', 'throw', '__proto__'), arguments: fc.jsonValue() }),
  fc.record({ requestId: ids, reason: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ progressToken: ids, progress: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ _meta: fc.oneof(fc.record({ progressToken: ids }), fc.jsonValue()) }),
  fc.jsonValue({ maxDepth: 2 }),
);
const version = fc.oneof(
  { weight: 20, arbitrary: fc.constant<unknown>('2.0') },
  fc.jsonValue({ maxDepth: 1 }),
);
const bodies: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ jsonrpc: version, id: ids, method: methods, params }) },
  { weight: 2, arbitrary: fc.record({ jsonrpc: version, method: methods, params }) },
  fc.record({ jsonrpc: version, id: ids, result: fc.jsonValue() }),
  fc.record({ jsonrpc: version, id: ids, error: fc.jsonValue({ maxDepth: 2 }) }),
  fc.jsonValue(),
);

function withEnvelope(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('params' in body)) return body;
  const inner: unknown = body.params;
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return body;
  return { ...body, params: modern(inner as Record<string, unknown>) };
}

/** One message as text: as it is, cut short, or with one character changed. */
const texts = fc
  .record({
    body: bodies,
    enveloped: fc.boolean(),
    mutation: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 'change'),
    at: fc.nat(),
  })
  .map(({ body, enveloped, mutation, at }) => {
    const given = enveloped ? withEnvelope(body) : body;
    const text = JSON.stringify(given) ?? 'null';
    const place = at % (text.length + 1);
    if (mutation === 'cut') return text.slice(0, place);
    return mutation === 'change' ? `${text.slice(0, place)}\u00e9${text.slice(place + 1)}` : text;
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function unhandledDuring(run: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await run();
    await turn();
  } finally {
    process.off('unhandledRejection', note);
  }
  return unhandled;
}

describe.each(SERVER_ROUTES)('a server over $name under random traffic', (route) => {
  it(
    'leaves nothing unhandled, answers what it is asked in between, and serves on',
    async () => {
      const { seen, make } = createTestServer({
        throw: () => {
          throw new TypeError('thrown');
        },
      });
      const client = await route.open(make);
      const unhandled = await unhandledDuring(async () => {
        let sent = 0;
        for (const text of fc.sample(texts, { seed: SEED, numRuns: MESSAGES })) {
          // Objects are handed over as they are, so there is no broken text between the two.
          if (route.transport === 'memory' && parsed(text) === undefined) continue;
          const settled = client.send(text).catch(() => undefined);
          if (++sent % 50 === 0) {
            seen.release();
            await turn();
          }
          if (sent % 500 === 0) {
            const id = `check ${String(sent)}`;
            expect(await client.request(id, 'tools/list')).toMatchObject({ id, result: {} });
          }
          void settled;
        }
        for (let look = 0; look < 20; look += 1) {
          seen.release();
          await turn();
        }
        const params = { name: 'echo', arguments: { value: 'alive' } };
        const last = await client.request('last', 'tools/call', params);
        expect(last).toMatchObject({ result: { content: [{ text: 'alive' }] } });
      });
      expect(unhandled).toEqual([]);
      await client.close();
    },
    TIME_LIMIT_MS,
  );
});

describe.each(['legacy', 'modern'] as const)('a %s client under random traffic', (era) => {
  it(
    'leaves nothing unhandled, answers every valid request, and calls on',
    async () => {
      const [ours, theirs] = createMemoryTransportPair();
      const sent: JSONRPCMessage[] = [];
      const answers: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'fuzz', version: '1' },
        },
        'server/discover': {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
        },
        'tools/list': { resultType: 'complete', tools: [] },
      };
      theirs.onmessage = (message) => {
        if (!isJSONRPCRequest(message)) sent.push(message);
        else {
          const result = answers[message.method] ?? {};
          void theirs.send({ jsonrpc: '2.0', id: message.id, result });
        }
      };
      await theirs.start();
      const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
      const client = new Client(
        { name: 'fuzz', version: '1' },
        { versionNegotiation: { mode }, clock: createManualClock() },
      );
      const unhandled = await unhandledDuring(async () => {
        await client.connect(ours);
        let count = 0;
        for (const text of fc.sample(texts, { seed: SEED + 1, numRuns: MESSAGES })) {
          const message = parsed(text);
          if (message === undefined) continue;
          const before = sent.length;
          await theirs.send(message as JSONRPCMessage).catch(() => undefined);
          if (++count % 50 === 0) await turn();
          if (era === 'legacy' && isJSONRPCRequest(message)) {
            await turn();
            expect([text, sent.length]).toEqual([text, before + 1]);
          }
        }
        expect(await client.listTools()).toMatchObject({ tools: [] });
      });
      expect(unhandled).toEqual([]);
      await client.close();
    },
    TIME_LIMIT_MS,
  );
});
