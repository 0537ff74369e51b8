import { inspect } from 'node:util';
import process from 'node:process';
import fc from 'fast-check';
import { Client, StreamableHTTPClientTransport } from '@portico/client';
import { McpServer, createMcpHandler, createRequestStateCodec, inputRequired } from '@portico/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { headersOf } from '../../testing/mcp-headers.ts';
import { messagesOf } from '../../testing/mcp-http.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createScriptedFetch, jsonResult } from '../../testing/scripted-fetch.ts';
import { MESSAGES, TIME_LIMIT_MS, randomTexts } from './random-traffic.ts';

const TOKEN = 'canary-token-5b1f0c';
const KEY = 'canary-key-9d2e7a-canary-key-9d2e7a-canary';
const STATE = 'canary-state-77c3d1';
const SECRETS = [TOKEN, KEY, STATE];

/** Everything that goes to the console and to the process's own outputs. */
const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => void printed.push(inspect(values)));
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => {
      printed.push(String(chunk));
      return true;
    });
  }
});
afterEach(() => vi.restoreAllMocks());

/** All that can be read of a report, its causes and hidden members too. */
const allOf = (value: unknown): string =>
  inspect(value, { depth: 12, showHidden: true, maxStringLength: null });

const codec = createRequestStateCodec<{ secret: string }>({ key: KEY });

function makeServer(): McpServer {
  const server = new McpServer({ name: 'keeps', version: '1' }, { requestState: { verify: codec.verify } });
  server.registerTool('rounds', {}, async (context) => {
    if (context.mcpReq.requestState() !== undefined) return { content: [] };
    const requestState = await codec.mint({ secret: STATE }, context);
    return inputRequired({ requestState });
  });
  server.registerTool('throws', {}, () => {
    throw new TypeError('thrown');
  });
  return server;
}

describe('secrets under random traffic', () => {
  it(
    'W258 a server tells none in an error, a report or a log: not the token, the key or the state',
    async () => {
      const reports: unknown[] = [];
      const handler = createMcpHandler(makeServer, {
        legacy: 'sessions',
        onerror: (error) => reports.push(error),
      });
      const errors: unknown[] = [];
      const post = async (text: string): Promise<Record<string, unknown> | undefined> => {
        let own: Record<string, string> = {};
        try {
          own = headersOf(text === '' ? {} : (JSON.parse(text) as never));
        } catch {
          // What is no JSON has no headers of its own.
        }
        const headers = {
          host: 'localhost',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'MCP-Protocol-Version': '2026-07-28',
          authorization: `Bearer ${TOKEN}`,
          ...own,
        };
        const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: text });
        const response = await handler.fetch(request, {
          authInfo: { token: TOKEN, clientId: 'c', scopes: [] },
        });
        const answer = await response.text();
        const messages = answer.startsWith('{')
          ? [JSON.parse(answer) as Record<string, unknown>]
          : messagesOf(answer);
        errors.push([...response.headers], ...messages.map(({ error }) => error));
        return messages.at(-1);
      };
      const call = (more: object, id = 1): string =>
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: modern({ name: 'rounds', ...more }),
        });
      const first = await post(call({}));
      const sealed = String((first as { result: { requestState: unknown } }).result.requestState);
      expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString()).toContain(STATE);
      expect(await post(call({ requestState: sealed }))).toMatchObject({ result: { content: [] } });

      const bent = fc.sample(
        fc.record({ at: fc.nat(sealed.length), by: fc.string({ maxLength: 3 }), cut: fc.boolean() }),
        { seed: 258, numRuns: Math.ceil(MESSAGES / 10) },
      );
      let refused = 0;
      for (const { at, by, cut } of bent) {
        const state = sealed.slice(0, at) + by + (cut ? '' : sealed.slice(at + 1));
        const answer = await post(call({ requestState: state }));
        refused += answer?.['error'] === undefined ? 0 : 1;
      }
      expect(refused).toBeGreaterThan(bent.length / 2);
      for (const text of randomTexts(4, MESSAGES / 2)) {
        const withSecret = text.replaceAll('"echo"', '"rounds"').replaceAll('"throw"', '"throws"');
        await post(withSecret);
      }
      expect(reports.length).toBeGreaterThan(100);
      const told = [...errors, ...reports].map(allOf).join('\n') + printed.join('\n');
      expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([]);
      // Sealed state can be read by whoever has it, so no more of it is told than of what it holds.
      const pieces = Array.from({ length: sealed.length / 24 }, (_, index) =>
        sealed.slice(24 * index, 24 * index + 24),
      );
      expect(pieces.filter((piece) => told.includes(piece))).toEqual([]);
      await handler.close();
    },
    TIME_LIMIT_MS,
  );

  it.each(['legacy', 'modern'] as const)(
    'W258 a %s client tells none in an error, a report or a log: not its token and not the state it carries',
    async (era) => {
      const clock = createManualClock();
      const pool = randomTexts(5, 500);
      const statuses = [200, 202, 400, 401, 403, 404, 405, 418, 500, 503];
      const types = ['application/json', 'text/event-stream', 'text/html'];
      let round = -1;
      const junk = (): Response => {
        round += 1;
        const text = pool[round % pool.length] ?? '';
        const type = types[round % types.length] ?? '';
        return new Response(type === 'text/event-stream' ? `data: ${text}\n\n` : text, {
          status: statuses[round % statuses.length] ?? 200,
          headers: { 'content-type': type, 'www-authenticate': 'Bearer error="invalid_token"' },
        });
      };
      const discovered = {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
      };
      const initialized = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
      let carried = 0;
      const { fetch, log } = createScriptedFetch((request) => {
        if (request.rpc === 'initialize') return jsonResult(request, initialized);
        if (request.rpc === 'server/discover') return jsonResult(request, discovered);
        if (request.body?.id === undefined) return new Response(null, { status: request.body ? 202 : 405 });
        const params = (request.body as { params?: { requestState?: string } }).params;
        if (params?.requestState !== undefined) {
          carried += 1;
          return junk();
        }
        if (era === 'legacy' || round % 2 === 0) return junk();
        round += 1;
        return jsonResult(request, { resultType: 'input_required', requestState: STATE });
      });
      const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
      const client = new Client({ name: 'keeps', version: '1' }, { clock, versionNegotiation: { mode } });
      const told: unknown[] = [];
      client.onerror = (error) => told.push(error);
      const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
        clock,
        fetch,
        requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
      });
      await client.connect(transport);
      for (let count = 0; count < Math.ceil(MESSAGES / 20); count += 1) {
        const call = client.callTool({ name: 'x' }).catch((error: unknown) => void told.push(error));
        await clock.advance(60_000);
        await call;
      }
      expect(log.every(({ headers }) => headers.get('authorization') === `Bearer ${TOKEN}`)).toBe(true);
      expect([carried > 20, told.length > 100]).toEqual([era === 'modern', true]);
      const text = told.map(allOf).join('\n') + printed.join('\n');
      expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
      await client.close();
    },
    TIME_LIMIT_MS,
  );
});
