import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAuthorizationServer, walkToCallback } from '../../../../testing/authorization-server.ts';
import type { AuthorizationServer } from '../../../../testing/authorization-server.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import { auth } from './auth.ts';
import type { AuthOptions } from './auth.ts';
import { finishAuthorization } from './callback.ts';
import { createLocalLocks } from './locks.ts';
import type { OAuthClientProvider } from './provider.ts';
import { signOut } from './revocation.ts';
import { createOAuthProvider } from './stored-provider.ts';
import type { OAuthProviderOptions } from './stored-provider.ts';
import { accountStore, createMemoryTokenStore } from './token-store.ts';
import type { TokenStore } from './token-store.ts';

const SERVER = 'https://api.test/mcp';
const REDIRECT = 'http://localhost:3000/callback';
let server: AuthorizationServer;

beforeAll(async () => {
  server = await startAuthorizationServer();
});
afterAll(() => server.close());

interface Bench {
  readonly store: TokenStore;
  readonly opened: URL[];
  /** Bodies of the requests to the token endpoint. */
  readonly asked: URLSearchParams[];
  readonly options: AuthOptions;
  readonly provider: (more?: Partial<OAuthProviderOptions>) => OAuthClientProvider;
  readonly signIn: (provider: OAuthClientProvider) => Promise<void>;
}

/** The resource is scripted, its authorization server is real. */
function open(store: TokenStore = createMemoryTokenStore()): Bench {
  const hosts = createScriptedHosts({
    'GET https://api.test/.well-known/oauth-protected-resource/mcp': {
      resource: SERVER,
      authorization_servers: [server.issuer],
    },
  });
  const asked: URLSearchParams[] = [];
  const opened: URL[] = [];
  const options: AuthOptions = {
    serverUrl: SERVER,
    scope: 'read',
    fetchFn: (url, init) => {
      if (init?.body instanceof URLSearchParams) asked.push(init.body);
      return new URL(url).host === 'api.test' ? hosts.fetch(url, init) : fetch(url, init);
    },
  };
  return {
    store,
    opened,
    asked,
    options,
    provider: (more = {}) =>
      createOAuthProvider({
        store,
        redirectUrl: REDIRECT,
        clientMetadata: { client_name: 'test' },
        openUrl: (url) => void opened.push(url),
        ...more,
      }),
    async signIn(provider) {
      expect(await auth(provider, options)).toBe('REDIRECT');
      await finishAuthorization(provider, await walkToCallback(opened.at(-1)!, REDIRECT), options);
    },
  };
}

const grants = (asked: readonly URLSearchParams[]): (string | null)[] =>
  asked.map((body) => body.get('grant_type')).filter((grant) => grant !== null);

describe('a provider over a store', () => {
  it('W217 keeps attempts apart that run beside each other, takes each callback once, and no foreign one', async () => {
    const { provider: create, opened, options, asked } = open();
    const provider = create();
    await Promise.all([auth(provider, options), auth(provider, options)]);
    const states = opened.map((url) => url.searchParams.get('state'));
    expect(new Set(states).size).toBe(2);
    const [first, second] = await Promise.all(opened.map((url) => walkToCallback(url, REDIRECT)));
    // In the other order than they began, and with the other's state: verifier and code do not fit then.
    await finishAuthorization(provider, second!, options);
    await finishAuthorization(provider, first!, options);
    expect(grants(asked)).toEqual(['authorization_code', 'authorization_code']);
    for (const callback of [
      first!,
      new URLSearchParams({ code: 'x', state: 'foreign' }),
      new URLSearchParams({ code: 'x' }),
    ]) {
      await expect(finishAuthorization(provider, callback, options)).rejects.toMatchObject({
        code: 'state_mismatch',
        step: 'callback',
      });
    }
    expect(grants(asked)).toHaveLength(2);
  });

  it('lets an attempt go when its time is over, and the oldest of too many', async () => {
    const { provider: create, opened, options, store } = open();
    const clock = createManualClock();
    const provider = create({ clock, attemptLifetimeMs: 1_000 });
    await auth(provider, options);
    await clock.advance(1_000);
    const late = await walkToCallback(opened[0]!, REDIRECT);
    await expect(finishAuthorization(provider, late, options)).rejects.toMatchObject({
      code: 'state_mismatch',
    });
    for (let count = 0; count < 12; count++) await auth(provider, options);
    expect((await store.names()).filter((name) => name.startsWith('attempt '))).toHaveLength(10);
  });

  it('W221 refreshes once for all who need it: in one process, and in two that share store and lock', async () => {
    const bench = open();
    const locks = createLocalLocks();
    const mine = bench.provider({ locks });
    const theirs = bench.provider({ locks });
    await bench.signIn(mine);
    const staleToken = (await mine.tokens())!.access_token;
    bench.asked.length = 0;
    const outcomes = await Promise.all(
      [mine, theirs, mine, theirs, mine, theirs].map((provider) =>
        auth(provider, { ...bench.options, staleToken }),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set(['AUTHORIZED']));
    expect(grants(bench.asked)).toEqual(['refresh_token']);
    const fresh = (await theirs.tokens())!;
    expect(fresh.access_token).not.toBe(staleToken);
    expect(await server.verify(fresh.access_token)).toMatchObject({ resource: SERVER });
  });

  it('W221 uses no new token that could not be stored, and tells why', async () => {
    const inner = createMemoryTokenStore();
    let isFull = false;
    const store: TokenStore = {
      ...inner,
      set: (name, value) =>
        isFull && name.startsWith('tokens ')
          ? Promise.reject(new RangeError('full'))
          : inner.set(name, value),
    };
    const bench = open(store);
    const provider = bench.provider();
    await bench.signIn(provider);
    const before = await provider.tokens();
    isFull = true;
    await expect(auth(provider, bench.options)).rejects.toThrow('full');
    expect(await provider.tokens()).toEqual(before);
  });

  it('W222 keeps registrations and tokens by issuer, and reads those of another as absent', async () => {
    const bench = open();
    const provider = bench.provider();
    await bench.signIn(provider);
    const other = { issuer: 'https://elsewhere.test' };
    expect(await provider.tokens({ issuer: server.issuer })).toMatchObject({ token_type: 'Bearer' });
    expect(await provider.clientInformation({ issuer: server.issuer })).toMatchObject({
      issuer: server.issuer,
    });
    expect(await provider.tokens(other)).toBeUndefined();
    expect(await provider.clientInformation(other)).toBeUndefined();
  });

  it('takes for absent what others wrote into the store', async () => {
    const store = createMemoryTokenStore();
    const provider = open(store).provider();
    await store.set('issuer', 'https://id.test');
    for (const junk of [null, 5, 'text', {}, { access_token: 5, client_id: null }]) {
      await store.set('tokens https://id.test', junk);
      await store.set('client https://id.test', junk);
      await store.set('discovery', junk);
      await store.set('attempt s', junk);
      expect(await provider.tokens()).toBeUndefined();
      expect(await provider.clientInformation()).toBeUndefined();
      expect(await provider.discoveryState?.()).toBeUndefined();
      await expect(provider.resumeAttempt?.('s')).rejects.toMatchObject({ code: 'state_mismatch' });
    }
  });

  it('prefers an id that was given by hand, and registers nothing', async () => {
    const bench = open();
    const client = { client_id: 'given', client_secret: 'secret' };
    const provider = bench.provider({ client });
    expect(await auth(provider, bench.options)).toBe('REDIRECT');
    expect(bench.opened[0]?.searchParams.get('client_id')).toBe('given');
    expect((await bench.store.names()).filter((name) => name.startsWith('client '))).toEqual([]);
  });

  it('gives the tokens back and forgets them when it signs out, also when the server fails', async () => {
    const bench = open();
    const provider = bench.provider();
    await bench.signIn(provider);
    const { access_token: token } = (await provider.tokens())!;
    expect(await signOut(provider, bench.options)).toEqual({ revoked: true });
    expect(await provider.tokens()).toBeUndefined();
    expect(await provider.clientInformation({ issuer: server.issuer })).toBeDefined();
    expect(await server.verify(token)).toBeUndefined();

    await bench.signIn(provider);
    const broken = {
      ...bench.options,
      fetchFn: () => Promise.resolve(new Response('oops', { status: 500 })),
    };
    expect(await signOut(provider, broken)).toMatchObject({
      revoked: false,
      error: { code: 'server_error' },
    });
    expect(await provider.tokens()).toBeUndefined();
  });

  it('shares a store with other accounts without seeing them', async () => {
    const store = createMemoryTokenStore();
    const mine = accountStore(store, SERVER, 'me');
    const theirs = accountStore(store, SERVER, 'them');
    await mine.set('tokens', 1);
    await theirs.set('tokens', 2);
    expect([await mine.get('tokens'), await theirs.get('tokens')]).toEqual([1, 2]);
    expect(await mine.names()).toEqual(['tokens']);
    await mine.delete('tokens');
    expect([await mine.names(), await theirs.names()]).toEqual([[], ['tokens']]);
  });
});
