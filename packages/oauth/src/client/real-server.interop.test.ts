import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAuthorizationServer, walkToCallback } from '../../../../testing/authorization-server.ts';
import type { AuthorizationServer } from '../../../../testing/authorization-server.ts';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import { auth } from './auth.ts';
import type { AuthOptions } from './auth.ts';
import { finishAuthorization } from './callback.ts';

const SERVER = 'https://api.test/mcp';
let server: AuthorizationServer;

beforeAll(async () => {
  server = await startAuthorizationServer();
});
afterAll(() => server.close());

/** The resource is scripted, its authorization server is real. */
function options(): AuthOptions {
  const hosts = createScriptedHosts({
    'GET https://api.test/.well-known/oauth-protected-resource/mcp': {
      resource: SERVER,
      authorization_servers: [server.issuer],
    },
  });
  return {
    serverUrl: SERVER,
    scope: 'read',
    fetchFn: (url, init) => (new URL(url).host === 'api.test' ? hosts.fetch(url, init) : fetch(url, init)),
  };
}

it('W206 W213 W215 W216 W218 signs in at a certified server, which knows the resource, and refreshes with rotation', async () => {
  const provider = new MemoryProvider();
  expect(await auth(provider, options())).toBe('REDIRECT');
  const callback = await walkToCallback(provider.redirects[0]!, provider.redirectUrl!);
  expect(callback.get('iss')).toBe(server.issuer);
  await finishAuthorization(provider, callback, options());
  const first = provider.stored!;
  expect(await server.verify(first.access_token)).toMatchObject({ resource: SERVER, scopes: ['read'] });
  for (let count = 0; count < 3; count++) expect(await auth(provider, options())).toBe('AUTHORIZED');
  expect(new Set([first.refresh_token, provider.stored?.refresh_token]).size).toBe(2);
  expect(await server.verify(provider.stored!.access_token)).toMatchObject({
    resource: SERVER,
    scopes: ['read'],
  });
});

it('W221 asks the person when a refresh token was used twice, and keeps the registration', async () => {
  const provider = new MemoryProvider();
  await auth(provider, options());
  await finishAuthorization(
    provider,
    await walkToCallback(provider.redirects[0]!, provider.redirectUrl!),
    options(),
  );
  const { client, stored } = provider;
  await auth(provider, options());
  provider.stored = stored;
  expect(await auth(provider, options())).toBe('REDIRECT');
  expect([provider.invalidated, provider.client]).toEqual([['tokens'], client]);
});
