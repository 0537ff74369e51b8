import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedHosts, serverDocument, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostAnswer, ScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import type { StoredOAuthTokens } from '../documents.ts';
import type { AuthorizationEvent } from '../steps.ts';
import { auth } from './auth.ts';
import type { AuthOptions } from './auth.ts';
import { finishAuthorization } from './callback.ts';

const SERVER = 'https://api.test/mcp';
const ISSUER = 'https://id.test';
const TOKEN = `${ISSUER}/token`;
const STORED: StoredOAuthTokens = {
  access_token: 'old',
  token_type: 'Bearer',
  refresh_token: 'r0',
  issuer: ISSUER,
};
const CLIENT = { client_id: 'known', issuer: ISSUER };

function world(metadata: Record<string, unknown> = {}, places: Record<string, HostAnswer> = {}) {
  const hosts = createScriptedHosts({ ...signInHosts({ metadata }), ...places });
  const clock = createManualClock();
  const options: AuthOptions = { serverUrl: SERVER, fetchFn: hosts.fetch, clock };
  return { hosts, clock, options };
}

const oauthError = (error: string, status = 400): Response =>
  Response.json({ error, error_description: 'said so' }, { status });

describe('PKCE', () => {
  it.each([undefined, [], ['plain'], 'S256', null])(
    'W215 stops before the redirect when the metadata has %j',
    async (methods) => {
      for (const kind of ['oauth-authorization-server', 'openid-configuration']) {
        const { hosts, options } = world(
          {},
          {
            [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: 404,
            [`GET ${ISSUER}/.well-known/${kind}`]: serverDocument(ISSUER, {
              code_challenge_methods_supported: methods,
            }),
          },
        );
        const provider = new MemoryProvider({ client: CLIENT });
        await expect(auth(provider, options)).rejects.toMatchObject({ code: 'pkce_unsupported' });
        expect([provider.redirects, provider.verifier, hosts.forms(TOKEN)]).toEqual([[], undefined, []]);
      }
    },
  );

  it('W215 uses S256 with a verifier of its own each time, and sends the matching one', async () => {
    const { hosts, options } = world({ code_challenge_methods_supported: ['plain', 'S256'] });
    const provider = new MemoryProvider();
    await auth(provider, options);
    const first = provider.verifier;
    await auth(provider, options);
    expect(provider.verifier).not.toBe(first);
    expect(provider.asked.get('code_challenge_method')).toBe('S256');
    await finishAuthorization(provider, new URLSearchParams({ code: 'c' }), options);
    const verifier = hosts.forms(TOKEN)[0]?.get('code_verifier') ?? '';
    expect(provider.asked.get('code_challenge')).toBe(
      createHash('sha256').update(verifier).digest('base64url'),
    );
  });
});

describe('the redirect', () => {
  it('W217 W227 has the provider’s state and everything else a server needs, and is told', async () => {
    const events: AuthorizationEvent[] = [];
    const { options } = world();
    const provider = Object.assign(new MemoryProvider(), { state: () => 's t' });
    expect(await auth(provider, { ...options, scope: 'a b', observer: (event) => events.push(event) })).toBe(
      'REDIRECT',
    );
    expect(Object.fromEntries(provider.asked)).toMatchObject({
      response_type: 'code',
      client_id: 'client-of-id.test',
      state: 's t',
      scope: 'a b',
      redirect_uri: 'http://localhost:3000/callback',
      resource: SERVER,
    });
    expect(events.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'resource-metadata used',
      'server-metadata used',
      'client-identity chosen',
      'registration granted',
      'authorization asked',
    ]);
    expect(JSON.stringify(events)).not.toContain(provider.verifier);
  });

  it.each([
    'javascript:alert(1)',
    'http://id.test/authorize',
    'data:text/html,x',
    'file:///bin/sh',
    'vscode://x',
    'https://u:p@id.test/a',
  ])('W217 never goes to %s', async (authorization_endpoint) => {
    const { options } = world({ authorization_endpoint });
    const provider = new MemoryProvider();
    await expect(auth(provider, options)).rejects.toMatchObject({
      code: 'url_refused',
      step: 'authorization',
    });
    expect([provider.redirects, provider.verifier]).toEqual([[], undefined]);
  });

  it('W217 may go to this machine over http', async () => {
    const { options } = world({ authorization_endpoint: 'http://127.0.0.1:9/authorize?tenant=1' });
    const provider = new MemoryProvider();
    await auth(provider, options);
    expect([provider.redirects[0]?.origin, provider.asked.get('tenant')]).toEqual([
      'http://127.0.0.1:9',
      '1',
    ]);
  });

  it('W217 W226 goes nowhere that the caller’s check refuses', async () => {
    const { options } = world({ authorization_endpoint: 'https://inside.test/authorize' });
    const provider = new MemoryProvider();
    const checkUrl = ({ host }: URL): void => {
      if (host === 'inside.test') throw new TypeError('no');
    };
    await expect(auth(provider, { ...options, checkUrl })).rejects.toMatchObject({ code: 'url_refused' });
    expect(provider.redirects).toEqual([]);
  });
});

describe('the callback', () => {
  const begun = async (metadata: Record<string, unknown> = {}) => {
    const made = world(metadata);
    const provider = new MemoryProvider();
    await auth(provider, made.options);
    return { ...made, provider };
  };

  const callbackOf = (iss: string | undefined): URLSearchParams =>
    new URLSearchParams({ code: 'c', error_description: 'attack', ...(iss === undefined ? {} : { iss }) });

  it.each([
    ['the same issuer', false, ISSUER],
    ['the same issuer, promised', true, ISSUER],
    ['none', false, undefined],
  ])('W218 goes on with %s', async (...[, promised, iss]) => {
    const { provider, options } = await begun({ authorization_response_iss_parameter_supported: promised });
    await finishAuthorization(provider, callbackOf(iss), options);
    expect(provider.stored?.access_token).toBe('access-1');
  });

  it.each([
    ['none although promised', true, undefined],
    ['another', false, 'https://evil.test'],
    ['another, promised', true, 'https://evil.test'],
    ['another case', true, 'https://ID.test'],
    ['another case of the scheme', true, 'HTTPS://id.test'],
    ['the default port', true, 'https://id.test:443'],
    ['a slash', true, 'https://id.test/'],
    ['percent-encoding', true, 'https://i%64.test'],
    ['encoded as a whole', false, encodeURIComponent(ISSUER)],
    ['nothing', false, ''],
  ])('W218 stops with %s', async (...[, promised, iss]) => {
    const { provider, hosts, options } = await begun({
      authorization_response_iss_parameter_supported: promised,
    });
    await expect(finishAuthorization(provider, callbackOf(iss), options)).rejects.toMatchObject({
      name: 'IssuerMismatchError',
      data: { kind: 'authorization_response', expected: ISSUER },
      message: expect.not.stringContaining('attack'),
    });
    expect([hosts.forms(TOKEN), provider.stored, provider.verifier]).toEqual([[], undefined, undefined]);
  });

  it('W218 shows what it says in OAuth’s words only when it comes from the right server', async () => {
    const query = { error: 'access_denied', error_description: 'no thanks' };
    const right = await begun();
    const said = finishAuthorization(
      right.provider,
      new URLSearchParams({ ...query, iss: ISSUER }),
      right.options,
    );
    await expect(said).rejects.toMatchObject({
      name: 'OAuthError',
      code: 'access_denied',
      message: 'no thanks',
    });
    const wrong = await begun();
    const forged = finishAuthorization(
      wrong.provider,
      new URLSearchParams({ ...query, iss: 'https://evil.test' }),
      wrong.options,
    );
    await expect(forged).rejects.toMatchObject({
      code: 'issuer_mismatch',
      message: expect.not.stringContaining('thanks'),
    });
    const unknown = finishAuthorization(new MemoryProvider(), new URLSearchParams(query), right.options);
    await expect(unknown).rejects.toMatchObject({
      name: 'UnauthorizedError',
      message: expect.not.stringContaining('thanks'),
    });
    const empty = await begun();
    await expect(
      finishAuthorization(empty.provider, new URLSearchParams(), empty.options),
    ).rejects.toMatchObject({ code: 'callback_incomplete' });
  });

  it('W218 is of no use to another server than the recorded one, nor without a record', async () => {
    const { provider, hosts, options } = await begun();
    provider.discovery = undefined;
    await expect(finishAuthorization(provider, { code: 'c' }, options)).rejects.toMatchObject({
      name: 'AuthorizationServerMismatchError',
    });
    const other = new MemoryProvider({
      verifier: 'v',
      client: CLIENT,
      discovery: { authorizationServerUrl: 'https://old.test' },
    });
    hosts.change({ 'GET https://old.test/.well-known/oauth-authorization-server': serverDocument(ISSUER) });
    const lenient = { ...options, skipIssuerMetadataValidation: true };
    await expect(finishAuthorization(other, { code: 'c' }, lenient)).rejects.toMatchObject({
      code: 'authorization_server_mismatch',
      recordedIssuer: 'https://old.test',
      currentIssuer: ISSUER,
    });
    expect(hosts.forms(TOKEN)).toEqual([]);
  });

  it('W210 the opt-out for metadata does not reach the callback', async () => {
    const { options } = world({ issuer: 'https://misnamed.test' });
    const lenient = { ...options, skipIssuerMetadataValidation: true };
    const provider = new MemoryProvider();
    await auth(provider, lenient);
    await expect(finishAuthorization(provider, { code: 'c', iss: ISSUER }, lenient)).rejects.toMatchObject({
      code: 'issuer_mismatch',
    });
  });

  it('W217 a code that cannot be exchanged takes the attempt with it, and no tokens', async () => {
    const { provider, hosts, options } = await begun();
    provider.stored = STORED;
    hosts.change({ [`POST ${TOKEN}`]: oauthError('invalid_grant') });
    await expect(finishAuthorization(provider, { code: 'c' }, options)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect([provider.verifier, provider.stored, hosts.forms(TOKEN).length]).toEqual([undefined, STORED, 1]);
  });
});

describe('scopes', () => {
  const listed = { scopes_supported: ['r1', 'r2'] };
  const refreshing = {
    redirect_uris: ['http://localhost/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  it.each<
    [
      string,
      { scope?: string; resource?: object; server?: object; client?: Partial<MemoryProvider> },
      string | null,
    ]
  >([
    ['of the challenge', { scope: 'c', resource: listed }, 'c'],
    ['of the resource', { resource: listed }, 'r1 r2'],
    ['of the client', { client: { clientMetadata: { redirect_uris: [], scope: 'own' } } }, 'own'],
    ['of nobody', {}, null],
    ['an empty list', { resource: { scopes_supported: [] } }, null],
    [
      'with use while away',
      {
        scope: 'c',
        server: { scopes_supported: ['offline_access'] },
        client: { clientMetadata: refreshing },
      },
      'c offline_access',
    ],
    [
      'use while away that is not offered',
      { scope: 'c', server: { scopes_supported: ['c'] }, client: { clientMetadata: refreshing } },
      'c',
    ],
    [
      'use while away without refreshing',
      { scope: 'c', server: { scopes_supported: ['offline_access'] } },
      'c',
    ],
    [
      'use while away and nothing else',
      { server: { scopes_supported: ['offline_access'] }, client: { clientMetadata: refreshing } },
      null,
    ],
  ])('W219 %s', async (_name, { scope, resource, server, client }, expected) => {
    const hosts = createScriptedHosts(signInHosts({ resource: { ...resource }, metadata: { ...server } }));
    const provider = new MemoryProvider(client);
    await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch, scope });
    expect(provider.asked.get('scope')).toBe(expected);
    expect(provider.asked.get('prompt')).toBe(expected?.includes('offline') === true ? 'consent' : null);
  });
});

describe('a refresh', () => {
  const refreshing = (changes: Partial<MemoryProvider> = {}): MemoryProvider =>
    new MemoryProvider({ client: CLIENT, stored: STORED, ...changes });
  const refreshTokens = (hosts: ScriptedHosts): (string | null)[] =>
    hosts.forms(TOKEN).map((form) => form.get('refresh_token'));

  it('W221 W227 replaces the tokens and yields AUTHORIZED', async () => {
    const { hosts, options, clock } = world();
    const provider = refreshing();
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect(provider.stored).toEqual({
      access_token: 'access-1',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'refresh-1',
      issuer: ISSUER,
      expires_at: clock.now() + 3_600_000,
    });
    expect(refreshTokens(hosts)).toEqual(['r0']);
  });

  it('W221 field-D22 keeps the refresh token that no answer replaces, four times over', async () => {
    const { hosts, options } = world({}, { [`POST ${TOKEN}`]: { access_token: 'a', token_type: 'Bearer' } });
    const provider = refreshing({ stored: { ...STORED, scope: 'a b' } });
    for (let count = 0; count < 5; count++) expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect(refreshTokens(hosts)).toEqual(['r0', 'r0', 'r0', 'r0', 'r0']);
    expect([provider.stored?.refresh_token, provider.stored?.scope]).toEqual(['r0', 'a b']);
  });

  it('W221 field-D22 keeps everything when the network fails, and asks nobody', async () => {
    for (const cause of [{ code: 'ECONNRESET' }, undefined]) {
      const { options } = world(
        {},
        { [`POST ${TOKEN}`]: () => Promise.reject(new TypeError('fetch failed', { cause })) },
      );
      const provider = refreshing();
      await expect(auth(provider, options)).rejects.toMatchObject({ code: 'network' });
      expect([provider.stored, provider.client, provider.redirects]).toEqual([STORED, CLIENT, []]);
    }
    const { clock, options } = world({}, { [`POST ${TOKEN}`]: () => new Promise(() => undefined) });
    const provider = refreshing();
    const refreshed = auth(provider, options).catch((error: unknown) => error);
    await clock.advance(30_000);
    expect(await refreshed).toMatchObject({ code: 'answer_timeout', step: 'refresh' });
    expect([provider.stored, provider.redirects]).toEqual([STORED, []]);
  });

  it.each([
    ['invalid_grant', ['tokens']],
    ['invalid_client', ['client', 'tokens']],
    ['unauthorized_client', ['client', 'tokens']],
  ])('W221 field-D22 lets go after %s of %j alone, and asks the person', async (error, parts) => {
    const { options } = world({}, { [`POST ${TOKEN}`]: oauthError(error) });
    const provider = refreshing();
    expect(await auth(provider, options)).toBe('REDIRECT');
    expect(provider.invalidated).toEqual(parts);
    expect(provider.stored).toBeUndefined();
    expect(provider.asked.get('client_id')).toBe(parts.includes('client') ? 'client-of-id.test' : 'known');
  });

  it('W221 asks the person when the provider cannot let go, too', async () => {
    const { hosts, options } = world({}, { [`POST ${TOKEN}`]: oauthError('invalid_grant') });
    const provider = Object.assign(refreshing(), { invalidateCredentials: undefined });
    expect(await auth(provider, options)).toBe('REDIRECT');
    expect(refreshTokens(hosts)).toEqual(['r0']);
  });

  it('W221 W227 surfaces other errors as they are, and keeps everything', async () => {
    const { options } = world({}, { [`POST ${TOKEN}`]: oauthError('invalid_target') });
    const provider = refreshing();
    await expect(auth(provider, options)).rejects.toMatchObject({
      name: 'OAuthError',
      code: 'invalid_target',
    });
    expect([provider.stored, provider.redirects]).toEqual([STORED, []]);
  });

  it('W221 surfaces a save that fails, and uses the new tokens nowhere', async () => {
    const { options } = world();
    const full = new TypeError('disk full');
    const provider = Object.assign(refreshing(), { saveTokens: () => Promise.reject(full) });
    await expect(auth(provider, options)).rejects.toBe(full);
    expect(provider.redirects).toEqual([]);
  });

  it('W221 is no way without a refresh token', async () => {
    const { hosts, options } = world();
    const { refresh_token: _none, ...stored } = STORED;
    expect(await auth(refreshing({ stored }), options)).toBe('REDIRECT');
    expect(hosts.forms(TOKEN)).toEqual([]);
  });

  it('W221 is not needed when somebody else did it', async () => {
    const { hosts, options } = world();
    expect(await auth(refreshing(), { ...options, staleToken: 'older' })).toBe('AUTHORIZED');
    expect(hosts.forms(TOKEN)).toEqual([]);
    expect(await auth(refreshing(), { ...options, staleToken: 'old' })).toBe('AUTHORIZED');
    expect(hosts.forms(TOKEN)).toHaveLength(1);
  });
});

describe('another authorization server', () => {
  it('W222 never gets what the one before gave out', async () => {
    const hosts = createScriptedHosts({ ...signInHosts(), ...signInHosts({ issuer: 'https://evil.test' }) });
    const provider = new MemoryProvider({
      client: { client_id: 'id-of-old', client_secret: 'sec', issuer: ISSUER },
      stored: { ...STORED, refresh_token: 'secret-refresh' },
    });
    expect(await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch })).toBe('REDIRECT');
    expect(provider.redirects[0]?.origin).toBe('https://evil.test');
    expect(provider.client).toMatchObject({ client_id: 'client-of-evil.test', issuer: 'https://evil.test' });
    const sent = JSON.stringify([
      hosts.log.map(({ text, url, headers }) => [text, url, [...headers]]),
      provider.redirects,
    ]);
    for (const secret of ['secret-refresh', 'sec"', 'id-of-old', 'old"']) expect(sent).not.toContain(secret);
  });

  it('W222 is refused credentials that are pinned and cannot be registered anew', async () => {
    const { hosts, options } = world();
    const pinned = Object.assign(
      new MemoryProvider({ client: { client_id: 'x', client_secret: 'y', issuer: 'https://mine.test' } }),
      { saveClientInformation: undefined },
    );
    await expect(auth(pinned, options)).rejects.toMatchObject({
      name: 'AuthorizationServerMismatchError',
      recordedIssuer: 'https://mine.test',
    });
    expect(hosts.log.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('W222 marks what was stored without an issuer with the first one', async () => {
    const { options } = world();
    const provider = new MemoryProvider({
      client: { client_id: 'known' },
      stored: { access_token: 'a', token_type: 'Bearer' },
    });
    await auth(provider, options);
    expect([provider.client?.issuer, provider.stored?.issuer]).toEqual([ISSUER, ISSUER]);
  });
});

describe('a server without any document', () => {
  const places = {
    'POST https://api.test/register': { client_id: 'new', redirect_uris: [] },
    'POST https://api.test/token': { access_token: 'a', token_type: 'Bearer' },
  };

  it('W208 is given up, with everything that was tried', async () => {
    const hosts = createScriptedHosts(places);
    const failure = auth(new MemoryProvider(), { serverUrl: SERVER, fetchFn: hosts.fetch });
    await expect(failure).rejects.toMatchObject({ code: 'no_server_metadata' });
    expect(hosts.forms('https://api.test/token')).toEqual([]);
  });

  it('is taken for one of the first revision where that is known, still with S256', async () => {
    const hosts = createScriptedHosts(places);
    const options = { serverUrl: SERVER, fetchFn: hosts.fetch, assumeEndpoints: true };
    const provider = new MemoryProvider();
    expect(await auth(provider, options)).toBe('REDIRECT');
    expect(provider.redirects[0]?.href).toMatch(/^https:\/\/api\.test\/authorize\?/);
    expect(provider.asked.get('code_challenge_method')).toBe('S256');
    await finishAuthorization(provider, new URLSearchParams({ code: 'c' }), options);
    expect(hosts.forms('https://api.test/token')[0]?.get('code')).toBe('c');
    expect(provider.stored?.access_token).toBe('a');
  });

  it('is not assumed where a document was found that cannot be used', async () => {
    const { options } = world({ issuer: 'https://evil.test' });
    const failure = auth(new MemoryProvider(), { ...options, assumeEndpoints: true });
    await expect(failure).rejects.toMatchObject({ code: 'issuer_mismatch' });
  });
});
