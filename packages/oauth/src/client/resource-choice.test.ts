import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts, serverDocument, signInHosts } from '../../../../testing/scripted-hosts.ts';
import { auth } from './auth.ts';
import { finishAuthorization } from './callback.ts';
import { selectResourceURL } from './resource-choice.ts';

const TOKEN = 'https://id.test/token';

/** Signs in, finishes and refreshes. @returns what was sent as resource each time */
async function sentResources(
  serverUrl: string,
  resource: string | undefined,
  provider = new MemoryProvider(),
): Promise<(string | null)[]> {
  const { origin } = new URL(serverUrl);
  const described = { resource, authorization_servers: ['https://id.test'] };
  const hosts = createScriptedHosts({
    ...signInHosts(),
    [`GET ${origin}/.well-known/oauth-protected-resource`]: resource === undefined ? 404 : described,
    [`GET ${origin}/.well-known/oauth-authorization-server`]: serverDocument(origin, {
      token_endpoint: TOKEN,
      registration_endpoint: 'https://id.test/register',
    }),
  });
  const options = { serverUrl, fetchFn: hosts.fetch };
  await auth(provider, options);
  await finishAuthorization(provider, { code: 'c' }, options);
  await auth(provider, options);
  expect(provider.redirects).toHaveLength(1);
  return [provider.asked.get('resource'), ...hosts.forms(TOKEN).map((form) => form.get('resource'))];
}

describe('the resource parameter', () => {
  it.each([
    ['https://m.example.com', 'https://m.example.com', 'https://m.example.com'],
    ['https://m.example.com', 'https://m.example.com/', 'https://m.example.com/'],
    ['https://m.example.com/mcp', 'https://m.example.com/mcp', 'https://m.example.com/mcp'],
    ['https://m.example.com/mcp', 'https://m.example.com', 'https://m.example.com'],
    ['https://m.example.com/mcp/', 'https://m.example.com/mcp/', 'https://m.example.com/mcp/'],
    ['https://m.example.com/a/b', 'https://M.example.com/a', 'https://M.example.com/a'],
    ['https://m.example.com/mcp?x=1#f', undefined, 'https://m.example.com/mcp?x=1'],
    ['https://m.example.com/', undefined, 'https://m.example.com'],
    ['https://m.example.com/mcp', undefined, 'https://m.example.com/mcp'],
  ])(
    'W216 field-D21 for %s described as %s is %s in all three requests',
    async (server, resource, expected) => {
      expect(await sentResources(server, resource)).toEqual([expected, expected, expected]);
    },
  );

  it('W216 is what the provider’s hook says, or is left out', async () => {
    const other = new MemoryProvider();
    const hook = { validateResourceURL: async () => new URL('https://m.example.com/other') };
    const replaced = await sentResources(
      'https://m.example.com/mcp',
      'https://m.example.com/mcp',
      Object.assign(other, hook),
    );
    expect(replaced).toEqual(Array.from({ length: 3 }, () => 'https://m.example.com/other'));
    const dropping = Object.assign(new MemoryProvider(), { validateResourceURL: async () => undefined });
    expect(await sentResources('https://m.example.com/mcp', 'https://m.example.com', dropping)).toEqual([
      null,
      null,
      null,
    ]);
    const same = Object.assign(new MemoryProvider(), {
      validateResourceURL: async (_server: unknown, named?: string) => new URL(named ?? ''),
    });
    expect((await sentResources('https://m.example.com/mcp', 'https://m.example.com', same))[0]).toBe(
      'https://m.example.com',
    );
  });

  it.each([
    ['https://m.example.com/mcp', 'https://other.example.com'],
    ['https://m.example.com/mcp', 'https://m.example.com/mcp-other'],
    ['https://m.example.com/mcp', 'https://m.example.com/mc'],
    ['https://m.example.com/mcp', 'https://m.example.com/mcp/more'],
    ['https://m.example.com/mcp', 'http://m.example.com/mcp'],
    ['https://m.example.com/mcp', 'https://m.example.com:8443/mcp'],
    ['https://m.example.com', 'https://m.example.com.evil.test'],
  ])(
    'W209 field-D21 stops for %s before any redirect when the document is about %s',
    async (server, resource) => {
      const hosts = createScriptedHosts(signInHosts({ server, resource: { resource } }));
      const provider = new MemoryProvider();
      await expect(auth(provider, { serverUrl: server, fetchFn: hosts.fetch })).rejects.toMatchObject({
        code: 'resource_mismatch',
      });
      expect([provider.redirects, hosts.lines().length]).toEqual([[], 1]);
    },
  );

  it.each([[undefined], [[]], [null]])(
    'W209 stops when the document lists %j as authorization servers',
    async (servers) => {
      const hosts = createScriptedHosts(signInHosts({ resource: { authorization_servers: servers } }));
      const provider = new MemoryProvider();
      const signIn = auth(provider, { serverUrl: 'https://api.test/mcp', fetchFn: hosts.fetch });
      await expect(signIn).rejects.toMatchObject({ code: 'metadata_unusable' });
      expect(provider.redirects).toEqual([]);
    },
  );

  it('W227 can be chosen by hand', async () => {
    expect(await selectResourceURL('https://a.test/x', {})).toBeUndefined();
    expect((await selectResourceURL('https://a.test/x', {}, { resource: 'https://a.test' }))?.href).toBe(
      'https://a.test/',
    );
    await expect(
      selectResourceURL('https://a.test/x', {}, { resource: 'https://b.test' }),
    ).rejects.toMatchObject({ code: 'resource_mismatch' });
  });
});
