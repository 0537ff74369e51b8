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
const address = new URL(`http://127.0.0.1:${http.address().port}/mcp`);

// #region client
import { Client, StreamableHTTPClientTransport } from '@portico/client';

async function greetAs(mode) {
  const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address));
  const { content } = await client.callTool({ name: 'greet' });
  const era = client.getProtocolEra();
  await client.close();
  return { era, text: content[0].text };
}
// #endregion

const answers = [await greetAs('auto'), await greetAs('legacy')];
http.close();
assert.deepEqual(answers, [
  { era: 'modern', text: 'Hello' },
  { era: 'legacy', text: 'Hello' },
]);
console.log(answers.map(({ era, text }) => `${era}: ${text}`).join(', '));
