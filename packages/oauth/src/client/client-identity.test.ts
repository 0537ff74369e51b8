import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createScriptedHosts, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { ScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import type { OAuthClientMetadata } from '../documents.ts';
import { auth } from './auth.ts';
import {
  buildClientMetadataDocument,
  isHttpsUrl,
  resolveClientMetadata,
  validateClientMetadataUrl,
} from './client-metadata.ts';
import { registerClient } from './registration.ts';

const DOCUMENT = 'https://app.test/client.json';
const SERVER = 'https://api.test/mcp';
const REGISTER = 'https://id.test/register';

async function signIn(
  metadata: Record<string, unknown>,
  provider: MemoryProvider,
): Promise<{ hosts: ScriptedHosts; code: unknown }> {
  const hosts = createScriptedHosts(signInHosts({ metadata }));
  const code = await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch }).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
  return { hosts, code };
}

describe('as whom a client signs in', () => {
  const DCR = 'client-of-id.test';
  const none = { registration_endpoint: undefined };
  const reads = { client_id_metadata_document_supported: true };
  const rows: readonly (readonly [
    string,
    Record<string, unknown>,
    Partial<MemoryProvider>,
    string | null,
  ])[] = [
    [
      'the server reads documents',
      { ...reads, token_endpoint_auth_methods_supported: ['none'] },
      {},
      DOCUMENT,
    ],
    ['it says nothing of methods', { ...reads, ...none }, {}, DOCUMENT],
    [
      'it wants secrets of those, too',
      { ...reads, token_endpoint_auth_methods_supported: ['client_secret_post'] },
      {},
      DCR,
    ],
    [
      'it wants secrets and registers nobody',
      { ...reads, ...none, token_endpoint_auth_methods_supported: ['client_secret_post'] },
      {},
      null,
    ],
    ['it only registers', { client_id_metadata_document_supported: false }, {}, DCR],
    ['it does not say that it reads', {}, {}, DCR],
    ['it does neither', none, {}, null],
    ['the redirect is not in our document', reads, { redirectUrl: 'https://elsewhere.test/cb' }, DCR],
    [
      'our document is of a client with a secret',
      reads,
      {
        clientMetadata: {
          redirect_uris: ['http://localhost:3000/callback'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      },
      DCR,
    ],
    ['there is no document', reads, { clientMetadataUrl: undefined }, DCR],
  ];
  it.each(rows)('W211 field-D23 when %s', async (...[, metadata, changes, expected]) => {
    const provider = new MemoryProvider({ clientMetadataUrl: DOCUMENT, ...changes });
    const { hosts, code } = await signIn(metadata, provider);
    expect(provider.asked.get('client_id')).toBe(expected);
    expect(code).toBe(expected === null ? 'client_id_needed' : undefined);
    expect(hosts.lines().includes(`POST ${REGISTER}`)).toBe(expected === DCR);
  });

  it.each(rows)(
    'W211 field-D23 is the pre-registered client all the same when %s',
    async (...[, metadata, changes]) => {
      const provider = new MemoryProvider({
        clientMetadataUrl: DOCUMENT,
        ...changes,
        client: { client_id: 'known' },
      });
      const { hosts } = await signIn(metadata, provider);
      expect(provider.asked.get('client_id')).toBe('known');
      expect(hosts.lines()).not.toContain(`POST ${REGISTER}`);
    },
  );

  it('W211 names the issuer and the redirect that a person has to register', async () => {
    const hosts = createScriptedHosts(signInHosts({ metadata: none }));
    await expect(
      auth(new MemoryProvider(), { serverUrl: SERVER, fetchFn: hosts.fetch }),
    ).rejects.toMatchObject({
      code: 'client_id_needed',
      data: { issuer: 'https://id.test', redirectUrl: 'http://localhost:3000/callback' },
    });
  });

  it('W211 registers anew when the secret has ended', async () => {
    const client = {
      client_id: 'old',
      client_secret: 's',
      client_secret_expires_at: 1_000,
      issuer: 'https://id.test',
    };
    const provider = new MemoryProvider({ client });
    await signIn({}, provider);
    expect(provider.asked.get('client_id')).toBe(DCR);
  });
});

describe('a registration that was kept', () => {
  const issuer = 'https://id.test';
  const kept = { client_id: 'kept', issuer };
  const HERE = 'http://127.0.0.1:4000/callback';
  const provider = (changes: Partial<MemoryProvider>): MemoryProvider =>
    new MemoryProvider({ redirectUrl: HERE, clientMetadata: { redirect_uris: [HERE] }, ...changes });

  it.each<[string, readonly string[] | undefined, string]>([
    ['another port', ['http://127.0.0.1:3000/callback'], 'client-of-id.test'],
    ['another host', ['http://localhost:4000/callback'], 'client-of-id.test'],
    ['another path', ['http://127.0.0.1:4000/'], 'client-of-id.test'],
    ['the web', ['https://app.test/callback'], 'client-of-id.test'],
    ['nowhere', [], 'client-of-id.test'],
    ['this place among others', ['https://app.test/callback', HERE], 'kept'],
    ['every port of this machine', ['http://127.0.0.1/callback'], 'kept'],
    ['a place that it does not tell', undefined, 'kept'],
  ])('W211 K44 that was made for %s is used only where browsers come back to it', async (...row) => {
    const [, redirects, expected] = row;
    const client = { ...kept, ...(redirects === undefined ? {} : { redirect_uris: redirects }) };
    const own = provider({ client });
    await signIn({}, own);
    expect(own.asked.get('client_id')).toBe(expected);
    expect(own.client?.client_id).toBe(expected);
  });

  it('W211 is kept with the address that was sent, however the server writes it', async () => {
    const hosts = createScriptedHosts({
      ...signInHosts(),
      [`POST ${REGISTER}`]: { client_id: 'new', redirect_uris: ['http://127.0.0.1:4000/callback/'] },
    });
    const own = provider({});
    for (let times = 0; times < 2; times++) await auth(own, { serverUrl: SERVER, fetchFn: hosts.fetch });
    expect(hosts.lines().filter((line) => line === `POST ${REGISTER}`)).toHaveLength(1);
    expect(own.client).toMatchObject({ client_id: 'new', redirect_uris: [HERE] });
  });

  it('W211 refreshes what it got wherever browsers come back to by now', async () => {
    const client = { ...kept, redirect_uris: ['http://127.0.0.1:3000/callback'] };
    const stored = { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', issuer };
    const own = provider({ client, stored });
    const { hosts } = await signIn({}, own);
    expect(hosts.forms('https://id.test/token').map((form) => form.get('client_id'))).toEqual(['kept']);
    expect(hosts.lines()).not.toContain(`POST ${REGISTER}`);
  });

  it('W211 that was made by hand is used as it is', async () => {
    const client = { ...kept, redirect_uris: ['http://127.0.0.1:3000/callback'] };
    const own = provider({ client });
    Object.assign(own, { saveClientInformation: undefined });
    await signIn({}, own);
    expect(own.asked.get('client_id')).toBe('kept');
  });
});

describe('the address of a metadata document', () => {
  it.each([DOCUMENT, 'https://app.test/a'])('W212 may be %s', (url) => {
    expect(isHttpsUrl(url)).toBe(true);
    expect(validateClientMetadataUrl(url)).toBeUndefined();
  });

  it('need not be there', () => {
    expect([isHttpsUrl(undefined), isHttpsUrl('')]).toEqual([false, false]);
    expect([validateClientMetadataUrl(undefined), validateClientMetadataUrl('')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    'https://app.test/',
    'https://app.test',
    'http://app.test/client.json',
    'http://localhost/client.json',
    'client.json',
  ])('W212 may not be %s', async (url) => {
    expect(isHttpsUrl(url)).toBe(false);
    const refusal = expect.objectContaining({ code: 'client_metadata_url_invalid' });
    expect(() => validateClientMetadataUrl(url)).toThrow(refusal);
    const { code } = await signIn(
      { client_id_metadata_document_supported: true },
      new MemoryProvider({ clientMetadataUrl: url }),
    );
    expect(code).toBe('client_metadata_url_invalid');
  });

  it('W212 is the id in the document that a helper builds', () => {
    const redirect_uris = ['http://localhost/cb'];
    const document = buildClientMetadataDocument(DOCUMENT, { client_name: 'App', redirect_uris });
    expect(document).toMatchObject({
      client_id: DOCUMENT,
      client_name: 'App',
      redirect_uris,
      token_endpoint_auth_method: 'none',
    });
    const build = (): unknown =>
      buildClientMetadataDocument('https://a.test', { client_name: 'A', redirect_uris });
    expect(build).toThrow(expect.objectContaining({ code: 'client_metadata_url_invalid' }));
  });

  it('W212 works unchanged at another issuer, without registration', async () => {
    const provider = new MemoryProvider({ clientMetadataUrl: DOCUMENT });
    const reads = { client_id_metadata_document_supported: true };
    for (const issuer of ['https://one.test', 'https://two.test']) {
      const hosts = createScriptedHosts(signInHosts({ issuer, metadata: reads }));
      provider.discovery = undefined;
      await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch });
      expect([provider.asked.get('client_id'), provider.redirects.at(-1)?.origin]).toEqual([
        DOCUMENT,
        issuer,
      ]);
      expect(hosts.lines()).not.toContain(`POST ${issuer}/register`);
    }
  });
});

describe('a registration', () => {
  const sent = ({ log }: ScriptedHosts): OAuthClientMetadata =>
    JSON.parse(log.find(({ url }) => url.href === REGISTER)?.text ?? '{}') as OAuthClientMetadata;

  it.each([
    [['http://localhost:3000/cb'], 'native'],
    [['http://127.0.0.1/cb'], 'native'],
    [['http://[::1]:1/cb'], 'native'],
    [['com.example.app:/cb'], 'native'],
    [['https://app.test/cb'], 'web'],
    [[], 'web'],
  ])('W213 of %j is of the type %s', async (redirects, type) => {
    const provider = new MemoryProvider({ clientMetadata: { redirect_uris: redirects } });
    const { hosts } = await signIn({}, provider);
    expect(sent(hosts)).toEqual({
      redirect_uris: redirects,
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: type,
    });
  });

  it('W213 keeps what is said and sends the scope that is asked for', async () => {
    const clientMetadata = {
      redirect_uris: ['http://localhost/cb'],
      application_type: 'web',
      grant_types: ['authorization_code'],
      scope: 'own',
    };
    const provider = new MemoryProvider({ clientMetadata });
    const hosts = createScriptedHosts(signInHosts());
    await auth(provider, { serverUrl: SERVER, fetchFn: hosts.fetch, scope: 'a b' });
    expect(sent(hosts)).toEqual({ ...clientMetadata, scope: 'a b' });
    expect(provider.asked.get('scope')).toBe('a b');
    const machine = { redirectUrl: undefined, clientMetadata: { redirect_uris: [] } };
    expect(resolveClientMetadata(machine)).toEqual({ redirect_uris: [], application_type: 'web' });
  });

  it('W213 that is refused says what was said and sent', async () => {
    const hosts = createScriptedHosts({
      ...signInHosts(),
      [`POST ${REGISTER}`]: Response.json({ error: 'invalid_redirect_uri' }, { status: 400 }),
    });
    const failure = auth(new MemoryProvider(), { serverUrl: SERVER, fetchFn: hosts.fetch });
    await expect(failure).rejects.toMatchObject({
      name: 'RegistrationRejectedError',
      code: 'registration_rejected',
      status: 400,
      body: '{"error":"invalid_redirect_uri"}',
      submittedMetadata: { application_type: 'native', redirect_uris: ['http://localhost:3000/callback'] },
    });
  });

  it.each([{}, { client_id: '' }, { client_id: 7 }, []])(
    'W213 is unusable when it answers %j',
    async (answer) => {
      const hosts = createScriptedHosts({ ...signInHosts(), [`POST ${REGISTER}`]: answer });
      const failure = auth(new MemoryProvider(), { serverUrl: SERVER, fetchFn: hosts.fetch });
      await expect(failure).rejects.toMatchObject({ code: 'answer_unusable', step: 'registration' });
    },
  );

  it('W227 can be made by hand, where the server has a place for it', async () => {
    const hosts = createScriptedHosts(signInHosts());
    const clientMetadata = { redirect_uris: ['http://localhost/cb'] };
    const client = await registerClient('https://id.test', {
      clientMetadata,
      scope: 'a',
      fetchFn: hosts.fetch,
    });
    expect([client.client_id, sent(hosts).scope]).toEqual(['client-of-id.test', 'a']);
    const metadata = {
      issuer: 'https://id.test',
      authorization_endpoint: '',
      token_endpoint: '',
      response_types_supported: [],
    };
    await expect(registerClient('https://id.test', { metadata, clientMetadata })).rejects.toMatchObject({
      code: 'client_id_needed',
    });
  });
});
