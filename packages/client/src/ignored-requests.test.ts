import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedFetch, jsonResult } from '../../../testing/scripted-fetch.ts';
import { discovered } from '../../../testing/scripted-server.ts';
import { createScriptedTransport } from '../../../testing/scripted-transport.ts';
import { Client } from './client.ts';
import { StreamableHTTPClientTransport } from './http/transport.ts';

const INFO = { name: 'test', version: '1' };
const ASKED = { jsonrpc: '2.0', id: 'server-1', method: 'roots/list' };

function build(): { client: Client; clock: ManualClock; errors: Error[]; runs: () => number } {
  const clock = createManualClock();
  const client = new Client(INFO, {
    clock,
    capabilities: { roots: {} },
    versionNegotiation: { mode: 'auto' },
  });
  let runs = 0;
  client.setRequestHandler('roots/list', () => {
    runs += 1;
    return { roots: [] };
  });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  return { client, clock, errors, runs: () => runs };
}

describe('a request that a modern server writes', () => {
  it('W39 is ignored on a pipe: no handler, no answer, one report each, and calls go on', async () => {
    const transport = createScriptedTransport();
    const { client, clock, errors, runs } = build();
    const connecting = client.connect(transport);
    await clock.advance(0);
    const [probe] = transport.sent as { id: number }[];
    transport.receive({ jsonrpc: '2.0', id: probe?.id, result: discovered() });
    await connecting;
    transport.receive(ASKED);
    transport.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect([transport.sent.length, errors.length, runs()]).toEqual([1, 2, 0]);
    const call = client.callTool({ name: 'x' });
    await clock.advance(0);
    const sent = transport.sent[1] as { id: number };
    transport.receive({ jsonrpc: '2.0', id: sent.id, result: { content: [] } });
    expect(await call).toEqual({ content: [] });
  });

  it('W39 is ignored inside the stream of an answer', async () => {
    const fetch = createScriptedFetch((request) => {
      if (request.rpc === 'server/discover') return jsonResult(request, discovered());
      const answer = {
        jsonrpc: '2.0',
        id: request.body?.id,
        result: { resultType: 'complete', content: [] },
      };
      const events = [ASKED, answer].map((message) => `data: ${JSON.stringify(message)}\n\n`);
      return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
    });
    const { client, errors, runs } = build();
    await client.connect(new StreamableHTTPClientTransport('http://server.test/mcp', { fetch: fetch.fetch }));
    expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
    expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
    expect(fetch.lines()).toEqual(['POST server/discover', 'POST tools/call', 'POST tools/call']);
    expect([errors.length, runs()]).toEqual([2, 0]);
  });
});
