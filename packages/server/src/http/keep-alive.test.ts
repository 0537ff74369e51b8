import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { HOSTINGS, hostSessions } from '../../../../testing/hosted-sessions.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { httpRequest, post } from '../../../../testing/mcp-http.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { type RawEvent, rawEvents } from '../../../../testing/raw-events.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { createMcpHandler } from './create-mcp-handler.ts';
import { SseSession } from './sse-session.ts';

const INFO = { name: 'keep-alive', version: '1' };
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };

function make(): McpServer {
  const server = new McpServer(INFO, { capabilities: { tools: {} } });
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    mcpReq.progress({ progress: 1 });
    await new Promise<void>((resolve) => {
      mcpReq.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return { content: [] };
  });
  return server;
}

/** Collects what a stream says, in the background. */
function collect(response: Response): RawEvent[] {
  const events: RawEvent[] = [];
  void (async () => {
    for await (const event of rawEvents(response)) events.push(event);
  })();
  return events;
}

const HEADERS = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['x-accel-buffering', 'no'],
];
const headersOf = ({ headers }: Response): unknown =>
  HEADERS.map(([name]) => [name, headers.get(name ?? '')]);

describe('open event streams', () => {
  it('W100 of either era carry a comment each 15 s, no longer than they are open, and the headers for proxies', async () => {
    const clock = createManualClock();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern({ name: 'wait' }) };
    const listen = {
      jsonrpc: '2.0',
      id: 's',
      method: 'subscriptions/listen',
      params: modern({ notifications: { toolsListChanged: true } }),
    };
    const streams: Response[] = [];
    const handler = createMcpHandler(make(), { clock, responseMode: 'sse' });
    streams.push(await handler.fetch(httpRequest(body)), await handler.fetch(httpRequest(listen)));
    const legacy = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } };
    streams.push(await handler.fetch(httpRequest(legacy)));
    const enders: (() => Promise<unknown>)[] = [() => handler.close()];
    for (const hosting of HOSTINGS) {
      const hosted = hostSessions(hosting, make, { clock });
      const opened = await post(hosted, { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening });
      const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
      streams.push(await hosted.fetch(httpRequest('', { method: 'GET', headers })));
      streams.push(await hosted.fetch(httpRequest(legacy, { headers })));
      enders.push(() => post(hosted, '', { method: 'DELETE', headers }));
    }
    const sse = new SseSession('/messages', { clock });
    await make().connect(sse);
    streams.push(await sse.handleRequest(httpRequest('', { method: 'GET' })));
    enders.push(() => sse.close());
    for (const stream of streams) expect(headersOf(stream)).toEqual(HEADERS);
    const seen = streams.map(collect);
    await clock.advance(0);
    const before = seen.map((events) => events.filter(({ data }) => data !== undefined).length);
    await clock.advance(60_000);
    for (const events of seen) expect(events.filter(({ comment }) => comment !== undefined)).toHaveLength(4);
    expect(seen.map((events) => events.filter(({ data }) => data !== undefined).length)).toEqual(before);
    for (const end of enders) await end();
    await clock.advance(0);
    const after = seen.map((events) => events.length);
    await clock.advance(60_000);
    expect(seen.map((events) => events.length)).toEqual(after);

    const silent = createMcpHandler(make(), { clock, responseMode: 'sse', keepAliveMs: 0 });
    const quiet = collect(await silent.fetch(httpRequest(body)));
    await clock.advance(60_000);
    expect(quiet).toEqual([]);

    // A process whose only business is an open stream can end.
    const program = `
      import { McpServer, createMcpHandler } from '@portico/server';
      const server = new McpServer({ name: 's', version: '1' }, { capabilities: { tools: {} } });
      const handler = createMcpHandler(server, { keepAliveMs: 1000 });
      const headers = { host: 'localhost', 'content-type': 'application/json', accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
      const response = await handler.fetch(new Request('http://localhost/', { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(listen))} }));
      await response.body.getReader().read();
      console.log(response.status);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, printed.trim()]).toEqual([0, '200']);
  });
});
