import { afterEach, describe, expect, it } from 'vitest';
import { openHttpPeer } from '../../../../testing/http-peer.ts';
import type { HttpPeer } from '../../../../testing/http-peer.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { eventStream } from '../../../../testing/scripted-fetch.ts';
import type { FetchScript, SentRequest } from '../../../../testing/scripted-fetch.ts';
import type { StreamableHTTPClientTransportOptions } from './transport.ts';

const clock = createManualClock();
const peers: HttpPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map(({ client }) => client.close()));
});

const OK = { content: [{ type: 'text', text: 'late' }] };
const answerTo = (id: unknown): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: OK })}\n\n`;

function hang(request: SentRequest): Promise<Response> {
  return new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')));
  });
}

/** Times at which the client asked for a stream, in milliseconds since the test began. */
interface Gets extends HttpPeer {
  readonly gets: { readonly atMs: number; readonly lastEventId: string | null }[];
}

async function open(
  onGet: (request: SentRequest, index: number) => Response | Promise<Response>,
  onPost: FetchScript = () => new Response(null, { status: 202 }),
  transport: StreamableHTTPClientTransportOptions = {},
): Promise<Gets> {
  const startMs = clock.now();
  const gets: Gets['gets'] = [];
  const peer = await openHttpPeer(
    'legacy',
    (request, index) => {
      if (request.method !== 'GET') return onPost(request, index);
      gets.push({ atMs: clock.now() - startMs, lastEventId: request.headers.get('last-event-id') });
      return onGet(request, gets.length - 1);
    },
    { clock, transport },
  );
  peers.push(peer);
  return { ...peer, gets };
}

const broken = (): Response => {
  throw new TypeError('fetch failed');
};

describe('the stream of server messages that drops', () => {
  it('W127 is opened again with the last id after growing waits, twice, and then given up', async () => {
    const opened = await open((_request, index) =>
      index === 0 ? eventStream('id: e7\ndata:\n\n') : broken(),
    );
    await clock.advance(600_000);
    expect(opened.gets).toEqual([
      { atMs: 0, lastEventId: null },
      { atMs: 1_000, lastEventId: 'e7' },
      { atMs: 2_500, lastEventId: 'e7' },
    ]);
    expect(opened.errors).toMatchObject([{ code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' }]);
  });

  it('W257 is opened by the clock when the scheduler of the user throws, and closes although it cannot call off', async () => {
    const fail = (): never => {
      throw new RangeError('scheduler');
    };
    const throwing = await open(
      (_request, index) => (index === 0 ? eventStream('id: e7\ndata:\n\n') : broken()),
      undefined,
      { reconnectionScheduler: fail },
    );
    await clock.advance(600_000);
    expect(throwing.gets.map(({ atMs }) => atMs)).toEqual([0, 1_000, 2_500]);

    const stuck = await open(
      (_request, index) => (index === 0 ? eventStream('id: e7\ndata:\n\n') : broken()),
      undefined,
      { reconnectionScheduler: () => fail },
    );
    await clock.advance(600_000);
    await stuck.client.close();
    expect([stuck.gets.length, stuck.client.transport]).toEqual([1, undefined]);
  });

  it('W127 waits as the server asks, and never longer than thirty seconds of its own accord', async () => {
    const asked = await open((request, index) =>
      index === 0 ? eventStream('retry: 45000\nid: 1\ndata:\n\n') : hang(request),
    );
    await clock.advance(44_999);
    expect(asked.gets).toHaveLength(1);
    await clock.advance(1);
    expect(asked.gets).toHaveLength(2);

    const patient = await open(
      (_request, index) =>
        index === 0 ? eventStream('id: 1\ndata:\n\n') : new Response(null, { status: 503 }),
      undefined,
      { reconnectionOptions: { maxRetries: 12 } },
    );
    await clock.advance(600_000);
    const waits = patient.gets.slice(1).map(({ atMs }, index) => atMs - (patient.gets[index]?.atMs ?? 0));
    expect(waits.slice(0, 4)).toEqual([1_000, 1_500, 2_250, 3_375]);
    expect(waits.slice(-3)).toEqual([30_000, 30_000, 30_000]);
    expect(waits).toHaveLength(12);
  });

  it('W127 counts anew after a connection that brought something', async () => {
    const opened = await open((request, index) => {
      if (index >= 6) return hang(request);
      return index % 2 === 0 ? eventStream(`id: ${String(index)}\ndata:\n\n`) : broken();
    });
    await clock.advance(60_000);
    expect(opened.gets.map(({ lastEventId }) => lastEventId)).toEqual([null, '0', '0', '2', '2', '4', '4']);
    expect(opened.errors).toEqual([]);
  });

  it('W127 stays closed after the end of the connection, also when a try was planned', async () => {
    const opened = await open(() => eventStream('id: 1\ndata:\n\n'));
    await clock.advance(999);
    expect(opened.gets).toHaveLength(1);
    await opened.client.close();
    await clock.advance(600_000);
    expect(opened.gets).toHaveLength(1);
    expect(opened.errors).toEqual([]);
    expect(clock.armed).toBe(0);
  });

  it('W127 is opened by a scheduler in place of the timer, which can be called off', async () => {
    const planned: { readonly delay: number; readonly attempt: number; readonly go: () => void }[] = [];
    let calledOff = 0;
    const opened = await open(
      (_request, index) => (index === 0 ? eventStream('retry: 700\nid: 1\ndata:\n\n') : broken()),
      undefined,
      {
        reconnectionScheduler: (go, delay, attempt) => {
          planned.push({ go, delay, attempt });
          return () => (calledOff += 1);
        },
      },
    );
    await clock.advance(600_000);
    expect(planned).toMatchObject([{ delay: 700, attempt: 0 }]);
    expect(opened.gets).toHaveLength(1);
    planned[0]?.go();
    await clock.advance(0);
    expect(opened.gets).toHaveLength(2);
    expect(planned).toMatchObject([{ attempt: 0 }, { attempt: 1 }]);
    await opened.client.close();
    expect(calledOff).toBe(1);
    planned[1]?.go();
    await clock.advance(0);
    expect(opened.gets).toHaveLength(2);
  });
});

describe('the stream of a legacy call that drops', () => {
  it('W127 is taken up with the last id until the answer is there, and not afterwards', async () => {
    let id: unknown;
    const opened = await open(
      (_request, index) => {
        if (index === 0) return new Response(null, { status: 405 });
        return index === 1 ? eventStream('id: e2\ndata:\n\n') : eventStream(`id: e3\n${answerTo(id)}`);
      },
      (request) => {
        id = request.body?.id;
        return eventStream('id: e1\ndata:\n\n');
      },
    );
    const call = opened.client.callTool({ name: 'x' });
    await clock.advance(2_000);
    expect(await call).toMatchObject(OK);
    await clock.advance(600_000);
    expect(opened.gets.slice(1).map(({ lastEventId }) => lastEventId)).toEqual(['e1', 'e2']);
    expect(opened.errors).toEqual([]);
  });

  it('W127 fails its call and is reported after two tries', async () => {
    const opened = await open(
      (_request, index) => (index === 0 ? new Response(null, { status: 405 }) : broken()),
      () => eventStream('id: e1\ndata:\n\n'),
    );
    const outcome = opened.client.callTool({ name: 'x' }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await outcome).toMatchObject({ code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' });
    expect(opened.errors).toMatchObject([{ code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' }]);
    expect(opened.gets).toHaveLength(3);
  });

  it('W127 is not taken up without an event id, nor after the call was given up', async () => {
    const opened = await open(
      () => new Response(null, { status: 405 }),
      (request) =>
        request.rpc === 'tools/call'
          ? eventStream(JSON.stringify(request.body).includes('"bare"') ? ': hi\n\n' : 'id: e1\ndata:\n\n')
          : new Response(null, { status: 202 }),
    );
    await expect(opened.client.callTool({ name: 'bare' })).rejects.toMatchObject({
      code: 'CONNECTION_CLOSED',
    });
    const leave = new AbortController();
    const call = opened.client.callTool({ name: 'x' }, { signal: leave.signal });
    const outcome = call.catch((error: unknown) => error);
    await clock.advance(0);
    leave.abort();
    expect(await outcome).toMatchObject({ code: 'REQUEST_ABORTED' });
    await clock.advance(600_000);
    expect(opened.gets).toHaveLength(1);
  });
});
