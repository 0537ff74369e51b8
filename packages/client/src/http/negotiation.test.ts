import { describe, expect, it } from 'vitest';
import {
  createScriptedFetch,
  initializeResult,
  jsonError,
  jsonResult,
} from '../../../../testing/scripted-fetch.ts';
import type { FetchScript, ScriptedFetch, SentRequest } from '../../../../testing/scripted-fetch.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { Client } from '../client.ts';
import { failureOf } from '../failure.ts';
import { UnsupportedProtocolVersionError } from '@portico/spec';
import { StreamableHTTPClientTransport } from './transport.ts';

type Mode = 'auto' | 'legacy' | { pin: string };

/** A legacy server once the probe has been answered. */
function thenLegacy(probe: (request: SentRequest) => Response, version?: string): ScriptedFetch {
  return createScriptedFetch((request) => {
    switch (request.rpc) {
      case 'server/discover':
        return probe(request);
      case 'initialize':
        return jsonResult(request, initializeResult(version));
      case 'tools/list':
        return jsonResult(request, { tools: [] });
      default:
        return new Response(null, { status: request.method === 'GET' ? 405 : 202 });
    }
  });
}

async function open(fetch: ScriptedFetch, mode: Mode = 'auto'): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, clock: createManualClock() },
  );
  await client.connect(new StreamableHTTPClientTransport('http://server.test/mcp', { fetch: fetch.fetch }));
  return client;
}

const discovered = (request: SentRequest, supportedVersions = ['2026-07-28']): Response =>
  jsonResult(request, { resultType: 'complete', supportedVersions, capabilities: { tools: {} } });

const html = (status: number): Response =>
  new Response('<h1>no</h1>', { status, headers: { 'content-type': 'text/html' } });

describe('era of a server over HTTP', () => {
  const LEGACY: readonly [string, (request: SentRequest) => Response][] = [
    [
      '400 with a text of an old server',
      () => jsonError(400, { code: -32000, message: 'Unsupported protocol version' }),
    ],
    ['400 with -32600', () => jsonError(400, { code: -32600, message: 'Missing session ID' })],
    ['200 with -32602', (request) => jsonError(200, { code: -32602 }, request.body?.id)],
    ['200 with -32601', (request) => jsonError(200, { code: -32601 }, request.body?.id)],
    ['404 with a page', () => html(404)],
    ['405', () => new Response(null, { status: 405 })],
    ['400 without a body', () => new Response(null, { status: 400 })],
    [
      '400 with an error under text/plain',
      () =>
        new Response('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}', {
          status: 400,
          headers: { 'content-type': 'text/plain' },
        }),
    ],
    ['200 with a page', () => html(200)],
  ];

  it.each(LEGACY)('W41 shakes hands without modern leftovers after %s', async (_name, probe) => {
    const fetch = thenLegacy(probe);
    const client = await open(fetch);
    expect(client.getProtocolEra()).toBe('legacy');
    expect(fetch.lines().slice(0, 3)).toEqual([
      'POST server/discover',
      'POST initialize',
      'POST notifications/initialized',
    ]);
    const initialize = fetch.log[1];
    for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-session-id']) {
      expect(initialize?.headers.has(name)).toBe(false);
    }
    expect(JSON.stringify(initialize?.body)).not.toContain('io.modelcontextprotocol');
    expect(fetch.log[2]?.headers.get('mcp-protocol-version')).toBe('2025-11-25');
    expect(fetch.log[2]?.headers.has('mcp-method')).toBe(false);
  });

  it('stays modern and asks again in the version that a refusal lists', async () => {
    let probes = 0;
    const fetch = createScriptedFetch((request) => {
      probes += 1;
      const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
      if (probes === 1) return jsonError(400, { code: -32022, data }, request.body?.id);
      return discovered(request);
    });
    const client = await open(fetch);
    expect(client.getProtocolEra()).toBe('modern');
    expect(fetch.lines()).toEqual(['POST server/discover', 'POST server/discover']);
    expect(fetch.log[0]?.body?.id).not.toBe(fetch.log[1]?.body?.id);
  });

  it('W42 never falls back after a refusal that only modern servers give', async () => {
    const legacyOnly = { supported: ['2025-11-25'], requested: '2026-07-28' };
    for (const code of [-32020, -32021, -32022]) {
      for (const data of [undefined, 'unusable', legacyOnly]) {
        for (const inBand of [false, true]) {
          const fetch = thenLegacy((request) => {
            const error = { code, message: 'no', data };
            if (inBand) return jsonError(200, error, request.body?.id);
            return new Response(JSON.stringify({ jsonrpc: '2.0', error }), {
              status: 400,
              headers: { 'content-type': 'text/plain' },
            });
          });
          await expect(open(fetch)).rejects.toMatchObject(
            code === -32022 ? { code, name: 'ProtocolError' } : { code: 'ERA_NEGOTIATION_FAILED' },
          );
          expect(fetch.lines()).toEqual(['POST server/discover']);
        }
      }
    }
    const foreign = thenLegacy((request) => discovered(request, ['2099-01-01']));
    await expect(open(foreign)).rejects.toMatchObject({
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
      data: { requested: '2026-07-28', supported: ['2099-01-01'] },
    });
    expect(foreign.lines()).toEqual(['POST server/discover']);
    const pinned = thenLegacy((request) => discovered(request, ['2025-06-18']), '2025-06-18');
    await expect(open(pinned, { pin: '2026-07-28' })).rejects.toMatchObject({
      code: 'ERA_NEGOTIATION_FAILED',
      data: { requested: '2026-07-28', supported: ['2025-06-18'] },
    });
    const older = thenLegacy((request) => discovered(request, ['2025-06-18']), '2025-06-18');
    expect((await open(older)).getNegotiatedProtocolVersion()).toBe('2025-06-18');
  });

  it('gives up after a second refusal of the version', async () => {
    const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
    const fetch = thenLegacy((request) => jsonError(400, { code: -32022, data }, request.body?.id));
    const error = await open(fetch).catch((thrown: unknown) => thrown);
    expect(UnsupportedProtocolVersionError.isInstance(error)).toBe(true);
    expect(fetch.lines()).toEqual(['POST server/discover', 'POST server/discover']);
  });

  it.each([
    [401, 'CLIENT_HTTP_AUTHENTICATION', 'sign_in'],
    [403, 'CLIENT_HTTP_FORBIDDEN', 'http'],
    [503, 'ERA_NEGOTIATION_FAILED', 'http'],
  ])('learns nothing about the era from %d', async (status, code, step) => {
    const fetch = thenLegacy(() => new Response(null, { status }));
    const error = await open(fetch).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(failureOf(error)).toMatchObject({ step, httpStatus: status });
    expect(fetch.lines()).toEqual(['POST server/discover']);
  });

  it.each([
    ['ENOTFOUND', 'address'],
    ['ECONNREFUSED', 'tcp'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ])('names the step that failed: %s is %s', async (systemCode, step) => {
    const fetch = thenLegacy(() => {
      const cause = Object.assign(new Error('deep'), { code: systemCode });
      throw new TypeError('fetch failed', { cause });
    });
    const error = await open(fetch).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
    expect(failureOf(error)).toMatchObject({ step, systemCode, retryable: true });
    expect(fetch.lines()).toEqual(['POST server/discover']);
  });

  it('takes the failure that a browser does not explain for an old server', async () => {
    const fetch = thenLegacy(() => {
      throw new TypeError('Failed to fetch');
    });
    expect((await open(fetch)).getProtocolEra()).toBe('legacy');
  });

  it('ends the probe of a silent server after a minute without a verdict', async () => {
    const clock = createManualClock();
    const silent = createScriptedFetch(() => new Promise<Response>(() => undefined));
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' }, clock },
    );
    const outcome = client
      .connect(new StreamableHTTPClientTransport('http://server.test', { fetch: silent.fetch, clock }))
      .catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(silent.log[0]?.signal.aborted).toBe(true);
  });
});

describe('modes', () => {
  const servers: Readonly<Record<string, FetchScript>> = {
    modern: (request) =>
      request.rpc === 'server/discover'
        ? discovered(request)
        : jsonError(404, { code: -32601 }, request.body?.id),
  };

  it('W40 legacy shakes hands alone, auto finds out, and a pin takes that version or nothing', async () => {
    const dual = (): ScriptedFetch => thenLegacy((request) => discovered(request));
    const legacyOnly = (): ScriptedFetch => thenLegacy(() => html(404));
    const modernOnly = (): ScriptedFetch => createScriptedFetch(servers['modern'] as FetchScript);
    const handshake = ['POST initialize', 'POST notifications/initialized'];
    const cases: readonly [() => ScriptedFetch, Mode, readonly string[], string][] = [
      [dual, 'legacy', handshake, 'legacy'],
      [legacyOnly, 'legacy', handshake, 'legacy'],
      [modernOnly, 'legacy', ['POST initialize'], 'CLIENT_HTTP_NOT_IMPLEMENTED'],
      [dual, 'auto', ['POST server/discover'], 'modern'],
      [legacyOnly, 'auto', ['POST server/discover', ...handshake], 'legacy'],
      [modernOnly, 'auto', ['POST server/discover'], 'modern'],
      [dual, { pin: '2026-07-28' }, ['POST server/discover'], 'modern'],
      [legacyOnly, { pin: '2026-07-28' }, ['POST server/discover'], 'ERA_NEGOTIATION_FAILED'],
      [modernOnly, { pin: '2026-07-28' }, ['POST server/discover'], 'modern'],
      [dual, { pin: '2025-11-25' }, [], 'ERA_NEGOTIATION_FAILED'],
    ];
    for (const [build, mode, lines, expected] of cases) {
      const fetch = build();
      const outcome = await open(fetch, mode).then(
        (client) => client.getProtocolEra(),
        (error: unknown) => (error as { code: unknown }).code,
      );
      const posts = fetch.lines().filter((line) => line.startsWith('POST'));
      expect([mode, posts, outcome]).toEqual([mode, lines, expected]);
    }
    const standard = dual();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport('http://server.test/mcp', { fetch: standard.fetch }),
    );
    expect(standard.log[0]?.body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    expect(standard.log[0]?.headers.has('mcp-protocol-version')).toBe(false);
  });

  it('field-D12 W125 names no version on initialize and the agreed one afterwards', async () => {
    const fetch = createScriptedFetch((request) => {
      if (request.rpc === 'initialize') {
        if (request.headers.has('mcp-protocol-version')) return new Response(null, { status: 400 });
        return jsonResult(request, initializeResult('2025-06-18'), { 'mcp-session-id': 's1' });
      }
      const version = request.headers.get('mcp-protocol-version');
      if (version !== '2025-06-18') return new Response(null, { status: 400 });
      if (request.rpc === 'tools/list') return jsonResult(request, { tools: [] });
      return new Response(null, { status: request.method === 'POST' ? 202 : 405 });
    });
    const client = await open(fetch, 'legacy');
    await client.listTools();
    const { transport } = client;
    expect((transport as StreamableHTTPClientTransport).protocolVersion).toBe('2025-06-18');
    await client.close();
    expect(fetch.lines()).toEqual([
      'POST initialize',
      'POST notifications/initialized',
      'GET -',
      'POST tools/list',
      'DELETE -',
    ]);
    const versions = fetch.log.map(({ headers }) => headers.get('mcp-protocol-version'));
    expect(versions).toEqual([null, '2025-06-18', '2025-06-18', '2025-06-18', '2025-06-18']);

    const nonsense = thenLegacy(() => html(404), '1999-01-01');
    const transport2 = new StreamableHTTPClientTransport('http://x.test', { fetch: nonsense.fetch });
    const error = await new Client({ name: 'test', version: '1' })
      .connect(transport2)
      .catch((thrown: unknown) => thrown);
    await expect(transport2.send({ jsonrpc: '2.0', method: 'late' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
    });
    expect(error).toMatchObject({ code: 'UNSUPPORTED_PROTOCOL_VERSION' });
    expect(String(error)).toContain('1999-01-01');
    expect(String(error)).toContain('2025-11-25');
  });
});
