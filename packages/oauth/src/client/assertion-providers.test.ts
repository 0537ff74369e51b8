import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedHosts, serverDocument, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostAnswer } from '../../../../testing/scripted-hosts.ts';
import { CrossAppAccessProvider, WorkloadIdentityProvider } from './assertion-providers.ts';
import { auth } from './auth.ts';
import { refreshBeforeUse } from './renewal.ts';
import {
  discoverAndRequestJwtAuthGrant,
  exchangeJwtAuthGrant,
  requestJwtAuthorizationGrant,
} from './cross-app-access.ts';

const SERVER = 'https://api.test/mcp';
const ISSUER = 'https://id.test';
const TOKEN = `${ISSUER}/token`;
const IDP = 'https://idp.test';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const GRANT = {
  issued_token_type: ID_JAG,
  access_token: 'id-jag',
  token_type: 'N_A',
  expires_in: 300,
  scope: 'a',
};

function hostsWith(idp: HostAnswer = GRANT, places: Record<string, HostAnswer> = {}) {
  return createScriptedHosts({
    ...signInHosts({ metadata: { registration_endpoint: undefined } }),
    [`GET ${IDP}/.well-known/oauth-authorization-server`]: serverDocument(IDP),
    [`POST ${IDP}/token`]: idp,
    ...places,
  });
}

const request = {
  tokenEndpoint: `${IDP}/token`,
  audience: ISSUER,
  resource: SERVER,
  idToken: 'id-token',
  clientId: 'at-idp',
};

describe('access by the organisation', () => {
  it('W225 exchanges the ID token at the identity provider and the grant at the server, without the person’s browser', async () => {
    const hosts = hostsWith();
    const provider = new CrossAppAccessProvider({
      clientId: 'at-server',
      clientSecret: 's',
      fetchFn: hosts.fetch,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
        const options = {
          idpUrl: IDP,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: 'id-token',
          clientId: 'at-idp',
          clientSecret: 'idp-secret',
          scope,
          fetchFn,
        };
        return (await discoverAndRequestJwtAuthGrant(options)).jwtAuthGrant;
      },
    });
    expect(await auth(provider, { serverUrl: SERVER, scope: 'a', fetchFn: hosts.fetch })).toBe('AUTHORIZED');
    expect(Object.fromEntries(hosts.forms(`${IDP}/token`)[0] ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: ID_JAG,
      audience: ISSUER,
      resource: SERVER,
      subject_token: 'id-token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: 'at-idp',
      client_secret: 'idp-secret',
      scope: 'a',
    });
    expect(Object.fromEntries(hosts.forms(TOKEN)[0] ?? [])).toEqual({
      grant_type: JWT_BEARER,
      assertion: 'id-jag',
      scope: 'a',
      resource: SERVER,
    });
    expect(hosts.log.at(-1)?.headers.get('authorization')).toBe(`Basic ${btoa('at-server:s')}`);
    expect(hosts.lines().some((line) => line.includes('/authorize'))).toBe(false);
    expect(provider.tokens()?.access_token).toBe('access-1');
  });

  it('W225 the helpers work alone', async () => {
    const hosts = hostsWith();
    const fetchFn = hosts.fetch;
    expect(await requestJwtAuthorizationGrant({ ...request, fetchFn })).toEqual({
      jwtAuthGrant: 'id-jag',
      expiresIn: 300,
      scope: 'a',
    });
    expect(hosts.forms(`${IDP}/token`)[0]?.has('client_secret')).toBe(false);
    const grant = { tokenEndpoint: TOKEN, jwtAuthGrant: 'id-jag', clientId: 'c', fetchFn };
    expect((await exchangeJwtAuthGrant({ ...grant, clientSecret: 's' })).access_token).toBe('access-1');
    await exchangeJwtAuthGrant({ ...grant, clientSecret: 's', authMethod: 'client_secret_post' });
    await exchangeJwtAuthGrant({ ...grant, authMethod: 'none' });
    const forms = hosts.forms(TOKEN).map((form) => [form.get('client_id'), form.get('client_secret')]);
    expect(forms).toEqual([
      [null, null],
      ['c', 's'],
      ['c', null],
    ]);
    await expect(exchangeJwtAuthGrant(grant)).rejects.toMatchObject({ code: 'client_auth_unsupported' });
  });

  it.each<[string, HostAnswer, string]>([
    ['a refusal', Response.json({ error: 'invalid_grant' }, { status: 400 }), 'invalid_grant'],
    ['a refusal in a 200', { error: 'access_denied' }, 'access_denied'],
    [
      'a token of another kind',
      { ...GRANT, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
      'answer_unusable',
    ],
    ['nothing', {}, 'answer_unusable'],
  ])('W225 fails with %s of the identity provider', async (...[, idp, code]) => {
    const { fetch: fetchFn } = hostsWith(idp);
    await expect(requestJwtAuthorizationGrant({ ...request, fetchFn })).rejects.toMatchObject({ code });
  });

  it('W225 W226 sends nothing over http, and finds no endpoint of an identity provider that has none', async () => {
    const hosts = hostsWith();
    const plain = { ...request, tokenEndpoint: 'http://idp.test/token', fetchFn: hosts.fetch };
    await expect(requestJwtAuthorizationGrant(plain)).rejects.toMatchObject({
      name: 'InsecureTokenEndpointError',
    });
    const nowhere = { ...request, idpUrl: 'https://nobody.test', fetchFn: hosts.fetch };
    await expect(discoverAndRequestJwtAuthGrant(nowhere)).rejects.toMatchObject({
      code: 'no_server_metadata',
    });
    expect(hosts.forms(`${IDP}/token`)).toEqual([]);
  });
});

describe('a workload', () => {
  it('ext-J1 ext-J2 ext-J4 signs in by its platform’s JWT, asked anew for each request', async () => {
    const hosts = hostsWith();
    const clock = createManualClock();
    const asked: unknown[] = [];
    const provider = new WorkloadIdentityProvider({
      clientId: 'w',
      assertion: (context) => `jwt-${asked.push(context)}`,
    });
    const options = { serverUrl: SERVER, fetchFn: hosts.fetch, clock };
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    await clock.advance(3_600_000);
    expect(await refreshBeforeUse(provider, options)).toBe(true);
    expect(hosts.forms(TOKEN).map((form) => Object.fromEntries(form))).toEqual(
      [1, 2].map((count) => ({
        grant_type: JWT_BEARER,
        assertion: `jwt-${count}`,
        client_id: 'w',
        resource: SERVER,
      })),
    );
    expect(asked).toEqual(Array.from({ length: 2 }, () => ({ issuer: ISSUER, resource: SERVER })));
    expect(hosts.log.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('ext-J1 ext-J2 takes a JWT that is given once, and sends a scope only if there is one', async () => {
    const hosts = hostsWith();
    await auth(new WorkloadIdentityProvider({ clientId: 'w', assertion: 'once', scope: 's' }), {
      serverUrl: SERVER,
      fetchFn: hosts.fetch,
    });
    expect(Object.fromEntries(hosts.forms(TOKEN)[0] ?? [])).toMatchObject({ assertion: 'once', scope: 's' });
    const thrown = new TypeError('no platform');
    const failing = new WorkloadIdentityProvider({ clientId: 'w', assertion: () => Promise.reject(thrown) });
    await expect(auth(failing, { serverUrl: SERVER, fetchFn: hosts.fetch })).rejects.toBe(thrown);
  });

  it.each(['invalid_grant', 'invalid_scope', 'unauthorized_client'])(
    'ext-J3 ends with %s after one request',
    async (error) => {
      const hosts = hostsWith(GRANT, { [`POST ${TOKEN}`]: Response.json({ error }, { status: 400 }) });
      const provider = new WorkloadIdentityProvider({ clientId: 'w', assertion: 'jwt' });
      await expect(auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch })).rejects.toMatchObject({
        name: 'OAuthError',
        code: error,
      });
      expect(hosts.forms(TOKEN)).toHaveLength(1);
    },
  );

  it('ext-J5 keeps its JWT to the issuer that it is for, over https', async () => {
    const hosts = hostsWith();
    const pinned = new WorkloadIdentityProvider({
      clientId: 'w',
      assertion: 'canary',
      expectedIssuer: 'https://mine.test',
    });
    await expect(auth(pinned, { serverUrl: SERVER, fetchFn: hosts.fetch })).rejects.toMatchObject({
      code: 'authorization_server_mismatch',
    });
    const plain = createScriptedHosts(signInHosts({ metadata: { token_endpoint: 'http://id.test/token' } }));
    const failure = auth(new WorkloadIdentityProvider({ clientId: 'w', assertion: 'canary' }), {
      serverUrl: SERVER,
      fetchFn: plain.fetch,
    });
    await expect(failure).rejects.toMatchObject({
      code: 'insecure_token_endpoint',
      message: expect.not.stringContaining('canary'),
    });
    expect(JSON.stringify([...hosts.log, ...plain.log].map(({ url, text }) => [url, text]))).not.toContain(
      'canary',
    );
  });
});
