// @ts-check
// A list of managed servers, drawn with nothing but the DOM: each row follows one server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { Window } from 'happy-dom';

const mcp = new McpServer({ name: 'greeter', version: '1.0.0' });
mcp.registerTool('greet', { description: 'Says hello' }, () => ({
  content: [{ type: 'text', text: 'Hello' }],
}));
const http = createServer(toNodeHandler(createMcpHandler(mcp)));
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const bound = http.address();
assert.ok(bound !== null && typeof bound === 'object');
const address = `http://127.0.0.1:${bound.port}/mcp`;
const { document } = new Window();

// #region manager
import { createLocalEnvironment, createServerManager } from '@portico/connections/manager';
import { systemClock } from '@portico/rpc';

const manager = createServerManager({
  environment: createLocalEnvironment({
    clock: systemClock,
    fetch: (target, init) => fetch(target, init),
    randomId: () => crypto.randomUUID(),
  }),
});
const letGo = manager.retain();
// #endregion

// #region rows
/** @param {string} id */
function createRow(id) {
  const row = document.createElement('li');
  const reader = manager.reader(id);
  const draw = () => {
    const server = reader.read();
    if (server === undefined) return row.remove();
    const problem = server.error === undefined ? '' : ` (${server.error})`;
    row.textContent = `${server.displayName ?? server.name}: ${server.state}${problem}`;
  };
  manager.subscribeTo(id, draw);
  draw();
  return row;
}

manager.addServer('greeter', { url: address, displayName: 'Greeter' });
manager.addServer('nobody', { url: 'http://127.0.0.1:9/mcp', autoReconnect: false });
const list = document.createElement('ul');
list.append(...manager.ids().map(createRow));
// #endregion

const texts = () => [...list.children].map((row) => row.textContent);
const drawn = texts();

// #region wait
/** @param {string} id */
const settled = (id) =>
  new Promise((resolve) => {
    const stop = manager.subscribeTo(id, () => {
      if (manager.getServer(id)?.state === 'discovering') return;
      stop();
      resolve(undefined);
    });
  });
// #endregion
await Promise.all([settled('greeter'), settled('nobody')]);

// #region call
const result = await manager.getServer('greeter')?.callTool('greet');
// #endregion
const [greeter, nobody] = texts();
letGo();
await manager.close();
http.close();
http.closeAllConnections();

assert.deepEqual(drawn, ['Greeter: discovering', ': discovering']);
assert.equal(greeter, 'Greeter: ready');
assert.match(String(nobody), /^: failed \(.+\)$/);
assert.deepEqual(result?.content, [{ type: 'text', text: 'Hello' }]);
console.log(`${greeter}; ${nobody}`);
