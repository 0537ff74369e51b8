import { describe, expect, it } from 'vitest';
import { createAuthWorld, pkce } from '../../../../testing/auth-world.ts';

type World = ReturnType<typeof createAuthWorld>;
type Form = Record<string, string | undefined>;

const errorOf = async (world: World, form: Form, headers?: object): Promise<unknown> => {
  const { status, body } = await world.post('/token', form, headers);
  return status === 200 ? 'tokens' : body['error'];
};
const tokensOf = async (world: World, form: Form): Promise<Record<string, string>> =>
  (await world.post('/token', form)).body as Record<string, string>;
const lives = async ({ provider }: World, token: string | undefined): Promise<boolean> =>
  provider.verifyAccessToken(token ?? '').then(
    () => true,
    () => false,
  );

describe('exchanging codes', () => {
  it('W233 gives tokens for whom, what and how long they are, which nobody keeps', async () => {
    const world = createAuthWorld();
    const resource = 'https://mcp.example/mcp';
    const { status, body, headers } = await world.post('/token', {
      ...(await world.code({ scope: 'a b', resource })),
      resource,
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'a b' });
    const info = await world.provider.verifyAccessToken(String(body['access_token']));
    expect(info).toMatchObject({ clientId: 'public', scopes: ['a', 'b'], extra: { sub: 'ada' } });
    expect(info.resource?.href).toBe(resource);
    expect(info.expiresAt).toBe(world.clock.now() / 1000 + 3600);
    await world.clock.advance(3_600_000);
    expect(await lives(world, String(body['access_token']))).toBe(false);
  });

  it.each<readonly [string, Form, string]>([
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['a short verifier', { code_verifier: 'short' }, 'invalid_grant'],
    ['another verifier', { code_verifier: pkce().verifier }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another code', { code: 'made-up' }, 'invalid_grant'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['another address', { redirect_uri: 'http://127.0.0.1:3000/cb' }, 'invalid_grant'],
    ['no address', { redirect_uri: undefined }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/' }, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: undefined }, 'invalid_request'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a client without its secret', { client_id: 'secret' }, 'invalid_client'],
    ['the code of another client', { client_id: 'secret', client_secret: 'se:cret &' }, 'invalid_grant'],
  ])('W233 refuses %s', async (_what, change, error) => {
    const world = createAuthWorld();
    expect(await errorOf(world, { ...(await world.code()), ...change })).toBe(error);
    expect(world.faults).toEqual([]);
  });

  it('W233 takes a code once, also from two at once, and ends what came of it', async () => {
    const world = createAuthWorld();
    const form = await world.code();
    const { access_token: token } = await tokensOf(world, form);
    expect(await lives(world, token)).toBe(true);
    expect(await errorOf(world, form)).toBe('invalid_grant');
    expect(await lives(world, token)).toBe(false);
    const other = await world.code();
    const both = await Promise.all([errorOf(world, other), errorOf(world, other)]);
    expect(new Set(both)).toEqual(new Set(['invalid_grant', 'tokens']));
  });

  it('W233 takes a code once even where the provider would take it twice', async () => {
    const world = createAuthWorld();
    let exchanged = 0;
    world.provider.challengeForAuthorizationCode = () => Promise.resolve(challenge);
    world.provider.exchangeAuthorizationCode = () => {
      exchanged += 1;
      return Promise.resolve({ access_token: 'a', token_type: 'Bearer' });
    };
    const { verifier, challenge } = pkce();
    const form = {
      grant_type: 'authorization_code',
      client_id: 'public',
      code: 'c',
      code_verifier: verifier,
    };
    const outcomes = [await errorOf(world, form), await errorOf(world, form), exchanged];
    expect(outcomes).toEqual(['tokens', 'invalid_grant', 1]);
  });

  it('W233 takes a code for a minute, and keeps a bounded number', async () => {
    const world = createAuthWorld({ maxEntries: 2 });
    const late = await world.code();
    await world.clock.advance(60_000);
    expect(await errorOf(world, late)).toBe('invalid_grant');
    const codes = [await world.code(), await world.code(), await world.code()];
    const [first, ...rest] = await Promise.all(codes.map((form) => errorOf(world, form)));
    expect([first, rest]).toEqual(['invalid_grant', ['tokens', 'tokens']]);
  });
});

describe('clients', () => {
  const basic = (id: string, secret: string): object => ({
    authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
  });
  const good = { client_id: 'secret', redirect_uri: 'https://one.example/cb' };

  it('W233 prove themselves in the form or in the header, and in one way only', async () => {
    const world = createAuthWorld();
    const form = async (): Promise<Form> => world.code(good);
    expect(await errorOf(world, { ...(await form()), client_secret: 'se:cret &' })).toBe('tokens');
    expect(
      await errorOf(world, { ...(await form()), client_id: undefined }, basic('secret', 'se:cret &')),
    ).toBe('tokens');
    expect(await errorOf(world, { ...(await form()), client_secret: 'wrong' })).toBe('invalid_client');
    const wrong = await world.post('/token', await form(), basic('secret', 'wrong'));
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="token"']);
    const twice = { ...(await form()), client_secret: 'se:cret &' };
    expect(await errorOf(world, twice, basic('secret', 'se:cret &'))).toBe('invalid_request');
    expect(
      await errorOf(world, { ...(await form()), client_id: 'public' }, basic('secret', 'se:cret &')),
    ).toBe('invalid_request');
    for (const authorization of [
      'Basic',
      'Basic !',
      'Bearer x',
      `Basic ${btoa('secret')}`,
      `Basic ${btoa('%:%')}`,
    ]) {
      expect(await errorOf(world, await form(), { authorization })).toBe('invalid_client');
    }
  });

  it('lose their secrets when those end, and serve the grants they registered for', async () => {
    const world = createAuthWorld({
      clients: [
        {
          ...good,
          client_secret: 's',
          client_secret_expires_at: 1_700_000_100,
          redirect_uris: [good.redirect_uri],
          grant_types: ['authorization_code'],
        },
      ],
    });
    const form = { ...(await world.code(good)), client_secret: 's' };
    expect(await tokensOf(world, form)).not.toHaveProperty('refresh_token');
    const refresh = {
      grant_type: 'refresh_token',
      client_id: 'secret',
      client_secret: 's',
      refresh_token: 'x',
    };
    expect(await errorOf(world, refresh)).toBe('unauthorized_client');
    await world.clock.advance(100_000);
    expect(await errorOf(world, { ...form })).toBe('invalid_client');
  });

  it('send forms, each parameter once', async () => {
    const world = createAuthWorld();
    const send = async (body: string, type = 'application/x-www-form-urlencoded'): Promise<unknown> =>
      (await world.ask('/token', { method: 'POST', headers: { 'content-type': type }, body })).body['error'];
    expect(await send('{}', 'application/json')).toBe('invalid_request');
    expect(await send('client_id=public&client_id=secret')).toBe('invalid_request');
    expect(await send(`client_id=${'x'.repeat(5000)}`)).toBe('invalid_request');
    expect(await send(`a=${'x'.repeat(70_000)}`)).toBe('invalid_request');
  });
});

describe('refreshing', () => {
  const refresh = (token: string | undefined, more: Form = {}): Form => ({
    grant_type: 'refresh_token',
    client_id: 'public',
    refresh_token: token,
    ...more,
  });

  it('W233 gives a new refresh token each time, and a used one ends the sign-in', async () => {
    const world = createAuthWorld();
    const first = await tokensOf(world, await world.code({ scope: 'a b' }));
    const second = await tokensOf(world, refresh(first['refresh_token']));
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    const third = await tokensOf(world, refresh(second['refresh_token']));
    expect(await lives(world, third['access_token'])).toBe(true);
    expect(await errorOf(world, refresh(first['refresh_token']))).toBe('invalid_grant');
    for (const { access_token: token } of [first, second, third])
      expect(await lives(world, token)).toBe(false);
    expect(await errorOf(world, refresh(third['refresh_token']))).toBe('invalid_grant');
  });

  it('W233 grants no more scopes, no other resource and nothing to other clients', async () => {
    const world = createAuthWorld();
    const resource = 'https://mcp.example/mcp';
    const { refresh_token: token } = await tokensOf(world, await world.code({ scope: 'a b', resource }));
    expect(await errorOf(world, refresh(token, { scope: 'a c' }))).toBe('invalid_scope');
    expect(await errorOf(world, refresh(token, { resource: 'https://other.example/' }))).toBe(
      'invalid_target',
    );
    const stranger = refresh(token, { client_id: 'secret', client_secret: 'se:cret &' });
    expect(await errorOf(world, stranger)).toBe('invalid_grant');
    const narrow = await tokensOf(world, refresh(token, { scope: 'a' }));
    expect(narrow['scope']).toBe('a');
    // What was left out once is not lost.
    expect((await tokensOf(world, refresh(narrow['refresh_token'])))['scope']).toBe('a b');
  });

  it('W233 ends with the sign-in, however often it was refreshed', async () => {
    const world = createAuthWorld({ grantSeconds: 5000 });
    const first = await tokensOf(world, await world.code());
    await world.clock.advance(4_000_000);
    const second = (await world.post('/token', refresh(first['refresh_token']))).body;
    expect(second['expires_in']).toBe(1000);
    await world.clock.advance(1_000_000);
    expect(await errorOf(world, refresh(String(second['refresh_token'])))).toBe('invalid_grant');
  });
});

describe('taking tokens back', () => {
  it('W233 ends an access token, or with the refresh token all of it, but for other clients nothing', async () => {
    const world = createAuthWorld();
    const { post } = world;
    const revoke = async (token: string | undefined, more: Form = { client_id: 'public' }): Promise<number> =>
      (await post('/revoke', { token, ...more })).status;
    const tokens = await tokensOf(world, await world.code());
    const stranger = { client_id: 'secret', client_secret: 'se:cret &' };
    expect(await revoke(tokens['refresh_token'], stranger)).toBe(200);
    expect(await lives(world, tokens['access_token'])).toBe(true);
    expect(await revoke(tokens['access_token'])).toBe(200);
    expect(await lives(world, tokens['access_token'])).toBe(false);
    const form = { grant_type: 'refresh_token', client_id: 'public', refresh_token: tokens['refresh_token'] };
    const fresh = await tokensOf(world, form);
    expect(await revoke(fresh['refresh_token'])).toBe(200);
    expect(await lives(world, fresh['access_token'])).toBe(false);
    expect(await revoke('unknown')).toBe(200);
    expect(await revoke('x', { client_id: 'secret' })).toBe(400);
    expect(await revoke(undefined)).toBe(400);
  });

  it('W258 leaves no secret in what is told and reported', async () => {
    const world = createAuthWorld({ approve: () => ({ subject: 'ada' }) });
    const canary = `canary-${'x'.repeat(40)}`;
    const replies = [
      await world.authorize({ client_id: canary }),
      await world.authorize({ code_challenge: canary }),
      await world.post('/token', { ...(await world.code()), code: canary, code_verifier: canary }),
      await world.post('/token', {
        client_id: 'secret',
        client_secret: canary,
        grant_type: 'authorization_code',
      }),
      await world.post('/token', { client_id: 'public', grant_type: 'refresh_token', refresh_token: canary }),
      await world.post('/revoke', { client_id: 'public', token: canary }),
    ];
    const told = JSON.stringify(replies.map(({ headers, body }) => [[...headers], body]));
    expect(told + world.faults.join()).not.toContain('canary');
  });
});
