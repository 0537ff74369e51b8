// @ts-check
// Two ends of a JSON-RPC conversation inside one program.
import assert from 'node:assert/strict';
// #region peers
import { createMemoryTransportPair, createPeer, systemClock } from '@portico/rpc';

const [left, right] = createMemoryTransportPair();
const server = createPeer({
  transport: left,
  clock: systemClock,
  onRequest: ({ params }, context) => {
    context.progress({ progress: 1, total: 2, message: 'half way' });
    return { greeting: `Hello ${String(params?.['name'])}` };
  },
});
const client = createPeer({ transport: right, clock: systemClock });
await Promise.all([server.start(), client.start()]);

/** @type {(string | undefined)[]} */
const reports = [];
const answer = await client.request(
  'greet',
  { name: 'Ada' },
  { timeoutMs: 5_000, onprogress: ({ message }) => reports.push(message) },
);
await client.close();
// #endregion

assert.deepEqual(answer, { greeting: 'Hello Ada' });
assert.deepEqual(reports, ['half way']);
console.log(`${reports[0]}, then ${JSON.stringify(answer)}`);
