// oxlint-disable vitest/no-conditional-expect -- only some of the random messages are owed an answer
import { type JSONRPCMessage, createMemoryTransportPair, isJSONRPCRequest } from '@portico/rpc';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { StdioServerTransport } from '@portico/server/stdio';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createScriptedFetch, jsonResult } from '../../testing/scripted-fetch.ts';
import {
  HELD_LIMIT_BYTES,
  MESSAGES,
  TIME_LIMIT_MS,
  heldBytes,
  parsed,
  randomTexts,
  turn,
  unhandledDuring,
} from './random-traffic.ts';
import { SERVER_ROUTES } from './server-routes.ts';
import { createTestServer } from './test-server.ts';

describe.each(SERVER_ROUTES)('a server over $name under random traffic', (route) => {
  it(
    'W258 leaves nothing unhandled, answers what it is asked in between, holds nothing, and serves on',
    async () => {
      const { seen, make } = createTestServer({
        throw: () => {
          throw new TypeError('thrown');
        },
      });
      const client = await route.open(make);
      const forget = (): void => {
        for (const list of [client.received, client.texts, client.faults, seen.runs, seen.stopped]) {
          (list as unknown[]).length = 0;
        }
      };
      let halfwayBytes = 0;
      const unhandled = await unhandledDuring(async () => {
        for (const [index, text] of randomTexts(0).entries()) {
          if (index === Math.floor(MESSAGES / 2)) halfwayBytes = await heldBytes();
          // Objects are handed over as they are, so there is no broken text between the two.
          if (route.transport === 'memory' && parsed(text) === undefined) continue;
          const settled = client.send(text).catch(() => undefined);
          if (index % 50 === 49) {
            seen.release();
            await turn();
          }
          if (index % 500 === 499) {
            const id = `check ${String(index)}`;
            expect(await client.request(id, 'tools/list')).toMatchObject({ id, result: {} });
            forget();
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
        forget();
      });
      expect(unhandled).toEqual([]);
      expect((await heldBytes()) - halfwayBytes).toBeLessThan(HELD_LIMIT_BYTES);
      await client.close();
    },
    TIME_LIMIT_MS,
  );
});

const ANSWERS: Readonly<Record<string, object>> = {
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

type Era = 'legacy' | 'modern';

function newClient(era: Era): Client {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  return new Client(
    { name: 'fuzz', version: '1' },
    { versionNegotiation: { mode }, clock: createManualClock() },
  );
}

describe.each(['legacy', 'modern'] as const)('a %s client under random traffic', (era) => {
  it(
    'W258 in memory leaves nothing unhandled, answers every valid request, and calls on',
    async () => {
      const [ours, theirs] = createMemoryTransportPair();
      let sent = 0;
      theirs.onmessage = (message) => {
        if (!isJSONRPCRequest(message)) sent += 1;
        else {
          const result = ANSWERS[message.method] ?? {};
          void theirs.send({ jsonrpc: '2.0', id: message.id, result });
        }
      };
      await theirs.start();
      const client = newClient(era);
      let halfwayBytes = 0;
      const unhandled = await unhandledDuring(async () => {
        await client.connect(ours);
        for (const [index, text] of randomTexts(1).entries()) {
          const message = parsed(text);
          if (index === Math.floor(MESSAGES / 2)) halfwayBytes = await heldBytes();
          if (message === undefined) continue;
          const before = sent;
          await theirs.send(message as JSONRPCMessage).catch(() => undefined);
          if (index % 50 === 49) await turn();
          if (era === 'legacy' && isJSONRPCRequest(message)) {
            await turn();
            expect([text, sent]).toEqual([text, before + 1]);
          }
        }
        expect(await client.listTools()).toMatchObject({ tools: [] });
      });
      expect(unhandled).toEqual([]);
      expect((await heldBytes()) - halfwayBytes).toBeLessThan(HELD_LIMIT_BYTES);
      await client.close();
    },
    TIME_LIMIT_MS,
  );

  it(
    'W258 on a pipe leaves nothing unhandled, holds nothing, and calls on',
    async () => {
      const [toServer, toClient] = [new PassThrough(), new PassThrough()];
      let rest = '';
      toServer.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { id, method } = parsed(line) as { id?: unknown; method?: string };
          if (id === undefined || method === undefined) continue;
          toClient.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method] ?? {} })}\n`);
        }
      });
      const client = newClient(era);
      let halfwayBytes = 0;
      const unhandled = await unhandledDuring(async () => {
        await client.connect(new StdioServerTransport(toClient, toServer));
        for (const [index, text] of randomTexts(2).entries()) {
          // Cuts of lines, too: a chunk ends anywhere.
          const line = Buffer.from(`${text}\n`);
          const cut = index % (line.length + 1);
          toClient.write(line.subarray(0, cut));
          toClient.write(line.subarray(cut));
          if (index % 50 === 49) await turn();
          if (index % 500 === 499) expect(await client.listTools()).toMatchObject({ tools: [] });
          if (index === Math.floor(MESSAGES / 2)) halfwayBytes = await heldBytes();
        }
        await turn();
        expect(await client.listTools()).toMatchObject({ tools: [] });
      });
      expect(unhandled).toEqual([]);
      expect((await heldBytes()) - halfwayBytes).toBeLessThan(HELD_LIMIT_BYTES);
      await client.close();
    },
    TIME_LIMIT_MS,
  );

  it(
    'W258 over HTTP leaves nothing unhandled, holds nothing, and calls on',
    async () => {
      const pool = randomTexts(3);
      const statuses = [200, 200, 200, 202, 204, 301, 400, 404, 405, 418, 429, 500, 503];
      const types = ['application/json', 'text/event-stream', 'text/html', 'Application/JSON; charset=x', ''];
      let round = 0;
      const junk = (): Response => {
        const status = statuses[round % statuses.length] ?? 200;
        const type = types[round % types.length] ?? '';
        const some = [pool[round % pool.length] ?? '', pool[(round * 7) % pool.length] ?? ''];
        round += 1;
        const events = some.map(
          (text, index) => `${index === 0 ? 'id: ' : ': '}${String(round)}\ndata: ${text}\n\n`,
        );
        const text = type === 'text/event-stream' ? events.join('') : some[0];
        const headers = type === '' ? {} : { 'content-type': type };
        return new Response(status === 204 ? null : text, { status, headers });
      };
      let isHostile = false;
      const { fetch, forget } = createScriptedFetch((request) => {
        if (isHostile) return junk();
        if (request.body?.id === undefined) return new Response(null, { status: request.body ? 202 : 405 });
        return jsonResult(request, ANSWERS[request.rpc] ?? {});
      });
      const clock = createManualClock();
      const client = new Client(
        { name: 'fuzz', version: '1' },
        { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } }, clock },
      );
      let halfwayBytes = 0;
      const unhandled = await unhandledDuring(async () => {
        await client.connect(new StreamableHTTPClientTransport('http://server.test/mcp', { fetch, clock }));
        const rounds = Math.ceil(MESSAGES / 10);
        for (let count = 0; count < rounds; count += 1) {
          isHostile = true;
          const calls = [
            client.listTools(),
            client.callTool({ name: 'x' }, { onprogress: () => undefined }),
            client.notification({ method: 'com.example/note' }),
          ];
          const ended = Promise.allSettled(calls);
          await turn();
          // Answers that end without the answer are taken up again after a while, then given up.
          await clock.advance(100_000);
          await ended;
          forget();
          isHostile = false;
          if (count % 50 === 49) expect(await client.listTools()).toMatchObject({ tools: [] });
          if (count === Math.floor(rounds / 2)) halfwayBytes = await heldBytes();
        }
        expect(await client.listTools()).toMatchObject({ tools: [] });
      });
      expect(unhandled).toEqual([]);
      expect((await heldBytes()) - halfwayBytes).toBeLessThan(HELD_LIMIT_BYTES);
      await client.close();
    },
    TIME_LIMIT_MS,
  );
});
