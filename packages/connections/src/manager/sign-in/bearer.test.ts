import { describe, expect, it } from 'vitest';
import { PROTECTED_SERVER, challenge } from '../../../../../testing/protected-server.ts';
import type { HostAnswer } from '../../../../../testing/scripted-hosts.ts';
import { ISSUER, TOKEN_PLACE, createSignInWorld } from '../../../../../testing/sign-in-world.ts';
import type { SignInWorld, SignInWorldOptions, WatchedSignIn } from '../../../../../testing/sign-in-world.ts';

const HOUR_MS = 3_600_000;

/** The end of a channel that nothing comes out of. */
const SILENCE = { post: () => undefined, listen: () => () => undefined, close: () => undefined };

/** A world in which somebody is signed in, with a tab that is connected. */
async function signedIn(options: SignInWorldOptions = {}, answer: Record<string, unknown> = {}) {
  const world = createSignInWorld(options);
  Object.assign(world.grants.answer, answer);
  const watched = world.watch(world.browser.openTab());
  await watched.signIn.prepare();
  await world.comeBack(watched.signIn.state.authUrl);
  await world.browser.clock.advance(0);
  const client = await world.connect(watched.signIn);
  return { world, client, ...watched };
}

function calls(client: Awaited<ReturnType<SignInWorld['connect']>>, count: number) {
  return Promise.allSettled(Array.from({ length: count }, () => client.callTool({ name: 'echo' })));
}

const fulfilled = (results: readonly PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length;

describe('tokens of a managed server', () => {
  it('R65 R66 are told with all that is known of them, their end in whole seconds from their receipt', async () => {
    const { signIn, world } = await signedIn({
      resource: { resource: 'https://api.test', scopes_supported: ['read', 'write'] },
    });
    expect(signIn.state).toEqual({
      flow: 'none',
      tokens: {
        access_token: 'access-1',
        token_type: 'Bearer',
        refresh_token: 'refresh-1',
        expires_at: 1_700_000_000 + 3_600,
        scope: 'read write',
        resource: 'https://api.test',
        token_endpoint: TOKEN_PLACE,
        client_id: 'client-of-id.test',
      },
    });
    expect(world.tokenRequests('authorization_code')[0]?.get('resource')).toBe('https://api.test');
  });

  it('R66 have no end when none was given, although the token itself looks as if it had one', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: 1_800_000_000 })).toString('base64url');
    const { signIn } = await signedIn({}, { access_token: `e30.${claims}.x`, expires_in: undefined });
    expect(signIn.state.tokens).toBeDefined();
    expect(signIn.state.tokens).not.toHaveProperty('expires_at');
  });

  it('R66 keep a secret only where the registration demands one', async () => {
    for (const [method, secret] of [
      ['none', undefined],
      ['client_secret_post', 'hush'],
    ] as const) {
      const registration: HostAnswer = {
        client_id: 'c',
        client_secret: 'hush',
        token_endpoint_auth_method: method,
      };
      const { signIn, world } = await signedIn({ places: { [`POST ${ISSUER}/register`]: registration } });
      expect(signIn.state.tokens?.client_secret).toBe(secret);
      expect(JSON.stringify(world.browser.stored()).includes('hush')).toBe(secret !== undefined);
    }
  });

  it('R65 R66 are as well known days later, when it has to be found out anew who is in charge', async () => {
    const { signIn, world } = await signedIn({}, { expires_in: 90 * 24 * 3_600 });
    await world.browser.clock.advance(48 * HOUR_MS);
    const later = world.watch(world.browser.openTab());
    await later.signIn.authProvider.token();
    expect(later.signIn.state).toEqual(signIn.state);
  });

  it('R78 are there after a reload, with no request at all', async () => {
    const { world } = await signedIn();
    const others = (): unknown[] => world.hosts.log.filter(({ url }) => url.href !== PROTECTED_SERVER);
    const before = others().length;
    const reloaded = world.watch(world.browser.openTab());
    expect(await reloaded.signIn.authProvider.token()).toBe('access-1');
    expect(reloaded.signIn.state.tokens?.access_token).toBe('access-1');
    expect(others()).toHaveLength(before);
  });

  it('R78 of one issuer are unused when the server names another one', async () => {
    const { world, client, signIn } = await signedIn();
    world.grants.valid.clear();
    const other = 'https://other.test';
    world.hosts.change({
      'GET https://api.test/.well-known/oauth-protected-resource/mcp': {
        resource: PROTECTED_SERVER,
        authorization_servers: [other],
      },
      [`GET ${other}/.well-known/oauth-authorization-server`]: {
        issuer: other,
        authorization_endpoint: `${other}/authorize`,
        token_endpoint: `${other}/token`,
        registration_endpoint: `${other}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      },
      [`POST ${other}/register`]: { client_id: 'client-there' },
    });
    await expect(client.listTools()).rejects.toMatchObject({ code: 'auth_required' });
    expect(signIn.state.authUrl).toContain(`${other}/authorize?`);
    expect(signIn.state.authUrl).toContain('client-there');
    expect(world.hosts.forms(`${other}/token`)).toEqual([]);
  });
});

describe('a managed server that nobody signed in to', () => {
  /** A tab that counts how often it looks into the storage, and may hear nothing of other tabs. */
  function countingTab({ browser }: SignInWorld, isDeaf = false) {
    const tab = browser.openTab();
    const looks: string[] = [];
    const { storage } = browser;
    const environment = {
      ...tab.environment,
      storage: {
        ...storage,
        getItem(key: string) {
          looks.push(key);
          return storage.getItem(key);
        },
      },
      ...(isDeaf ? { openChannel: () => SILENCE } : {}),
    };
    return { looks, tab: { ...tab, environment } };
  }

  async function signInElsewhere(world: SignInWorld): Promise<void> {
    const { signIn } = world.watch(world.browser.openTab());
    await signIn.prepare();
    await world.comeBack(signIn.state.authUrl);
    await world.browser.clock.advance(0);
  }

  it('R160 costs one look into the storage, however many requests it is sent', async () => {
    const world = createSignInWorld();
    const { looks, tab } = countingTab(world);
    const { authProvider } = world.watch(tab).signIn;
    for (let count = 0; count < 5; count += 1) expect(await authProvider.token()).toBeUndefined();
    expect(looks).toHaveLength(1);
  });

  it('R72 gets the tokens of another tab once that tells of them', async () => {
    const world = createSignInWorld();
    const { authProvider } = world.watch(countingTab(world).tab).signIn;
    expect(await authProvider.token()).toBeUndefined();
    await signInElsewhere(world);
    expect(await authProvider.token()).toBe('access-1');
  });

  it('R72 gets the tokens that it heard nothing of when it is shown again', async () => {
    const world = createSignInWorld();
    const { tab } = countingTab(world, true);
    const { authProvider } = world.watch(tab).signIn;
    expect(await authProvider.token()).toBeUndefined();
    await signInElsewhere(world);
    expect(await authProvider.token()).toBeUndefined();
    tab.page.show(false);
    tab.page.show(true);
    expect(await authProvider.token()).toBe('access-1');
  });

  it('R72 gets the tokens that it heard nothing of when the server refuses it', async () => {
    const world = createSignInWorld();
    const { signIn } = world.watch(countingTab(world, true).tab);
    expect(await signIn.authProvider.token()).toBeUndefined();
    await signInElsewhere(world);
    const client = await world.connect(signIn);
    await expect(client.listTools()).resolves.toBeDefined();
  });

  it('R72 does not take what it read before for the truth when something was heard meanwhile', async () => {
    const world = createSignInWorld({ browser: { slowStorage: true } });
    const { authProvider } = world.watch(countingTab(world).tab).signIn;
    const asked = authProvider.token();
    world.browser.shout('portico sign-in', { type: 'credentials-changed' });
    expect(await asked).toBeUndefined();
    await world.browser.storage.setItem('mcp:auth https://api.test/mcp issuer', JSON.stringify('i'));
    const tokens = { access_token: 'late', token_type: 'Bearer' };
    await world.browser.storage.setItem('mcp:auth https://api.test/mcp tokens%20i', JSON.stringify(tokens));
    expect(await authProvider.token()).toBe('late');
  });
});

describe('renewing the tokens of a managed server', () => {
  it('R72 happens once for five calls within a minute of their end, and the new ones are shown', async () => {
    const { world, client, signIn } = await signedIn();
    await world.browser.clock.advance(HOUR_MS - 60_001);
    await client.listTools();
    expect(world.tokenRequests('refresh_token')).toHaveLength(0);
    await world.browser.clock.advance(1);
    expect(fulfilled(await calls(client, 5))).toBe(5);
    expect(world.tokenRequests('refresh_token')).toHaveLength(1);
    expect(signIn.state.tokens).toMatchObject({ access_token: 'access-2', refresh_token: 'refresh-2' });
  });

  it('R72 happens once for five calls that are refused, also without a known end', async () => {
    for (const answer of [{}, { expires_in: undefined }]) {
      const { world, client, signIn } = await signedIn({}, answer);
      world.grants.valid.clear();
      expect(fulfilled(await calls(client, 5))).toBe(5);
      expect(world.tokenRequests('refresh_token')).toHaveLength(1);
      expect(signIn.state).toMatchObject({ flow: 'none', tokens: { access_token: 'access-2' } });
      expect(signIn.state).not.toHaveProperty('authUrl');
    }
  });

  it('R72 of tokens that live shortly waits for their last tenth', async () => {
    const { world, client } = await signedIn({}, { expires_in: 40 });
    await calls(client, 3);
    expect(world.tokenRequests('refresh_token')).toHaveLength(0);
    await world.browser.clock.advance(35_999);
    await calls(client, 1);
    expect(world.tokenRequests('refresh_token')).toHaveLength(0);
    await world.browser.clock.advance(1);
    await calls(client, 3);
    expect(world.tokenRequests('refresh_token')).toHaveLength(1);
  });

  it('R73 happens once for four tabs that wake with the same ended tokens', async () => {
    const { world } = await signedIn();
    const tabs = Array.from({ length: 4 }, () => world.watch(world.browser.openTab()));
    await world.browser.clock.advance(2 * HOUR_MS);
    const tokens = await Promise.all(tabs.map(({ signIn }) => signIn.authProvider.token()));
    expect(tokens).toEqual(Array.from({ length: 4 }, () => 'access-2'));
    expect(world.tokenRequests('refresh_token')).toHaveLength(1);
    await world.browser.clock.advance(0);
    expect(tabs.map(({ signIn }) => signIn.state.tokens?.refresh_token)).toEqual(
      Array.from({ length: 4 }, () => 'refresh-2'),
    );
  });

  it('R74 keeps the refresh token when none comes back, four times and more', async () => {
    const { world, client, signIn } = await signedIn();
    Object.assign(world.grants.answer, { refresh_token: undefined });
    for (let round = 0; round < 5; round++) {
      await world.browser.clock.advance(HOUR_MS);
      expect(fulfilled(await calls(client, 1))).toBe(1);
    }
    expect(world.tokenRequests('refresh_token')).toHaveLength(5);
    expect(signIn.state.tokens?.refresh_token).toBe('refresh-1');
  });

  it('R74 that the network fails keeps everything, and the call says so', async () => {
    const { world, client, signIn } = await signedIn();
    const before = world.browser.stored();
    world.hosts.change({ [`POST ${TOKEN_PLACE}`]: () => Promise.reject(new TypeError('no way')) });
    await world.browser.clock.advance(HOUR_MS - 30_000);
    // Good for half a minute yet.
    expect(fulfilled(await calls(client, 1))).toBe(1);
    await world.browser.clock.advance(30_000);
    await expect(client.listTools()).rejects.toMatchObject({ code: 'network_error', data: { id: 'mine' } });
    world.grants.valid.clear();
    await expect(client.listTools()).rejects.toMatchObject({ code: 'network_error' });
    expect(world.browser.stored()).toEqual(before);
    expect(signIn.state).toMatchObject({ tokens: { access_token: 'access-1' } });
    world.hosts.change({ [`POST ${TOKEN_PLACE}`]: world.grants.place });
    expect(fulfilled(await calls(client, 1))).toBe(1);
  });

  it('R74 that is refused drops the tokens only, and there is an address to sign in at', async () => {
    const { world, client, signIn } = await signedIn();
    world.hosts.change({
      [`POST ${TOKEN_PLACE}`]: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    });
    await world.browser.clock.advance(2 * HOUR_MS);
    world.grants.valid.clear();
    await expect(client.listTools()).rejects.toMatchObject({ code: 'auth_required' });
    expect(signIn.state).not.toHaveProperty('tokens');
    expect(signIn.state.authUrl).toContain('client_id=client-of-id.test');
    expect(
      world.hosts.forms(TOKEN_PLACE).filter((form) => form.get('grant_type') === 'refresh_token'),
    ).toHaveLength(1);
    expect(world.hosts.lines().filter((line) => line.endsWith('/register'))).toHaveLength(1);
    const names = Object.keys(world.browser.stored());
    expect(names.filter((name) => name.includes(' tokens'))).toEqual([]);
    expect(names.filter((name) => name.includes(' client'))).toHaveLength(1);
  });
});

describe('a refusal without a way to renew', () => {
  const lost = async (options: SignInWorldOptions = {}): Promise<Awaited<ReturnType<typeof signedIn>>> => {
    const all = await signedIn(options, { refresh_token: undefined });
    all.world.grants.valid.clear();
    return all;
  };

  it('R55 R75 ends the calls with auth_required and shows an address, and no window opens', async () => {
    const { world, client, signIn, states } = await lost();
    const told = states.length;
    for (const result of await calls(client, 3))
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'auth_required', data: { id: 'mine' } },
      });
    expect(signIn.state).toMatchObject({ flow: 'none' });
    expect(new URL(signIn.state.authUrl ?? '').origin).toBe(ISSUER);
    expect(states.length - told).toBe(1);
    const asked = world.hosts.log.length;
    await calls(client, 2);
    // The address is there already: only the calls themselves are made, and those of the server to refuse them.
    expect(world.hosts.log.slice(asked).map(({ url }) => url.href)).toEqual([
      PROTECTED_SERVER,
      PROTECTED_SERVER,
    ]);
  });

  it('R75 R56 is over with a sign-in at that address', async () => {
    const { world, client, signIn, completed } = await lost();
    await calls(client, 1);
    await world.comeBack(signIn.state.authUrl);
    await world.browser.clock.advance(0);
    expect(completed).toHaveLength(2);
    expect(completed[1]).toEqual(signIn.state);
    expect(signIn.state).toMatchObject({ flow: 'none', tokens: { access_token: 'access-2' } });
    expect(signIn.state).not.toHaveProperty('authUrl');
    expect(fulfilled(await calls(client, 1))).toBe(1);
  });

  it('R75 R74 for lack of scopes asks for those granted and those missing together, and renews nothing', async () => {
    const wanted: Record<string, string> = { 'tools/list': 'read', 'tools/call': 'write' };
    const { world, client, signIn } = await signedIn(
      {
        refuse: (_request, rpc) =>
          wanted[rpc] === undefined
            ? undefined
            : challenge(403, `error="insufficient_scope", scope="${wanted[rpc]}"`),
      },
      { scope: 'init' },
    );
    await expect(client.listTools()).rejects.toMatchObject({
      code: 'auth_required',
      data: { id: 'mine', scope: 'init read' },
    });
    const first = signIn.state.authUrl;
    await expect(client.listTools()).rejects.toMatchObject({ code: 'auth_required' });
    expect(signIn.state.authUrl).toBe(first);
    await expect(client.callTool({ name: 'echo' })).rejects.toMatchObject({ code: 'auth_required' });
    expect(new URL(signIn.state.authUrl ?? '').searchParams.get('scope')).toBe('init read write');
    expect(world.tokenRequests('refresh_token')).toEqual([]);
    expect(signIn.state.tokens?.access_token).toBe('access-1');
  });
});

describe('the wire of a sign-in', () => {
  it('R165 carries each secret to its own place only, never in an address', async () => {
    const world = createSignInWorld({ resource: { scopes_supported: ['read'] } });
    const other = 'https://second.test/mcp';
    const tab = world.browser.openTab();
    const all: WatchedSignIn[] = [world.watch(tab), world.watch(tab, { url: other })];
    world.hosts.change({
      'GET https://second.test/.well-known/oauth-protected-resource/mcp': {
        resource: other,
        authorization_servers: [ISSUER],
      },
    });
    for (const { signIn } of all) {
      await signIn.prepare();
      await world.comeBack(signIn.state.authUrl, { code: 'code-canary' });
      await world.browser.clock.advance(0);
    }
    expect(await Promise.all(all.map(({ signIn }) => signIn.authProvider.token()))).toEqual([
      'access-1',
      'access-2',
    ]);
    for (const { method, url, headers, text } of world.hosts.log) {
      const isToken = `${method} ${url.href}` === `POST ${TOKEN_PLACE}`;
      expect(/code-canary|refresh-\d|access-\d/.test(url.href)).toBe(false);
      expect(/code-canary|refresh-\d/.test(text)).toBe(isToken);
      expect(headers.has('authorization')).toBe(false);
    }
  });
});
