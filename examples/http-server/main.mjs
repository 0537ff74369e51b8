// @ts-check
// Serves one server to clients of both eras, and asks it as each of them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
// #region server
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';

const mcp = new McpServer({ name: 'greeter', version: '1.0.0' });
mcp.registerTool('greet', { description: 'Says hello' }, () => ({
  content: [{ type: 'text', text: 'Hello' }],
}));

const http = createServer(toNodeHandler(createMcpHandler(mcp)));
http.listen(0, '127.0.0.1');
// #endregion
await once(http, 'listening');
const bound = http.address();
assert.ok(bound !== null && typeof bound === 'object');
const address = new URL(`http://127.0.0.1:${bound.port}/mcp`);

// #region client
import { Client, StreamableHTTPClientTransport } from '@portico/client';

/** @param {'auto' | 'legacy'} mode */
async function greetAs(mode) {
  const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address));
  const { content } = await client.callTool({ name: 'greet' });
  const era = client.getProtocolEra();
  await client.close();
  return { era, content };
}
// #endregion

const content = [{ type: 'text', text: 'Hello' }];
const auto = await greetAs('auto');
const legacy = await greetAs('legacy');
http.close();
assert.deepEqual(auto, { era: 'modern', content });
assert.deepEqual(legacy, { era: 'legacy', content });
console.log(`asked as auto: ${auto.era}; asked as legacy: ${legacy.era}; both said Hello`);
