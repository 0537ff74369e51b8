// @ts-check
// A host and a view, without a browser: the view is a few lines that speak the MCP Apps messages.
import assert from 'node:assert/strict';
import { createMemoryTransportPair, createPeer, systemClock } from '@portico/rpc';
import { UI_METHODS, UI_PROTOCOL_VERSION } from '@portico/spec';

const [hostSide, viewSide] = createMemoryTransportPair();
/** @type {import('@portico/spec').Tool[]} */
const tools = [
  { name: 'roll', inputSchema: { type: 'object' } },
  { name: 'cheat', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['model'] } } },
];

// #region bridge
import { PROFILES, createViewBridge } from '@portico/views';

/** @type {string[]} */
const refused = [];
const bridge = createViewBridge({
  transport: hostSide,
  clock: systemClock,
  profile: PROFILES.open,
  hostInfo: { name: 'example', version: '1.0.0' },
  hostContext: { theme: 'dark' },
  tools,
  host: {
    // A real host passes this on to the connector that brought the view.
    serverRequest: async () => ({ result: { content: [{ type: 'text', text: 'a six' }] } }),
    openLink: async (url) => url.startsWith('https://example.com/'),
    onRefusal: ({ ruleId, subject }) => refused.push(`${subject} (${ruleId})`),
  },
});
await bridge.start();
bridge.sendToolInput({ sides: 6 });
bridge.sendToolResult({ content: [{ type: 'text', text: 'a four' }] });
// #endregion

/** @type {string[]} */
const heard = [];
/** Tells the lines below that the view has its result. */
let drawn = () => {};
/** @type {Promise<void>} */
const shown = new Promise((resolve) => {
  drawn = resolve;
});
// #region view
const view = createPeer({
  transport: viewSide,
  clock: systemClock,
  onRequest: () => ({}),
  onNotification: ({ method }) => {
    heard.push(method);
    if (method === UI_METHODS.toolResult) drawn();
  },
});
await view.start();
const host = await view.request(UI_METHODS.initialize, {
  protocolVersion: UI_PROTOCOL_VERSION,
  appInfo: { name: 'dice', version: '1.0.0' },
  appCapabilities: {},
});
await view.notify(UI_METHODS.initialized);
await shown;
// #endregion

const again = await view.request('tools/call', { name: 'roll', arguments: {} });
await assert.rejects(view.request('tools/call', { name: 'cheat', arguments: {} }), { code: -32602 });
const link = await view.request(UI_METHODS.openLink, { url: 'https://example.com/rules' });
await bridge.teardown();

assert.deepEqual(heard, [UI_METHODS.toolInput, UI_METHODS.toolResult]);
assert.deepEqual(again, { content: [{ type: 'text', text: 'a six' }] });
assert.deepEqual(refused, ['cheat (apps-P3)']);
assert.deepEqual(link, {});
assert.equal(bridge.status, 'closed');
assert.match(JSON.stringify(host), /"theme":"dark"/);
console.log(`the view ${bridge.info?.appInfo.name} knows its host: ${JSON.stringify(host)}`);
console.log(`it heard ${heard.join(', ')}; refused: ${refused.join(', ')}`);
