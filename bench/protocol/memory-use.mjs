// Memory rows, each in a process with `--expose-gc`.
import { Client, InMemoryTransport } from '@portico/client';
import { McpServer, createMcpHandler } from '@portico/server';
import { ARGUMENTS, INFO, register } from './tools.mjs';

const SESSIONS = 10_000;
const CALLS = 10_000;

function heap() {
  for (let turn = 0; turn < 4; turn++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Bytes of heap that one legacy session holds while nobody uses it. */
async function idleSession() {
  const server = register(new McpServer(INFO), 1);
  const handler = createMcpHandler(server, { legacy: 'sessions', sessions: { maxSessions: SESSIONS + 100 } });
  const headers = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (message, sessionId) => {
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: sessionId === null ? headers : { ...headers, 'mcp-session-id': sessionId },
        body: JSON.stringify(message),
      }),
    );
    await response.text();
    return response.headers.get('mcp-session-id');
  };
  const open = async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
    const id = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, null);
    if (id === null) throw new TypeError('no session');
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, id);
  };
  for (let count = 0; count < 100; count++) await open();
  await turns();
  const before = heap();
  for (let count = 0; count < SESSIONS; count++) await open();
  await turns();
  const bytes = Math.round((heap() - before) / SESSIONS);
  await handler.close();
  return {
    bench: 'idle legacy session',
    ours: bytes,
    peer: null,
    floor: null,
    unit: 'bytes of heap each, of 10,000; less is better',
  };
}

/** What stays on the heap of both ends after many calls one after the other. */
async function heapAfterCalls() {
  const [a, b] = InMemoryTransport.createLinkedPair();
  const server = register(new McpServer(INFO), 1);
  await server.connect(b);
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(a);
  const calls = async (count) => {
    for (let made = 0; made < count; made++) await client.callTool({ name: 'echo', arguments: ARGUMENTS });
  };
  await calls(2 * CALLS);
  await turns();
  const before = heap();
  await calls(CALLS);
  await turns();
  const grown = heap() - before;
  await client.close();
  return {
    bench: 'heap after 10,000 calls',
    ours: Number((grown / CALLS).toFixed(2)),
    peer: null,
    floor: null,
    unit: 'bytes of heap a call that stay after gc; less is better',
  };
}

const NAMED = { 'idle legacy session': idleSession, 'heap after 10,000 calls': heapAfterCalls };
process.send?.(await NAMED[process.argv[2]]());
process.disconnect?.();
