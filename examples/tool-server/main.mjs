// @ts-check
// Starts the server beside this file as a program, and calls its tool.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
// #region client
import { Client } from '@portico/client';
import { StdioClientTransport } from '@portico/client/stdio';

const client = new Client({ name: 'example', version: '1.0.0' });
const path = fileURLToPath(new URL('server.mjs', import.meta.url));
await client.connect(new StdioClientTransport({ command: process.execPath, args: [path] }));

const { tools } = await client.listTools();
const result = await client.callTool({ name: 'add', arguments: { a: 19, b: 23 } });
const mistake = await client.callTool({ name: 'add', arguments: { a: 19, b: 'many' } });
await client.close();
// #endregion

assert.deepEqual(
  tools.map(({ name }) => name),
  ['add'],
);
assert.deepEqual(result.structuredContent, { sum: 42 });
assert.equal(mistake.isError, true);
console.log(`add(19, 23) answered ${result.structuredContent?.['sum']}`);
console.log('add(19, "many") was refused before the tool ran');
