import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { IdleSessions } from './idle-sessions.ts';

/** Runs in a process of its own, which can collect garbage and holds nothing else. */
const PROGRAM = `
import { McpServer, createMcpHandler } from '@portico/server';
const server = new McpServer({ name: 's', version: '1' });
server.registerTool('hello', {}, () => ({ content: [] }));
const handler = createMcpHandler(server, { legacy: 'sessions' });
const headers = { host: 'localhost', 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const send = async (body, session) => {
  const own = session === undefined ? headers : { ...headers, 'mcp-session-id': session };
  const init = { method: 'POST', headers: own, body: JSON.stringify({ jsonrpc: '2.0', ...body }) };
  const response = await handler.fetch(new Request('http://localhost/', init));
  await response.text();
  return response.headers.get('mcp-session-id');
};
const open = async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const id = await send({ id: 1, method: 'initialize', params });
  await send({ method: 'notifications/initialized' }, id);
  return id;
};
const heapBytes = async () => {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
};
const call = (session) => send({ id: 1, method: 'tools/call', params: { name: 'hello' } }, session);
for (let count = 0; count < 500; count++) await open();
const before = await heapBytes();
for (let count = 0; count < 9500; count++) await open();
const session = ((await heapBytes()) - before) / 9500;
await handler.close();
const own = createMcpHandler(server, { legacy: 'sessions' });
for (let count = 0; count < 2000; count++) await call(undefined);
console.log(JSON.stringify({ session, left: (await heapBytes()) - before }));
`;

describe('sessions that nobody uses', () => {
  it('cost less than 3 KB each, 10 000 of them, and nothing once they have ended', async () => {
    const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    const { session, left } = JSON.parse(stdout) as { session: number; left: number };
    expect(session).toBeLessThan(3 * 1024);
    expect(left).toBeLessThan(1024 * 1024);
  }, 240_000);

  it('end when their time is over, the oldest first, unless they are kept', async () => {
    const clock = createManualClock();
    const expired: string[] = [];
    const busy = new Set(['b']);
    const sessions = new IdleSessions<string>(clock, 1000, (session) => {
      if (busy.has(session)) return false;
      expired.push(session);
      return true;
    });
    for (const name of ['a', 'b', 'c']) {
      sessions.add(name, name);
      await clock.advance(100);
    }
    sessions.touch('a');
    await clock.advance(899);
    expect([expired, clock.armed]).toEqual([[], 1]);
    await clock.advance(51);
    expect(expired).toEqual(['c']);
    await clock.advance(200);
    expect(expired).toEqual(['c', 'a']);
    busy.clear();
    await clock.advance(2000);
    expect([expired, sessions.size, clock.armed]).toEqual([['c', 'a', 'b'], 0, 0]);
  });
});
