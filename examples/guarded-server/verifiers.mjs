// @ts-check
// Verifiers for servers that make the tokens elsewhere; checked here for their form only.
import assert from 'node:assert/strict';

const resource = new URL('https://mcp.example/mcp');

// #region jwt
import { createJwtVerifier } from '@portico/oauth/resource/jwt';

const signed = createJwtVerifier({
  issuer: 'https://id.example/',
  audience: resource.href,
  keys: new URL('https://id.example/.well-known/jwks.json'),
  algorithms: ['ES256', 'RS256'],
});
// #endregion

// #region introspection
import { createIntrospectionVerifier } from '@portico/oauth/resource/introspection';

const lookedUp = createIntrospectionVerifier({
  endpoint: new URL('https://id.example/introspect'),
  clientId: 'notes',
  clientSecret: 'from your configuration',
  cacheMs: 10_000,
});
// #endregion

// #region operations
import { createMcpHandler, McpServer, requireOperationScopes } from '@portico/server';

const handler = createMcpHandler(new McpServer({ name: 'notes', version: '1.0.0' }), {
  scopeChallenge: requireOperationScopes({
    'tools/call': { purge: ['notes:write'], '*': ['notes:read'] },
    'resources/read': ['notes:read'],
  }),
});
// #endregion

// #region express
import { createMcpExpressApp, mcpAuthMetadataRouter, requireBearerAuth } from '@portico/server/express';
import { toNodeHandler } from '@portico/server/node';

const oauthMetadata = {
  issuer: 'https://id.example/',
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  response_types_supported: ['code'],
};
const app = createMcpExpressApp({ allowedHosts: ['mcp.example'] });
app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: resource }));
const serve = toNodeHandler(handler);
app.all('/mcp', requireBearerAuth({ verifier: signed }), (request, response) => {
  void serve(request, response, request.body);
});
// #endregion

assert.equal(signed.vouchesForAudience, true);
assert.equal(typeof lookedUp.verifyAccessToken, 'function');
console.log('the verifiers are made');
