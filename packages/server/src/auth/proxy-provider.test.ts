import { describe, expect, it } from 'vitest';
import type { AuthInfo, OAuthClientInformationFull } from '@portico/oauth/resource';
import { authInfoFor } from '../../../../testing/auth-info.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { type AuthRouter, createAuthRouter } from './auth-router.ts';
import { type ProxyEndpoints, ProxyOAuthServerProvider } from './proxy-provider.ts';

const CLIENT: OAuthClientInformationFull = {
  client_id: 'app',
  client_secret: 'canary secret',
  redirect_uris: ['https://app.example/cb'],
};
const CHALLENGE = 'x'.repeat(43);
const ENDPOINTS: ProxyEndpoints = {
  authorizationUrl: 'https://up.example/authorize?tenant=1',
  tokenUrl: 'https://up.example/token',
  revocationUrl: 'https://up.example/revoke',
  registrationUrl: 'https://up.example/register',
};

interface World {
  readonly router: AuthRouter;
  readonly faults: Error[];
  readonly asked: [url: string, body: string][];
  readonly clock: ReturnType<typeof createManualClock>;
  answer: () => Response | Promise<Response>;
  readonly post: (path: string, form: Record<string, string>) => Promise<[number, Record<string, unknown>]>;
}

function open(): World {
  const asked: World['asked'] = [];
  const faults: Error[] = [];
  const clock = createManualClock();
  const world = { answer: () => Response.json({ access_token: 'a', token_type: 'Bearer', extra: 1 }) };
  const provider = new ProxyOAuthServerProvider({
    endpoints: ENDPOINTS,
    verifyAccessToken: (token): Promise<AuthInfo> => Promise.resolve(authInfoFor(token)),
    getClient: (id) => Promise.resolve(id === 'app' ? CLIENT : undefined),
    clock,
    async fetch(url, init) {
      asked.push([String(url), typeof init?.body === 'string' ? init.body : '']);
      expect(init?.redirect).toBe('manual');
      return await (world as World).answer();
    },
  });
  const router = createAuthRouter({
    provider,
    issuerUrl: new URL('https://as.example/'),
    onerror: (error) => void faults.push(error),
    clock,
  });
  const post: World['post'] = async (path, form) => {
    const isJson = path === '/register';
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const body = isJson ? (form['json'] ?? '') : new URLSearchParams(form).toString();
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    const answer = await router.fetch(new Request(`https://as.example${path}`, init));
    return [answer?.status ?? 0, (await answer?.json()) as Record<string, unknown>];
  };
  return Object.assign(world, { router, faults, asked, clock, post }) as World;
}

const exchange = {
  grant_type: 'authorization_code',
  client_id: 'app',
  client_secret: 'canary secret',
  code: 'c',
  code_verifier: 'v'.repeat(43),
  redirect_uri: 'https://app.example/cb',
  resource: 'https://mcp.example/mcp',
};

describe('a provider that asks another server', () => {
  it('W233 sends people there with what was checked here, and announces no issuer that will not come', async () => {
    const { router } = open();
    const query = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: 'https://app.example/cb',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 's',
      scope: 'a b',
    });
    const answer = await router.fetch(new Request(`https://as.example/authorize?${query.toString()}`));
    const target = new URL(answer?.headers.get('location') ?? '');
    expect(target.origin + target.pathname).toBe('https://up.example/authorize');
    expect(Object.fromEntries(target.searchParams)).toEqual({ tenant: '1', ...Object.fromEntries(query) });
    expect(router.metadata.authorization_response_iss_parameter_supported).toBe(false);
    // A foreign address is refused here, and never gets there.
    query.set('redirect_uri', 'https://evil.example/cb');
    const refused = await router.fetch(new Request(`https://as.example/authorize?${query.toString()}`));
    expect([refused?.status, refused?.headers.get('location')]).toEqual([400, null]);
  });

  it('W233 hands codes on with their verifiers, and refresh tokens, each as it came', async () => {
    const world = open();
    expect(await world.post('/token', exchange)).toEqual([
      200,
      { access_token: 'a', token_type: 'Bearer', extra: 1 },
    ]);
    const [[url, body] = ['', '']] = world.asked;
    expect([url, Object.fromEntries(new URLSearchParams(body))]).toEqual([ENDPOINTS.tokenUrl, exchange]);
    const refresh = { grant_type: 'refresh_token', refresh_token: 'r', scope: 'a' };
    const { client_id: id, client_secret: secret } = exchange;
    await world.post('/token', { ...refresh, client_id: id, client_secret: secret });
    expect(Object.fromEntries(new URLSearchParams(world.asked[1]?.[1]))).toEqual({
      ...refresh,
      client_id: id,
      client_secret: secret,
    });
    world.answer = () => new Response(null, { status: 200 });
    const form = { client_id: id, client_secret: secret, token: 't', token_type_hint: 'access_token' };
    expect((await world.post('/revoke', form))[0]).toBe(200);
    expect([world.asked[2]?.[0], Object.fromEntries(new URLSearchParams(world.asked[2]?.[1]))]).toEqual([
      ENDPOINTS.revocationUrl,
      form,
    ]);
  });

  it('registers clients there', async () => {
    const world = open();
    const registered = { client_id: 'theirs', redirect_uris: ['https://a.example/'] };
    world.answer = () => Response.json(registered, { status: 201 });
    const json = JSON.stringify({ redirect_uris: ['https://a.example/'] });
    expect(await world.post('/register', { json })).toEqual([201, registered]);
    const bad = JSON.stringify({ redirect_uris: ['http://a.example/'] });
    expect((await world.post('/register', { json: bad }))[0]).toBe(400);
    expect(world.asked).toHaveLength(1);
  });

  it.each<readonly [string, () => Response | Promise<Response>, number, string]>([
    [
      'a refusal',
      () => Response.json({ error: 'invalid_grant', error_description: 'x' }, { status: 400 }),
      400,
      'invalid_grant',
    ],
    [
      'an error of its own',
      () => Response.json({ error: 'server_error' }, { status: 500 }),
      503,
      'temporarily_unavailable',
    ],
    [
      'a word that nobody knows',
      () => Response.json({ error: 'canary' }, { status: 400 }),
      503,
      'temporarily_unavailable',
    ],
    ['no token', () => Response.json({ canary: 1 }), 503, 'temporarily_unavailable'],
    ['no JSON', () => new Response('canary'), 503, 'temporarily_unavailable'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
      503,
      'temporarily_unavailable',
    ],
    ['nothing', () => Promise.reject(new TypeError('fetch failed')), 503, 'temporarily_unavailable'],
    ['too much', () => new Response('x'.repeat(300_000)), 503, 'temporarily_unavailable'],
  ])('W233 W258 tells of %s without what is secret', async (...[, answer, status, error]) => {
    const world = open();
    world.answer = answer;
    const [got, body] = await world.post('/token', exchange);
    expect([got, body['error']]).toEqual([status, error]);
    const told = JSON.stringify(body) + world.faults.map(({ stack }) => stack).join('');
    expect(told).not.toMatch(/canary|vvvv/);
    expect(world.faults).toHaveLength(status === 503 ? 1 : 0);
  });

  it('waits no longer than the limit', async () => {
    const world = open();
    world.answer = () => new Promise(() => undefined);
    const reply = world.post('/token', exchange);
    await world.clock.advance(10_000);
    expect((await reply)[0]).toBe(503);
  });

  it.each(['http://up.example/token', 'ftp://up.example/', 'token'])('is not made for %s', (tokenUrl) => {
    const make = (): unknown =>
      new ProxyOAuthServerProvider({
        endpoints: { ...ENDPOINTS, tokenUrl },
        verifyAccessToken: () => Promise.reject(new TypeError()),
        getClient: () => Promise.resolve(undefined),
      });
    expect(make).toThrow(TypeError);
  });
});
