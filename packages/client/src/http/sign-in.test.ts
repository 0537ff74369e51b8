import { createOAuthProvider, createMemoryTokenStore } from '@portico/oauth';
import type { AuthProvider, OAuthClientProvider, StoredOAuthTokens } from '@portico/oauth';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import {
  PROTECTED_SERVER,
  authorizationOf,
  challenge,
  createProtectedServer,
} from '../../../../testing/protected-server.ts';
import type { ProtectedServerOptions } from '../../../../testing/protected-server.ts';
import type { HostRequest, ScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import { Client } from '../client.ts';
import { failureOf } from '../failure.ts';
import { StreamableHTTPClientTransport } from './transport.ts';
import type { StreamableHTTPClientTransportOptions } from './transport.ts';

const TOKEN = 'https://id.test/token';
const STORED: StoredOAuthTokens = {
  access_token: 'old',
  token_type: 'Bearer',
  refresh_token: 'r0',
  issuer: 'https://id.test',
};
const CLIENT = { client_id: 'c', issuer: 'https://id.test' };

type Mode = 'legacy' | 'auto' | { pin: string };

function open(
  hosts: ScriptedHosts,
  authProvider: AuthProvider | OAuthClientProvider | undefined,
  options: StreamableHTTPClientTransportOptions & { mode?: Mode } = {},
) {
  const { mode = 'legacy', ...rest } = options;
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
  const errors: unknown[] = [];
  client.onerror = (error) => errors.push(error);
  const clock = createManualClock();
  const transport = new StreamableHTTPClientTransport(PROTECTED_SERVER, {
    fetch: hosts.fetch,
    clock,
    ...(authProvider === undefined ? {} : { authProvider }),
    ...rest,
  });
  return { client, transport, errors, clock, connect: () => client.connect(transport) };
}

const accepting =
  (...tokens: string[]): ProtectedServerOptions['guard'] =>
  (request) =>
    tokens.some((token) => authorizationOf(request) === `Bearer ${token}`)
      ? undefined
      : challenge(401, 'scope="read"');

const toServer = ({ log }: ScriptedHosts): HostRequest[] =>
  log.filter(({ url }) => url.host === 'api.test' && url.pathname === '/mcp');
const grantsOf = (hosts: ScriptedHosts): (string | null)[] =>
  hosts.forms(TOKEN).map((form) => form.get('grant_type'));

describe('a sign-in through the transport', () => {
  it.each<[Mode, 'legacy' | 'modern']>([
    ['legacy', 'legacy'],
    ['auto', 'legacy'],
    ['auto', 'modern'],
    [{ pin: '2026-07-28' }, 'modern'],
  ])(
    'W43 W206 in mode %j of a %s server goes before the era, and a fresh transport connects',
    async (mode, era) => {
      const hosts = createProtectedServer({ guard: accepting('access-1'), era });
      const sent: URL[] = [];
      const authProvider = createOAuthProvider({
        store: createMemoryTokenStore(),
        redirectUrl: 'http://localhost/cb',
        clientMetadata: {},
        openUrl: (url) => void sent.push(url),
      });
      const first = open(hosts, authProvider, { mode });
      await expect(first.connect()).rejects.toMatchObject({ name: 'UnauthorizedError' });
      expect(toServer(hosts)).toHaveLength(1);
      expect(sent[0]?.searchParams.get('scope')).toBe('read');
      const state = sent[0]?.searchParams.get('state') ?? '';
      await first.transport.finishAuth(new URLSearchParams({ code: 'c', state, iss: 'https://id.test' }));
      const second = open(hosts, authProvider, { mode });
      await second.connect();
      expect(second.client.getProtocolEra()).toBe(era);
      expect((await second.client.listTools()).tools).toHaveLength(1);
      expect(sent).toHaveLength(1);
    },
  );

  it('W217 W218 a callback that is nobody’s, or was used, is refused and stores nothing', async () => {
    const hosts = createProtectedServer({ guard: accepting('access-1') });
    const store = createMemoryTokenStore();
    const sent: URL[] = [];
    const authProvider = createOAuthProvider({
      store,
      redirectUrl: 'http://localhost/cb',
      clientMetadata: {},
      openUrl: (url) => void sent.push(url),
    });
    const { transport, connect } = open(hosts, authProvider);
    await connect().catch(() => undefined);
    const foreign = new URLSearchParams({ code: 'c', state: 'foreign' });
    await expect(transport.finishAuth(foreign)).rejects.toMatchObject({ code: 'state_mismatch' });
    expect(hosts.forms(TOKEN)).toEqual([]);
    const state = sent[0]?.searchParams.get('state') ?? '';
    await transport.finishAuth(new URLSearchParams({ code: 'c', state }));
    await expect(transport.finishAuth(new URLSearchParams({ code: 'c', state }))).rejects.toMatchObject({
      code: 'state_mismatch',
    });
  });

  it('W206 takes the code and the issuer apart, too, and needs a provider for it', async () => {
    const hosts = createProtectedServer({ guard: accepting('access-1') });
    const provider = new MemoryProvider();
    const { transport, connect } = open(hosts, provider);
    await connect().catch(() => undefined);
    await expect(transport.finishAuth('code', 'https://evil.test')).rejects.toMatchObject({
      code: 'issuer_mismatch',
    });
    await connect().catch(() => undefined);
    provider.verifier = 'v';
    await transport.finishAuth('code', 'https://id.test');
    expect(provider.stored?.access_token).toBe('access-1');
    await expect(open(hosts, undefined).transport.finishAuth('code')).rejects.toMatchObject({
      name: 'UnauthorizedError',
    });
  });

  it('W206 field-D24 ends with the HTTP error when a fresh token is refused, too, and never loops', async () => {
    const hosts = createProtectedServer({ guard: () => challenge(401) });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    const failure = await open(hosts, provider)
      .connect()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SdkHttpError', code: 'CLIENT_HTTP_AUTHENTICATION', status: 401 });
    expect([toServer(hosts).length, grantsOf(hosts), provider.redirects]).toEqual([2, ['refresh_token'], []]);
    expect(provider.invalidated).toEqual(['discovery']);
    expect(failureOf(failure).step).toBe('sign_in');
  });

  it('W206 W227 fails with what the sign-in fails with, unwrapped', async () => {
    const hosts = createProtectedServer({
      guard: () => challenge(401),
      metadata: { code_challenge_methods_supported: undefined },
    });
    for (const mode of ['legacy', 'auto'] as const) {
      const failure = await open(hosts, new MemoryProvider(), { mode })
        .connect()
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'OAuthClientFlowError', code: 'pkce_unsupported' });
      expect(failureOf(failure)).toMatchObject({
        step: 'sign_in',
        code: 'pkce_unsupported',
        retryable: false,
      });
    }
    const thrown = new TypeError('store is gone');
    const broken = Object.assign(new MemoryProvider(), { tokens: () => Promise.reject(thrown) });
    await expect(open(hosts, broken).connect()).rejects.toBe(thrown);
    const odd = Object.assign(new MemoryProvider(), {
      tokens: () => Promise.reject(Object.freeze(new TypeError('frozen'))),
    });
    await expect(open(hosts, odd).connect()).rejects.toMatchObject({
      code: 'provider_failed',
      cause: { message: 'frozen' },
    });
  });

  it('W43 W206 without a provider is the HTTP error of the refusal', async () => {
    const hosts = createProtectedServer({ guard: () => challenge(401) });
    for (const mode of ['legacy', 'auto'] as const) {
      await expect(open(hosts, undefined, { mode }).connect()).rejects.toMatchObject({
        code: 'CLIENT_HTTP_AUTHENTICATION',
        status: 401,
      });
    }
  });
});

describe('the token', () => {
  it('W223 is in the header of every request and nowhere else', async () => {
    const hosts = createProtectedServer({ guard: accepting('old') });
    const { client, transport, connect } = open(
      hosts,
      new MemoryProvider({ client: CLIENT, stored: STORED }),
    );
    await connect();
    await client.callTool({ name: 'echo' });
    await transport.terminateSession();
    const requests = toServer(hosts);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
    expect(new Set(requests.map(authorizationOf))).toEqual(new Set(['Bearer old']));
    expect(requests.some(({ url }) => url.href.includes('old'))).toBe(false);
  });

  it('W223 is absent when there is none', async () => {
    const hosts = createProtectedServer({ guard: () => undefined });
    await open(hosts, new MemoryProvider()).connect();
    await open(hosts, { token: async () => undefined }).connect();
    expect(toServer(hosts).some(({ headers }) => headers.has('authorization'))).toBe(false);
  });

  it('W223 ext-P15 stays when the server sends on to another origin, and goes along within its own', async () => {
    const to = (location: string): Response => new Response(null, { status: 307, headers: { location } });
    const away = createProtectedServer({ guard: () => to('https://evil.test/mcp') });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    await expect(open(away, provider).connect()).rejects.toMatchObject({ status: 307 });
    expect(away.log.some(({ url }) => url.host === 'evil.test')).toBe(false);
    // The platform would follow by itself, and nobody would be asked.
    expect(new Set(toServer(away).map(({ redirect }) => redirect))).toEqual(new Set(['manual']));
    const within = createProtectedServer({
      guard: ({ url }) => (url.pathname === '/mcp' ? to('https://api.test/moved') : undefined),
      places: { 'POST https://api.test/moved': 404 },
    });
    await open(within, provider)
      .connect()
      .catch(() => undefined);
    expect(authorizationOf(within.log[1]!)).toBe('Bearer old');
  });

  it.each<[string, () => AuthProvider | OAuthClientProvider, number]>([
    ['the sign-in itself', () => new MemoryProvider(), 3],
    [
      // What it asks has no headers of its own, which would take the place of ours.
      'a plain provider',
      () => ({
        token: async () => 'bad',
        async onUnauthorized({ fetchFn }) {
          await fetchFn('https://id.test/.well-known/oauth-authorization-server');
          await fetchFn(new URL(TOKEN), { method: 'POST', body: 'grant_type=own' });
        },
      }),
      2,
    ],
  ])(
    'W222 the caller’s headers for the server do not reach whoever signs people in: %s',
    async (...given) => {
      const [, provider, requests] = given;
      const hosts = createProtectedServer({ guard: () => challenge(401) });
      const requestInit = {
        headers: { authorization: 'Basic canary', 'x-api-key': 'canary', cookie: 'canary' },
      };
      await open(hosts, provider(), { requestInit })
        .connect()
        .catch(() => undefined);
      const elsewhere = hosts.log.filter(({ url }) => url.pathname !== '/mcp');
      expect(elsewhere.length).toBeGreaterThanOrEqual(requests);
      expect(JSON.stringify(elsewhere.map(({ headers }) => [...headers]))).not.toContain('canary');
      expect(toServer(hosts).map(({ headers }) => headers.get('x-api-key'))).toContain('canary');
    },
  );
});

describe('a plain source of tokens', () => {
  it('W223 is asked before every request', async () => {
    const hosts = createProtectedServer({ guard: () => undefined });
    let count = 0;
    const { client, connect } = open(hosts, { token: async () => `t${++count}` });
    await connect();
    await client.listTools();
    const sent = toServer(hosts).map(authorizationOf);
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('W223 sees to a new one once, and is told of the refusal', async () => {
    let token = 'bad';
    const seen: unknown[] = [];
    const provider: AuthProvider = {
      token: async () => token,
      async onUnauthorized({ response, serverUrl, fetchFn }) {
        seen.push([
          response.status,
          response.headers.get('www-authenticate'),
          await response.json(),
          serverUrl.href,
          typeof fetchFn,
        ]);
        token = 'good';
      },
    };
    const hosts = createProtectedServer({ guard: accepting('good') });
    await open(hosts, provider).connect();
    expect(seen).toEqual([[401, 'Bearer scope="read"', { error: 'refused' }, PROTECTED_SERVER, 'function']]);
  });

  it('W206 W223 fails after one retry with the HTTP error, and without a way to get another at once', async () => {
    const hosts = createProtectedServer({ guard: () => challenge(401) });
    let asked = 0;
    const stubborn: AuthProvider = {
      token: async () => 'bad',
      onUnauthorized: async () => void (asked += 1),
    };
    await expect(open(hosts, stubborn).connect()).rejects.toMatchObject({
      code: 'CLIENT_HTTP_AUTHENTICATION',
    });
    expect([asked, toServer(hosts).length]).toEqual([1, 2]);
    await expect(open(hosts, { token: async () => 'bad' }).connect()).rejects.toMatchObject({
      name: 'UnauthorizedError',
    });
    expect(toServer(hosts)).toHaveLength(3);
  });
});

describe('refreshing', () => {
  it('W221 field-D22 is done once for six calls in one tick, which all succeed', async () => {
    let accepted = 'old';
    const hosts = createProtectedServer({
      guard: (request) =>
        authorizationOf(request) === `Bearer ${accepted}`
          ? undefined
          : challenge(401, 'error="invalid_token"'),
    });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    const { client, connect } = open(hosts, provider);
    await connect();
    accepted = 'access-1';
    const results = await Promise.all(Array.from({ length: 6 }, () => client.callTool({ name: 'echo' })));
    expect(results).toHaveLength(6);
    expect([grantsOf(hosts), provider.redirects]).toEqual([['refresh_token'], []]);
  });

  it('W206 sends the person to sign in once for six calls that are refused together', async () => {
    const hosts = createProtectedServer({
      guard: (_request, rpc) => (rpc === 'tools/call' ? challenge(401) : undefined),
    });
    const provider = new MemoryProvider({ client: CLIENT });
    const { client, connect } = open(hosts, provider);
    await connect();
    const calls = Array.from({ length: 6 }, () => client.callTool({ name: 'echo' }));
    const ended = await Promise.allSettled(calls);
    expect(ended.map((each) => each.status === 'rejected' && (each.reason as Error).name)).toEqual(
      Array.from({ length: 6 }, () => 'UnauthorizedError'),
    );
    expect(provider.redirects).toHaveLength(1);
  });

  it('W221 comes before the use of a token that has ended', async () => {
    const hosts = createProtectedServer({ guard: accepting('old', 'access-1') });
    const provider = new MemoryProvider({ client: CLIENT });
    const { client, clock, connect } = open(hosts, provider);
    provider.stored = { ...STORED, expires_at: clock.now() + 60_000 };
    await connect();
    await clock.advance(60_000);
    await Promise.all([client.listTools(), client.callTool({ name: 'echo' })]);
    expect(grantsOf(hosts)).toEqual(['refresh_token']);
    expect(toServer(hosts).slice(-2).map(authorizationOf)).toEqual(['Bearer access-1', 'Bearer access-1']);
  });

  it('W221 field-D22 a token that somebody else replaced is just taken', async () => {
    const hosts = createProtectedServer({ guard: accepting('newer') });
    const provider = new MemoryProvider({ client: CLIENT, stored: STORED });
    let reads = 0;
    provider.tokens = () => ({ ...STORED, access_token: ++reads > 1 ? 'newer' : 'old' });
    await open(hosts, provider).connect();
    expect(hosts.forms(TOKEN)).toEqual([]);
  });
});
