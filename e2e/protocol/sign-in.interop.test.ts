import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  DpopSession,
  StreamableHTTPClientTransport,
  createMemoryTokenStore,
  createOAuthProvider,
} from '@portico/client';
import type { OAuthProviderOptions } from '@portico/client';
import { McpServer, createMcpHandler } from '@portico/server';
import { toNodeHandler } from '@portico/server/node';
import { afterEach, expect, it } from 'vitest';
import { startAuthorizationServer, walkToCallback } from '../../testing/authorization-server.ts';
import type { AuthorizationServer, AuthorizationServerOptions } from '../../testing/authorization-server.ts';

const REDIRECT = 'http://localhost:3000/callback';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Our server behind tokens of a certified authorization server, on this machine. */
async function startWorld(options: AuthorizationServerOptions = {}) {
  const authorization: AuthorizationServer = await startAuthorizationServer(options);
  closing.push(() => authorization.close());
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'hi' }] }));
      return server;
    }),
  );
  const revoked = new Set<string>();
  const http = createServer((request, response) => {
    void (async () => {
      const { url = '', headers } = request;
      const base = `http://${headers.host ?? ''}`;
      if (url.startsWith('/.well-known/oauth-protected-resource')) {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ resource: `${base}/mcp`, authorization_servers: [authorization.issuer] }),
        );
        return;
      }
      const [scheme = '', token = ''] = (headers.authorization ?? '').split(' ');
      const known = revoked.has(token) ? undefined : await authorization.verify(token);
      const bound = known?.jkt === undefined ? 'Bearer' : 'DPoP';
      if (known?.resource === `${base}/mcp` && scheme === bound) return void handler(request, response);
      response.writeHead(401, {
        'www-authenticate': `Bearer scope="read", resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
      });
      response.end();
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return {
    authorization,
    revoked,
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
  };
}

async function signedIn(url: URL, options: Partial<OAuthProviderOptions> = {}) {
  const sent: URL[] = [];
  const store = createMemoryTokenStore();
  const authProvider = createOAuthProvider({
    store,
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'e2e' },
    openUrl: (address) => void sent.push(address),
    ...options,
  });
  const first = new StreamableHTTPClientTransport(url, { authProvider });
  await expect(new Client({ name: 'c', version: '1' }).connect(first)).rejects.toMatchObject({
    name: 'UnauthorizedError',
  });
  await first.finishAuth(await walkToCallback(sent[0]!, REDIRECT));
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    closing.push(() => client.close());
    return client;
  };
  return { authProvider, store, sent, connect };
}

it('W43 W206 W221 field-D22 signs in at a certified server, and six calls and two clients share one refresh', async () => {
  const { authorization, revoked, url } = await startWorld();
  const { authProvider, sent, connect } = await signedIn(url);
  const clients = [await connect(), await connect()];
  const before = (await authProvider.tokens())!;
  revoked.add(before.access_token);
  const calls = Array.from({ length: 6 }, (_, index) => clients[index % 2]!.callTool({ name: 'echo' }));
  expect((await Promise.all(calls)).every(({ content }) => content.length === 1)).toBe(true);
  expect(authorization.log.filter((line) => line === 'granted refresh_token')).toHaveLength(1);
  expect(authorization.log.some((line) => line.startsWith('refused'))).toBe(false);
  expect([sent.length, (await authProvider.tokens())?.refresh_token === before.refresh_token]).toEqual([
    1,
    false,
  ]);
});

it.each([false, true])(
  'ext-P6 ext-P7 ext-P8 binds tokens to a key at a certified server (nonce: %s)',
  async (dpopNonce) => {
    const { authorization, url } = await startWorld({ dpopNonce });
    const session = await DpopSession.create();
    const { authProvider, connect } = await signedIn(url, { dpop: () => session });
    const client = await connect();
    expect((await client.callTool({ name: 'echo' })).content).toHaveLength(1);
    const tokens = (await authProvider.tokens())!;
    expect(tokens.token_type.toLowerCase()).toBe('dpop');
    expect((await authorization.verify(tokens.access_token))?.jkt).toBe(session.thumbprint);
  },
);
