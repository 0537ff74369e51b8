import { proxiedFetch } from '../proxied-fetch.ts';
import { describe, expect, it } from 'vitest';
import { challenge } from '../../../../../testing/protected-server.ts';
import { serverDocument } from '../../../../../testing/scripted-hosts.ts';
import { ISSUER, createSignInWorld } from '../../../../../testing/sign-in-world.ts';
import type { SignInWorldOptions, WatchedSignIn } from '../../../../../testing/sign-in-world.ts';
import type { ServerSignInOptions, SignInAccount } from './sign-in-parts.ts';

const MINUTE_MS = 60_000;
const NONE = undefined;

interface Failing {
  readonly world?: SignInWorldOptions;
  readonly account?: Partial<SignInAccount>;
  readonly code: string;
}

function open(
  world: SignInWorldOptions = {},
  account: Partial<SignInAccount> = {},
  options: Partial<ServerSignInOptions> = {},
) {
  const made = createSignInWorld(world);
  const tab = made.browser.openTab();
  return { world: made, tab, ...made.watch(tab, account, options) };
}

const asked = ({ signIn }: WatchedSignIn): URLSearchParams =>
  new URL(signIn.state.authUrl ?? '').searchParams;

describe('the address to sign in at', () => {
  it('R56 works at any time while it is shown, and was shown for five minutes at least', async () => {
    const { world, signIn, completed } = open();
    await signIn.prepare();
    const seen = new Map<string, number>();
    for (let minute = 0; minute < 120; minute++) {
      const { authUrl = '' } = signIn.state;
      seen.set(authUrl, seen.get(authUrl) ?? minute);
      await world.browser.clock.advance(MINUTE_MS);
    }
    expect([...seen.values()]).toEqual(Array.from({ length: 24 }, (_, index) => index * 5));
    const [old = ''] = [...seen.keys()].slice(-1);
    await world.browser.clock.advance(4 * MINUTE_MS);
    const { authUrl: last } = signIn.state;
    expect(last).not.toBe(old);
    await world.comeBack(old);
    await world.browser.clock.advance(0);
    // What was shown nine minutes ago may be open somewhere yet.
    expect([completed.length, signIn.state.flow]).toEqual([1, 'none']);
    expect(await world.comeBack(last)).toMatchObject({ outcome: 'unknown' });
    expect(world.browser.clock.armed).toBe(0);
    expect(world.hosts.lines().filter((line) => line.endsWith('/register'))).toHaveLength(1);
    expect(Object.keys(world.browser.stored()).filter((name) => /attempt|flow|outcome/.test(name))).toEqual(
      [],
    );
  });

  it('R56 rests while nobody sees the page, and works when somebody does', async () => {
    const { world, tab, signIn, completed } = open();
    await signIn.prepare();
    const { authUrl } = signIn.state;
    tab.page.show(false);
    await world.browser.clock.advance(600 * MINUTE_MS);
    expect([signIn.state.authUrl, world.browser.clock.armed]).toEqual([authUrl, 0]);
    tab.page.show(true);
    await world.browser.clock.advance(0);
    expect(signIn.state.authUrl).not.toBe(authUrl);
    await world.comeBack(signIn.state.authUrl);
    await world.browser.clock.advance(0);
    expect(completed).toHaveLength(1);
  });

  it('R56 R70 is found to have been used when the page is shown, where channels bring nothing', async () => {
    const world = createSignInWorld();
    const tab = world.browser.openTab();
    const openChannel = () => ({
      post: () => undefined,
      listen: () => () => undefined,
      close: () => undefined,
    });
    const watched = world.watch(tab, {}, { environment: { ...tab.environment, openChannel } });
    await watched.signIn.prepare();
    tab.page.show(false);
    await world.comeBack(watched.signIn.state.authUrl);
    await world.browser.clock.advance(MINUTE_MS);
    expect(watched.completed).toEqual([]);
    tab.page.show(true);
    await world.browser.clock.advance(0);
    expect(watched.completed).toHaveLength(1);
  });

  it('R56 stays when no other can be made, with a warning, and is tried again', async () => {
    const { world, signIn, lines } = open();
    await signIn.prepare();
    const documents = `GET ${ISSUER}/.well-known/oauth-authorization-server`;
    // A day later it is found out anew who is in charge, and that fails at first.
    await world.browser.clock.advance(24 * 60 * MINUTE_MS - 1);
    expect(lines).toEqual([]);
    world.hosts.change({ [documents]: () => Promise.reject(new TypeError('no way')) });
    const { authUrl } = signIn.state;
    await world.browser.clock.advance(3 * MINUTE_MS);
    expect(lines).toEqual(
      Array.from({ length: 3 }, () => 'warn the address to sign in at could not be made anew'),
    );
    expect(signIn.state).toEqual({ flow: 'none', authUrl });
    world.hosts.change({ [documents]: serverDocument(ISSUER) });
    await world.browser.clock.advance(MINUTE_MS);
    expect(signIn.state.authUrl).not.toBe(authUrl);
  });

  it('R60 R68 asks with the callback as it is set, a secret, a challenge and the resource', async () => {
    const all = open({}, { callbackUrl: 'https://app.test/sub/app?cb=1' });
    await all.signIn.prepare();
    expect(Object.fromEntries(asked(all))).toEqual({
      response_type: 'code',
      client_id: 'client-of-id.test',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      redirect_uri: 'https://app.test/sub/app?cb=1',
      state: expect.stringMatching(/^[\w-]{40,}$/) as string,
      resource: 'https://api.test/mcp',
    });
    const { authUrl } = all.signIn.state;
    await all.world.comeBack(authUrl);
    const registered = all.world.hosts.log.find(({ url }) => url.pathname === '/register');
    expect(JSON.parse(registered?.text ?? '{}')).toEqual({
      client_name: 'app',
      redirect_uris: ['https://app.test/sub/app?cb=1'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    });
    const [exchange] = all.world.tokenRequests('authorization_code');
    expect(exchange?.get('redirect_uri')).toBe('https://app.test/sub/app?cb=1');
    expect(exchange?.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
    const other = open();
    await other.signIn.prepare();
    expect(asked(other).get('state')).not.toBe(new URL(authUrl ?? '').searchParams.get('state'));
  });

  it('R16 R24 registers under the title, with the website that is set', async () => {
    const clientInfo = { name: 'app', version: '1', title: 'The App', websiteUrl: 'https://app.test/about' };
    const { world, signIn } = open({}, { clientInfo });
    await signIn.prepare();
    const registered = world.hosts.log.find(({ url }) => url.pathname === '/register');
    expect(JSON.parse(registered?.text ?? '{}')).toMatchObject({
      client_name: 'The App',
      client_uri: 'https://app.test/about',
    });
  });
});

describe('who signs in', () => {
  const DOCUMENT = 'https://app.test/client.json';
  const reads = { client_id_metadata_document_supported: true };
  const closed = { registration_endpoint: NONE };

  it('R67 is who is set, else the document where it is read, else who registers, else nobody', async () => {
    const rows: readonly (readonly [string, Record<string, unknown>, SignInAccount['oauth'], string])[] = [
      ['set by hand', reads, { clientId: 'mine', clientMetadataUrl: DOCUMENT }, 'mine'],
      ['set by hand where nobody registers', closed, { clientId: 'mine' }, 'mine'],
      ['document', reads, { clientMetadataUrl: DOCUMENT }, DOCUMENT],
      ['document that is not read', {}, { clientMetadataUrl: DOCUMENT }, 'client-of-id.test'],
      [
        'document that fits no method',
        { ...reads, token_endpoint_auth_methods_supported: ['client_secret_post'] },
        { clientMetadataUrl: DOCUMENT },
        'client-of-id.test',
      ],
      ['registration', {}, {}, 'client-of-id.test'],
    ];
    for (const [title, metadata, oauth, expected] of rows) {
      const all = open({ metadata }, { oauth });
      await all.signIn.prepare();
      expect([title, asked(all).get('client_id')]).toEqual([title, expected]);
      const registers = all.world.hosts.lines().some((line) => line.endsWith('/register'));
      expect([title, registers]).toEqual([title, expected === 'client-of-id.test']);
    }
  });

  it('R67 takes nothing secret out of the settings', async () => {
    const oauth = { clientId: 'mine', clientSecret: 'hush', client_secret: 'hush' } as SignInAccount['oauth'];
    const { world, signIn } = open({}, { oauth });
    await signIn.prepare();
    await world.comeBack(signIn.state.authUrl);
    await world.browser.clock.advance(0);
    expect(signIn.state.tokens).toMatchObject({ client_id: 'mine' });
    const seen = [
      world.hosts.log.map(({ text, url }) => [text, url.href]),
      world.browser.stored(),
      signIn.state,
    ];
    expect(JSON.stringify(seen)).not.toContain('hush');
  });

  it('R67 asks for the scopes that are set in place of those that the server lists', async () => {
    const all = open({ resource: { scopes_supported: ['read', 'write'] } }, { oauth: { scope: 'read' } });
    await all.signIn.prepare();
    expect(asked(all).get('scope')).toBe('read');
    const other = open({ resource: { scopes_supported: ['read', 'write'] } });
    await other.signIn.prepare();
    expect(asked(other).get('scope')).toBe('read write');
  });

  const away = (): Promise<never> => Promise.reject(new TypeError('away'));
  const documents = 'GET https://id.test/.well-known/oauth-authorization-server';
  const resource = 'GET https://api.test/.well-known/oauth-protected-resource/mcp';
  const registering = (status: number): SignInWorldOptions => ({
    places: { [`POST ${ISSUER}/register`]: status },
  });
  const failures: readonly (readonly [string, Failing])[] = [
    ['R67 nobody registers', { world: { metadata: closed }, code: 'client_id_needed' }],
    ['R67 only those who are known register', { world: registering(403), code: 'client_id_needed' }],
    ['R64 the registration fails', { world: registering(500), code: 'auth_failed' }],
    [
      'R67 no metadata',
      { world: { places: { [documents]: 404, [resource]: 404 } }, code: 'auth_unsupported' },
    ],
    ['R64 the server is away', { world: { places: { [documents]: away } }, code: 'network_error' }],
    [
      'R68 no S256',
      { world: { metadata: { code_challenge_methods_supported: ['plain'] } }, code: 'auth_failed' },
    ],
    [
      'R68 no challenges',
      { world: { metadata: { code_challenge_methods_supported: NONE } }, code: 'auth_failed' },
    ],
    [
      'R167 a script',
      { world: { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, code: 'auth_failed' },
    ],
    [
      'R167 a document',
      { world: { metadata: { authorization_endpoint: 'data:text/html,hi' } }, code: 'auth_failed' },
    ],
    [
      'R167 in the clear',
      { world: { metadata: { authorization_endpoint: 'http://id.test/authorize' } }, code: 'auth_failed' },
    ],
    [
      'R67 no https for the document',
      {
        world: { metadata: reads },
        account: { oauth: { clientMetadataUrl: 'http://app.test/c' } },
        code: 'auth_failed',
      },
    ],
  ];

  it.each(failures)(
    '%s: there is no address, no window stays, and the call says so',
    async (_title, { world: options = {}, account = {}, code }) => {
      const { world, tab, signIn } = open(options, account);
      await expect(world.connect(signIn)).rejects.toMatchObject({ code, data: { id: 'mine' } });
      expect(signIn.state).toEqual({ flow: 'none' });
      const failed = { flow: 'none', failure: { code, message: expect.any(String) as string } };
      await signIn.prepare();
      expect(signIn.state).toEqual(failed);
      await signIn.authenticate({ ready: false });
      expect(signIn.state).toEqual(failed);
      expect(tab.page.windows.map(({ closed: isClosed, urls }) => [isClosed, urls])).toEqual([[true, []]]);
      expect(Object.keys(world.browser.stored()).filter((name) => /attempt|flow/.test(name))).toEqual([]);
    },
  );

  it('R68 is nobody on a page that is not secure: no request is made and no window opens', async () => {
    const { world, tab, signIn } = open({ browser: { isSecureContext: false } });
    const refused = signIn.authProvider.onUnauthorized?.({
      response: challenge(401),
      serverUrl: new URL('https://api.test/mcp'),
      fetchFn: world.hosts.fetch,
    });
    await expect(refused).rejects.toMatchObject({ code: 'insecure_context', data: { id: 'mine' } });
    await signIn.authenticate({ ready: false });
    expect(signIn.state).toMatchObject({ flow: 'none', failure: { code: 'insecure_context' } });
    expect([world.hosts.log, tab.page.windows, world.browser.stored()]).toEqual([[], [], {}]);
  });

  it('R51 goes by the proxy that is in force at that time', async () => {
    const ways: (string | undefined)[] = [];
    const world = createSignInWorld();
    let proxy: string | undefined = 'https://app.test/oauth';
    const { signIn } = world.watch(
      world.browser.openTab(),
      {},
      {
        oauthProxyUrl: () => proxy,
        oauthFetch(proxyUrl) {
          ways.push(proxyUrl);
          return world.hosts.fetch;
        },
      },
    );
    await signIn.prepare();
    proxy = undefined;
    signIn.withdraw();
    await signIn.prepare();
    expect(ways).toEqual(['https://app.test/oauth', undefined]);
  });

  /** A sign-in whose requests to authorization servers go by a proxy that passes them on as they are. */
  const proxied = (metadata: Record<string, unknown> = {}) => {
    const world = createSignInWorld({ metadata });
    const asked: string[] = [];
    const { signIn } = world.watch(
      world.browser.openTab(),
      {},
      {
        oauthProxyUrl: () => 'https://proxy.test/oauth',
        oauthFetch: () =>
          proxiedFetch(
            (proxy, init) => {
              const target = new Headers(init?.headers).get('x-target-url') ?? '';
              asked.push(`${String(proxy)} ${target}`);
              return world.hosts.fetch(target, init);
            },
            { proxyAddress: 'https://proxy.test/oauth', headers: {} },
          ),
      },
    );
    return { world, asked, signIn };
  };

  it('R53 takes the real issuer by a proxy, and looks for it from the server’s own address', async () => {
    const before = globalThis.fetch;
    const { asked, signIn } = proxied();
    await signIn.prepare();
    expect(new URL(signIn.state.authUrl ?? 'about:blank').origin).toBe(ISSUER);
    expect(asked[0]).toBe(
      'https://proxy.test/oauth https://api.test/.well-known/oauth-protected-resource/mcp',
    );
    expect(asked.every((line) => line.startsWith('https://proxy.test/oauth '))).toBe(true);
    expect(globalThis.fetch).toBe(before);
  });

  it('R53 refuses another issuer by a proxy, too', async () => {
    const { signIn } = proxied({ issuer: 'https://evil.test' });
    await signIn.prepare();
    expect(signIn.state.authUrl).toBeUndefined();
    expect(signIn.state.failure).toMatchObject({ code: 'auth_failed' });
  });
});
