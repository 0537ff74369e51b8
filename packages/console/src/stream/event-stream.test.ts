import type { HostEvent } from '@portico/api';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { Fetch } from '../api/request.ts';
import { LONGEST_RETRY_MS, SILENCE_MS, createEventStream } from './event-stream.ts';
import type { StreamStatus } from './event-stream.ts';

interface Connection {
  readonly lastEventId: string | null;
  send(text: string): void;
  end(): void;
  readonly aborted: boolean;
}

function setUp(answers: readonly (number | 'refuse')[] = []) {
  const clock = createManualClock();
  const connections: Connection[] = [];
  const statuses: StreamStatus[] = [];
  const events: { event: HostEvent; seq: number | undefined }[] = [];
  let seq = 5;
  const fetch: Fetch = async (_url, init) => {
    const answer = answers[connections.length] ?? 200;
    let controller: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
    init?.signal?.addEventListener('abort', () => {
      try {
        controller.error(new Error('aborted'));
      } catch {
        // Already over.
      }
    });
    connections.push({
      lastEventId: new Headers(init?.headers).get('last-event-id'),
      send: (text) => controller.enqueue(new TextEncoder().encode(text)),
      end: () => controller.close(),
      get aborted() {
        return init?.signal?.aborted === true;
      },
    });
    if (answer === 'refuse') throw new TypeError('refused');
    return new Response(answer === 200 ? body : null, { status: answer });
  };
  const stream = createEventStream({
    fetch,
    clock,
    url: '/api/events',
    random: () => 0.5,
    after: () => seq,
    onEvent: (event, number) => {
      events.push({ event, seq: number });
      seq = number ?? seq;
    },
    onStatus: (status) => statuses.push(status),
  });
  stream.start();
  return { clock, connections, statuses, events, stream };
}

const removed = (id: string): HostEvent => ({ type: 'artifact.removed', artifactId: id });

describe('event stream', () => {
  it('hands on numbered events and skips lines that are no events', async () => {
    const { clock, connections, events, statuses } = setUp();
    await clock.advance(0);
    connections[0]?.send(
      `id: 6\ndata: ${JSON.stringify(removed('a'))}\n\nid: 7\ndata: not json\n\n: alive\n\n`,
    );
    await clock.advance(0);
    expect(events).toEqual([{ event: removed('a'), seq: 6 }]);
    expect(statuses).toEqual(['connecting', 'live']);
  });

  it('resumes after the last event that arrived', async () => {
    const { clock, connections } = setUp();
    await clock.advance(0);
    connections[0]?.send(`id: 9\ndata: ${JSON.stringify(removed('a'))}\n\n`);
    await clock.advance(0);
    connections[0]?.end();
    await clock.advance(1_000);
    expect(connections.map(({ lastEventId }) => lastEventId)).toEqual(['5', '9']);
  });

  it('waits longer after each failure, up to the longest wait, and starts over after success', async () => {
    const { clock, connections, statuses } = setUp([
      'refuse',
      503,
      'refuse',
      'refuse',
      'refuse',
      'refuse',
      'refuse',
      200,
    ]);
    const waits: number[] = [];
    for (let count = 2; count <= 8; count++) {
      let waited = 0;
      while (connections.length < count) {
        await clock.advance(500);
        waited += 500;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, LONGEST_RETRY_MS, LONGEST_RETRY_MS]);
    expect(statuses.at(-1)).toBe('live');
    connections[7]?.end();
    await clock.advance(1_000);
    expect(connections).toHaveLength(9);
  });

  it('takes silence for a loss, while comments keep it alive', async () => {
    const { clock, connections, statuses } = setUp();
    await clock.advance(SILENCE_MS - 1);
    connections[0]?.send(': alive\n\n');
    await clock.advance(SILENCE_MS - 1);
    expect(statuses).toEqual(['connecting', 'live']);
    await clock.advance(2);
    expect(statuses).toEqual(['connecting', 'live', 'lost']);
    expect(connections[0]?.aborted).toBe(true);
  });

  it('does not retry without a session', async () => {
    const { clock, connections, statuses } = setUp([401]);
    await clock.advance(60_000);
    expect(connections).toHaveLength(1);
    expect(statuses.at(-1)).toBe('no_session');
  });

  it('tries at once when asked to, and never after it was closed', async () => {
    const { clock, connections, stream } = setUp(['refuse']);
    await clock.advance(0);
    stream.retryNow();
    await clock.advance(0);
    expect(connections).toHaveLength(2);
    stream.close();
    await clock.advance(120_000);
    expect(connections).toHaveLength(2);
    expect(clock.armed).toBe(0);
  });
});
