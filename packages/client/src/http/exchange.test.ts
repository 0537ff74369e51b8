import { afterEach, describe, expect, it } from 'vitest';
import {
  createScriptedFetch,
  eventStream,
  initializeResult,
  jsonError,
  jsonResult,
} from '../../../../testing/scripted-fetch.ts';
import type { FetchScript, SentRequest } from '../../../../testing/scripted-fetch.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { Client } from '../client.ts';
import { StreamableHTTPClientTransport } from './transport.ts';
import type { StreamableHTTPClientTransportOptions } from './transport.ts';

const clock = createManualClock();
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

interface Opened {
  readonly client: Client;
  readonly fetch: ReturnType<typeof createScriptedFetch>;
  readonly errors: unknown[];
}

/** A client whose tool calls the test answers; `era` decides how it was opened. */
async function open(
  era: 'legacy' | 'modern',
  onCall: FetchScript,
  options: StreamableHTTPClientTransportOptions = {},
): Promise<Opened> {
  const fetch = createScriptedFetch((request, index) => {
    switch (request.rpc) {
      case 'initialize':
        return jsonResult(request, initializeResult());
      case 'server/discover':
        return jsonResult(request, {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, resources: {}, prompts: {} },
        });
      case 'notifications/initialized':
        return new Response(null, { status: 202 });
      default:
        return request.method === 'GET' && request.headers.get('last-event-id') === null
          ? new Response(null, { status: 405 })
          : onCall(request, index);
    }
  });
  const mode = era === 'legacy' ? era : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1' }, { clock, versionNegotiation: { mode } });
  clients.push(client);
  const errors: unknown[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(
    new StreamableHTTPClientTransport('http://server.test/mcp', {
      fetch: fetch.fetch,
      clock,
      ...options,
    }),
  );
  return { client, fetch, errors };
}

const answerText = (request: SentRequest, extra = ''): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: request.body?.id,
    result: { content: [{ type: 'text', text: `grüße 🎉${extra}` }] },
  });

const OK = { content: [{ type: 'text', text: 'grüße 🎉' }] };

describe('answers', () => {
  it('W123 field-D8 reads events for every way of cutting the bytes in two', async () => {
    let cut = 0;
    let whole = new Uint8Array();
    const { client, errors } = await open('legacy', (request) => {
      const [head, tail] = answerText(request).split('"result"');
      whole = new TextEncoder().encode(
        '\uFEFF: hi\n\nid: a1\ndata: \n\nretry: 250\n\nevent: ping\ndata: {}\n\n' +
          `id: a2\r\nevent: message\r\ndata:${head}\r\ndata:"result"${tail}\r\n\r\n`,
      );
      return eventStream([whole.slice(0, cut), whole.slice(cut)]);
    });
    const ids: string[] = [];
    do {
      ids.length = 0;
      const result = await client.callTool({ name: 'x' }, { onresumptiontoken: (id) => ids.push(id) });
      expect(result).toEqual(OK);
      expect(ids).toEqual(['a1', 'a2']);
      cut += 1;
    } while (cut <= whole.length);
    expect(errors).toEqual([]);
  });

  it('goes on after an event with bad data and reports it', async () => {
    const { client, errors } = await open('legacy', (request) =>
      eventStream(`data: {broken\n\ndata: ${answerText(request)}\n\n`),
    );
    expect(await client.callTool({ name: 'x' })).toEqual(OK);
    expect(errors).toMatchObject([{ code: 'INVALID_MESSAGE' }]);
  });

  it('delivers progress that comes in one chunk with the result before the result', async () => {
    const { client } = await open('modern', (request) => {
      const { id } = request.body ?? {};
      const notices = [1, 2, 3].map((progress) =>
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: id, progress },
        }),
      );
      return eventStream([...notices, answerText(request)].map((data) => `data: ${data}\n\n`).join(''));
    });
    const seen: (number | string)[] = [];
    await client
      .callTool({ name: 'x' }, { onprogress: ({ progress }) => seen.push(progress) })
      .then(() => seen.push('result'));
    expect(seen).toEqual([1, 2, 3, 'result']);
  });

  it.each(['legacy', 'modern'] as const)(
    'gives a %s call what came with its own answer, and nobody else what it takes of that',
    async (era) => {
      const { client } = await open(era, (request) => {
        const { name } = (request.body as { params?: { name?: string } }).params ?? {};
        const notices = ['notifications/message', 'notifications/tools/list_changed'].map((method) =>
          JSON.stringify({ jsonrpc: '2.0', method, params: { level: 'info', data: name } }),
        );
        return eventStream([...notices, answerText(request)].map((data) => `data: ${data}\n\n`).join(''));
      });
      const general: string[] = [];
      client.fallbackNotificationHandler = ({ method }) => void general.push(method);
      const names = ['a', 'b'];
      const told = names.map(async (name) => {
        const own: unknown[] = [];
        const onnotification = ({ method, params }: { method: string; params?: object }): boolean => {
          own.push([method, params]);
          return method === 'notifications/message';
        };
        await client.callTool({ name }, { onnotification });
        return own;
      });
      expect(await Promise.all(told)).toEqual(
        names.map((data) => [
          ['notifications/message', { level: 'info', data }],
          ['notifications/tools/list_changed', { level: 'info', data }],
        ]),
      );
      await client.callTool({ name: 'c' });
      expect(general).toEqual([
        'notifications/tools/list_changed',
        'notifications/tools/list_changed',
        'notifications/message',
        'notifications/tools/list_changed',
      ]);
    },
  );

  it('refuses content that is no protocol message and names its type', async () => {
    const { client } = await open(
      'legacy',
      () => new Response('hi', { headers: { 'content-type': 'text/plain' } }),
    );
    await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({
      code: 'CLIENT_HTTP_UNEXPECTED_CONTENT',
      data: { contentType: 'text/plain' },
    });
  });

  it('W252 ends a call whose answer passes the limit, while others go on', async () => {
    const limits = { maxMessageBytes: 10_000 };
    let pulled = 0;
    const endless = (type: string, first: string): Response =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)));
          },
        }),
        { headers: { 'content-type': type } },
      );
    const { client } = await open(
      'modern',
      (request) => {
        const { name } = (request.body as { params?: { name?: string } }).params ?? {};
        if (name === 'json') return endless('application/json', '{"jsonrpc":"');
        if (name === 'events') return endless('text/event-stream', 'data: ');
        return jsonResult(request, OK);
      },
      { limits },
    );
    const outcomes = await Promise.allSettled([
      client.callTool({ name: 'json' }),
      client.callTool({ name: 'fine' }),
      client.callTool({ name: 'events' }),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'MESSAGE_TOO_LARGE' } },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'MESSAGE_TOO_LARGE' } },
    ]);
    expect(pulled).toBeLessThan(40);
  });

  it('rejects a call whose stream ends without the answer, and asks nothing again in the modern era', async () => {
    const { client, fetch } = await open('modern', () => eventStream('id: 1\ndata:\n\n'));
    await expect(client.callTool({ name: 'x' })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await clock.advance(600_000);
    expect(fetch.lines()).toEqual(['POST server/discover', 'POST tools/call']);
  });

  it('takes up the legacy stream of a call that broke after an event', async () => {
    let id: unknown;
    const { client, fetch } = await open('legacy', (request) => {
      if (request.method === 'POST') {
        id = request.body?.id;
        return eventStream('id: e1\nretry: 100\ndata:\n\n');
      }
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: OK });
      return eventStream(`id: e2\ndata: ${answer}\n\n`);
    });
    const call = client.callTool({ name: 'x' });
    await clock.advance(100);
    expect(await call).toEqual(OK);
    expect(fetch.log.at(-1)?.headers.get('last-event-id')).toBe('e1');
    await clock.advance(600_000);
    expect(fetch.lines().filter((line) => line === 'GET -')).toHaveLength(2);
  });

  it('takes up a call of another process by its token', async () => {
    const { client } = await open('legacy', () =>
      eventStream(`id: e9\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 'from before', result: OK })}\n\n`),
    );
    expect(await client.callTool({ name: 'x' }, { resumptionToken: 'e8' })).toEqual(OK);
  });

  it('names the answer of a modern refusal, and the status of any other', async () => {
    const modern = await open('modern', (request) =>
      jsonError(404, { code: -32601, message: 'not here' }, request.body?.id),
    );
    await expect(modern.client.callTool({ name: 'x' })).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32601,
    });
    const legacy = await open('legacy', (request) =>
      jsonError(500, { code: -32603, message: 'oops' }, request.body?.id),
    );
    await expect(legacy.client.callTool({ name: 'x' })).rejects.toMatchObject({
      code: 'CLIENT_HTTP_NOT_IMPLEMENTED',
      status: 500,
    });
  });
});

function hang(request: SentRequest): Promise<Response> {
  return new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')));
  });
}

/** A stream that stays open and breaks when its request is aborted, as fetch does it. */
function openStream(request: SentRequest): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(': open\n\n'));
      request.signal.addEventListener('abort', () =>
        controller.error(new DOMException('gone', 'AbortError')),
      );
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

describe('giving up', () => {
  it('W65 ends the exchange of a modern call and posts no cancel', async () => {
    const { client, fetch } = await open('modern', (request) => {
      const { name } = (request.body as { params?: { name?: string } }).params ?? {};
      if (name === 'z') return openStream(request);
      return name === 'other' ? jsonResult(request, OK) : hang(request);
    });
    const leave = new AbortController();
    const call = client.callTool({ name: 'x' }, { signal: leave.signal });
    const late = client.callTool({ name: 'y' }, { timeout: 5_000 });
    const streaming = client.callTool({ name: 'z' }, { signal: leave.signal });
    const outcomes = Promise.allSettled([call, late, streaming]);
    await clock.advance(0);
    leave.abort();
    await clock.advance(5_000);
    expect(await outcomes).toMatchObject([
      { reason: { code: 'REQUEST_ABORTED' } },
      { reason: { code: 'REQUEST_TIMEOUT', data: { timeout: 5_000 } } },
      { reason: { code: 'REQUEST_ABORTED' } },
    ]);
    expect(fetch.log.slice(1).map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    expect(await client.callTool({ name: 'other' })).toEqual(OK);
    expect(fetch.lines()).not.toContain('POST notifications/cancelled');
  });

  it('posts one cancel for a legacy call and then ends its exchange', async () => {
    const { client, fetch } = await open('legacy', (request) =>
      request.rpc === 'tools/call' ? hang(request) : new Response(null, { status: 202 }),
    );
    const leave = new AbortController();
    const call = client.callTool({ name: 'x' }, { signal: leave.signal });
    const outcome = call.catch((error: unknown) => error);
    await clock.advance(0);
    leave.abort('enough');
    expect(await outcome).toMatchObject({ code: 'REQUEST_ABORTED' });
    await clock.advance(0);
    const [called, cancelled, ...rest] = fetch.log.slice(3);
    expect(rest).toEqual([]);
    expect(cancelled?.body).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: called?.body?.id, reason: 'enough' },
    });
    expect(called?.signal.aborted).toBe(true);
  });
});

describe('headers', () => {
  it('names version, method and subject of each modern request and nothing legacy', async () => {
    const { client, fetch } = await open('modern', (request) => {
      switch (request.rpc) {
        case 'tools/call':
          return jsonResult(request, OK, { 'mcp-session-id': 'ignored' });
        case 'resources/read':
          return jsonResult(request, { contents: [] });
        default:
          return jsonResult(request, { messages: [] });
      }
    });
    await client.callTool({ name: 'wetter ☀️' });
    await client.readResource({ uri: 'file:///a b' });
    await client.getPrompt({ name: '=?base64?x?=' });
    await client.close();
    expect(fetch.lines().every((line) => line.startsWith('POST '))).toBe(true);
    expect(
      fetch.log.map(({ headers }) => [
        headers.get('mcp-protocol-version'),
        headers.get('mcp-method'),
        headers.get('mcp-name'),
        headers.get('mcp-session-id'),
      ]),
    ).toEqual([
      ['2026-07-28', 'server/discover', null, null],
      ['2026-07-28', 'tools/call', `=?base64?${Buffer.from('wetter ☀️').toString('base64')}?=`, null],
      ['2026-07-28', 'resources/read', 'file:///a b', null],
      ['2026-07-28', 'prompts/get', `=?base64?${Buffer.from('=?base64?x?=').toString('base64')}?=`, null],
    ]);
  });

  it('W121 sends the headers of the caller with everything, in all three forms', async () => {
    for (const headers of [
      { authorization: 'Bearer a', 'x-own': '1' },
      new Headers({ authorization: 'Bearer a', 'x-own': '1' }),
      [
        ['authorization', 'Bearer a'],
        ['x-own', '1'],
      ] as [string, string][],
    ]) {
      const { client, fetch } = await open('legacy', (request) => jsonResult(request, OK), {
        requestInit: { headers },
        sessionId: 'x',
      });
      await client.callTool(
        { name: 'x' },
        {
          headers: {
            authorization: 'Bearer other',
            accept: 'image/png',
            'mcp-protocol-version': '1',
            'x-call': '2',
          },
        },
      );
      const called = fetch.log.find(({ body }) => body?.method === 'tools/call');
      expect(called?.headers.get('x-call')).toBe('2');
      expect(called?.headers.get('mcp-protocol-version')).toBe('2025-11-25');
      expect(called?.headers.get('accept')).toBe('application/json, text/event-stream, image/png');
      await (client.transport as StreamableHTTPClientTransport).terminateSession();
      for (const sent of fetch.log) {
        expect(sent.headers.get('authorization')).toBe('Bearer a');
        expect(sent.headers.get('x-own')).toBe('1');
      }
    }
  });

  it('W120 posts each message by itself as JSON and takes both kinds of answers', async () => {
    const { client, fetch } = await open('legacy', (request) => jsonResult(request, OK));
    await Promise.all([client.callTool({ name: 'x' }), client.callTool({ name: 'y' })]);
    for (const sent of fetch.log) {
      const get = sent.method === 'GET';
      expect(Array.isArray(sent.body)).toBe(false);
      expect(sent.headers.get('content-type')).toBe(get ? null : 'application/json');
      expect(sent.headers.get('accept')).toBe(
        get ? 'text/event-stream' : 'application/json, text/event-stream',
      );
    }
  });

  it('mirrors marked arguments and leaves out tools whose marks break the rules', async () => {
    const tool = (name: string, region: Record<string, unknown>): Record<string, unknown> => ({
      name,
      inputSchema: { type: 'object', properties: { region } },
    });
    const { client, fetch, errors } = await open('modern', (request) =>
      request.rpc === 'tools/list'
        ? jsonResult(request, {
            tools: [
              tool('good', { type: 'string', 'x-mcp-header': 'Region' }),
              tool('bad', { type: 'number', 'x-mcp-header': 'Region' }),
            ],
          })
        : jsonResult(request, OK),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(errors).toMatchObject([{ message: expect.stringContaining('bad') as string }]);
    await client.callTool({ name: 'good', arguments: { region: 'us-west1' } });
    expect(fetch.log.at(-1)?.headers.get('mcp-param-region')).toBe('us-west1');
  });
});
