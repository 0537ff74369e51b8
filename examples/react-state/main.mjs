// @ts-check
// A component that shows the state of connections, drawn to text so that no browser is needed.
import assert from 'node:assert/strict';
import { createConnections } from '@portico/connections';
import { createMemoryTransportPair, systemClock } from '@portico/rpc';
import { McpServer } from '@portico/server';
import { renderToString } from 'react-dom/server';
// #region component
import { useConnections } from '@portico/react/observe';
import { createElement } from 'react';

/** @param {{ store: import('@portico/connections').Connections }} props */
function ReadyCount({ store }) {
  const ready = useConnections(
    store,
    (states) => [...states.values()].filter(({ status }) => status === 'ready').length,
  );
  return createElement('output', null, `${ready} ready`);
}
// #endregion

// #region in-process
const store = createConnections({
  clock: systemClock,
  clientInfo: { name: 'example', version: '1.0.0' },
  createTransport: async (id) => {
    const [near, far] = createMemoryTransportPair();
    await new McpServer({ name: id, version: '1.0.0' }).connect(far);
    return near;
  },
});
// #endregion

const before = renderToString(createElement(ReadyCount, { store }));
store.add('one', undefined);
store.add('two', undefined);
await Promise.all([store.connect('one'), store.connect('two')]);
const after = renderToString(createElement(ReadyCount, { store }));
await store.close();

assert.equal(before, '<output>0 ready</output>');
assert.equal(after, '<output>2 ready</output>');
console.log(`before: ${before}; after: ${after}`);
