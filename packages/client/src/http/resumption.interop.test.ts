import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { createHttpPool } from '../node/http-pool.ts';
import { StreamableHTTPClientTransport } from './transport.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Replays in the order of storing; the store that comes with the official package mixes events of one millisecond. */
class OrderedEventStore implements EventStore {
  readonly #events: { streamId: string; message: JSONRPCMessage }[] = [];

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#events.push({ streamId, message });
    return Promise.resolve(String(this.#events.length));
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events[Number(lastEventId) - 1]?.streamId ?? '';
    for (const [index, event] of this.#events.entries()) {
      if (index < Number(lastEventId) || event.streamId !== streamId) continue;
      await send(String(index + 1), event.message);
    }
    return streamId;
  }
}

/** An official server of the 1.x line whose one tool reports progress, waits to be let go, and answers. */
async function serve(): Promise<{ url: URL; http: Server; letGo: () => void }> {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const server = new McpServer({ name: 'official', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('slow', {}, async (extra) => {
    const progressToken = extra._meta?.progressToken ?? 'none';
    const tell = async (progress: number): Promise<void> => {
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
      await extra.sendNotification({
        method: 'notifications/message',
        params: { level: 'info', data: `step ${String(progress)}` },
      });
    };
    await tell(1);
    await gate;
    await tell(2);
    return { content: [{ type: 'text', text: 'done' }] };
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => 'the-session',
    eventStore: new OrderedEventStore(),
  });
  await server.connect(transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const { port } = http.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${String(port)}/mcp`), http, letGo: () => letGo() };
}

describe.each([
  ['fetch', () => ({})],
  ['a pool', () => ({ http: createHttpPool() })],
])('a call that outlives its client, over %s', (_name, how) => {
  it('W128 goes on in another one of the same session, by its token', async () => {
    const { url, http, letGo } = await serve();
    const first = new Client({ name: 'first', version: '1' });
    const transport = new StreamableHTTPClientTransport(url, how());
    await first.connect(transport);
    const { sessionId, protocolVersion } = transport;
    expect(sessionId).toBe('the-session');
    const tokens: string[] = [];
    let told: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (told = resolve));
    const lost = first
      .callTool(
        { name: 'slow' },
        { onresumptiontoken: (token) => tokens.push(token), onprogress: () => told() },
      )
      .catch((error: unknown) => error);
    await begun;
    expect(tokens.length).toBeGreaterThan(0);
    expect(new Set(tokens).size).toBe(tokens.length);
    // The process dies: its connections with it, and nobody ends the session.
    transport.sessionId = undefined;
    http.closeAllConnections();
    await first.close();
    expect(await lost).toMatchObject({ code: 'CONNECTION_CLOSED' });
    letGo();

    const second = new Client({ name: 'second', version: '1' });
    cleanUps.push(() => second.close());
    await second.connect(
      new StreamableHTTPClientTransport(url, {
        ...how(),
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(protocolVersion === undefined ? {} : { protocolVersion }),
      }),
    );
    const progress: number[] = [];
    const logged: unknown[] = [];
    second.setNotificationHandler(
      'notifications/message',
      ({ params }) => void logged.push(params?.['data']),
    );
    const more: string[] = [];
    const result = await second.callTool(
      { name: 'slow' },
      {
        resumptionToken: tokens.at(-1),
        onresumptiontoken: (token) => more.push(token),
        onprogress: (report) => progress.push(report.progress),
      },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(progress).toEqual([2]);
    expect(logged).toContain('step 2');
    expect(more.length).toBeGreaterThan(0);
    expect(more.some((token) => tokens.includes(token))).toBe(false);
  });
});
