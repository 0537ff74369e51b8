import { afterEach, describe, expect, it } from 'vitest';
import { openHttpPeer } from '../../../../testing/http-peer.ts';
import type { HttpPeer } from '../../../../testing/http-peer.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { eventStream, jsonResult } from '../../../../testing/scripted-fetch.ts';
import type { SentRequest } from '../../../../testing/scripted-fetch.ts';

const clock = createManualClock();
const peers: HttpPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map(({ client }) => client.close()));
});

const cutStream = (): Response => eventStream('id: e1\nretry: 100\ndata:\n\n');
const cutBody = (): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc"')),
      pull: (controller) => controller.error(new TypeError('terminated')),
    }),
    { headers: { 'content-type': 'application/json' } },
  );

/** A modern server whose first answers to everything but the probe are cut. */
async function open(cut: () => Response, cuts: number): Promise<HttpPeer> {
  let answered = 0;
  const peer = await openHttpPeer(
    'modern',
    (request: SentRequest) => {
      answered += 1;
      return answered <= cuts ? cut() : jsonResult(request, RESULTS[request.rpc] ?? {});
    },
    { clock },
  );
  peers.push(peer);
  return peer;
}

const RESULTS: Readonly<Record<string, Record<string, unknown>>> = {
  'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} },
  'tools/list': { resultType: 'complete', tools: [] },
  'resources/list': { resultType: 'complete', resources: [] },
  'resources/templates/list': { resultType: 'complete', resourceTemplates: [] },
  'resources/read': { resultType: 'complete', contents: [] },
  'prompts/list': { resultType: 'complete', prompts: [] },
  'prompts/get': { resultType: 'complete', messages: [] },
  'completion/complete': { resultType: 'complete', completion: { values: [] } },
  'tools/call': { resultType: 'complete', content: [] },
};
const REPEATED = Object.keys(RESULTS).filter((method) => method !== 'tools/call');

describe.each([
  ['event stream', cutStream],
  ['JSON body', cutBody],
])('a modern answer whose %s is cut', (_name, cut) => {
  it.each(REPEATED)('W137 is asked for once more, under a new id: %s', async (method) => {
    const peer = await open(cut, 1);
    expect(await peer.client.invoke(method, {})).toBeDefined();
    expect(peer.server.lines().slice(1)).toEqual([`POST ${method}`, `POST ${method}`]);
    const ids = peer.server.log.slice(1).map(({ body }) => body?.id);
    expect(ids[0]).not.toBe(ids[1]);
    await clock.advance(600_000);
    expect(peer.server.log).toHaveLength(3);
    expect(peer.server.log.some(({ headers }) => headers.has('last-event-id'))).toBe(false);

    const twice = await open(cut, 2);
    await expect(twice.client.invoke(method, {})).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(twice.server.log).toHaveLength(3);
  });

  it.each(['tools/call', 'tasks/update'])(
    'W137 fails its call and is asked for by nobody: %s',
    async (method) => {
      const peer = await open(cut, 1);
      const params = { name: 'x', taskId: 'x' };
      await expect(peer.client.invoke(method, params)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
      await clock.advance(600_000);
      expect(peer.server.lines().slice(1)).toEqual([`POST ${method}`]);
      // The connection goes on.
      expect(await peer.client.invoke('tools/list', {})).toBeDefined();
    },
  );
});
