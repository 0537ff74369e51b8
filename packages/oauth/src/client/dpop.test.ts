import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostAnswer, ScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import { OAuthErrorCode } from '../errors.ts';
import { auth } from './auth.ts';
import { finishAuthorization } from './callback.ts';
import { DPOP_SUPPORTED_ALGS, accessTokenHash, generateDpopKeyPair } from './dpop-keys.ts';
import { DpopSession, isDpopNonceChallenge } from './dpop-session.ts';
import { withDpop, withDpopFromProvider } from './with-dpop.ts';

const SERVER = 'https://api.test/mcp';
const TOKEN = 'https://id.test/token';

function read(proof: string | null): {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  good: boolean;
} {
  const [header = '', payload = '', signature = ''] = (proof ?? '').split('.');
  const parse = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  const { alg, jwk } = parse(header) as { alg: string; jwk: Record<string, string> };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const hash = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  const padding = alg.startsWith('PS') ? { padding: 6, saltLength: Number(alg.slice(2)) / 8 } : {};
  const options = { key, dsaEncoding: 'ieee-p1363' as const, ...padding };
  const good = verify(
    hash,
    Buffer.from(`${header}.${payload}`),
    options,
    Buffer.from(signature, 'base64url'),
  );
  return { header: parse(header), claims: parse(payload), good };
}

describe('a key', () => {
  it.each(
    DPOP_SUPPORTED_ALGS.filter((alg) => !alg.startsWith('RS') || alg === 'RS256').filter(
      (alg) => !alg.startsWith('PS') || alg === 'PS256',
    ),
  )(
    'ext-P1 ext-P2 of %s signs proofs that hold under its public half, and cannot be taken out',
    async (alg) => {
      const keys = await generateDpopKeyPair({ alg });
      const session = await DpopSession.create({ keyPair: keys });
      const { header, good } = read(await session.buildProof({ htm: 'GET', htu: SERVER }));
      expect([header, good]).toEqual([{ alg, typ: 'dpop+jwt', jwk: keys.publicJwk }, true]);
      expect(Object.keys(keys.publicJwk)).not.toContain('d');
      await expect(crypto.subtle.exportKey('jwk', keys.privateKey)).rejects.toThrow('extractable');
      const { kty, crv, x, y, n, e } = keys.publicJwk;
      const members = { EC: { crv, kty, x, y }, RSA: { e, kty, n }, OKP: { crv, kty, x } }[kty ?? ''];
      expect(session.thumbprint).toBe(
        createHash('sha256').update(JSON.stringify(members)).digest('base64url'),
      );
    },
  );

  it('ext-P1 is of ES256 unless said otherwise, and can be taken out when asked for', async () => {
    const keys = await generateDpopKeyPair({ extractable: true });
    expect(keys.alg).toBe('ES256');
    expect((await crypto.subtle.exportKey('jwk', keys.privateKey)).d).toEqual(expect.any(String));
  });
});

describe('a proof', () => {
  it.each([
    ['https://api.test/mcp?x=1#f', 'https://api.test/mcp'],
    ['https://api.test', 'https://api.test/'],
    ['https://api.test:8443/a/', 'https://api.test:8443/a/'],
  ])('ext-P3 is about the method in capitals and %s without query and fragment', async (htu, expected) => {
    const clock = createManualClock();
    const session = await DpopSession.create({ clock });
    const { claims } = read(await session.buildProof({ htm: 'post', htu }));
    expect(claims).toEqual({
      jti: expect.any(String),
      htm: 'POST',
      htu: expected,
      iat: Math.floor(clock.now() / 1_000),
    });
  });

  it('ext-P4 ext-P5 is new each time, and names the token that it goes with', async () => {
    const session = await DpopSession.create();
    const proofs = await Promise.all(
      Array.from({ length: 20 }, () => session.buildProof({ htm: 'GET', htu: SERVER, accessToken: 'tok' })),
    );
    const claims = proofs.map((proof) => read(proof).claims);
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(20);
    expect(Buffer.from(String(claims[0]?.['jti']), 'base64url').length).toBeGreaterThanOrEqual(12);
    const hash = createHash('sha256').update('tok').digest('base64url');
    expect([claims[0]?.['ath'], await accessTokenHash('tok')]).toEqual([hash, hash]);
  });

  it('ext-P10 ext-P11 has the newest nonce of its origin, of the permitted characters', async () => {
    const session = await DpopSession.create();
    const nonceAt = async (htu: string): Promise<unknown> =>
      read(await session.buildProof({ htm: 'GET', htu })).claims['nonce'];
    session.rememberNonce('https://a.test/x', 'one');
    session.observeNonce(new Response(null, { headers: { 'dpop-nonce': 'two' } }), 'https://a.test/y');
    for (const bad of ['', 'a b', 'a"b', 'a\\b', 'ä', 'x'.repeat(1_025)])
      session.rememberNonce('https://a.test', bad);
    expect([await nonceAt('https://a.test/z'), await nonceAt('https://b.test')]).toEqual(['two', undefined]);
    expect(
      read(await session.buildProof({ htm: 'GET', htu: 'https://a.test', nonce: 'own' })).claims['nonce'],
    ).toBe('own');
    for (let count = 0; count < 64; count++) session.rememberNonce(`https://h${count}.test`, 'n');
    expect([session.nonceFor('https://a.test'), session.nonceFor('https://h0.test')]).toEqual([
      undefined,
      'n',
    ]);
  });
});

describe('a token request', () => {
  const bound = { access_token: 'a', token_type: 'DPoP', refresh_token: 'r' };
  const proofs = (hosts: ScriptedHosts): ReturnType<typeof read>[] =>
    hosts.log.filter(({ url }) => url.href === TOKEN).map(({ headers }) => read(headers.get('dpop')));
  async function world(answer: HostAnswer, metadata: Record<string, unknown> = {}) {
    const hosts = createScriptedHosts({ ...signInHosts({ metadata }), [`POST ${TOKEN}`]: answer });
    const session = await DpopSession.create();
    const provider = Object.assign(new MemoryProvider(), { dpop: () => session });
    const options = { serverUrl: SERVER, fetchFn: hosts.fetch };
    return { hosts, session, provider, options };
  }

  it('ext-P5 ext-P6 has one proof by the session’s key, for a code and for a refresh', async () => {
    const { hosts, session, provider, options } = await world(bound);
    await auth(provider, options);
    await finishAuthorization(provider, { code: 'c' }, options);
    await auth(provider, options);
    expect(
      proofs(hosts).map(({ header, claims, good }) => [
        header['jwk'],
        claims['htm'],
        claims['htu'],
        'ath' in claims,
        good,
      ]),
    ).toEqual(Array.from({ length: 2 }, () => [session.publicJwk, 'POST', TOKEN, false, true]));
  });

  const asking = (nonce: string | undefined): Response =>
    Response.json(
      { error: 'use_dpop_nonce' },
      { status: 400, headers: nonce === undefined ? {} : { 'dpop-nonce': nonce } },
    );

  it.each<[string, (count: number) => object, number, string | undefined]>([
    ['asks once', (count) => (count === 1 ? asking('n1') : bound), 2, undefined],
    ['always asks', (count) => asking(`n${count}`), 2, 'use_dpop_nonce'],
    ['names no nonce', () => asking(undefined), 1, 'use_dpop_nonce'],
  ])('ext-P4 ext-P8 is repeated with the nonce when the server %s', async (...[, answer, requests, code]) => {
    let count = 0;
    const { hosts, provider, options } = await world(() => answer(++count));
    await auth(provider, options);
    const failure = await finishAuthorization(provider, { code: 'c' }, options).catch(
      (error: { code: string }) => error.code,
    );
    const sent = proofs(hosts).map(({ claims }) => claims);
    expect([failure, sent.map(({ nonce }) => nonce)]).toEqual([code, [undefined, 'n1'].slice(0, requests)]);
    expect(new Set(sent.map(({ jti }) => jti)).size).toBe(requests);
  });

  it.each([[['RS256']], [[]], [['none']]])(
    'ext-P13 is not made where the server takes only %j',
    async (algorithms) => {
      const { hosts, provider, options } = await world(bound, {
        dpop_signing_alg_values_supported: algorithms,
      });
      await auth(provider, options);
      await expect(finishAuthorization(provider, { code: 'c' }, options)).rejects.toMatchObject({
        code: 'dpop_unsupported',
      });
      expect(hosts.forms(TOKEN)).toEqual([]);
    },
  );

  it('ext-P16 fails with the server’s own code', async () => {
    const { hosts, provider, options } = await world(
      Response.json({ error: 'invalid_dpop_proof' }, { status: 400 }),
    );
    await auth(provider, options);
    await expect(finishAuthorization(provider, { code: 'c' }, options)).rejects.toMatchObject({
      name: 'OAuthError',
      code: OAuthErrorCode.InvalidDpopProof,
    });
    expect([hosts.forms(TOKEN).length, OAuthErrorCode.UseDpopNonce]).toEqual([1, 'use_dpop_nonce']);
  });
});

describe('the middleware', () => {
  const nonceWanted = (): Response =>
    new Response(null, {
      status: 401,
      headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'n' },
    });

  it('ext-P7 ext-P9 sends token and proof, and once more with the nonce that is asked for', async () => {
    expect([
      isDpopNonceChallenge(nonceWanted()),
      isDpopNonceChallenge(new Response(null, { status: 401 })),
    ]).toEqual([true, false]);
    const hosts = createScriptedHosts({
      [`GET ${SERVER}`]: ({ headers }) =>
        read(headers.get('dpop')).claims['nonce'] === 'n' ? 200 : nonceWanted(),
    });
    const session = await DpopSession.create();
    const response = await withDpop(session, () => 'tok')(hosts.fetch)(SERVER);
    expect([response.status, hosts.log.map(({ headers }) => headers.get('authorization'))]).toEqual([
      200,
      ['DPoP tok', 'DPoP tok'],
    ]);
  });

  it('ext-P7 leaves requests alone without a session or a token, and under tokens that are not bound', async () => {
    const hosts = createScriptedHosts({ [`GET ${SERVER}`]: 200 });
    const session = await DpopSession.create();
    const init = { headers: { authorization: 'Bearer own' } };
    await withDpop(
      () => undefined,
      () => 'tok',
    )(hosts.fetch)(SERVER, init);
    await withDpop(session, () => undefined)(hosts.fetch)(SERVER, init);
    const provider = Object.assign(
      new MemoryProvider({ stored: { access_token: 'a', token_type: 'Bearer' } }),
      { dpop: () => session },
    );
    await withDpopFromProvider(provider)(hosts.fetch)(SERVER, init);
    expect(hosts.log.map(({ headers }) => [headers.get('authorization'), headers.get('dpop')])).toEqual(
      Array.from({ length: 3 }, () => ['Bearer own', null]),
    );
  });
});
