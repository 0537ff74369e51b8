import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Runs in a process of its own, which collects young objects only, and says how many bytes became old. */
const PROGRAM = `
import { getHeapSpaceStatistics } from 'node:v8';
import { McpServer, createMcpHandler } from '@portico/server';
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 's', version: '1' });
  for (let index = 0; index < 50; index++) server.registerTool('tool-' + index, {}, () => ({ content: [] }));
  return server;
});
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool-0', _meta } });
const headers = {
  host: 'localhost',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'tool-0',
};
const call = async () => {
  const request = new Request('http://localhost/', { method: 'POST', headers, body });
  const response = await handler.fetch(request);
  await response.text();
  return response.status;
};
const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
const round = async () => {
  const statuses = await Promise.all(Array.from({ length: 8 }, call));
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc({ type: 'minor' });
  return statuses.every((status) => status === 200);
};
for (let count = 0; count < 10; count++) await round();
globalThis.gc();
const before = oldBytes();
let answered = true;
for (let count = 0; count < 25; count++) answered = (await round()) && answered;
console.log(JSON.stringify({ answered, bytesPerCall: (oldBytes() - before) / 200 }));
`;

describe('servers that are made for one request each', () => {
  it('are gone with the first young collection after it', async () => {
    const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    const { answered, bytesPerCall } = JSON.parse(stdout) as { answered: boolean; bytesPerCall: number };
    expect(answered).toBe(true);
    // The platform carries some 8 KB of each web request; with the server and its tools it would be 27 KB.
    expect(bytesPerCall).toBeLessThan(14 * 1024);
  }, 60_000);
});
