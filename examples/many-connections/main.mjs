// Two servers as one observable state; one of them cannot be reached.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
// #region connections
import { createConnections } from '@portico/connections';
import { openServer } from '@portico/connections/node';
import { systemClock } from '@portico/rpc';

const connections = createConnections({
  clock: systemClock,
  clientInfo: { name: 'example', version: '1.0.0' },
  createTransport: (_id, definition) => openServer(definition, { clock: systemClock }),
});

const seen = [];
connections.subscribe(() => {
  for (const { id, status } of connections.getSnapshot().values()) seen.push(`${id} ${status}`);
});
// #endregion

const server = fileURLToPath(new URL('../tool-server/server.mjs', import.meta.url));
connections.add('adder', {
  kind: 'stdio',
  command: process.execPath,
  args: [server],
  env: {},
  cwd: process.cwd(),
});
connections.add('nobody', { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} });
await Promise.allSettled([connections.connect('adder'), connections.connect('nobody')]);

const result = await connections.callTool('adder', { name: 'add', arguments: { a: 1, b: 2 } });
assert.deepEqual(result.structuredContent, { sum: 3 });
assert.ok(seen.includes('adder ready'));
const nobody = connections.get('nobody');
assert.notEqual(nobody?.status, 'ready');
console.log(`adder answered ${result.structuredContent.sum}; nobody is ${nobody?.status}`);
await connections.close();
