import type { AuthInfo } from '@portico/oauth/resource';
import { describe, expect, it } from 'vitest';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { type ManualClock, createManualClock } from '../../../../testing/manual-clock.ts';
import { httpRequest, post, streamMessages } from '../../../../testing/mcp-http.ts';
import {
  HOSTINGS,
  type Hosted,
  type HostingOptions,
  hostSessions,
  hostWithoutSessions,
} from '../../../../testing/hosted-sessions.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { type CreateMcpHandlerOptions, type McpHttpHandler, createMcpHandler } from './create-mcp-handler.ts';

const INFO = { name: 'legacy', version: '1' };

function make(): McpServer {
  const server = new McpServer(INFO, { capabilities: { logging: {}, resources: { subscribe: true } } });
  server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  server.registerTool('steps', {}, ({ mcpReq }) => {
    mcpReq.progress({ progress: 1 });
    return { content: [] };
  });
  server.registerTool('ask', {}, async ({ mcpReq }) => {
    const answer = await mcpReq.elicitInput({
      message: '?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return { content: [{ type: 'text', text: answer.action }] };
  });
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    await new Promise<void>((resolve) => {
      mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return { content: [] };
  });
  return server;
}

const request = (method: string, params?: object, id: string | number = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const opening = (capabilities: object = {}): object =>
  request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: INFO });

const codeOf = (message: Record<string, unknown>): unknown =>
  (message['error'] as { code?: unknown } | undefined)?.code;

const ENDPOINTS = HOSTINGS.flatMap((hosting) => [
  { hosting, sessions: true },
  { hosting, sessions: false },
]);

describe.each(ENDPOINTS)('legacy HTTP, $hosting, sessions: $sessions', ({ hosting, sessions }) => {
  const host = (options: HostingOptions = {}): Hosted =>
    sessions ? hostSessions(hosting, make, options) : hostWithoutSessions(hosting, make, options);

  it('W87 takes POST, GET and DELETE at most, and says which', async () => {
    const handler = host();
    for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS']) {
      const reply = await post(handler, '', { method });
      const allow = sessions ? 'GET, POST, DELETE' : 'POST';
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allow]);
    }
  });

  it('W88 wants both answer forms accepted and a JSON body', async () => {
    const handler = host();
    const rows: readonly [name: string, value: string | null, status: number][] = [
      ['accept', 'application/json', 406],
      ['accept', 'text/event-stream', 406],
      ['accept', null, 406],
      ['accept', 'application/json;q=1, text/event-stream', 200],
      ['accept', '*/*', 200],
      ['content-type', 'text/plain', 415],
      ['content-type', 'text/plain; a=application/json', 415],
      ['content-type', 'application/json;', 200],
      ['content-type', 'Application/JSON; charset=utf-8', 200],
      ['content-encoding', 'gzip', 415],
    ];
    for (const [name, value, status] of rows) {
      const reply = await post(handler, opening(), { headers: { [name]: value } });
      expect([name, value, reply.status]).toEqual([name, value, status]);
    }
    const listening = await post(handler, '', { method: 'GET', headers: { accept: 'application/json' } });
    expect(listening.status).toBe(sessions ? 406 : 405);
  });

  it('W89 refuses what is no JSON or no message, and reports it', async () => {
    const faults: unknown[] = [];
    const onerror = (error: Error): void => void faults.push((error as { data?: unknown }).data);
    const handler = host({ onerror });
    const rows: readonly [body: unknown, code: number][] = [
      ['{', -32_700],
      ['', -32_700],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32_600],
      [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32_600],
      ['[]', -32_600],
      [`${'['.repeat(200)}${']'.repeat(200)}`, -32_600],
    ];
    for (const [body, code] of rows) {
      const reply = await post(handler, body);
      expect([body, reply.status, codeOf(reply.message)]).toEqual([body, 400, code]);
    }
    expect(faults).toEqual(rows.map(() => ({ status: 400 })));
    const opened = await post(handler, opening());
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 99, result: {} },
    ]) {
      const reply = await post(handler, body, { headers });
      expect([reply.status, reply.text]).toEqual([202, '']);
    }
  });

  it('refuses a body over the limit before reading all of it', async () => {
    const handler = host({ maxRequestBodySize: 1000 });
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        if (pulled > 100) controller.close();
        else controller.enqueue(new Uint8Array(400).fill(32));
      },
    });
    const headers = { host: 'localhost', 'content-type': 'application/json' };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    const response = await handler.fetch(new Request('http://localhost/mcp', init));
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });
});

describe('legacy HTTP without sessions', () => {
  const handler = createMcpHandler(make());

  it('serves each request by itself, in the revision its header names', async () => {
    const listed = await post(handler, request('tools/list'), {
      headers: { 'MCP-Protocol-Version': '2025-06-18' },
    });
    expect([listed.status, listed.headers.get('mcp-session-id')]).toEqual([200, null]);
    const unknown = await post(handler, request('tools/list'), {
      headers: { 'MCP-Protocol-Version': '1999-01-01' },
    });
    expect([unknown.status, unknown.text]).toMatchObject([
      400,
      expect.stringContaining('2025-11-25') as string,
    ]);
    const progress = await post(
      handler,
      request('tools/call', { name: 'steps', _meta: { progressToken: 0 } }),
    );
    expect(progress.messages).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 0, progress: 1 } },
      { id: 1, result: {} },
    ]);
  });

  it('serves arrays in the one revision that has them', async () => {
    const body = [request('ping', undefined, 'a'), request('tools/call', { name: 'hello' }, 'b')];
    const reply = await post(handler, body);
    expect(JSON.parse(reply.text)).toMatchObject([
      { id: 'a', result: {} },
      { id: 'b', result: { content: [{ text: 'hello' }] } },
    ]);
    const newer = await post(handler, body, { headers: { 'MCP-Protocol-Version': '2025-06-18' } });
    expect([newer.status, codeOf(newer.message)]).toEqual([400, -32_600]);
    const opened = await post(handler, [opening()]);
    expect([opened.status, codeOf(opened.message)]).toEqual([400, -32_600]);
  });

  it('fails a question to the client at once', async () => {
    const reply = await post(handler, request('tools/call', { name: 'ask' }));
    expect(reply.message).toMatchObject({ result: { isError: true } });
  });

  it('keeps clients with equal ids apart', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => post(handler, request('tools/call', { name: 'hello' }))),
    );
    expect(replies.map((reply) => reply.message['id'])).toEqual(replies.map(() => 1));
  });
});

interface Session {
  readonly handler: McpHttpHandler;
  readonly clock: ManualClock;
  readonly server: McpServer;
  readonly headers: Record<string, string>;
}

async function openSession(
  options: CreateMcpHandlerOptions = {},
  capabilities: object = {},
): Promise<Session> {
  const clock = createManualClock();
  const server = make();
  const handler = createMcpHandler(server, { legacy: 'sessions', clock, ...options });
  const opened = await post(handler, opening(capabilities));
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(handler, { jsonrpc: '2.0', method: 'notifications/initialized' }, { headers });
  return { handler, clock, server, headers };
}

describe('legacy HTTP with sessions', () => {
  it('wants the session id on everything but the opening', async () => {
    const { handler, headers } = await openSession();
    expect(headers['mcp-session-id']).toMatch(/^[\u0021-\u007e]{16,}$/);
    for (const [method, body] of [
      ['POST', request('ping')],
      ['GET', ''],
      ['DELETE', ''],
    ] as const) {
      const accept = { accept: 'application/json, text/event-stream' };
      expect((await post(handler, body, { method, headers: accept })).status).toBe(400);
      const wrong = await post(handler, body, {
        method,
        headers: { ...accept, 'mcp-session-id': 'unknown' },
      });
      expect(wrong.status).toBe(404);
    }
    const again = await post(handler, opening(), { headers });
    expect([again.status, codeOf(again.message)]).toEqual([400, -32_600]);
  });

  it('W92 ends with DELETE: its calls stop without an answer and nobody else notices', async () => {
    const told: string[] = [];
    const sessions = {
      onsessioninitialized: (id: string) => void told.push(`open ${id}`),
      onsessionclosed: (id: string) => void told.push(`closed ${id}`),
    };
    const { handler, headers } = await openSession({ sessions });
    const id = headers['mcp-session-id'] ?? '';
    expect(told).toEqual([`open ${id}`]);
    const other = await post(handler, opening());
    const otherHeaders = { 'mcp-session-id': other.headers.get('mcp-session-id') };
    const call = post(handler, request('tools/call', { name: 'wait' }), { headers });
    expect((await post(handler, '', { method: 'DELETE', headers })).status).toBe(200);
    expect((await call).message['result']).toBeUndefined();
    expect(told.filter((line) => line.startsWith('closed'))).toEqual([`closed ${id}`]);
    expect((await post(handler, request('ping'), { headers })).status).toBe(404);
    expect((await post(handler, request('ping'), { headers: otherHeaders })).status).toBe(200);
  });

  it('W93 is found only by the principal that opened it', async () => {
    const handler = createMcpHandler(make(), { legacy: 'sessions' });
    const opened = await post(handler, opening(), { authInfo: authInfoFor('A') });
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    const status = async (authInfo: AuthInfo | undefined): Promise<number> =>
      (await post(handler, request('ping'), { headers, authInfo })).status;
    expect(await status(authInfoFor('A'))).toBe(200);
    expect(await status(authInfoFor('B'))).toBe(404);
    expect(await status(undefined)).toBe(404);
  });

  it('has one stream for what belongs to no call, and a second only after the first', async () => {
    const { handler, headers, server } = await openSession();
    const listen = (): Promise<Response> => handler.fetch(httpRequest('', { method: 'GET', headers }));
    const first = await listen();
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect((await listen()).status).toBe(409);
    const messages = streamMessages(first);
    server.sendToolListChanged();
    expect((await messages.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' });
    await messages.return(undefined);
    expect((await listen()).status).toBe(200);
  });

  it('carries a question of the server on the stream of its call, and the answer by POST', async () => {
    const { handler, headers } = await openSession({}, { elicitation: {} });
    const response = await handler.fetch(
      httpRequest(request('tools/call', { name: 'ask' }, 'call'), { headers }),
    );
    const messages = streamMessages(response);
    const question = (await messages.next()).value as { id: number; method: string };
    expect(question.method).toBe('elicitation/create');
    const answer = { jsonrpc: '2.0', id: question.id, result: { action: 'decline' } };
    expect((await post(handler, answer, { headers })).status).toBe(202);
    expect((await messages.next()).value).toMatchObject({
      id: 'call',
      result: { content: [{ text: 'decline' }] },
    });
  });

  it('cancels a call by the client’s notice', async () => {
    const { handler, headers } = await openSession({ responseMode: 'sse' });
    const response = await handler.fetch(
      httpRequest(request('tools/call', { name: 'wait' }, 'w'), { headers }),
    );
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } };
    expect((await post(handler, cancel, { headers })).status).toBe(202);
    await post(handler, '', { method: 'DELETE', headers });
    expect(await response.text()).not.toContain('result');
  });

  it('delivers resource updates only to the session that subscribed', async () => {
    const { handler, headers, server } = await openSession();
    const other = await post(handler, opening());
    const otherHeaders = { 'mcp-session-id': other.headers.get('mcp-session-id') };
    await post(handler, { jsonrpc: '2.0', method: 'notifications/initialized' }, { headers: otherHeaders });
    const listen = (own: Record<string, string | null>): Promise<Response> =>
      handler.fetch(httpRequest('', { method: 'GET', headers: own }));
    const subscribed = streamMessages(await listen(headers));
    const bystander = streamMessages(await listen(otherHeaders));
    await post(handler, request('resources/subscribe', { uri: 'test://a' }), { headers });
    await server.server.sendResourceUpdated({ uri: 'test://a' });
    await server.server.sendResourceUpdated({ uri: 'test://b' });
    server.sendToolListChanged();
    expect((await subscribed.next()).value).toMatchObject({ params: { uri: 'test://a' } });
    expect((await subscribed.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect((await bystander.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' });
    await post(handler, request('resources/unsubscribe', { uri: 'test://a' }), { headers });
    await server.server.sendResourceUpdated({ uri: 'test://a' });
    server.sendToolListChanged();
    expect((await subscribed.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('ends when it has been idle for too long, and not while somebody listens', async () => {
    const { handler, clock, headers } = await openSession({ sessions: { idleMs: 1000 } });
    const response = await handler.fetch(httpRequest('', { method: 'GET', headers }));
    await clock.advance(5000);
    expect((await post(handler, request('ping'), { headers })).status).toBe(200);
    await response.body?.cancel();
    await clock.advance(2000);
    expect((await post(handler, request('ping'), { headers })).status).toBe(404);
  });

  it('opens no more sessions than allowed, and none for a failed handshake', async () => {
    const handler = createMcpHandler(make(), { legacy: 'sessions', sessions: { maxSessions: 1 } });
    const broken = await post(handler, request('initialize', { protocolVersion: '2025-11-25' }));
    expect(codeOf(broken.message)).toBe(-32_602);
    expect((await post(handler, opening())).status).toBe(200);
    expect((await post(handler, opening())).status).toBe(503);
  });

  it('hides lower log levels from the session that set one', async () => {
    const { handler, headers, server } = await openSession();
    const bad = await post(handler, request('logging/setLevel', { level: 'loud' }), { headers });
    expect(codeOf(bad.message)).toBe(-32_602);
    await post(handler, request('logging/setLevel', { level: 'error' }), { headers });
    const messages = streamMessages(await handler.fetch(httpRequest('', { method: 'GET', headers })));
    await server.sendLoggingMessage({ level: 'warning', data: 'low' });
    await server.sendLoggingMessage({ level: 'alert', data: { high: true }, logger: 'l' });
    expect((await messages.next()).value).toMatchObject({
      method: 'notifications/message',
      params: { level: 'alert', data: { high: true }, logger: 'l' },
    });
  });
});
