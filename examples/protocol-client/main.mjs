// @ts-check
// What a client does with the answers, the failures and the changes of a server.
import assert from 'node:assert/strict';
import { InMemoryTransport, McpServer } from '@portico/server';
// #region connect
import { Client, ProtocolError, SdkError, traceMeta } from '@portico/client';

const client = new Client(
  { name: 'example', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { roots: {} } },
);
client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/me/notes', name: 'Notes' }] }));
client.onerror = (error) => console.warn(error.message);
// #endregion

const server = new McpServer({ name: 'clock', version: '1.0.0' });
server.registerTool('wait', { description: 'Answers when it is told to stop' }, async (ctx) => {
  await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve));
  return { content: [] };
});
server.registerTool('fail', { description: 'Never works' }, () => {
  throw new TypeError('the clock is broken');
});
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);

// #region failures
/** @param {() => ReturnType<typeof client.callTool>} call */
async function outcomeOf(call) {
  try {
    const result = await call();
    // The tool ran and failed: its text is for the model.
    return result.isError === true ? 'the tool failed' : 'done';
  } catch (error) {
    // The server refused the call: unknown tool, wrong parameters.
    if (error instanceof ProtocolError) return `refused with ${error.code}`;
    // It did not come to an answer: timeout, abort, lost connection.
    if (error instanceof SdkError) return error.code;
    throw error;
  }
}

const limits = { timeout: 50, resetTimeoutOnProgress: true, maxTotalTimeout: 10_000 };
const outcomes = [
  await outcomeOf(() => client.callTool({ name: 'fail' })),
  await outcomeOf(() => client.callTool({ name: 'nothing' })),
  await outcomeOf(() => client.callTool({ name: 'wait' }, limits)),
  await outcomeOf(() => client.callTool({ name: 'wait' }, { signal: AbortSignal.timeout(20) })),
];
// #endregion

// #region changes
let changes = 0;
client.setNotificationHandler('notifications/tools/list_changed', () => {
  changes += 1;
});
const subscription = await client.listen({ toolsListChanged: true });
server.registerTool('tick', { description: 'Ticks' }, () => ({ content: [] }));
const { tools } = await client.listTools({}, {});
await subscription.close();
// #endregion

// #region observe
/** @type {string[]} */
const lines = [];
const watched = new Client(
  { name: 'example', version: '1.0.0' },
  {
    observer: ({ direction, method, target, outcome, durationMs }) => {
      if (durationMs < 60_000) lines.push(`${direction} ${method} ${target ?? ''}: ${outcome}`);
    },
  },
);
// #endregion
const [one, other] = InMemoryTransport.createLinkedPair();
const second = new McpServer({ name: 'clock', version: '1.0.0' });
second.registerTool('tick', { description: 'Ticks' }, ({ mcpReq }) => ({
  content: [],
  _meta: { ...mcpReq._meta },
}));
await second.connect(other);
await watched.connect(one);

// #region trace
const _meta = traceMeta({
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  sampled: true,
  baggage: { user: 'Zoë' },
});
const traced = await watched.callTool({ name: 'tick', _meta: { ..._meta } });
// #endregion
assert.equal(traced._meta?.['traceparent'], '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
assert.deepEqual(lines, ['outgoing initialize : ok', 'outgoing tools/call tick: ok']);
await watched.close();

assert.deepEqual(outcomes, ['the tool failed', 'refused with -32602', 'REQUEST_TIMEOUT', 'REQUEST_ABORTED']);
assert.deepEqual(subscription.honoredFilter, { toolsListChanged: true });
assert.equal(tools.length, 3);
assert.equal(changes, 1);
await client.close();
await server.close();
console.log(`four calls ended as ${outcomes.join(', ')}; ${changes} change was announced`);
