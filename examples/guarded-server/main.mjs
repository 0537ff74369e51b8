// @ts-check
// Guards a server with tokens, signs a client in at a server of its own, and asks for more when a tool needs it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createMemoryTokenStore, createOAuthProvider } from '@portico/oauth';

const http = createServer();
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const bound = http.address();
assert.ok(bound !== null && typeof bound === 'object');
const origin = new URL(`http://127.0.0.1:${bound.port}/`);

// #region router
import { InMemoryOAuthProvider, createAuthRouter } from '@portico/server/auth';

const resource = new URL('/mcp', origin);
const people = new InMemoryOAuthProvider({
  approve: () => ({ subject: 'ada' }),
  resources: [resource],
});
const router = createAuthRouter({ provider: people, issuerUrl: origin, resourceServerUrl: resource });
// #endregion

// #region gate
import {
  McpServer,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  requireScopes,
  withBearerAuth,
} from '@portico/server';

const verifier = people; // anything with `verifyAccessToken(token)`

const mcp = new McpServer({ name: 'notes', version: '1.0.0' });
mcp.registerTool('whoami', { description: 'Tells who is asking' }, ({ http: request }) => ({
  content: [{ type: 'text', text: String(request?.authInfo?.extra?.sub) }],
}));
mcp.registerTool(
  'purge',
  { description: 'Deletes every note', scopeChallenge: requireScopes('notes:write') },
  () => ({ content: [{ type: 'text', text: 'All notes are gone' }] }),
);

const guarded = withBearerAuth(createMcpHandler(mcp), {
  verifier,
  requiredScopes: ['notes:read'],
  expectedResource: resource,
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
});
// #endregion

// #region serve
import { toNodeHandler } from '@portico/server/node';

const serve = toNodeHandler({
  fetch: async (request) => (await router.fetch(request)) ?? guarded.fetch(request),
});
http.on('request', serve);
// #endregion

import { Client, StreamableHTTPClientTransport } from '@portico/client';

/** @type {URL[]} */
const opened = [];

// #region provider
const authProvider = createOAuthProvider({
  store: createMemoryTokenStore(),
  redirectUrl: 'http://localhost:3000/callback',
  clientMetadata: { client_name: 'example', token_endpoint_auth_method: 'none' },
  openUrl: (url) => void opened.push(url), // in a page: window.open(url)
});
// #endregion

/** The person's browser: it is sent to the callback at once, since `approve` asks nobody. */
async function browse() {
  const answer = await fetch(opened.at(-1) ?? '', { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}
const open = () => ({
  client: new Client({ name: 'example', version: '1.0.0' }),
  transport: new StreamableHTTPClientTransport(resource, { authProvider }),
});

// #region sign-in
const refused = open();
await assert.rejects(refused.client.connect(refused.transport), { name: 'UnauthorizedError' });

// Later, with the query of the address that the browser came back to:
await refused.transport.finishAuth(await browse());
const { client, transport } = open();
await client.connect(transport);
const { content } = await client.callTool({ name: 'whoami' });
// #endregion
assert.deepEqual(content, [{ type: 'text', text: 'ada' }]);
await assert.rejects(client.callTool({ name: 'purge' }), { name: 'UnauthorizedError' });
await transport.finishAuth(await browse());
const purged = await client.callTool({ name: 'purge' });
assert.deepEqual(purged.content, [{ type: 'text', text: 'All notes are gone' }]);
await client.close();
await import('./verifiers.mjs');
http.close();
http.closeAllConnections();
console.log(`signed in as ada, then again for ${opened.at(-1)?.searchParams.get('scope')}`);
