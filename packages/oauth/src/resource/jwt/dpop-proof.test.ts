import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../testing/manual-clock.ts';
import type { AuthInfo } from '../../auth-info.ts';
import { requireBearerAuth } from '../bearer-gate.ts';
import { sha256 } from '../sha256.ts';
import { createJwtVerifier, type JwtVerifierOptions } from './jwt-verifier.ts';

const START_MS = 1_700_000_000_000;
const NOW = START_MS / 1000;
const RESOURCE = 'https://mcp.example/mcp';

interface Pair {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly privateJwk: JWK;
  readonly thumbprint: string;
}
let issuer: Pair;
let client: Pair;
let thief: Pair;

async function pair(): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    privateKey,
    jwk,
    privateJwk: await exportJWK(privateKey),
    thumbprint: await calculateJwkThumbprint(jwk),
  };
}

beforeAll(async () => {
  [issuer, client, thief] = await Promise.all([pair(), pair(), pair()]);
});

const token = (claims: JWTPayload = {}): Promise<string> =>
  new SignJWT({
    iss: 'https://as.example',
    aud: RESOURCE,
    client_id: 'app',
    exp: NOW + 10_000,
    cnf: { jkt: client.thumbprint },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(issuer.privateKey);

let made = 0;
interface ProofOptions {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly by?: Pair;
}

/** A good proof, but for what is said. */
async function proof(
  access: string,
  { claims = {}, header = {}, by = client }: ProofOptions = {},
): Promise<string> {
  const all = {
    htm: 'POST',
    htu: RESOURCE,
    iat: NOW,
    jti: `proof-${String((made += 1))}`,
    ath: await sha256(access),
    ...claims,
  };
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(payload as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: by.jwk, ...header })
    .sign(by.privateKey);
}

interface World {
  readonly clock: ManualClock;
  /** Status, error of the challenge, and the rest of the answer. */
  readonly ask: (
    headers: Record<string, string>,
    request?: { method?: string; url?: string },
  ) => Promise<unknown[]>;
}

function open(more: Partial<JwtVerifierOptions> = {}): World {
  const clock = createManualClock(START_MS);
  const verifier = createJwtVerifier({
    issuer: 'https://as.example',
    audience: RESOURCE,
    keys: { keys: [issuer.jwk] },
    dpop: 'required',
    algorithms: ['ES256'],
    clock,
    ...more,
  });
  const gate = requireBearerAuth({ verifier, expectedResource: new URL(RESOURCE), clock });
  return {
    clock,
    async ask(headers, { method = 'POST', url = 'http://127.0.0.1:3000/mcp?x=1' } = {}) {
      const answer: AuthInfo | Response = await gate(new Request(url, { method, headers }));
      if (!(answer instanceof Response)) return [200, answer.clientId];
      const challenge = answer.headers.get('www-authenticate') ?? '';
      const [, error] = /error="([^"]*)"/.exec(challenge) ?? [];
      return [answer.status, error, challenge.split(' ')[0], answer.headers.get('dpop-nonce')];
    },
  };
}

const bound = (access: string, dpop: string): Record<string, string> => ({
  authorization: `DPoP ${access}`,
  dpop,
});
const REFUSED = [401, 'invalid_dpop_proof', 'DPoP', null];

describe('a resource that asks for proofs', () => {
  it('ext-P17 takes a good one, from behind a proxy, too, and says what it takes', async () => {
    const { ask } = open();
    const access = await token();
    expect(await ask(bound(access, await proof(access)))).toEqual([200, 'app']);
    expect(await ask({ authorization: `dpop ${access}`, dpop: await proof(access) })).toEqual([200, 'app']);
    const get = await proof(access, { claims: { htm: 'GET' } });
    expect(await ask(bound(access, get), { method: 'GET' })).toEqual([200, 'app']);
    const world = requireBearerAuth({
      verifier: createJwtVerifier({
        issuer: 'i',
        audience: RESOURCE,
        keys: { keys: [] },
        dpop: 'optional',
        algorithms: ['ES256', 'EdDSA'],
      }),
    });
    const answer = (await world(new Request(RESOURCE))) as Response;
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token".*, DPoP .*, algs="ES256 EdDSA"$/,
    );
  });

  it.each<readonly [string, ProofOptions]>([
    ['another typ', { header: { typ: 'jwt' } }],
    ['no typ', { header: { typ: undefined } }],
    ['no key in it', { header: { jwk: undefined } }],
    ['another method', { claims: { htm: 'GET' } }],
    ['a method in small letters', { claims: { htm: 'post' } }],
    ['another host', { claims: { htu: 'https://evil.example/mcp' } }],
    ['another path', { claims: { htu: 'https://mcp.example/other' } }],
    ['the address that only the server sees', { claims: { htu: 'http://127.0.0.1:3000/mcp' } }],
    ['no address', { claims: { htu: undefined } }],
    ['another token', { claims: { ath: 'x' } }],
    ['no token', { claims: { ath: undefined } }],
    ['an old time', { claims: { iat: NOW - 61 } }],
    ['a time to come', { claims: { iat: NOW + 61 } }],
    ['no time', { claims: { iat: undefined } }],
    ['no id', { claims: { jti: undefined } }],
    ['an empty id', { claims: { jti: '' } }],
    ['an id without end', { claims: { jti: 'x'.repeat(257) } }],
  ])('ext-P17 refuses one with %s', async (_defect, options) => {
    const { ask } = open();
    const access = await token();
    expect(await ask(bound(access, await proof(access, options)))).toEqual(REFUSED);
  });

  it('ext-P17 refuses none, several, unsigned and shared ones, private keys and keys of others', async () => {
    const { ask } = open();
    const access = await token();
    expect(await ask({ authorization: `DPoP ${access}` })).toEqual(REFUSED);
    expect(await ask(bound(access, `${await proof(access)}, ${await proof(access)}`))).toEqual(REFUSED);
    expect(await ask(bound(access, 'x'.repeat(10_000)))).toEqual(REFUSED);
    const claims = { htm: 'POST', htu: RESOURCE, jti: 'j', ath: await sha256(access), iat: NOW };
    expect(await ask(bound(access, new UnsecuredJWT(claims).encode()))).toEqual(REFUSED);
    const secret = new TextEncoder().encode('a secret of both that is long enough');
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct' } })
      .sign(secret);
    expect(await ask(bound(access, shared))).toEqual(REFUSED);
    const withPrivate = await proof(access, { header: { jwk: client.privateJwk } });
    expect(await ask(bound(access, withPrivate))).toEqual(REFUSED);
    // The key in it is the right one, the signature is another's.
    expect(await ask(bound(access, await proof(access, { by: { ...thief, jwk: client.jwk } })))).toEqual(
      REFUSED,
    );
    expect(await ask(bound(access, await proof(access, { by: thief })))).toEqual(REFUSED);
  });

  it('ext-P18 takes no proof twice while it is good, and remembers a bounded number', async () => {
    const { ask, clock } = open({ dpopProofs: { maxProofs: 3 } });
    const access = await token();
    const first = await proof(access);
    expect(await ask(bound(access, first))).toEqual([200, 'app']);
    expect(await ask(bound(access, first))).toEqual(REFUSED);
    await clock.advance(60_000);
    expect(await ask(bound(access, first))).toEqual(REFUSED);
    for (let count = 0; count < 3; count++) {
      expect(await ask(bound(access, await proof(access, { claims: { iat: NOW + 60 } })))).toEqual([
        200,
        'app',
      ]);
    }
  });

  it('ext-P18 takes a bound token by no other scheme, and an unbound one by none', async () => {
    const { ask } = open();
    const access = await token();
    const refused = [401, 'invalid_token', 'DPoP', null];
    expect(await ask({ authorization: `Bearer ${access}`, dpop: await proof(access) })).toEqual(refused);
    const unbound = await token({ cnf: undefined });
    expect(await ask(bound(unbound, await proof(unbound)))).toEqual(refused);
    expect(await ask({ authorization: `Bearer ${unbound}` })).toEqual(refused);
    const lax = open({ dpop: 'optional' });
    expect(await lax.ask({ authorization: `Bearer ${unbound}` })).toEqual([200, 'app']);
    expect((await lax.ask({ authorization: `Bearer ${access}` }))[0]).toBe(401);
  });

  it('ext-P19 asks for its nonce where that is switched on, and takes the one before', async () => {
    const { ask, clock } = open({ dpopProofs: { nonceLifetimeMs: 10_000 } });
    const access = await token();
    const withNonce = async (nonce: unknown): Promise<unknown[]> =>
      ask(bound(access, await proof(access, { claims: { nonce, iat: clock.now() / 1000 } })));
    const [status, error, scheme, first] = await withNonce(undefined);
    expect([status, error, scheme]).toEqual([401, 'use_dpop_nonce', 'DPoP']);
    expect(first).toMatch(/^[\w-]{20,}$/);
    expect(await withNonce(first)).toEqual([200, 'app']);
    await clock.advance(10_000);
    expect(await withNonce(first)).toEqual([200, 'app']);
    const second = (await withNonce('made up'))[3];
    expect(second).not.toBe(first);
    expect(await withNonce(second)).toEqual([200, 'app']);
    await clock.advance(10_000);
    expect((await withNonce(first))[1]).toBe('use_dpop_nonce');
    expect(await withNonce(second)).toEqual([200, 'app']);
    await clock.advance(20_000);
    expect((await withNonce(second))[1]).toBe('use_dpop_nonce');
  });
});
