import { createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { JsonWebKeyInput, KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../../../../testing/authorization-server.ts';
import type { AuthorizationServer } from '../../../../testing/authorization-server.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedHosts, signInHosts } from '../../../../testing/scripted-hosts.ts';
import { auth } from './auth.ts';
import { refreshBeforeUse } from './renewal.ts';
import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
} from './client-credentials.ts';
import { createPrivateKeyJwtAuth } from './private-key-jwt.ts';
import type { SigningKey } from './sign-jwt.ts';

const SERVER = 'https://api.test/mcp';
const TOKEN = 'https://id.test/token';
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');

function part(jwt: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[index] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

function isSignedBy(jwt: string, key: KeyObject, hash: string | null): boolean {
  const [header, payload, signature = ''] = jwt.split('.');
  const options = key.asymmetricKeyType === 'ec' ? { key, dsaEncoding: 'ieee-p1363' as const } : { key };
  return verify(hash, Buffer.from(`${header}.${payload}`), options, Buffer.from(signature, 'base64url'));
}

async function assertionBy(privateKey: SigningKey, alg: string): Promise<string> {
  const params = new URLSearchParams();
  const clock = createManualClock();
  await createPrivateKeyJwtAuth({ issuer: 'c', subject: 'c', privateKey, alg, clock })(
    new Headers(),
    params,
    TOKEN,
  );
  return params.get('client_assertion') ?? '';
}

const pem = ({ privateKey }: { privateKey: KeyObject }): string =>
  privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const der = ({ privateKey }: { privateKey: KeyObject }): Uint8Array =>
  new Uint8Array(privateKey.export({ format: 'der', type: 'pkcs8' }));
const jwk = ({ privateKey }: { privateKey: KeyObject }): Record<string, unknown> => ({
  ...privateKey.export({ format: 'jwk' }),
});

describe('assertions', () => {
  it.each<[string, SigningKey, string, KeyObject, string | null]>([
    ['PEM', pem(ec), 'ES256', ec.publicKey, 'sha256'],
    ['bytes of PEM', new TextEncoder().encode(pem(ec)), 'ES256', ec.publicKey, 'sha256'],
    ['bytes', der(ec), 'ES256', ec.publicKey, 'sha256'],
    ['a JWK', jwk(ec), 'ES256', ec.publicKey, 'sha256'],
    ['a JWK with its uses', { ...jwk(ec), use: 'sig', key_ops: ['sign'] }, 'ES256', ec.publicKey, 'sha256'],
    ['PEM of RSA', pem(rsa), 'RS384', rsa.publicKey, 'sha384'],
    ['a JWK of RSA', jwk(rsa), 'RS256', rsa.publicKey, 'sha256'],
    ['Ed25519', pem(ed), 'EdDSA', ed.publicKey, null],
  ])('W224 are signed with %s', async (...[, key, alg, publicKey, hash]) => {
    const jwt = await assertionBy(key, alg);
    expect(part(jwt, 0)).toEqual({ alg, typ: 'JWT' });
    expect(isSignedBy(jwt, publicKey, hash)).toBe(true);
  });

  it('W224 are signed with a shared secret', async () => {
    const jwt = await assertionBy('secret', 'HS256');
    const input = jwt.slice(0, jwt.lastIndexOf('.'));
    expect(jwt.slice(input.length + 1)).toBe(
      createHmac('sha256', 'secret').update(input).digest('base64url'),
    );
  });

  it.each<[string, SigningKey, string]>([
    ['an algorithm that is none', pem(ec), 'none'],
    ['a name of objects', pem(ec), 'constructor'],
    ['a key of another kind', pem(rsa), 'ES256'],
    ['a text that is no key', 'hello', 'ES256'],
    [
      'a public key',
      {
        ...createPublicKey({
          key: ec.publicKey.export({ format: 'jwk' }),
          format: 'jwk',
        } as JsonWebKeyInput).export({ format: 'jwk' }),
      },
      'ES256',
    ],
  ])('W224 fail with %s', async (...[, key, alg]) => {
    await expect(assertionBy(key, alg)).rejects.toMatchObject({ code: 'signing_key_unusable' });
  });
});

describe('a machine', () => {
  it('W224 signs in by its secret, and with a new grant when the token has ended', async () => {
    const clock = createManualClock();
    const hosts = createScriptedHosts(signInHosts({ resource: { scopes_supported: ['a'] } }));
    const provider = new ClientCredentialsProvider({ clientId: 'id', clientSecret: 's' });
    const options = { serverUrl: SERVER, fetchFn: hosts.fetch, clock };
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    await clock.advance(3_600_000);
    expect(await refreshBeforeUse(provider, options)).toBe(true);
    expect(provider.tokens()?.access_token).toBe('access-2');
    expect(hosts.forms(TOKEN).map((form) => Object.fromEntries(form))).toEqual(
      Array.from({ length: 2 }, () => ({ grant_type: 'client_credentials', scope: 'a', resource: SERVER })),
    );
    expect(hosts.log.at(-1)?.headers.get('authorization')).toBe(`Basic ${btoa('id:s')}`);
  });

  it('W224 signs an assertion of 300 s for each request, with claims of its own', async () => {
    const clock = createManualClock();
    const hosts = createScriptedHosts(signInHosts());
    const provider = new PrivateKeyJwtProvider({
      clientId: 'id',
      privateKey: pem(ec),
      algorithm: 'ES256',
      claims: { dept: 'x' },
      clock,
    });
    for (let count = 0; count < 2; count++)
      await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch, clock });
    const [first, second] = hosts.forms(TOKEN).map((form) => form.get('client_assertion') ?? '');
    const nowS = Math.floor(clock.now() / 1_000);
    expect(part(first!, 1)).toMatchObject({
      iss: 'id',
      sub: 'id',
      aud: 'https://id.test',
      iat: nowS,
      exp: nowS + 300,
      dept: 'x',
    });
    expect(part(first!, 1)['jti']).not.toBe(part(second!, 1)['jti']);
    expect(hosts.forms(TOKEN)[0]?.get('client_assertion_type')).toBe(
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    );
  });

  it('W224 sends an assertion that was given to it', async () => {
    const hosts = createScriptedHosts(signInHosts());
    const provider = new StaticPrivateKeyJwtProvider({
      clientId: 'id',
      jwtBearerAssertion: 'a.b.c',
      scope: 's',
    });
    await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch });
    expect(Object.fromEntries(hosts.forms(TOKEN)[0] ?? [])).toMatchObject({
      client_assertion: 'a.b.c',
      scope: 's',
      grant_type: 'client_credentials',
    });
  });

  it('W222 W224 keeps credentials to the issuer that they are pinned to, and tries a refusal once', async () => {
    const hosts = createScriptedHosts({
      ...signInHosts(),
      [`POST ${TOKEN}`]: Response.json({ error: 'invalid_client' }, { status: 401 }),
    });
    const options = { serverUrl: SERVER, fetchFn: hosts.fetch };
    const pinned = new ClientCredentialsProvider({
      clientId: 'id',
      clientSecret: 's',
      expectedIssuer: 'https://mine.test',
    });
    await expect(auth(pinned, options)).rejects.toMatchObject({ code: 'authorization_server_mismatch' });
    expect(hosts.forms(TOKEN)).toEqual([]);
    const wrong = new ClientCredentialsProvider({
      clientId: 'id',
      clientSecret: 's',
      expectedIssuer: 'https://id.test',
    });
    await expect(auth(wrong, options)).rejects.toMatchObject({ code: 'invalid_client' });
    expect(hosts.forms(TOKEN)).toHaveLength(1);
    expect(() => wrong.redirectToAuthorization()).toThrow(
      expect.objectContaining({ code: 'provider_incomplete' }),
    );
  });
});

describe('at a certified server', () => {
  let server: AuthorizationServer;
  beforeAll(async () => {
    const machine = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] };
    server = await startAuthorizationServer({
      clients: [
        { client_id: 'by:secret', client_secret: 'p%:~ +x'.repeat(4), ...machine },
        {
          client_id: 'by-key',
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ ...ec.publicKey.export({ format: 'jwk' }), alg: 'ES256' } as never] },
          ...machine,
        },
      ],
    });
  });
  afterAll(() => server.close());

  it.each([
    [
      'a secret full of what forms encode',
      () => new ClientCredentialsProvider({ clientId: 'by:secret', clientSecret: 'p%:~ +x'.repeat(4) }),
    ],
    [
      'a key',
      () => new PrivateKeyJwtProvider({ clientId: 'by-key', privateKey: pem(ec), algorithm: 'ES256' }),
    ],
  ])('W214 W224 signs in with %s', async (_name, makeProvider) => {
    const hosts = createScriptedHosts({
      'GET https://api.test/.well-known/oauth-protected-resource/mcp': {
        resource: SERVER,
        authorization_servers: [server.issuer],
      },
    });
    const provider = makeProvider();
    const fetchFn = (url: string | URL, init?: RequestInit): Promise<Response> =>
      new URL(url).host === 'api.test' ? hosts.fetch(url, init) : fetch(url, init);
    expect(await auth(provider, { serverUrl: SERVER, scope: 'read', fetchFn })).toBe('AUTHORIZED');
    expect(await server.verify(provider.tokens()?.access_token ?? '')).toMatchObject({
      resource: SERVER,
      scopes: ['read'],
    });
  });
});
