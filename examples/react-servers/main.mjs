// @ts-check
// Runs the application in a window without a screen, against a server on this machine.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { Window } from 'happy-dom';
import { z } from 'zod';

const mcp = new McpServer({ name: 'greeter', version: '1.0.0' });
mcp.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({
  content: [{ type: 'text', text: `Hello, ${name}` }],
}));
const http = createServer(toNodeHandler(createMcpHandler(mcp)));
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const bound = http.address();
assert.ok(bound !== null && typeof bound === 'object');

const window = new Window({ url: 'http://localhost/' });
const { document, navigator, location, localStorage } = window;
Object.assign(globalThis, { window, document, navigator, location, localStorage });
const { createRoot } = await import('react-dom/client');
const { createElement } = await import('react');
const { App } = await import('./app.mjs');

const main = document.createElement('main');
document.body.append(main);
// The window without a screen has types of its own.
const place = /** @type {Element} */ (/** @type {unknown} */ (main));
const servers = { greeter: { url: `http://127.0.0.1:${bound.port}/mcp`, displayName: 'Greeter' } };
const root = createRoot(place);
root.render(createElement(App, { servers }));

/** @param {() => unknown} isTrue */
const until = async (isTrue) => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
};
await until(() => place.querySelector('button'));
const ready = place.textContent;
/** @type {HTMLElement | null} */ (place.querySelector('button'))?.click();
await until(() => place.querySelector('output'));
const greeting = place.querySelector('output')?.textContent;
root.unmount();
http.close();
http.closeAllConnections();

assert.equal(ready, 'Greeter ready, 1 tools Greet');
assert.equal(greeting, 'Hello, Ada');
console.log(`${ready}: ${greeting}`);
await window.happyDOM.close();
