import { describe, expect, it } from 'vitest';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { z } from 'zod';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { httpRequest, post, readReply } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { type CreateMcpHandlerOptions, type McpHttpHandler, createMcpHandler } from './create-mcp-handler.ts';

const make = (): McpServer => {
  const server = new McpServer({ name: 'http', version: '1' });
  server.registerTool('quiet', { inputSchema: z.object({ a: z.string().optional() }) }, () => ({
    content: [{ type: 'text', text: 'quiet' }],
  }));
  server.registerTool('chatty', {}, ({ mcpReq }) => {
    mcpReq.progress({ progress: 1 });
    mcpReq.progress({ progress: 1 });
    mcpReq.progress({ progress: 2 });
    return { content: [{ type: 'text', text: 'chatty' }] };
  });
  server.registerTool('fail', {}, () => {
    throw new TypeError('broken');
  });
  server.registerTool(
    'routed',
    {
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          n: { type: 'integer', 'x-mcp-header': 'N' },
          inner: { type: 'object', properties: { deep: { type: 'boolean', 'x-mcp-header': 'Deep' } } },
        },
      },
    },
    () => ({ content: [] }),
  );
  server.registerTool('grüße', {}, () => ({ content: [] }));
  return server;
};

const handlerOf = (options: CreateMcpHandlerOptions = {}): McpHttpHandler =>
  createMcpHandler(make(), options);

const callBody = (name: string, args?: object, id: string | number = 1): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: modern({ name, ...(args === undefined ? {} : { arguments: args }), _meta: { progressToken: 'p' } }),
});

const codeOf = (message: Record<string, unknown>): unknown =>
  (message['error'] as { code?: unknown } | undefined)?.code;

describe('modern requests over HTTP', () => {
  it('W103 are POSTed only, without sessions and event ids', async () => {
    const handler = handlerOf({ legacy: 'reject' });
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
      const reply = await post(handler, '', { method });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const both = handlerOf({ legacy: 'sessions' });
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const stated = { 'MCP-Protocol-Version': '2026-07-28', accept: 'text/event-stream' };
      const reply = await post(both, '', { method, headers: stated });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'POST']);
      expect(codeOf(reply.message)).toBe(-32_600);
    }
    const headers = { 'MCP-Session-Id': 'made-up', 'Last-Event-ID': '7' };
    const unknown = { jsonrpc: '2.0', id: 1, method: 'tools/nothing', params: modern() };
    const asked: readonly [body: object, status: number][] = [
      [callBody('quiet'), 200],
      [callBody('chatty'), 200],
      [callBody('nobody'), 200],
      [unknown, 404],
      [{ jsonrpc: '2.0', method: 'notifications/own', params: modern() }, 202],
    ];
    for (const [body, status] of asked) {
      const reply = await post(handler, body, { headers });
      expect([body, reply.status]).toEqual([body, status]);
      expect([...reply.headers.keys()]).not.toContain('mcp-session-id');
      expect(reply.text).not.toMatch(/^id:/m);
    }
  });

  it('W104 need headers that repeat the body, and neither side wins when they differ', async () => {
    const handler = handlerOf();
    for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      for (const value of [null, 'something-else']) {
        const reply = await post(handler, callBody('quiet', {}, 'x7'), { headers: { [name]: value } });
        expect([name, value, reply.status, reply.message['id'], codeOf(reply.message)]).toEqual([
          name,
          value,
          400,
          'x7',
          -32_020,
        ]);
      }
    }
    const prompt = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: modern({ name: 'p' }) };
    expect((await post(handler, prompt, { headers: { 'Mcp-Name': null } })).status).toBe(400);
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: modern({ uri: 'test://r' }) };
    expect((await post(handler, read, { headers: { 'Mcp-Name': 'test://other' } })).status).toBe(400);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: modern() };
    expect((await post(handler, list)).status).toBe(200);
  });

  it('W105 compare header values with case, trimmed and decoded', async () => {
    const handler = handlerOf();
    const encoded = `=?base64?${Buffer.from('grüße').toString('base64')}?=`;
    const outcomes: readonly [header: string, value: string, body: object, status: number][] = [
      ['Mcp-Method', 'TOOLS/CALL', callBody('quiet'), 400],
      ['mcp-METHOD', 'tools/call', callBody('quiet'), 200],
      ['Mcp-Name', '  quiet\t', callBody('quiet'), 200],
      ['Mcp-Name', 'Quiet', callBody('quiet'), 400],
      ['Mcp-Name', encoded, callBody('grüße'), 200],
      ['Mcp-Name', '=?base64?!!!?=', callBody('grüße'), 400],
      ['Mcp-Name', '=?base64?/w==?=', callBody('grüße'), 400],
    ];
    for (const [name, value, body, status] of outcomes) {
      const reply = await post(handler, body, { headers: { [name]: value } });
      const code = status === 400 ? -32_020 : undefined;
      expect([name, value, reply.status, codeOf(reply.message)]).toEqual([name, value, status, code]);
    }
    for (const method of ['constructor', '__proto__', 'toString']) {
      const body = { jsonrpc: '2.0', id: 1, method, params: modern() };
      const reply = await post(handler, body);
      expect([method, reply.status, codeOf(reply.message)]).toEqual([method, 404, -32_601]);
    }
  });

  it('W106 must repeat the arguments that a tool marks', async () => {
    const handler = handlerOf();
    const rows: readonly [args: object | undefined, headers: Record<string, string>, status: number][] = [
      [{ region: 'eu', n: 42 }, { region: 'eu', n: '42' }, 200],
      [{ region: 'eu', n: 42 }, { region: 'eu', n: '42.0' }, 200],
      [{ region: 'eu', n: 42 }, { region: 'eu', n: '43' }, 400],
      [{ region: 'eu', n: 42 }, { region: 'us', n: '42' }, 400],
      [{ region: 'eu', n: 42 }, { n: '42' }, 400],
      [{ region: 'grün' }, { region: `=?base64?${Buffer.from('grün').toString('base64')}?=` }, 200],
      [{ region: 'grün' }, { region: 'gr?n' }, 400],
      [{ inner: { deep: true } }, { deep: 'true' }, 200],
      [{ inner: { deep: true } }, {}, 400],
      [{ region: null }, { region: 'surplus' }, 200],
      [{}, { region: 'surplus', other: 'unknown' }, 200],
      [undefined, { other: '=?base64?!?=' }, 200],
    ];
    for (const [args, given, status] of rows) {
      const headers = Object.fromEntries(
        Object.entries(given).map(([name, to]) => [`Mcp-Param-${name}`, to]),
      );
      const reply = await post(handler, callBody('routed', args), { headers });
      const code = status === 400 ? -32_020 : undefined;
      expect([args, given, reply.status, codeOf(reply.message)]).toEqual([args, given, status, code]);
    }
  });

  it('W107 end in the status that their error has', async () => {
    const handler = handlerOf();
    const plain = { jsonrpc: '2.0', id: 9, method: 'tools/list', params: modern() };
    const rows: readonly [body: unknown, status: number, code: number, id: unknown][] = [
      ['{"jsonrpc":', 400, -32_700, undefined],
      [{ jsonrpc: '2.0', id: 9, method: 7 }, 400, -32_600, 9],
      [{ ...plain, params: modern({}, { capabilities: null }) }, 400, -32_602, 9],
      [{ ...plain, params: modern({}, { version: '2031-01-01' }) }, 400, -32_022, 9],
      [{ ...plain, method: 'vendor/none' }, 404, -32_601, 9],
      [{ ...plain, method: 'prompts/list' }, 404, -32_601, 9],
      [{ ...plain, method: 'ping' }, 404, -32_601, 9],
      [{ ...callBody('nobody'), id: 9 }, 200, -32_602, 9],
    ];
    for (const [body, status, code, id] of rows) {
      const reply = await post(handler, body);
      expect([reply.status, codeOf(reply.message), reply.message['id']]).toEqual([status, code, id]);
    }
    const failed = await post(handler, callBody('fail'));
    expect([failed.status, failed.message['result']]).toMatchObject([200, { isError: true }]);
    const streaming = await post(handlerOf({ responseMode: 'sse' }), callBody('nobody'));
    expect([streaming.status, codeOf(streaming.message)]).toEqual([200, -32_602]);
  });

  it('W109 get the form that they accept', async () => {
    const outcome = async (
      accept: string | null,
      name: string,
      options: CreateMcpHandlerOptions = {},
    ): Promise<unknown> => {
      const reply = await post(handlerOf(options), callBody(name), { headers: { accept } });
      return [reply.status, reply.headers.get('content-type'), reply.messages.length];
    };
    expect(await outcome(null, 'chatty')).toEqual([200, 'text/event-stream', 3]);
    expect(await outcome('application/json', 'chatty')).toEqual([200, 'application/json', 1]);
    expect(await outcome('text/event-stream', 'quiet')).toEqual([200, 'text/event-stream', 1]);
    expect(await outcome('*/*', 'quiet')).toEqual([200, 'application/json', 1]);
    expect(await outcome('text/html', 'quiet')).toEqual([406, 'application/json', 1]);
    const typed = await post(handlerOf(), callBody('quiet'), { headers: { 'content-type': 'text/plain' } });
    expect(typed.status).toBe(415);
  });

  it('W110 that are notifications get no content; answers and arrays are refused', async () => {
    const handler = handlerOf();
    const note = { jsonrpc: '2.0', method: 'vendor/note', params: modern() };
    const bare = await post(handler, note, { headers: { 'Mcp-Method': null, 'MCP-Protocol-Version': null } });
    expect([bare.status, bare.text]).toEqual([202, '']);
    const contradicting = await post(handler, note, { headers: { 'Mcp-Method': 'vendor/other' } });
    expect([contradicting.status, codeOf(contradicting.message)]).toEqual([400, -32_020]);
    const headers = { 'MCP-Protocol-Version': '2026-07-28' };
    for (const body of [{ jsonrpc: '2.0', id: 1, result: {} }, [note], []]) {
      const reply = await post(handler, body, { headers });
      expect([reply.status, codeOf(reply.message)]).toEqual([400, -32_600]);
    }
  });

  it('W111 are answered in the mode that is set', async () => {
    const outcome = async (responseMode: 'auto' | 'sse' | 'json', name: string): Promise<unknown> => {
      const reply = await post(handlerOf({ responseMode }), callBody(name));
      const kinds = reply.messages.map((message) => message['method'] ?? 'answer');
      return [reply.headers.get('content-type'), kinds];
    };
    const progress = 'notifications/progress';
    expect(await outcome('auto', 'quiet')).toEqual(['application/json', ['answer']]);
    expect(await outcome('auto', 'chatty')).toEqual(['text/event-stream', [progress, progress, 'answer']]);
    expect(await outcome('sse', 'quiet')).toEqual(['text/event-stream', ['answer']]);
    expect(await outcome('sse', 'chatty')).toEqual(['text/event-stream', [progress, progress, 'answer']]);
    expect(await outcome('json', 'chatty')).toEqual(['application/json', ['answer']]);
  });

  it('W53 with a modern header but no envelope are never served as legacy', async () => {
    for (const legacy of ['stateless', 'reject'] as const) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
      const reply = await post(handlerOf({ legacy }), body, { headers });
      expect([reply.status, reply.message['error']]).toMatchObject([
        400,
        { code: -32_602, message: expect.stringMatching(/protocolVersion.*clientCapabilities/) as string },
      ]);
    }
  });

  it('W52 leave a plain initialize to the legacy era, unless its header names a revision served here', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    for (const version of ['2099-01-01', '2025-06-18', null]) {
      const reply = await post(handlerOf(), body, { headers: { 'MCP-Protocol-Version': version } });
      expect([reply.status, reply.message['result']]).toMatchObject([200, { protocolVersion: '2025-11-25' }]);
    }
    const reply = await post(handlerOf(), body, { headers: { 'MCP-Protocol-Version': '2026-07-28' } });
    expect([reply.status, codeOf(reply.message)]).toEqual([400, -32_020]);
  });
});

describe('the instances behind a handler', () => {
  it('W112 are made for each request and closed after it, or shared when that is asked for', async () => {
    const seen: unknown[] = [];
    let closed = 0;
    const factory = (context: { era: string; authInfo?: unknown; requestInfo?: Request }): McpServer => {
      seen.push([context.era, context.authInfo, context.requestInfo?.headers.get('x-mine')]);
      const server = make();
      server.close = () => {
        closed += 1;
        return Promise.resolve();
      };
      return server;
    };
    const handler = createMcpHandler(factory);
    const authInfo = authInfoFor('t');
    for (const name of ['quiet', 'fail', 'nobody']) {
      await post(handler, callBody(name), { authInfo, headers: { 'x-mine': 'yes' } });
    }
    await post(handler, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authInfo });
    const mine = ['modern', authInfo, 'yes'];
    expect(seen).toEqual([mine, mine, mine, ['legacy', authInfo, null]]);
    expect(closed).toBe(4);

    const shared = createMcpHandler(factory, { instance: 'shared' });
    for (let count = 0; count < 3; count++) await post(shared, callBody('quiet'));
    expect(seen).toHaveLength(5);
    expect(closed).toBe(4);

    const faults: Error[] = [];
    const failing = createMcpHandler(
      () => {
        throw new TypeError('no server today');
      },
      { onerror: (error) => faults.push(error) },
    );
    const reply = await post(failing, callBody('quiet', {}, 'id-1'));
    expect([reply.status, reply.message['id'], codeOf(reply.message)]).toEqual([500, 'id-1', -32_603]);
    expect(reply.text).not.toContain('no server today');
    expect(faults[0]?.message).toBe('no server today');
  });

  it('see the request and whatever the gate attached, unchanged', async () => {
    const server = new McpServer({ name: 'http', version: '1' });
    const contexts: unknown[] = [];
    server.registerTool('look', {}, ({ http }) => {
      contexts.push(http?.req.headers.get('x-mine'), http?.authInfo);
      return { content: [] };
    });
    const authInfo = authInfoFor('me', { scopes: ['a'] });
    await post(createMcpHandler(server), callBody('look'), { authInfo, headers: { 'x-mine': 'yes' } });
    expect(contexts[0]).toBe('yes');
    expect(contexts[1]).toBe(authInfo);
  });

  it('stop their work when the client goes away', async () => {
    const server = new McpServer({ name: 'http', version: '1' });
    const reasons: unknown[] = [];
    server.registerTool('wait', {}, async ({ mcpReq }) => {
      await new Promise<void>((resolve) => {
        mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
        mcpReq.progress({ progress: 1 });
      });
      reasons.push(mcpReq.signal.aborted);
      return { content: [] };
    });
    const handler = createMcpHandler(server);
    const response = await handler.fetch(httpRequest(callBody('wait')));
    await response.body?.cancel();
    await createManualClock().advance(0);
    expect(reasons).toEqual([true]);

    const controller = new AbortController();
    const pending = handler.fetch(
      httpRequest(callBody('wait'), { signal: controller.signal, headers: { accept: 'application/json' } }),
    );
    await createManualClock().advance(0);
    controller.abort();
    expect((await readReply(await pending)).text).toBe('');
    expect(reasons).toEqual([true, true]);
  });
});
