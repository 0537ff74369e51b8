import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../testing/manual-clock.ts';
import type { AuthInfo } from '../../auth-info.ts';
import { requireBearerAuth } from '../bearer-gate.ts';
import { createJwtVerifier, type JwtVerifierOptions } from './jwt-verifier.ts';

const START_MS = 1_700_000_000_000;
const NOW = START_MS / 1000;
const ISSUER = 'https://as.example/';
const AUDIENCE = 'https://mcp.example/mcp';
const KEYS_URL = new URL('https://as.example/jwks');

interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly set: JSONWebKeySet;
}
let one: Signer;
let two: Signer;

async function signer(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, key: privateKey, set: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }] } };
}

beforeAll(async () => {
  [one, two] = await Promise.all([signer('one'), signer('two')]);
});

const CLAIMS: JWTPayload = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'person',
  client_id: 'app',
  scope: 'read  write',
  exp: NOW + 100,
};

function sign(claims: object = {}, by: Signer = one, header: object = {}): Promise<string> {
  const payload = Object.fromEntries(
    Object.entries({ ...CLAIMS, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: by.kid, ...header }).sign(by.key);
}

const optionsOf = (more: Partial<JwtVerifierOptions> = {}): JwtVerifierOptions => ({
  issuer: ISSUER,
  audience: AUDIENCE,
  keys: one.set,
  clock: createManualClock(START_MS),
  ...more,
});

const outcome = async (token: string, options: JwtVerifierOptions): Promise<unknown> => {
  try {
    return (await createJwtVerifier(options).verifyAccessToken(token)).clientId;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
};

describe('signed tokens', () => {
  it('W229 are read into what handlers know', async () => {
    const token = await sign();
    const info = await createJwtVerifier(optionsOf()).verifyAccessToken(token);
    expect(info).toMatchObject({
      token,
      clientId: 'app',
      scopes: ['read', 'write'],
      expiresAt: NOW + 100,
      extra: { sub: 'person', iss: ISSUER, claims: { aud: AUDIENCE } },
    });
    expect(info.resource?.href).toBe(AUDIENCE);
    const listed = await sign({ scope: undefined, scp: ['a', 'b'], client_id: undefined, azp: 'other' });
    expect(await createJwtVerifier(optionsOf()).verifyAccessToken(listed)).toMatchObject({
      clientId: 'other',
      scopes: ['a', 'b'],
    });
  });

  it.each<readonly [string, { readonly claims?: object; readonly header?: object }]>([
    ['expired', { claims: { exp: NOW - 6 } }],
    ['without end', { claims: { exp: undefined } }],
    ['not yet good', { claims: { nbf: NOW + 60 } }],
    ['of another issuer', { claims: { iss: 'https://as.example' } }],
    ['of no issuer', { claims: { iss: undefined } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['of no type', {}],
  ])('W229 are refused when they are %s', async (_what, { claims, header }) => {
    const token = await sign(claims, one, claims === undefined ? header : { typ: 'at+jwt' });
    expect(await outcome(token, optionsOf({ type: 'at+jwt' }))).toBe('invalid_token');
    expect(await outcome(await sign({}, one, { typ: 'at+jwt' }), optionsOf({ type: 'at+jwt' }))).toBe('app');
  });

  it.each<readonly [string, unknown, boolean]>([
    ['this resource', AUDIENCE, true],
    ['this resource among others', ['https://other.example', AUDIENCE], true],
    ['others', ['https://other.example'], false],
    ['nobody', undefined, false],
    ['this resource with a slash', `${AUDIENCE}/`, false],
  ])('W231 for %s', async (_whom, aud, good) => {
    expect(await outcome(await sign({ aud }), optionsOf())).toBe(good ? 'app' : 'invalid_token');
  });

  it('W231 pass a gate that expects the resource', async () => {
    const verifier = createJwtVerifier(optionsOf({ audience: ['urn:mcp', AUDIENCE] }));
    const clock = createManualClock(START_MS);
    const ask = async (aud: string, expected: string): Promise<unknown> => {
      const gate = requireBearerAuth({ verifier, expectedResource: new URL(expected), clock });
      const authorization = `Bearer ${await sign({ aud })}`;
      const answer = await gate(new Request(AUDIENCE, { headers: { authorization } }));
      return answer instanceof Response ? answer.status : answer.clientId;
    };
    expect(await ask(AUDIENCE, AUDIENCE)).toBe('app');
    expect(await ask(AUDIENCE, 'https://mcp.example/other')).toBe(401);
    expect(await ask('urn:mcp', AUDIENCE)).toBe(401);
  });

  it('W229 are refused when another key, no key or a shared secret signed them', async () => {
    const options = optionsOf();
    expect(await outcome(await sign({}, { ...two, kid: 'one' }), options)).toBe('invalid_token');
    expect(await outcome(await sign({}, two), options)).toBe('invalid_token');
    const parts = (await sign()).split('.');
    const none = btoa(JSON.stringify({ alg: 'none' })).replaceAll('=', '');
    expect(await outcome(`${none}.${parts[1] ?? ''}.`, options)).toBe('invalid_token');
    const secret = new TextEncoder().encode(JSON.stringify(one.set.keys[0]));
    const shared = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    expect(await outcome(shared, options)).toBe('invalid_token');
    for (const text of ['', 'x', 'a.b', 'a.b.c', `${parts[0] ?? ''}.${parts[1] ?? ''}.`, 'a.b.c.d.e']) {
      expect([text, await outcome(text, options)]).toEqual([text, 'invalid_token']);
    }
  });

  it('are signed by algorithms that were named, and none that lets clients sign', async () => {
    expect(await outcome(await sign(), optionsOf({ algorithms: ['RS256'] }))).toBe('invalid_token');
    for (const algorithm of ['none', 'HS256', 'HS512', '']) {
      expect(() => createJwtVerifier(optionsOf({ algorithms: [algorithm] }))).toThrow(TypeError);
    }
    for (const missing of [{ issuer: '' }, { audience: [] }, { algorithms: [] }]) {
      expect(() => createJwtVerifier(optionsOf(missing))).toThrow(TypeError);
    }
  });

  it('are tried with each key that fits, where they name none', async () => {
    const keys = { keys: [...two.set.keys, ...one.set.keys] };
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256' }).sign(one.key);
    expect(await outcome(token, optionsOf({ keys }))).toBe('app');
    const stranger = await signer('three');
    const unknown = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256' }).sign(stranger.key);
    expect(await outcome(unknown, optionsOf({ keys }))).toBe('invalid_token');
  });

  it('W258 show nothing of themselves in what is said of them', async () => {
    const token = await sign({ aud: 'canary-audience', sub: 'canary-subject' });
    const told = await createJwtVerifier(optionsOf())
      .verifyAccessToken(token)
      .catch((error: unknown) => error as Error);
    expect(`${(told as Error).message}${(told as Error).stack ?? ''}`).not.toMatch(/canary|eyJ/);
  });
});

describe('keys that are fetched', () => {
  interface World {
    readonly clock: ManualClock;
    readonly asked: string[];
    readonly verifier: ReturnType<typeof createJwtVerifier>;
    answer: () => Response | Promise<Response>;
  }
  const open = (fetching: object = {}): World => {
    const world: World = {
      clock: createManualClock(START_MS),
      asked: [],
      answer: () => Response.json(one.set),
      verifier: undefined as never,
    };
    const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      world.asked.push(`${String(url)} ${String(init?.redirect)}`);
      return await world.answer();
    };
    const { clock } = world;
    const verifier = createJwtVerifier(
      optionsOf({ keys: KEYS_URL, clock, fetching: { fetch, ...fetching } }),
    );
    return Object.assign(world, { verifier });
  };
  const verify = async ({ verifier }: World, token: string): Promise<unknown> => {
    try {
      return (await verifier.verifyAccessToken(token)).clientId;
    } catch (error) {
      return (error as { code?: unknown }).code ?? error;
    }
  };
  const longLived = (by?: Signer): Promise<string> => sign({ exp: NOW + 1_000_000 }, by);

  it('are fetched at the first need, once for all that wait, and kept', async () => {
    const world = open();
    expect(world.asked).toEqual([]);
    const token = await longLived();
    expect(await Promise.all([verify(world, token), verify(world, token)])).toEqual(['app', 'app']);
    await world.clock.advance(600_000);
    expect(await verify(world, token)).toBe('app');
    expect(world.asked).toEqual([`${KEYS_URL.href} manual`]);
    await world.clock.advance(1);
    expect(await verify(world, token)).toBe('app');
    expect(world.asked).toHaveLength(2);
  });

  it('are fetched anew for a key that is new, but not for every key that somebody makes up', async () => {
    const world = open();
    expect(await verify(world, await longLived(two))).toBe('invalid_token');
    expect(world.asked).toHaveLength(1);
    world.answer = () => Response.json(two.set);
    for (let count = 0; count < 5; count++)
      expect(await verify(world, await longLived(two))).toBe('invalid_token');
    expect(world.asked).toHaveLength(1);
    await world.clock.advance(30_000);
    expect(await verify(world, await longLived(two))).toBe('app');
    expect(world.asked).toHaveLength(2);
  });

  it('serve on for a day while the issuer is away, and then it is our fault', async () => {
    const world = open();
    const token = await longLived();
    expect(await verify(world, token)).toBe('app');
    world.answer = () => Promise.reject(new TypeError('fetch failed'));
    await world.clock.advance(86_400_000);
    expect(await verify(world, token)).toBe('app');
    await world.clock.advance(1);
    expect(await verify(world, token)).toBe('unreachable');
  });

  it.each<readonly [string, () => Response | Promise<Response>, string]>([
    ['nobody', () => Promise.reject(new TypeError('fetch failed')), 'unreachable'],
    ['an error', () => Response.json({ keys: [] }, { status: 500 }), 'unusable'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'http://evil.example' } }),
      'unusable',
    ],
    ['no JSON', () => new Response('<html>'), 'unusable'],
    ['no keys', () => Response.json({}), 'unusable'],
    [
      'too many keys',
      () => Response.json({ keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }),
      'unusable',
    ],
    ['too much', () => new Response('x'.repeat(262_145)), 'too_large'],
  ])(
    'are not there when the issuer answers %s, and are not asked for at once again',
    async (_what, answer, code) => {
      const world = open();
      world.answer = answer;
      expect(await verify(world, await longLived())).toBe(code);
      expect(await verify(world, await longLived())).toBe('unreachable');
      expect(world.asked).toHaveLength(1);
    },
  );

  it('are waited for no longer than the limit', async () => {
    const world = open({ timeoutMs: 500 });
    world.answer = () => new Promise(() => undefined);
    const verdict = verify(world, await longLived());
    await world.clock.advance(500);
    expect(await verdict).toBe('too_late');
    expect(world.clock.armed).toBe(0);
  });

  it('come by https only, or from this machine', () => {
    const make = (url: string): unknown => createJwtVerifier(optionsOf({ keys: new URL(url) }));
    expect(() => make('http://as.example/jwks')).toThrow(TypeError);
    expect(() => make('http://localhost.evil.example/jwks')).toThrow(TypeError);
    expect(() => make('http://127.0.0.1:1/jwks')).not.toThrow();
  });
});

describe('tokens bound to a key', () => {
  it('ext-P18 are refused where nobody checks the proof', async () => {
    expect(await outcome(await sign({ cnf: { jkt: 'x' } }), optionsOf())).toBe('invalid_token');
    expect(await outcome(await sign({ cnf: { 'x5t#S256': 'x' } }), optionsOf())).toBe('invalid_token');
  });

  it('ext-P18 are asked for where nothing else is taken, also by those who do not see the request', async () => {
    expect(await outcome(await sign(), optionsOf({ dpop: 'required' }))).toBe('invalid_token');
    expect(await outcome(await sign(), optionsOf({ dpop: 'optional' }))).toBe('app');
    const info: AuthInfo = await createJwtVerifier(optionsOf({ dpop: 'optional' })).verifyAccessToken(
      await sign(),
    );
    expect(info.clientId).toBe('app');
  });
});
