// oxlint-disable vitest/no-conditional-expect -- tables hold what is wanted of each row
import { Client, InMemoryEraStore, StreamableHTTPClientTransport } from '@portico/client';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import {
  type SentRequest,
  createScriptedFetch,
  initializeResult,
  jsonError,
  jsonResult,
} from '../../testing/scripted-fetch.ts';

type Answer = (request: SentRequest) => Response;

const versions = { supported: ['2026-07-28'], requested: '2026-07-28' };
const asText = (error: object): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', id: null, error }), {
    status: 400,
    headers: { 'content-type': 'text/plain' },
  });

/** What a server answers to a modern opening, and what that means. */
const ROWS: readonly (readonly [name: string, answer: Answer, outcome: 'legacy' | 'modern' | 'fails'])[] = [
  [
    '400 with a text about versions',
    () =>
      jsonError(400, {
        code: -32_000,
        message: 'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)',
      }),
    'legacy',
  ],
  [
    '400 for want of a session',
    () => jsonError(400, { code: -32_600, message: 'Missing session ID' }),
    'legacy',
  ],
  ['200 with -32602', (request) => jsonError(200, { code: -32_602 }, request.body?.id), 'legacy'],
  [
    '404 with a page',
    () => new Response('<p>no</p>', { status: 404, headers: { 'content-type': 'text/html' } }),
    'legacy',
  ],
  ['405', () => new Response(null, { status: 405 }), 'legacy'],
  ['400 with nothing', () => new Response(null, { status: 400 }), 'legacy'],
  ['400 with an error as plain text', () => asText({ code: -32_000, message: 'no' }), 'legacy'],
  ['400 with -32022 as plain text', () => asText({ code: -32_022, message: 'no', data: versions }), 'modern'],
  [
    '400 with -32022 and its versions',
    (request) => jsonError(400, { code: -32_022, data: versions }, request.body?.id),
    'modern',
  ],
  ['503', () => new Response(null, { status: 503 }), 'fails'],
  [
    'a refused connection',
    () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
      });
    },
    'fails',
  ],
];

function serverOf(answer: Answer) {
  let probes = 0;
  const server = createScriptedFetch((request) => {
    switch (request.rpc) {
      case 'server/discover':
        probes += 1;
        if (probes > 1) {
          return jsonResult(request, {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
          });
        }
        return answer(request);
      case 'initialize':
        return jsonResult(request, initializeResult('2025-06-18'), { 'mcp-session-id': 'real' });
      case 'tools/list':
        return jsonResult(request, { resultType: 'complete', tools: [] });
      default:
        return new Response(null, { status: request.method === 'GET' ? 405 : 202 });
    }
  });
  return { ...server, posts: () => server.lines().filter((line) => !line.startsWith('GET')) };
}

async function connect(server: ReturnType<typeof serverOf>, eraStore: InMemoryEraStore): Promise<Client> {
  const clock = createManualClock();
  const client = new Client(
    { name: 'probes', version: '1' },
    { clock, eraStore, versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(
    new StreamableHTTPClientTransport('http://server.test/mcp', { fetch: server.fetch, clock }),
  );
  return client;
}

describe.each(ROWS)('a modern opening answered by %s', (_name, answer, outcome) => {
  it('field-D14 finds the era once, leaves nothing modern behind, and goes on with what was found', async () => {
    const server = serverOf(answer);
    const eraStore = new InMemoryEraStore();
    if (outcome === 'fails') {
      await expect(connect(server, eraStore)).rejects.toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
      expect(server.posts()).toEqual(['POST server/discover']);
      return;
    }
    const client = await connect(server, eraStore);
    await client.listTools();
    expect(client.getProtocolEra()).toBe(outcome);
    const opening =
      outcome === 'modern' ? ['POST server/discover'] : ['POST initialize', 'POST notifications/initialized'];
    expect(server.posts()).toEqual(['POST server/discover', ...opening, 'POST tools/list']);
    // The probe opens no session and no stream; what follows speaks as one era alone does.
    expect(server.log[0]?.headers.get('mcp-protocol-version')).toBe('2026-07-28');
    expect(server.lines()[1]).toBe(`POST ${outcome === 'modern' ? 'server/discover' : 'initialize'}`);
    const later = server.log.slice(outcome === 'modern' ? 1 : 2);
    const version = outcome === 'modern' ? '2026-07-28' : '2025-06-18';
    expect(new Set(later.map(({ headers }) => headers.get('mcp-protocol-version')))).toEqual(
      new Set([version]),
    );
    const session = outcome === 'modern' ? null : 'real';
    expect(new Set(later.map(({ headers }) => headers.get('mcp-session-id')))).toEqual(new Set([session]));
    const isEnveloped = later.map(({ body }) =>
      JSON.stringify(body ?? {}).includes('io.modelcontextprotocol/'),
    );
    expect(isEnveloped.includes(outcome !== 'modern')).toBe(false);
    await client.close();

    // What is known of the origin spares the next connection a question that cannot be answered.
    const before = server.posts().length;
    const again = await connect(server, eraStore);
    await again.listTools();
    expect(again.getProtocolEra()).toBe(outcome);
    const asked = server.posts().slice(before);
    if (outcome === 'legacy') expect(asked).not.toContain('POST server/discover');
    else expect(asked.filter((line) => line.includes('initialize'))).toEqual([]);
    await again.close();
  });
});
