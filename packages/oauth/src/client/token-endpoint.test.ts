import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts, serverDocument, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostAnswer } from '../../../../testing/scripted-hosts.ts';
import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '../documents.ts';
import { OAuthError } from '../errors.ts';
import { auth } from './auth.ts';
import { finishAuthorization } from './callback.ts';
import { selectClientAuthMethod } from './client-authentication.ts';
import {
  exchangeAuthorization,
  fetchToken,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
} from './grants.ts';
import { parseErrorResponse } from './oauth-answers.ts';
import { assertSecureTokenEndpoint } from './token-endpoint.ts';

const TOKEN = 'https://id.test/token';
const SERVER = 'https://api.test/mcp';
const GRANTED = { access_token: 'a', token_type: 'Bearer' };

function metadataWith(changes: Record<string, unknown> = {}): AuthorizationServerMetadata {
  return serverDocument('https://id.test', changes) as unknown as AuthorizationServerMetadata;
}

async function exchange(
  client: OAuthClientInformationMixed,
  supported: readonly string[] | undefined,
  answer: HostAnswer = GRANTED,
) {
  const hosts = createScriptedHosts({ [`POST ${TOKEN}`]: answer });
  const tokens = await exchangeAuthorization('https://id.test', {
    metadata: metadataWith({ token_endpoint_auth_methods_supported: supported }),
    clientInformation: client,
    authorizationCode: 'code',
    codeVerifier: 'verifier',
    redirectUri: 'http://localhost/cb',
    fetchFn: hosts.fetch,
  });
  return { tokens, hosts };
}

const withSecret = { client_id: 'id', client_secret: 's' };
const registeredFor = (method: string, secret?: string): OAuthClientInformationMixed => ({
  client_id: 'id',
  redirect_uris: [],
  token_endpoint_auth_method: method,
  ...(secret === undefined ? {} : { client_secret: secret }),
});

describe('how a client shows who it is', () => {
  it.each<[string, OAuthClientInformationMixed, readonly string[] | undefined, string]>([
    ['a secret, nothing said', withSecret, undefined, 'basic'],
    ['no secret, nothing said', { client_id: 'id' }, undefined, 'none'],
    ['a secret, basic among others', withSecret, ['client_secret_post', 'client_secret_basic'], 'basic'],
    ['a secret, post only', withSecret, ['client_secret_post'], 'post'],
    ['a secret, none only', withSecret, ['none'], 'none'],
    ['no secret, none among others', { client_id: 'id' }, ['client_secret_basic', 'none'], 'none'],
    ['registered for post', registeredFor('client_secret_post', 's'), ['client_secret_basic'], 'post'],
    ['registered for none', registeredFor('none'), ['client_secret_basic'], 'none'],
    ['registered for basic', registeredFor('client_secret_basic', 's'), undefined, 'basic'],
  ])('W214 field-D23 with %s', async (...[, client, supported, expected]) => {
    const { hosts } = await exchange(client, supported);
    const [{ headers, form } = { headers: new Headers(), form: new URLSearchParams() }] = hosts.log;
    const basic = headers.get('authorization') === `Basic ${btoa('id:s')}`;
    const shown = [basic, form.get('client_id'), form.get('client_secret')];
    expect(shown).toEqual(
      { basic: [true, null, null], post: [false, 'id', 's'], none: [false, 'id', null] }[expected],
    );
  });

  it.each<[string, OAuthClientInformationMixed, readonly string[] | undefined]>([
    ['a secret where only keys are taken', withSecret, ['private_key_jwt']],
    ['no secret where one is needed', { client_id: 'id' }, ['client_secret_basic']],
    ['a registration for keys', registeredFor('private_key_jwt', 's'), undefined],
    ['a registration for a secret that it lacks', registeredFor('client_secret_basic'), undefined],
  ])('W214 fails before anything is sent with %s', async (_name, client, supported) => {
    await expect(exchange(client, supported, () => expect.unreachable())).rejects.toMatchObject({
      code: 'client_auth_unsupported',
    });
  });

  it('W214 encodes what goes into basic credentials as forms do', async () => {
    const { hosts } = await exchange({ client_id: 'a:b c', client_secret: 'p:%ä/+-_' }, undefined);
    const header = hosts.log[0]?.headers.get('authorization') ?? '';
    expect(atob(header.slice('Basic '.length))).toBe('a%3Ab+c:p%3A%25%C3%A4%2F%2B-_');
  });

  it('W214 W227 names the method that it would take', () => {
    expect(selectClientAuthMethod(withSecret, [])).toBe('client_secret_basic');
    expect(selectClientAuthMethod({ client_id: 'id' }, ['client_secret_basic'])).toBe('none');
    expect(selectClientAuthMethod(registeredFor('client_secret_post', 's'), ['client_secret_basic'])).toBe(
      'client_secret_basic',
    );
  });

  it('lets the provider do it', async () => {
    const hosts = createScriptedHosts({ [`POST ${TOKEN}`]: GRANTED });
    await refreshAuthorization('https://id.test', {
      metadata: metadataWith(),
      clientInformation: withSecret,
      refreshToken: 'r',
      addClientAuthentication: (...[headers, params, url, metadata]) => {
        headers.set('x-key', String(url));
        params.set('issuer', metadata?.issuer ?? '');
      },
      fetchFn: hosts.fetch,
    });
    const [request] = hosts.log;
    expect([
      request?.headers.get('x-key'),
      request?.form.get('issuer'),
      request?.headers.has('authorization'),
    ]).toEqual([TOKEN, 'https://id.test', false]);
  });
});

describe('where secrets go', () => {
  it.each([
    'https://id.test/token',
    'http://localhost:9/token',
    'http://127.0.0.1/token',
    'http://[::1]/token',
  ])('W226 may be %s', (url) => {
    expect(assertSecureTokenEndpoint(url).href).toBe(url);
  });

  it.each([
    'http://id.test/token',
    'http://localhost.evil.test/token',
    'http://127.0.0.1.evil.test/token',
    'ftp://localhost/token',
  ])('W226 may not be %s', (url) => {
    const refusal = expect.objectContaining({ code: 'insecure_token_endpoint', tokenEndpoint: url });
    expect(() => assertSecureTokenEndpoint(url)).toThrow(refusal);
  });

  it('W226 is looked at in exchange and refresh, before anything is sent', async () => {
    const hosts = createScriptedHosts(signInHosts({ metadata: { token_endpoint: 'http://id.test/token' } }));
    const options = { serverUrl: SERVER, fetchFn: hosts.fetch };
    const provider = new MemoryProvider();
    await auth(provider, options);
    await expect(finishAuthorization(provider, { code: 'c' }, options)).rejects.toMatchObject({
      name: 'InsecureTokenEndpointError',
    });
    provider.stored = {
      access_token: 'a',
      token_type: 'Bearer',
      refresh_token: 'r',
      issuer: 'https://id.test',
    };
    await expect(auth(provider, options)).rejects.toMatchObject({ code: 'insecure_token_endpoint' });
    expect(hosts.lines().filter((line) => line.startsWith('POST') && line.endsWith('/token'))).toEqual([]);
    expect(provider.redirects).toHaveLength(1);
  });

  it('W226 is nowhere that a token endpoint redirects to', async () => {
    const moved = new Response(null, { status: 307, headers: { location: 'https://id.test/elsewhere' } });
    await expect(exchange(withSecret, undefined, moved)).rejects.toMatchObject({ code: 'server_error' });
  });
});

describe('what the token endpoint answers', () => {
  it.each([200, 400, 401])('W227 is an OAuthError with its code, in a %i too', async (status) => {
    const answer = Response.json(
      { error: 'invalid_scope', error_description: 'no', error_uri: 'https://x.test' },
      { status },
    );
    const failure = exchange(withSecret, undefined, answer);
    await expect(failure).rejects.toBeInstanceOf(OAuthError);
    await expect(failure).rejects.toMatchObject({
      code: 'invalid_scope',
      message: 'no',
      errorUri: 'https://x.test',
    });
  });

  it('W227 is a server_error when it is no OAuth', async () => {
    await expect(
      exchange(withSecret, undefined, new Response('<html>', { status: 500 })),
    ).rejects.toMatchObject({ code: 'server_error' });
    const parsed = await parseErrorResponse(new Response('oops', { status: 502 }));
    expect([parsed.code, parsed.message]).toEqual(['server_error', expect.stringContaining('HTTP 502')]);
    expect((await parseErrorResponse('{"error":"x"}')).message).toBe('x');
  });

  it.each([{}, { access_token: '' }, { access_token: 'a' }, { access_token: 7, token_type: 'Bearer' }, []])(
    'is unusable as %j',
    async (answer) => {
      await expect(exchange(withSecret, undefined, answer)).rejects.toMatchObject({
        code: 'answer_unusable',
        step: 'token',
      });
    },
  );

  it('is read leniently where nothing depends on it', async () => {
    const { tokens } = await exchange(withSecret, undefined, {
      ...GRANTED,
      expires_in: '3600',
      scope: null,
      refresh_token: 7,
      more: 1,
    });
    expect(tokens).toEqual({ ...GRANTED, expires_in: 3600 });
  });
});

describe('grants by hand', () => {
  it('W227 exchange a code with its verifier, without a provider', async () => {
    const { hosts, tokens } = await exchange({ client_id: 'id' }, undefined);
    expect(tokens).toEqual(GRANTED);
    expect(Object.fromEntries(hosts.forms(TOKEN)[0] ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'code',
      code_verifier: 'verifier',
      redirect_uri: 'http://localhost/cb',
      client_id: 'id',
    });
    expect([...prepareAuthorizationCodeRequest('c', 'v', 'r').keys()]).toEqual([
      'grant_type',
      'code',
      'code_verifier',
      'redirect_uri',
    ]);
  });

  it('W221 W227 keep the refresh token and name fewer scopes when asked', async () => {
    const hosts = createScriptedHosts({ [`POST ${TOKEN}`]: GRANTED });
    const options = {
      metadata: metadataWith(),
      clientInformation: { client_id: 'id' },
      refreshToken: 'r',
      fetchFn: hosts.fetch,
    };
    expect(await refreshAuthorization('https://id.test', options)).toEqual({
      ...GRANTED,
      refresh_token: 'r',
    });
    expect(await refreshAuthorization('https://id.test', { ...options, scope: 'a' })).toEqual({
      ...GRANTED,
      refresh_token: 'r',
      scope: 'a',
    });
    expect(hosts.forms(TOKEN).map((form) => form.get('scope'))).toEqual([null, 'a']);
  });

  it('W227 take the grant that a provider prepares, else need a code', async () => {
    const hosts = createScriptedHosts({ [`POST ${TOKEN}`]: GRANTED });
    const machine = Object.assign(
      new MemoryProvider({ redirectUrl: undefined, client: { client_id: 'id' } }),
      {
        prepareTokenRequest: (scope?: string) =>
          new URLSearchParams({ grant_type: 'own', scope: scope ?? '' }),
      },
    );
    await fetchToken(machine, 'https://id.test', {
      metadata: metadataWith(),
      scope: 's',
      fetchFn: hosts.fetch,
    });
    expect(Object.fromEntries(hosts.forms(TOKEN)[0] ?? [])).toEqual({
      grant_type: 'own',
      scope: 's',
      client_id: 'id',
    });
    await expect(fetchToken(new MemoryProvider(), 'https://id.test')).rejects.toMatchObject({
      code: 'provider_incomplete',
    });
  });
});
