import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { hostSessions } from '../../../../testing/hosted-sessions.ts';
import { httpRequest, post, streamMessages } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { createMcpHandler } from './create-mcp-handler.ts';
import { classifyInboundRequest } from './inbound-classification.ts';
import { isLegacyRequest } from './is-legacy-request.ts';
import { legacyStatelessFallback } from './legacy-stateless-fallback.ts';
import { PerRequestHTTPServerTransport } from './per-request-transport.ts';

const INFO = { name: 'eras', version: '1' };
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };

function make(): McpServer {
  const server = new McpServer(INFO);
  server.registerTool('hello', {}, ({ http }) => ({
    content: [{ type: 'text', text: String(http?.authInfo?.clientId) }],
  }));
  server.registerTool('chatty', {}, async ({ mcpReq }) => {
    await mcpReq.notify({ method: 'vendor/note' });
    return { content: [] };
  });
  server.server.setNotificationHandler('vendor/note', () => undefined);
  return server;
}

const params = fc.constantFrom<object | undefined>(
  undefined,
  {},
  opening,
  { name: 'hello' },
  modern(),
  modern({ name: 'hello' }),
  modern({ name: 'chatty' }),
  modern({}, { version: null }),
  modern({}, { version: 7 }),
  modern({}, { version: '2031-01-01' }),
  modern({}, { capabilities: null }),
  { _meta: { progressToken: 1 } },
);
const message = fc
  .record({
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '2.0', '1.0'),
    method: fc.constantFrom(
      'initialize',
      'tools/call',
      'tools/list',
      'server/discover',
      'vendor/note',
      'ping',
    ),
    id: fc.constantFrom(1, 'a', undefined),
    params,
  })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const answer = fc.constant({ jsonrpc: '2.0', id: 1, result: {} });
const body = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: answer.map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(message, answer), { maxLength: 3 }).map((v) => JSON.stringify(v)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '{', 'null', '7', '{}', ' '.repeat(3000)) },
);
const headers = fc.record({
  'mcp-protocol-version': fc.constantFrom(null, '2026-07-28', '2025-11-25', '2025-03-26', '2031-01-01'),
  'mcp-method': fc.constantFrom(null, 'tools/call', 'tools/list'),
  'mcp-name': fc.constantFrom(null, 'hello'),
});
const method = fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'DELETE');

describe('the era of a request', () => {
  it('W50 is told by isLegacyRequest as by the entry, and the body stays readable', async () => {
    const eras: string[] = [];
    const dual = createMcpHandler(
      ({ era }) => {
        eras.push(era);
        return make();
      },
      { maxRequestBodySize: 2000 },
    );
    const strict = createMcpHandler(make, { legacy: 'reject', maxRequestBodySize: 2000 });
    await fc.assert(
      fc.asyncProperty(body, headers, method, async (text, given, httpMethod) => {
        const request = (): Request => httpRequest(text, { headers: given, method: httpMethod });
        const asked = request();
        const legacy = await isLegacyRequest(asked, undefined, { maxRequestBodySize: 2000 });
        expect(await asked.text()).toBe(httpMethod === 'POST' ? text : '');
        eras.length = 0;
        const served = await dual.fetch(request());
        await served.body?.cancel();
        // Where a server was made, its era is the entry's verdict; a refusal serves neither.
        expect(eras.filter((era) => (era === 'legacy') !== legacy)).toEqual([]);
        const refused = await strict.fetch(request());
        const reply = (await refused.json().catch(() => ({}))) as {
          error?: { message: string; data?: { supported?: unknown; requested?: unknown } };
        };
        const { supported, requested } = reply.error?.data ?? {};
        const refusesEra =
          refused.status === 400 &&
          JSON.stringify(supported) === '["2026-07-28"]' &&
          // A modern request of a revision that is not served is refused in the same form.
          requested !== '2031-01-01';
        expect(refusesEra && !legacy).toBe(false);
      }),
      { numRuns: 400, seed: 50 },
    );
    const parsed = httpRequest('not read', { method: 'POST' });
    expect(await isLegacyRequest(parsed, { jsonrpc: '2.0', id: 1, method: 'ping' })).toBe(true);
    expect(await isLegacyRequest(parsed, { jsonrpc: '2.0', id: 1, method: 'ping', params: modern() })).toBe(
      false,
    );

    // An old deployment with sessions beside a strict modern entry.
    const old = hostSessions('transports by hand', make);
    const fetch = async (request: Request): Promise<Response> =>
      (await isLegacyRequest(request)) ? old.fetch(request) : strict.fetch(request);
    const opened = await post({ fetch }, { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    expect(session['mcp-session-id']).toMatch(/./);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await post({ fetch }, initialized, { headers: session })).status).toBe(202);
    const standing = await fetch(httpRequest('', { method: 'GET', headers: session }));
    const legacyCall = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'chatty' } };
    expect((await post({ fetch }, legacyCall, { headers: session })).messages).toHaveLength(2);
    const modernCall = { ...legacyCall, params: modern({ name: 'hello' }) };
    expect((await post({ fetch }, modernCall)).message).toMatchObject({ result: { resultType: 'complete' } });
    expect((await post({ fetch }, '', { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await post({ fetch }, legacyCall, { headers: session })).status).toBe(404);
    expect(await standing.text()).toBe('');
  });

  it('is served by hand from the parts: classification, one exchange a transport, the legacy half', async () => {
    const legacyHalf = legacyStatelessFallback(() => make());
    const fetch = async (request: Request): Promise<Response> => {
      const text = await request.clone().text();
      const route = classifyInboundRequest({
        httpMethod: request.method,
        protocolVersionHeader: request.headers.get('mcp-protocol-version') ?? undefined,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      if (route.kind === 'legacy') return legacyHalf(request);
      if (route.kind === 'reject') return Response.json({ code: route.code }, { status: route.httpStatus });
      const transport = new PerRequestHTTPServerTransport({ classification: route.classification });
      const server = make();
      await server.connect(transport);
      return transport.handleMessage(route.message, { request, authInfo: authInfoFor('me') });
    };
    const call = (name: string): object => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: modern({ name }),
    });
    expect((await post({ fetch }, call('hello'))).message).toMatchObject({
      result: { content: [{ text: 'me' }] },
    });
    const response = await fetch(httpRequest(call('chatty')));
    const messages = streamMessages(response);
    expect((await messages.next()).value).toMatchObject({ method: 'vendor/note' });
    expect((await messages.next()).value).toMatchObject({ id: 1, result: {} });
    const none = { jsonrpc: '2.0', id: 1, method: 'vendor/none', params: modern() };
    expect((await post({ fetch }, none)).status).toBe(404);
    const half = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: modern({}, { capabilities: null }) };
    expect((await post({ fetch }, half)).status).toBe(400);
    expect((await post({ fetch }, { jsonrpc: '2.0', id: 1, method: 'ping' })).message).toMatchObject({
      result: {},
    });
    expect((await fetch(httpRequest('', { method: 'GET' }))).status).toBe(405);
    const note = { jsonrpc: '2.0', method: 'vendor/note', params: modern() };
    expect((await post({ fetch }, note)).status).toBe(202);
    const used = new PerRequestHTTPServerTransport({ classification: { era: 'modern' } });
    await make().connect(used);
    const message = call('hello') as Parameters<typeof used.handleMessage>[0];
    await used.handleMessage(message);
    await expect(used.handleMessage(message)).rejects.toMatchObject({ code: 'wrong_state' });
  });
});
