// @ts-check
// Two servers as one observable state. One is down at first and comes back by itself.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
// #region connections
import { createConnections } from '@portico/connections';
import { openServer } from '@portico/connections/node';
import { systemClock } from '@portico/rpc';

/** @type {import('@portico/connections').Connections<import('@portico/connections/node').ServerAddress>} */
const connections = createConnections({
  clock: systemClock,
  clientInfo: { name: 'example', version: '1.0.0' },
  createTransport: (_id, address) => openServer(address),
});
// #endregion

const mcp = new McpServer({ name: 'greeter', version: '1.0.0' });
mcp.registerTool('greet', { description: 'Says hello' }, () => ({
  content: [{ type: 'text', text: 'Hello' }],
}));
const handle = toNodeHandler(createMcpHandler(mcp));
let down = true;
const http = createServer((request, response) => {
  if (down) response.writeHead(503).end();
  else void handle(request, response);
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const bound = http.address();
assert.ok(bound !== null && typeof bound === 'object');
const url = `http://127.0.0.1:${bound.port}/mcp`;
const program = fileURLToPath(new URL('../tool-server/server.mjs', import.meta.url));

// #region subscribe
/** @type {string[]} */
const seen = [];
connections.subscribe(() => {
  for (const { id, status, tools } of connections.getSnapshot().values()) {
    const line = `${id} ${status}, ${tools.length} tool(s)`;
    if (!seen.includes(line)) seen.push(line);
  }
});
connections.add('adder', { kind: 'stdio', command: process.execPath, args: [program] });
connections.add('greeter', { kind: 'http', url });
// #endregion

/**
 * The state as soon as the connection has this status.
 * @param {string} id
 * @param {import('@portico/connections').ConnectionStatus} status
 * @returns {Promise<import('@portico/connections').ConnectionState>}
 */
function when(id, status) {
  return new Promise((resolve) => {
    const check = () => {
      const state = connections.get(id);
      if (state?.status !== status) return;
      stop();
      resolve(state);
    };
    const stop = connections.subscribeTo(id, check);
    check();
  });
}

await when('adder', 'ready');
const failed = await when('greeter', 'failed');
assert.equal(failed.error?.httpStatus, 503);
down = false;
await when('greeter', 'ready');

// #region call
const sum = await connections.callTool('adder', { name: 'add', arguments: { a: 1, b: 2 } });
const greeting = await connections.callTool('greeter', { name: 'greet' });
await connections.close();
// #endregion
http.close();

assert.deepEqual(sum.structuredContent, { sum: 3 });
assert.deepEqual(greeting.content, [{ type: 'text', text: 'Hello' }]);
for (const line of seen) console.log(line);
