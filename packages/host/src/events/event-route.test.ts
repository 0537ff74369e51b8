import type { HostEvent } from '@portico/api';
import { hostEventSchema } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHttp } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';

interface Received {
  readonly id: number;
  readonly event: HostEvent;
}

describe('the event stream over HTTP', () => {
  let running: InProcessHost;
  beforeAll(async () => {
    running = await startInProcessHost();
    for (let index = 0; index < 5; index++) await running.newConversation();
  });
  afterAll(() => running.close());

  async function receive(
    count: number,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<Received[]> {
    const stream = await openHttp(`${running.origin}/api/events${query}`, {
      headers: { cookie: running.cookie, ...headers },
    });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    const received: Received[] = [];
    let text = '';
    for await (const chunk of stream) {
      text += (chunk as Buffer).toString('utf8');
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
        if (data !== undefined)
          received.push({ id: Number(id), event: hostEventSchema.parse(JSON.parse(data)) });
      }
      if (received.length >= count) break;
    }
    return received.slice(0, count);
  }

  it('every event is of the agreed form, and a cut anywhere goes on with the next one', async () => {
    const { seq } = await running.bootstrap();
    const whole = await receive(seq, {}, '?after=0');
    expect(whole.map(({ id }) => id)).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
    for (const cut of [1, Math.floor(seq / 2), seq - 1]) {
      const rest = await receive(seq - cut, { 'last-event-id': String(cut) }, '?after=0');
      expect(rest).toEqual(whole.slice(cut));
    }
  });

  it('a change reaches every open stream under the same number', async () => {
    const { seq } = await running.bootstrap();
    const streams = [receive(1, {}, `?after=${seq}`), receive(1, { 'last-event-id': String(seq) })];
    const { id } = await running.newConversation();
    const [left, right] = await Promise.all(streams);
    expect(left).toEqual(right);
    expect(left).toMatchObject([
      { id: seq + 1, event: { type: 'conversation.changed', conversation: { id } } },
    ]);
  });

  it.each(['-1', 'x', '1.5', '9'.repeat(16)])('refuses the number %j', async (after) => {
    expect((await running.request('GET', `/api/events?after=${after}`)).status).toBe(400);
  });

  it('a number from the future is told to load again', async () => {
    expect(await receive(1, { 'last-event-id': '999999' })).toMatchObject([{ event: { type: 'resync' } }]);
  });
});
