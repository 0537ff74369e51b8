import { describe, expect, it } from 'vitest';
import { CALLBACK, createAuthWorld, ISSUER, pkce } from '../../../../testing/auth-world.ts';
import { redirectUriMatches } from './redirect-uris.ts';

describe('the authorization endpoint', () => {
  it('W233 sends the client a code, its state and the issuer, in an answer that nobody keeps or frames', async () => {
    const { authorize, router } = createAuthWorld();
    const { status, location, sent, headers } = await authorize();
    expect([status, location.split('?')[0]]).toEqual([302, 'https://app.example/callback']);
    expect(Object.fromEntries(sent)).toEqual({
      kept: '1',
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: 'st&te',
      iss: ISSUER,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(router.metadata).toMatchObject({
      issuer: ISSUER,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
    });
  });

  it.each<readonly [string, Record<string, string | undefined>]>([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['an address that nobody registered', { redirect_uri: 'https://evil.example/callback' }],
    ['an address below the registered one', { redirect_uri: 'https://app.example/callback/deeper?kept=1' }],
    ['the registered one without its query', { redirect_uri: 'https://app.example/callback' }],
    ['the registered one with more query', { redirect_uri: `${CALLBACK}&x=1` }],
    ['the registered one in capitals', { redirect_uri: 'https://APP.example/callback?kept=1' }],
    ['another port', { redirect_uri: 'https://app.example:8443/callback?kept=1' }],
    ['a fragment', { redirect_uri: `${CALLBACK}#x` }],
    ['credentials in it', { redirect_uri: 'https://app.example@evil.example/callback?kept=1' }],
    ['another loopback name', { redirect_uri: 'http://localhost:3000/cb' }],
    ['http elsewhere, though it is registered', { redirect_uri: 'http://evil.example/cb' }],
    ['a scheme of an app, though it is registered', { redirect_uri: 'custom:/cb' }],
    ['no address where several are registered', { redirect_uri: undefined }],
    ['no address at all', { redirect_uri: 'callback' }],
  ])('W233 redirects nowhere for %s', async (_what, params) => {
    const { authorize, faults } = createAuthWorld();
    const { status, location, body } = await authorize(params);
    expect([status, location]).toEqual([400, '']);
    expect(body['error']).toMatch(/^invalid_(client|request)$/);
    expect(faults).toEqual([]);
  });

  it.each<readonly [string, Record<string, string | undefined>, string]>([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['an unknown scope', { scope: 'read everything' }, 'invalid_scope'],
    ['a malformed scope', { scope: 'a"b' }, 'invalid_scope'],
    ['no address as resource', { resource: 'mcp' }, 'invalid_target'],
    ['a resource with a fragment', { resource: 'https://mcp.example/#x' }, 'invalid_target'],
    ['a resource of others', { resource: 'https://other.example/' }, 'invalid_target'],
  ])('W233 tells the client of %s, with state and issuer', async (_what, params, error) => {
    const resources = [new URL('https://mcp.example/mcp')];
    const { authorize, faults } = createAuthWorld({ resources }, { scopesSupported: ['read'] });
    const { status, sent } = await authorize(params);
    expect([status, sent.get('error'), sent.get('code')]).toEqual([302, error, null]);
    expect([sent.get('state'), sent.get('iss'), sent.get('kept')]).toEqual(['st&te', ISSUER, '1']);
    expect(faults).toEqual([]);
  });

  it('takes forms, and the only address of a client without being told', async () => {
    const { post, authorize } = createAuthWorld();
    const { challenge } = pkce();
    const form = {
      client_id: 'secret',
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    expect((await post('/authorize', form)).location).toMatch(/^https:\/\/one\.example\/cb\?code=/);
    expect((await authorize({ client_id: 'secret', redirect_uri: undefined })).status).toBe(302);
  });

  it('refuses parameters that are given twice', async () => {
    const { ask } = createAuthWorld();
    const twice = await ask(`/authorize?client_id=public&client_id=secret`);
    expect([twice.status, twice.body['error']]).toEqual([400, 'invalid_request']);
  });

  it('tells of denials, of what the provider says, and of its faults without their words', async () => {
    const denied = await createAuthWorld({ approve: () => ({ denied: true }) }).authorize();
    expect([denied.sent.get('error'), denied.sent.get('iss')]).toEqual(['access_denied', ISSUER]);
    const broken = createAuthWorld({ approve: () => Promise.reject(new TypeError('canary')) });
    const { sent } = await broken.authorize();
    expect([sent.get('error'), sent.toString().includes('canary')]).toEqual(['server_error', false]);
    expect(broken.faults).toHaveLength(1);
    const silent = createAuthWorld({ approve: () => undefined });
    expect((await silent.authorize()).sent.get('error')).toBe('server_error');
  });

  it('W233 adds the issuer to what providers send to the client, once', async () => {
    const redirecting = (more: string) =>
      createAuthWorld({
        approve: (_client, params, response) =>
          response.redirect(`${params.redirectUri}&code=c${more}`) as undefined,
      });
    expect((await redirecting('').authorize()).sent.getAll('iss')).toEqual([ISSUER]);
    expect((await redirecting('&iss=own').authorize()).sent.getAll('iss')).toEqual(['own']);
  });

  it('lets a page ask first, and adds no issuer to addresses of others', async () => {
    const page = createAuthWorld({
      approve: (_client, _params, response) =>
        void response.status(200).set('x-own', '1').send('<p>May they?</p>'),
    });
    const shown = await page.authorize();
    expect([shown.status, shown.headers.get('x-own')]).toEqual([200, '1']);
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const elsewhere = createAuthWorld({
      approve: (_client, _params, response) =>
        response.redirect(303, 'https://login.example/?for=x') as undefined,
    });
    const sent = await elsewhere.authorize();
    expect([sent.status, sent.location]).toEqual([303, 'https://login.example/?for=x']);
  });
});

describe('the addresses of clients', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb?x', 'https://a.example/cb', false],
    ['http://127.0.0.1:9/cb', 'http://127.0.0.1:3000/cb', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:3000/cb', true],
    ['http://localhost:9/cb', 'http://localhost/cb', true],
    ['http://[::1]:9/cb', 'http://[::1]:3000/cb', true],
    ['http://localhost:9/cb', 'http://127.0.0.1:3000/cb', false],
    ['https://127.0.0.1:9/cb', 'http://127.0.0.1:3000/cb', false],
    ['http://127.0.0.1:9/other', 'http://127.0.0.1:3000/cb', false],
    ['http://127.0.0.1:9/cb?x', 'http://127.0.0.1:3000/cb', false],
    ['http://x@127.0.0.1:9/cb', 'http://127.0.0.1:3000/cb', false],
    ['https://a.example:9/cb', 'https://a.example/cb', false],
    ['nothing', 'http://127.0.0.1:3000/cb', false],
  ])('W233 %s for %s: %s', (requested, registered, same) => {
    expect(redirectUriMatches(requested, registered)).toBe(same);
  });

  it('W233 on loopback may have any port, but the code is then bound to that one', async () => {
    const { code, post } = createAuthWorld();
    const form = await code({ redirect_uri: 'http://127.0.0.1:9999/cb' });
    const moved = await post('/token', { ...form, redirect_uri: 'http://127.0.0.1:3000/cb' });
    expect(moved.body['error']).toBe('invalid_grant');
    const again = await code({ redirect_uri: 'http://127.0.0.1:9999/cb' });
    expect((await post('/token', again)).status).toBe(200);
  });
});

describe('registration', () => {
  const register = (
    world: ReturnType<typeof createAuthWorld>,
    metadata: unknown,
  ): ReturnType<typeof world.ask> =>
    world.ask('/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
    });

  it('W233 gives clients ids, and secrets that end unless they need none', async () => {
    const world = createAuthWorld();
    const now = world.clock.now() / 1000;
    const metadata = {
      redirect_uris: ['https://a.example/cb'],
      client_name: 'A',
      unknown: 'x',
      scope: 'a  b',
    };
    const { status, body, headers } = await register(world, metadata);
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      client_id_issued_at: now,
      client_secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      client_secret_expires_at: now + 30 * 24 * 3600,
      redirect_uris: ['https://a.example/cb'],
      client_name: 'A',
      scope: 'a b',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    });
    const publicClient = await register(world, {
      redirect_uris: ['http://localhost:1/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    expect(publicClient.body).not.toHaveProperty('client_secret');
    expect(publicClient.body['grant_types']).toEqual(['authorization_code', 'refresh_token']);
  });

  it.each<readonly [string, unknown, string]>([
    ['http elsewhere', { redirect_uris: ['http://a.example/cb'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['a scheme of an app', { redirect_uris: ['app:/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://a.example/#'] }, 'invalid_redirect_uri'],
    [
      'one good and one bad',
      { redirect_uris: ['https://a.example/', 'http://b.example/'] },
      'invalid_redirect_uri',
    ],
    [
      'a name that looks local',
      { redirect_uris: ['http://localhost.evil.example/'] },
      'invalid_redirect_uri',
    ],
    ['no addresses', {}, 'invalid_redirect_uri'],
    [
      'too many',
      { redirect_uris: Array.from({ length: 21 }, () => 'https://a.example/') },
      'invalid_redirect_uri',
    ],
    [
      'another way to authenticate',
      { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'x' },
      'invalid_client_metadata',
    ],
    [
      'no grant that is served',
      { redirect_uris: ['https://a.example/'], grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
    [
      'a script as page',
      { redirect_uris: ['https://a.example/'], client_uri: 'javascript:1' },
      'invalid_client_metadata',
    ],
    [
      'a name without end',
      { redirect_uris: ['https://a.example/'], client_name: 'x'.repeat(3000) },
      'invalid_client_metadata',
    ],
    ['a list', [], 'invalid_request'],
    ['no JSON', '{', 'invalid_request'],
    ['too much', JSON.stringify({ x: 'x'.repeat(70_000) }), 'invalid_request'],
  ])('W233 refuses %s', async (_what, metadata, error) => {
    const { status, body } = await register(createAuthWorld(), metadata);
    expect([status, body['error']]).toEqual([400, error]);
  });

  it('is bounded, and is not there where clients cannot register', async () => {
    const full = createAuthWorld({ maxClients: 3 });
    const metadata = { redirect_uris: ['https://a.example/cb'] };
    expect((await register(full, metadata)).status).toBe(201);
    expect((await register(full, metadata)).status).toBe(429);
    const closed = createAuthWorld({ registration: false });
    expect(closed.router.metadata).not.toHaveProperty('registration_endpoint');
    await expect(register(closed, metadata)).rejects.toThrow('no path');
  });
});

describe('the router', () => {
  it('W233 announces what it has, to pages of every origin', async () => {
    const { ask, router } = createAuthWorld();
    for (const path of ['/.well-known/oauth-authorization-server']) {
      const { status, body, headers } = await ask(path);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(body).toEqual(router.metadata);
    }
    expect((await ask('/.well-known/oauth-protected-resource')).body).toMatchObject({
      resource: ISSUER,
      authorization_servers: [ISSUER],
    });
    expect(await router.fetch(new Request('https://as.example/mcp'))).toBeUndefined();
  });

  it('serves its document below the path of its issuer, too', async () => {
    const { ask } = createAuthWorld({}, { issuerUrl: new URL('https://as.example/tenant') });
    expect((await ask('/.well-known/oauth-authorization-server/tenant')).body['issuer']).toBe(
      'https://as.example/tenant',
    );
  });

  it('answers other methods with 405, and preflights where pages may ask', async () => {
    const { ask } = createAuthWorld();
    for (const path of ['/token', '/register', '/revoke']) {
      const refused = await ask(path);
      expect([path, refused.status, refused.headers.get('allow')]).toEqual([path, 405, 'POST']);
      const preflight = await ask(path, { method: 'OPTIONS' });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
    expect((await ask('/authorize', { method: 'OPTIONS' })).status).toBe(405);
    expect((await ask('/authorize', { method: 'DELETE' })).status).toBe(405);
  });

  it('asks whether there is room for a request', async () => {
    const { authorize, post } = createAuthWorld({}, { allow: (endpoint) => endpoint !== 'token' });
    expect((await authorize()).status).toBe(302);
    const refused = await post('/token', {});
    expect([refused.status, refused.body['error']]).toEqual([429, 'too_many_requests']);
  });

  it('W233 is made for https, or for this machine', () => {
    const make = (issuer: string): unknown => createAuthWorld({}, { issuerUrl: new URL(issuer) });
    expect(() => make('http://as.example/')).toThrow(TypeError);
    expect(() => make('https://as.example/?x')).toThrow(TypeError);
    expect(() => make('http://127.0.0.1:1/')).not.toThrow();
  });
});
