// @ts-check
// A tool whose work outlives the request: the client watches the task and gets the result at its end.
import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@portico/client';
// #region server
import { McpServer } from '@portico/server';

const server = new McpServer({ name: 'printer', version: '1.0.0' }, { tasks: { pollIntervalMs: 250 } });
server.registerTool('print', { description: 'Prints the whole catalogue' }, async (ctx) => {
  const print = async () => ({ content: [{ type: /** @type {const} */ ('text'), text: '3 pages' }] });
  if (ctx.tasks?.isSupported !== true) return print();
  return ctx.tasks.start(async (task) => {
    await task.describe('warming up');
    return print();
  });
});
// #endregion

// #region client
const client = new Client(
  { name: 'example', version: '1.0.0' },
  {
    versionNegotiation: { mode: 'auto' },
    capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  },
);
// #endregion

const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);
const { content } = await client.callTool({ name: 'print' });
assert.deepEqual(content, [{ type: 'text', text: '3 pages' }]);
await client.close();
await server.close();
console.log('the task ended and its result came as that of an ordinary call');
