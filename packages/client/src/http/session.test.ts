import { describe, expect, it } from 'vitest';
import {
  createScriptedFetch,
  eventStream,
  initializeResult,
  jsonError,
  jsonResult,
} from '../../../../testing/scripted-fetch.ts';
import type { FetchScript, SentRequest } from '../../../../testing/scripted-fetch.ts';
import { listenForUnhandled } from '../../../../testing/unhandled-rejections.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { Client } from '../client.ts';
import { createFetchClient } from './fetch-client.ts';
import { StreamableHTTPClientTransport } from './transport.ts';
import type { StreamableHTTPClientTransportOptions } from './transport.ts';

const clock = createManualClock();

async function open(
  script: FetchScript,
  options: StreamableHTTPClientTransportOptions = {},
): Promise<{ client: Client; fetch: ReturnType<typeof createScriptedFetch>; errors: unknown[] }> {
  const fetch = createScriptedFetch(script);
  const client = new Client({ name: 'test', version: '1' }, { clock });
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

const text = (value: string): Record<string, unknown> => ({
  content: [{ type: 'text', text: value }],
});

/** A server with sessions that can forget them. */
function forgetful(): { script: FetchScript; forget(): void; sessions: string[] } {
  const sessions: string[] = [];
  let known: string | undefined;
  return {
    sessions,
    forget: () => {
      known = undefined;
    },
    script: (request) => {
      if (request.rpc === 'initialize') {
        known = `s${sessions.length + 1}`;
        sessions.push(known);
        return jsonResult(request, initializeResult(), { 'mcp-session-id': known });
      }
      if (request.headers.get('mcp-session-id') !== known) {
        return jsonError(404, { code: -32001, message: 'Session not found' });
      }
      if (request.rpc === 'tools/call') return jsonResult(request, text(String(known)));
      return new Response(null, { status: request.method === 'GET' ? 405 : 202 });
    },
  };
}

const unhandled = listenForUnhandled();

describe('sessions', () => {
  it.each<[what: string, trouble: () => unknown]>([
    [
      'throws',
      () => {
        throw new RangeError('renewed');
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('renewed'))],
    ['never settles', () => new Promise(() => undefined)],
  ])('W257 are renewed although the callback that hears of it %s', async (what, trouble) => {
    const server = forgetful();
    const { client, errors } = await open(server.script);
    let heard = 0;
    client.onsessionrenewed = () => {
      heard += 1;
      return trouble() as never;
    };
    server.forget();
    expect(await client.callTool({ name: 'x' })).toMatchObject(text('s2'));
    await new Promise((resolve) => setImmediate(resolve));
    expect([heard, errors.length]).toEqual([1, what === 'never settles' ? 0 : 1]);
    expect(unhandled()).toEqual([]);
  });

  it('W129 field-D4 starts one new session for five calls that lost theirs', async () => {
    const server = forgetful();
    const { client, fetch, errors } = await open(server.script);
    let renewed = 0;
    client.onsessionrenewed = () => {
      renewed += 1;
    };
    server.forget();
    const calls = Array.from({ length: 5 }, () => client.callTool({ name: 'x' }));
    const results = await Promise.all(calls);
    expect(results.map(({ content }) => content)).toEqual(
      Array.from({ length: 5 }, () => text('s2')['content']),
    );
    expect(renewed).toBe(1);
    expect(errors).toEqual([]);
    const initializes = fetch.log.filter(({ body }) => body?.method === 'initialize');
    expect(initializes).toHaveLength(2);
    expect(initializes[1]?.headers.has('mcp-session-id')).toBe(false);
    // Handshake, five refusals, one new handshake, five repeats; each handshake looks for a stream.
    const count = (line: string): number => fetch.lines().filter((sent) => sent === line).length;
    expect(count('POST tools/call')).toBe(10);
    expect(count('GET -')).toBe(2);

    // A server that never knows a session: bounded, and the error surfaces.
    const never = await open((request) => {
      if (request.rpc === 'initialize') {
        return jsonResult(request, initializeResult(), { 'mcp-session-id': 'gone' });
      }
      return request.rpc === 'notifications/initialized'
        ? new Response(null, { status: 202 })
        : jsonError(404, { code: -32001 });
    });
    await expect(never.client.callTool({ name: 'x' })).rejects.toMatchObject({
      code: 'CLIENT_HTTP_SESSION_LOST',
      status: 404,
    });
    expect(never.fetch.lines().filter((line) => line === 'POST initialize')).toHaveLength(2);

    // Without a session id, 404 means that the address is wrong.
    const wrong = await open((request) => {
      if (request.rpc === 'initialize') return jsonResult(request, initializeResult());
      return request.rpc === 'tools/call'
        ? new Response('nothing here', { status: 404 })
        : new Response(null, { status: 202 });
    });
    await expect(wrong.client.callTool({ name: 'x' })).rejects.toMatchObject({
      code: 'CLIENT_HTTP_NOT_IMPLEMENTED',
      status: 404,
    });
    expect(wrong.fetch.lines().filter((line) => line === 'POST initialize')).toHaveLength(1);
  });

  it('starts a new session after a restarted server refuses the old one with 400', async () => {
    let refused = false;
    const { client } = await open((request) => {
      if (request.rpc === 'initialize') {
        return jsonResult(request, initializeResult(), { 'mcp-session-id': 'a' });
      }
      if (request.rpc !== 'tools/call') return new Response(null, { status: 202 });
      if (refused) return jsonResult(request, text('again'));
      refused = true;
      return jsonError(400, { code: -32000, message: 'Server not initialized' });
    });
    expect((await client.callTool({ name: 'x' })).content).toEqual(text('again')['content']);
  });

  it('W124 keeps the session id of the handshake only and sends it ever after', async () => {
    const { client, fetch } = await open((request) => {
      switch (request.rpc) {
        case 'initialize':
          return jsonResult(request, initializeResult(), { 'mcp-session-id': 'real' });
        case 'tools/call':
          return jsonResult(request, text('x'), { 'mcp-session-id': 'other' });
        default:
          return new Response(null, { status: request.method === 'GET' ? 405 : 202 });
      }
    });
    await client.callTool({ name: 'x' });
    await client.callTool({ name: 'x' });
    expect(client.transport?.sessionId).toBe('real');
    await client.close();
    expect(fetch.log.map(({ headers }) => headers.get('mcp-session-id'))).toEqual([
      null,
      'real',
      'real',
      'real',
      'real',
      'real',
    ]);
    expect(fetch.lines().at(-1)).toBe('DELETE -');

    const bare = createScriptedFetch((request) =>
      request.rpc === 'initialize'
        ? jsonResult(request, initializeResult())
        : new Response(null, { status: 202 }),
    );
    const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
      fetch: bare.fetch,
      sessionId: 'left over',
    });
    const anew = new Client({ name: 'test', version: '1' });
    await anew.connect(transport, { prior: { kind: 'legacy' } });
    expect(transport.sessionId).toBeUndefined();
    expect(bare.log[0]?.headers.has('mcp-session-id')).toBe(false);
  });

  it('W130 ends the session by DELETE, takes 405 for an end and starts anew afterwards', async () => {
    const { client, fetch } = await open((request) => {
      if (request.rpc === 'initialize') {
        return jsonResult(request, initializeResult(), { 'mcp-session-id': 'a' });
      }
      return new Response(null, { status: request.method === 'POST' ? 202 : 405 });
    });
    const transport = client.transport as StreamableHTTPClientTransport;
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
    await client.close();
    expect(fetch.lines().filter((line) => line === 'DELETE -')).toHaveLength(1);
    await client.connect(
      new StreamableHTTPClientTransport('http://server.test/mcp', { fetch: fetch.fetch, clock }),
    );
    expect(client.transport?.sessionId).toBe('a');
  });

  it('closes within two seconds when the server does not answer the DELETE', async () => {
    const { client } = await open((request) => {
      if (request.rpc === 'initialize') {
        return jsonResult(request, initializeResult(), { 'mcp-session-id': 'a' });
      }
      if (request.method === 'DELETE') return hangUntilAborted(request);
      return new Response(null, { status: request.method === 'GET' ? 405 : 202 });
    });
    let closed = false;
    const closing = client.close().then(() => {
      closed = true;
    });
    await clock.advance(1_999);
    expect(closed).toBe(false);
    await clock.advance(1);
    await closing;
  });
});

describe('a session that is given up while it is being begun', () => {
  /** A client that leaves while its server still thinks about the handshake. */
  async function leave(answer: (request: SentRequest) => Response) {
    let give = (): void => undefined;
    const thought = new Promise<void>((resolve) => (give = resolve));
    let closed = 0;
    const fetch = createScriptedFetch((request) => {
      if (request.rpc !== 'initialize') return new Response(null, { status: 200 });
      const aborted = hangUntilAborted(request);
      return Promise.race([thought.then(() => answer(request)), aborted]);
    });
    const clock = createManualClock();
    const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
      http: {
        ...createFetchClient(fetch.fetch, {}),
        close: () => Promise.resolve(void (closed += 1)),
      },
      clock,
    });
    const client = new Client({ name: 'test', version: '1' }, { clock });
    const given = new AbortController();
    const connecting = client.connect(transport, { signal: given.signal });
    await clock.advance(0);
    given.abort();
    await expect(connecting).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    const asked = fetch.log.find(({ rpc }) => rpc === 'initialize');
    return { clock, fetch, give, asked, deletes: () => deletesOf(fetch), closed: () => closed };
  }

  it('R138 W130 is ended as soon as the server names it, and holds nobody up', async () => {
    const late = await leave((request) =>
      jsonResult(request, initializeResult(), { 'mcp-session-id': 'late' }),
    );
    expect([late.deletes(), late.closed()]).toEqual([[], 0]);
    await late.clock.advance(1_999);
    late.give();
    await late.clock.advance(0);
    expect([late.deletes(), late.closed(), late.clock.armed]).toEqual([['late'], 1, 0]);
    expect(late.fetch.lines().filter((line) => line !== 'POST initialize')).toEqual(['DELETE -']);
  });

  it('R138 is ended when its stream of answers is named but brings nothing', async () => {
    let cancelled = false;
    const body = new ReadableStream({ cancel: () => void (cancelled = true) });
    const headers = { 'mcp-session-id': 'late', 'content-type': 'text/event-stream' };
    const late = await leave(() => new Response(body, { headers }));
    late.give();
    await late.clock.advance(0);
    expect([late.deletes(), late.closed(), late.clock.armed]).toEqual([['late'], 1, 0]);
    expect([late.asked?.signal.aborted, cancelled]).toEqual([true, true]);
  });

  it.each<[what: string, answer: (request: SentRequest) => Response]>([
    ['has no sessions', (request) => jsonResult(request, initializeResult())],
    ['refuses', () => new Response(null, { status: 403, headers: { 'mcp-session-id': 'no' } })],
  ])('R138 is nothing where the server %s', async (_what, answer) => {
    const late = await leave(answer);
    late.give();
    await late.clock.advance(0);
    expect([late.deletes(), late.closed(), late.clock.armed]).toEqual([[], 1, 0]);
  });

  it('R138 is waited for two seconds at most', async () => {
    const late = await leave(() => Response.error());
    await late.clock.advance(1_999);
    expect([late.asked?.signal.aborted, late.closed()]).toEqual([false, 0]);
    await late.clock.advance(1);
    expect([late.asked?.signal.aborted, late.closed(), late.clock.armed]).toEqual([true, 1, 0]);
    expect(late.deletes()).toEqual([]);
  });
});

/** The sessions that were ended. */
function deletesOf({ log }: ReturnType<typeof createScriptedFetch>): (string | null)[] {
  return log.filter(({ method }) => method === 'DELETE').map(({ headers }) => headers.get('mcp-session-id'));
}

function hangUntilAborted(request: SentRequest): Promise<Response> {
  return new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')));
  });
}

describe('the stream of server messages', () => {
  const NOTIFIED: readonly (() => Response)[] = [
    () => new Response('Accepted', { status: 202, headers: { 'content-type': 'text/plain' } }),
    () => new Response(null, { status: 200 }),
    () => new Response(null, { status: 204 }),
    () => Response.json(null),
  ];
  const GETS: readonly (() => Response)[] = [
    () => new Response(null, { status: 405 }),
    () => new Response('<h1>no</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
    () => new Response(null, { status: 406 }),
    () => new Response(null, { status: 400 }),
  ];

  it('W126 field-D5 does without a stream, whatever way the server says that there is none', async () => {
    for (const notified of NOTIFIED) {
      for (const get of GETS) {
        const { client, fetch, errors } = await open((request) => {
          if (request.method === 'GET') return get();
          switch (request.rpc) {
            case 'initialize':
              return jsonResult(request, initializeResult());
            case 'tools/list':
              return jsonResult(request, { tools: [] });
            case 'tools/call':
              return jsonResult(request, text('works'));
            default:
              return notified();
          }
        });
        await client.listTools();
        await client.callTool({ name: 'x' });
        await clock.advance(600_000);
        expect(fetch.lines().filter((line) => line === 'GET -')).toHaveLength(1);
        expect(errors).toEqual([]);
        await client.close();
      }
    }
  });

  it('is opened again after the last event, with the wait that the server asked for', async () => {
    let gets = 0;
    const { client, fetch, errors } = await open((request) => {
      if (request.rpc === 'initialize') return jsonResult(request, initializeResult());
      if (request.method !== 'GET') return new Response(null, { status: 202 });
      gets += 1;
      if (gets === 1) return eventStream('retry: 250\nid: e7\ndata:\n\n');
      return hangUntilAborted(request);
    });
    await clock.advance(249);
    expect(gets).toBe(1);
    await clock.advance(1);
    expect(gets).toBe(2);
    expect(fetch.log.at(-1)?.headers.get('last-event-id')).toBe('e7');
    await client.close();
    await clock.advance(600_000);
    expect(gets).toBe(2);
    expect(errors).toEqual([]);
  });

  it('is given up after two tries that bring nothing, and opened again when the server answers', async () => {
    let works = true;
    let gets = 0;
    const { client, errors } = await open((request) => {
      if (request.rpc === 'initialize') return jsonResult(request, initializeResult());
      if (request.rpc === 'ping') return jsonResult(request, {});
      if (request.method !== 'GET') return new Response(null, { status: 202 });
      gets += 1;
      if (!works) throw new TypeError('fetch failed');
      return eventStream(': hello\n\n');
    });
    works = false;
    await clock.advance(60_000);
    expect(gets).toBe(3);
    expect(errors).toMatchObject([{ code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' }]);
    works = true;
    await client.ping();
    await clock.advance(0);
    expect(gets).toBe(4);
    await client.close();
  });

  it('is not asked for at every answer while the server refuses it', async () => {
    let gets = 0;
    const { client } = await open((request) => {
      if (request.rpc === 'initialize') return jsonResult(request, initializeResult());
      if (request.rpc === 'ping') return jsonResult(request, {});
      if (request.method !== 'GET') return new Response(null, { status: 202 });
      gets += 1;
      return new Response(null, { status: 500 });
    });
    await clock.advance(0);
    for (let ping = 0; ping < 10; ping++) await client.ping();
    await clock.advance(0);
    expect(gets).toBe(1);
    await clock.advance(30_000);
    await client.ping();
    await clock.advance(0);
    expect(gets).toBe(2);
    await client.close();
  });

  it('is left alone by the late answer of a handshake whose client has left', async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { client, fetch } = await open(async (request, index) => {
      if (request.rpc === 'initialize') {
        if (index > 0) await held;
        return jsonResult(request, initializeResult(), { 'mcp-session-id': `s${index}` });
      }
      if (request.rpc === 'ping') return jsonError(404, { code: -32001 });
      return new Response(null, { status: request.method === 'GET' ? 500 : 202 });
    });
    await clock.advance(30_000);
    const ping = client.ping();
    await clock.advance(0);
    await Promise.all([client.close(), expect(ping).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })]);
    answer();
    await clock.advance(0);
    expect(fetch.lines().filter((line) => line === 'GET -')).toHaveLength(1);
    // The session that was refused, and the one that came in its place.
    expect(new Set(deletesOf(fetch)).size).toBe(2);
  });
});
