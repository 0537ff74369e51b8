import { describe, expect, it } from 'vitest';
import {
  HOSTINGS,
  type Hosted,
  type HostingOptions,
  hostSessions,
  hostWithoutSessions,
} from '../../../../testing/hosted-sessions.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { type HttpReply, httpRequest, post, streamMessages } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { allEvents } from '../../../../testing/raw-events.ts';
import type { ServerContext } from '../context.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { createMcpHandler } from './create-mcp-handler.ts';
import { InMemoryEventStore } from './in-memory-event-store.ts';
import { WebStandardStreamableHTTPServerTransport } from './web-standard-transport.ts';

const INFO = { name: 'rules', version: '1' };

type Body = Record<string, unknown>;

const request = (method: string, params?: object, id: string | number = 1): Body => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const call = (name: string, id: string | number = 1, args: object = {}): Body =>
  request('tools/call', { name, arguments: args, _meta: { progressToken: id } }, id);
const opening = (capabilities: object = {}, protocolVersion = '2025-11-25'): Body =>
  request('initialize', { protocolVersion, capabilities, clientInfo: INFO }, 'open');
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

const codeOf = (reply: HttpReply): unknown =>
  (reply.message['error'] as { code?: unknown } | undefined)?.code;
const settle = (): Promise<void> => createManualClock().advance(0);

interface Seen {
  readonly servers: McpServer[];
  readonly contexts: ServerContext[];
  readonly aborted: unknown[];
}

function makeWith(seen: Seen): () => McpServer {
  return () => {
    const server = new McpServer(INFO, { capabilities: { logging: {} } });
    seen.servers.push(server);
    server.registerTool('steps', {}, async ({ mcpReq }) => {
      mcpReq.progress({ progress: 1 });
      await mcpReq.log('info', 'on the way');
      return { content: [{ type: 'text', text: 'done' }] };
    });
    server.registerTool('wait', {}, async (ctx) => {
      seen.contexts.push(ctx);
      await new Promise<void>((resolve) => {
        ctx.mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      seen.aborted.push(ctx.mcpReq.id);
      return { content: [] };
    });
    server.registerTool('sample', {}, async ({ mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: '?' } }];
      const answer = await mcpReq.requestSampling({ messages, maxTokens: 1 });
      return { content: [{ type: 'text', text: answer.model }] };
    });
    server.registerTool('url', {}, async ({ mcpReq }) => {
      const params = { mode: 'url' as const, message: '?', url: 'https://x.test/', elicitationId: 'e' };
      return { content: [{ type: 'text', text: (await mcpReq.elicitInput(params)).action }] };
    });
    server.registerTool('echo', { inputSchema: { type: 'object' } }, async (args) => {
      await settle();
      return { content: [{ type: 'text', text: String((args as { n: number }).n) }] };
    });
    return server;
  };
}

const newSeen = (): Seen => ({ servers: [], contexts: [], aborted: [] });

interface Opened {
  readonly hosted: Hosted;
  readonly headers: Record<string, string>;
}

async function open(hosted: Hosted, capabilities: object = {}, version?: string): Promise<Opened> {
  const opened = await post(hosted, opening(capabilities, version));
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(hosted, initialized, { headers });
  return { hosted, headers };
}

const listen = ({ hosted, headers }: Opened): Promise<Response> =>
  hosted.fetch(httpRequest('', { method: 'GET', headers }));

describe.each(HOSTINGS)('sessions, %s', (hosting) => {
  const host = (seen: Seen, options: HostingOptions = {}): Hosted =>
    hostSessions(hosting, makeWith(seen), { keepAliveMs: 0, ...options });

  it('W91 begin with initialize and nothing else, live by their id, and end', async () => {
    const hosted = host(newSeen());
    const accept = 'application/json, text/event-stream';
    const attempt = async (method: string, body: unknown, session: string | null): Promise<unknown> => {
      const headers = { accept, 'mcp-session-id': session };
      const reply = await post(hosted, body, { method, headers });
      return [reply.status, reply.headers.get('mcp-session-id')];
    };
    for (const [method, body] of [
      ['POST', request('ping')],
      ['POST', initialized],
      ['GET', ''],
      ['DELETE', ''],
    ] as const) {
      expect([method, await attempt(method, body, null)]).toEqual([method, [400, null]]);
      expect([method, await attempt(method, body, 'unknown')]).toEqual([method, [404, null]]);
    }
    const first = await post(hosted, opening());
    const id = first.headers.get('mcp-session-id') ?? '';
    expect(id).toMatch(/^[\u0021-\u007e]{16,}$/);
    const second = await open(hosted);
    expect(second.headers['mcp-session-id']).not.toBe(id);
    expect(await attempt('POST', initialized, id)).toEqual([202, null]);
    const again = await post(hosted, opening(), { headers: { 'mcp-session-id': id } });
    expect([again.status, codeOf(again), again.message['id']]).toEqual([400, -32_600, 'open']);
    // Each id leads to its own session: to what its client said of itself.
    const level = (headers: Record<string, string>): Promise<HttpReply> =>
      post(hosted, request('logging/setLevel', { level: 'error' }), { headers });
    await level({ 'mcp-session-id': id });
    const quiet = await post(hosted, call('steps'), { headers: { 'mcp-session-id': id } });
    const chatty = await post(hosted, call('steps'), { headers: second.headers });
    expect([quiet.messages.length, chatty.messages.length]).toEqual([2, 3]);
    const standing = await listen({ hosted, headers: { 'mcp-session-id': id } });
    expect([standing.status, standing.headers.get('mcp-session-id')]).toEqual([200, id]);
    await standing.body?.cancel();
    expect(await attempt('DELETE', '', id)).toEqual([200, null]);
    for (const [method, body] of [
      ['POST', request('ping')],
      ['GET', ''],
      ['DELETE', ''],
    ] as const) {
      expect([method, await attempt(method, body, id)]).toEqual([method, [404, null]]);
    }
    expect((await post(hosted, request('ping'), { headers: second.headers })).status).toBe(200);
  });

  it('W90 field-D13 take any served version in the header, none for the session’s, and name the served ones', async () => {
    for (const stated of [null, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const { hosted, headers } = await open(host(newSeen()));
      for (const [method, body, status] of [
        ['POST', request('ping'), 200],
        ['POST', initialized, 202],
        ['GET', '', 200],
        ['DELETE', '', 200],
      ] as const) {
        const asked = { ...headers, 'mcp-protocol-version': stated };
        const response = await hosted.fetch(httpRequest(body, { method, headers: asked }));
        expect([stated, method, response.status]).toEqual([stated, method, status]);
        await response.body?.cancel();
      }
    }
    const { hosted, headers } = await open(host(newSeen()));
    for (const stated of ['1900-01-01', 'not-a-version', '2099-01-01', '']) {
      for (const [method, body] of [
        ['POST', request('ping')],
        ['GET', ''],
        ['DELETE', ''],
      ] as const) {
        const asked = { ...headers, 'mcp-protocol-version': stated };
        const reply = await post(hosted, body, { method, headers: asked });
        expect([stated, method, reply.status, reply.text]).toEqual([
          stated,
          method,
          400,
          expect.stringMatching(/2025-11-25.*2025-06-18.*2025-03-26/) as string,
        ]);
      }
    }
    const future = { headers: { 'mcp-protocol-version': '2099-01-01' } };
    const answered = await post(hosted, opening({}, '2099-01-01'), future);
    expect([answered.status, answered.message['result']]).toMatchObject([
      200,
      { protocolVersion: '2025-11-25' },
    ]);
    // Without a header it is the session's version that counts: arrays exist in one only.
    for (const [version, status] of [
      ['2025-03-26', 200],
      ['2025-06-18', 400],
    ] as const) {
      const own = await open(hosted, {}, version);
      expect((await post(hosted, [request('ping')], { headers: own.headers })).status).toBe(status);
    }
  });

  it('W92 end by DELETE: their calls stop without an answer, and no other session notices', async () => {
    const told: string[] = [];
    const seen = newSeen();
    const hosted = host(seen, {
      onsessioninitialized: (id) => void told.push(`open ${id}`),
      onsessionclosed: (id) => void told.push(`closed ${id}`),
    });
    const { headers } = await open(hosted);
    const id = headers['mcp-session-id'] ?? '';
    expect(told).toEqual([`open ${id}`]);
    const other = await open(hosted);
    const standing = await listen({ hosted, headers });
    const calls = await Promise.all(
      ['a', 'b'].map((name) => hosted.fetch(httpRequest(call('wait', name), { headers }))),
    );
    const untouched = await hosted.fetch(httpRequest(call('wait', 'c'), { headers: other.headers }));
    await settle();
    const ended = await post(hosted, '', { method: 'DELETE', headers });
    expect([ended.status, ended.text]).toEqual([200, '']);
    for (const response of [...calls, standing]) {
      expect(await allEvents(response)).toEqual([]);
    }
    await settle();
    expect(seen.aborted).toEqual(['a', 'b']);
    expect(told.slice(2)).toEqual([`closed ${id}`]);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } };
    await post(hosted, cancel, { headers: other.headers });
    expect(await allEvents(untouched)).toEqual([]);
    expect(seen.aborted).toEqual(['a', 'b', 'c']);
  });

  it('W95 answer each POST on its own exchange, with what is about the request on the same stream', async () => {
    const streaming = await open(host(newSeen()));
    const answers = await Promise.all(
      ['x', 'y'].map((id) => post(streaming.hosted, call('steps', id), { headers: streaming.headers })),
    );
    for (const [index, id] of ['x', 'y'].entries()) {
      const { headers, messages } = answers[index]!;
      expect(headers.get('content-type')).toBe('text/event-stream');
      expect(messages).toMatchObject([
        { method: 'notifications/progress', params: { progressToken: id } },
        { method: 'notifications/message' },
        { id, result: {} },
      ]);
    }
    const json = await open(host(newSeen(), { json: true }));
    const reply = await post(json.hosted, call('steps', 'j'), { headers: json.headers });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(reply.text)).toMatchObject({ id: 'j', result: { content: [{ text: 'done' }] } });
    const asked = await open(host(newSeen()), { sampling: {} });
    const response = await asked.hosted.fetch(httpRequest(call('sample', 's'), { headers: asked.headers }));
    const messages = streamMessages(response);
    expect((await messages.next()).value).toMatchObject({ method: 'sampling/createMessage' });
  });

  it('W96 have one server stream; a second waits until the first is dead, and answers never come on it', async () => {
    const clock = createManualClock();
    const seen = newSeen();
    const { hosted, headers } = await open(host(seen, { clock, keepAliveMs: 1000 }));
    const session = { hosted, headers };
    const first = await listen(session);
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect((await listen(session)).status).toBe(409);
    const messages = streamMessages(first);
    await post(hosted, call('steps', 1), { headers });
    const [server] = seen.servers.filter((each) => each.isConnected()).slice(-1);
    server?.sendToolListChanged();
    expect((await messages.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' });
    // The peer is gone.
    await messages.return(undefined);
    const second = await listen(session);
    expect(second.status).toBe(200);
    // The peer takes nothing any more, although its end of the line never says so.
    for (let count = 0; count < 70; count++) {
      void server?.sendLoggingMessage({ level: 'info', data: 'x' });
    }
    await clock.advance(2000);
    expect((await listen(session)).status).toBe(409);
    await clock.advance(500);
    expect((await listen(session)).status).toBe(200);
  });

  it('W97 send each message to one stream of one session, and drop it when nobody listens', async () => {
    const seen = newSeen();
    const hosted = host(seen);
    const one = await open(hosted);
    const [server] = seen.servers.filter((each) => each.isConnected());
    const two = await open(hosted);
    await server?.sendLoggingMessage({ level: 'info', data: 'nobody listens' });
    const streams = [await listen(one), await listen(two)];
    const third = await hosted.fetch(httpRequest(call('wait', 'w'), { headers: one.headers }));
    await settle();
    await server?.sendLoggingMessage({ level: 'info', data: 'unasked' });
    await seen.contexts[0]?.mcpReq.log('info', 'about the call');
    await post(hosted, '', { method: 'DELETE', headers: one.headers });
    await post(hosted, '', { method: 'DELETE', headers: two.headers });
    const texts = await Promise.all(
      [...streams, third].map(async (stream) =>
        (await allEvents(stream)).map(({ data }) => /"data":"([^"]*)"/.exec(data ?? '')?.[1]),
      ),
    );
    expect(texts).toEqual([['unasked'], [], ['about the call']]);

    const store = new InMemoryEventStore();
    const stored = newSeen();
    await open(host(stored, { eventStore: store }));
    const before = store.size;
    const [storing] = stored.servers.filter((each) => each.isConnected());
    await storing?.sendLoggingMessage({ level: 'info', data: 'for later' });
    expect(store.size).toBe(before + 1);
  });

  it('W101 carry requests of the server on both kinds of stream, and answers back by POST', async () => {
    const seen = newSeen();
    const faults: unknown[] = [];
    const hosted = host(seen);
    const capabilities = { sampling: {}, elicitation: { form: {}, url: {} } };
    const answers: Record<string, object> = {
      'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm-1' },
      'elicitation/create': { action: 'accept' },
    };
    const opened = await post(hosted, opening(capabilities));
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    // Issued as soon as the client has confirmed, before it listens.
    const { server } = seen.servers.find((each) => each.isConnected())!;
    server.onerror = (error) => faults.push((error as { code?: unknown }).code);
    let asked: Promise<unknown> = Promise.resolve();
    server.oninitialized = () => {
      asked = server.elicitInput({
        mode: 'url',
        message: '?',
        url: 'https://x.test/',
        elicitationId: 'e',
      });
    };
    await post(hosted, initialized, { headers });
    const reply = async (message: Record<string, unknown>): Promise<number> => {
      const result = answers[String(message['method'])];
      return (await post(hosted, { jsonrpc: '2.0', id: message['id'], result }, { headers })).status;
    };
    const standing = streamMessages(await listen({ hosted, headers }));
    expect(await reply((await standing.next()).value as Body)).toBe(202);
    expect(await asked).toEqual({ action: 'accept' });
    const sampled = server.createMessage({ messages: [], maxTokens: 1 });
    expect(await reply((await standing.next()).value as Body)).toBe(202);
    expect(await sampled).toMatchObject({ model: 'm-1' });
    for (const [name, text] of [
      ['sample', 'm-1'],
      ['url', 'accept'],
    ] as const) {
      const response = await hosted.fetch(httpRequest(call(name, name), { headers }));
      const messages = streamMessages(response);
      expect(await reply((await messages.next()).value as Body)).toBe(202);
      expect((await messages.next()).value).toMatchObject({ id: name, result: { content: [{ text }] } });
    }
    const stray = await post(hosted, { jsonrpc: '2.0', id: 4711, result: {} }, { headers });
    expect([stray.status, stray.text]).toEqual([202, '']);
    expect(faults).toEqual(['unknown_response']);
  });

  it('field-D7 answer every request on its own exchange, however careless its id', async () => {
    const session = await open(host(newSeen()));
    for (let run = 0; run < 50; run++) {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          post(session.hosted, call('echo', 1, { n }), { headers: session.headers }),
        ),
      );
      expect(replies.map(({ message }) => [message['id'], message['result']])).toMatchObject(
        replies.map((_, n) => [1, { content: [{ text: String(n) }] }]),
      );
    }
    const sessionless = hostWithoutSessions(hosting, makeWith(newSeen()));
    const both = await Promise.all([1, 2].map((n) => post(sessionless, call('echo', 1, { n }))));
    expect(both.map(({ message }) => message['result'])).toMatchObject([
      { content: [{ text: '1' }] },
      { content: [{ text: '2' }] },
    ]);
  });

  it('ignore a cancel that could mean two requests', async () => {
    const seen = newSeen();
    const session = await open(host(seen));
    const { headers } = session;
    const calls = [1, 2].map(() => session.hosted.fetch(httpRequest(call('wait', 5), { headers })));
    await settle();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
    expect((await post(session.hosted, cancel, { headers })).status).toBe(202);
    await settle();
    expect(seen.aborted).toEqual([]);
    await post(session.hosted, '', { method: 'DELETE', headers });
    await Promise.all(calls);
  });
});

describe('the legacy era without sessions', () => {
  it.each(HOSTINGS)(
    'W94 has no ids, no GET and no DELETE, and asks its clients nothing, %s',
    async (hosting) => {
      const hosted = hostWithoutSessions(hosting, makeWith(newSeen()));
      const opened = await post(hosted, opening({ sampling: {} }));
      expect([opened.status, opened.headers.get('mcp-session-id')]).toEqual([200, null]);
      for (const method of ['GET', 'DELETE']) {
        const headers = { 'mcp-session-id': 'made-up', accept: 'text/event-stream' };
        const reply = await post(hosted, '', { method, headers });
        expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'POST']);
      }
      const ignored = await post(hosted, request('ping'), { headers: { 'mcp-session-id': 'made-up' } });
      expect(ignored.status).toBe(200);
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) => post(hosted, call('echo', 1, { n }))),
      );
      expect(replies.map(({ message }) => message['result'])).toMatchObject(
        replies.map((_, n) => ({ content: [{ text: String(n) }] })),
      );
      const sampled = await post(hosted, call('sample'));
      expect(sampled.message).toMatchObject({ result: { isError: true } });
      expect(sampled.messages).toHaveLength(1);

      const server = makeWith(newSeen())();
      const transport = new WebStandardStreamableHTTPServerTransport();
      await server.connect(transport);
      await expect(server.connect(new WebStandardStreamableHTTPServerTransport())).rejects.toMatchObject({
        code: 'ALREADY_CONNECTED',
      });
      expect((await transport.handleRequest(httpRequest(request('ping')))).status).toBe(200);
      const reused = await transport.handleRequest(httpRequest(request('ping')));
      expect([reused.status, await reused.text()]).toEqual([
        500,
        expect.stringContaining('for each') as string,
      ]);
    },
  );

  it('takes arrays in the one revision that has them, and only of plain requests', async () => {
    const [ping, tool] = [request('ping', undefined, 'a'), call('echo', 'b', { n: 7 })];
    const envelope = request('tools/list', modern());
    for (const hosting of HOSTINGS) {
      for (const sessions of [true, false]) {
        const hosted = sessions
          ? hostSessions(hosting, makeWith(newSeen()))
          : hostWithoutSessions(hosting, makeWith(newSeen()));
        for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', undefined]) {
          const inForce = version ?? '2025-03-26';
          const headers: Record<string, string> = sessions ? (await open(hosted, {}, inForce)).headers : {};
          if (!sessions && version !== undefined) headers['mcp-protocol-version'] = version;
          const attempt = (body: unknown): Promise<HttpReply> => post(hosted, body, { headers });
          const label = [hosting, sessions, version];
          const served = await attempt([ping, tool, initialized]);
          const text = served.text.trim();
          const answers = /^[[{]/.test(text) ? ([JSON.parse(text)].flat() as Body[]) : served.messages;
          const outcome = answers.map((each) => each['id'] ?? (each['error'] as { code: number }).code);
          const notes = await attempt([initialized, initialized]);
          const takes = inForce === '2025-03-26';
          expect([label, served.status, new Set(outcome), notes.status]).toEqual(
            takes ? [label, 200, new Set(['a', 'b']), 202] : [label, 400, new Set([-32_600]), 400],
          );
          for (const bad of [
            [],
            [ping, { jsonrpc: '2.0' }],
            [ping, envelope],
            [opening()],
            [ping, opening()],
          ]) {
            const refused = await attempt(bad);
            expect([label, bad, refused.status, codeOf(refused)]).toEqual([label, bad, 400, -32_600]);
          }
        }
      }
    }
    const strict = createMcpHandler(makeWith(newSeen()), { legacy: 'reject' });
    expect((await post(strict, [ping])).status).toBe(400);
  });
});
