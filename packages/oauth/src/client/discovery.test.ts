import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedHosts, serverDocument } from '../../../../testing/scripted-hosts.ts';
import type { HostScript } from '../../../../testing/scripted-hosts.ts';
import type { OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationEvent } from '../steps.ts';
import { discover, discoverOAuthServerInfo } from './discovery.ts';
import type { DiscoveryOptions } from './discovery.ts';
import { discoverOAuthProtectedResourceMetadata } from './resource-metadata.ts';
import {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
} from './server-metadata.ts';

const SERVER = 'https://api.example.com/v1/mcp';
const RESOURCE = 'https://api.example.com/.well-known/oauth-protected-resource';
const html = new Response('<html>hi</html>', { headers: { 'content-type': 'text/html' } });

async function failure(promise: Promise<unknown>): Promise<OAuthClientFlowError> {
  return promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as OAuthClientFlowError,
  );
}

function find(script: HostScript, options: Partial<DiscoveryOptions> = {}) {
  const hosts = createScriptedHosts(script);
  return { hosts, found: discover(SERVER, { ...options, http: { fetchFn: hosts.fetch, ...options.http } }) };
}

describe('the order of asking', () => {
  it('W208 W210 field-D20 passes over refusals and pages, and asks each issuer’s own host', async () => {
    const tenant = 'https://id.example.net/tenant1';
    const events: AuthorizationEvent[] = [];
    const { hosts, found } = find(
      {
        [`GET ${RESOURCE}/v1/mcp`]: 403,
        [`GET ${RESOURCE}`]: { resource: SERVER, authorization_servers: [tenant] },
        'GET https://id.example.net/.well-known/oauth-authorization-server/tenant1': 401,
        'GET https://id.example.net/.well-known/openid-configuration/tenant1': html,
        [`GET ${tenant}/.well-known/openid-configuration`]: serverDocument(tenant),
      },
      { http: { observer: (event) => events.push(event) } },
    );
    const { authorizationServerMetadata } = await found;
    expect(authorizationServerMetadata.token_endpoint).toBe(`${tenant}/token`);
    expect(hosts.lines()).toEqual([
      `GET ${RESOURCE}/v1/mcp`,
      `GET ${RESOURCE}`,
      'GET https://id.example.net/.well-known/oauth-authorization-server/tenant1',
      'GET https://id.example.net/.well-known/openid-configuration/tenant1',
      `GET ${tenant}/.well-known/openid-configuration`,
    ]);
    expect(events.map(({ step, outcome, status }) => [step, outcome, status])).toEqual([
      ['resource-metadata', 'missed', 403],
      ['resource-metadata', 'used', 200],
      ['server-metadata', 'missed', 401],
      ['server-metadata', 'missed', 200],
      ['server-metadata', 'used', 200],
    ]);
  });

  it('W208 asks the address of the challenge first', async () => {
    const resourceMetadataUrl = 'https://api.example.com/meta';
    const { hosts, found } = find(
      {
        'GET https://api.example.com/meta': { resource: SERVER, authorization_servers: ['https://id.test'] },
        'GET https://id.test/.well-known/oauth-authorization-server': serverDocument('https://id.test'),
      },
      { resourceMetadataUrl },
    );
    expect((await found).resourceMetadataUrl).toBe(resourceMetadataUrl);
    expect(hosts.lines()).toHaveLength(2);
  });

  it('W208 tries the origin as issuer without any resource document, guesses nothing, and lists what it tried', async () => {
    const { hosts, found } = find({});
    const error = await failure(found);
    expect(error.code).toBe('no_server_metadata');
    const asked = [
      `${RESOURCE}/v1/mcp`,
      RESOURCE,
      'https://api.example.com/.well-known/oauth-authorization-server',
      'https://api.example.com/.well-known/openid-configuration',
    ];
    expect(hosts.lines()).toEqual(asked.map((url) => `GET ${url}`));
    for (const url of asked) expect(error.message).toContain(url);
    const old = find({
      'GET https://api.example.com/.well-known/oauth-authorization-server':
        serverDocument('https://api.example.com'),
    });
    expect((await old.found).resourceMetadata).toBeUndefined();
  });

  it.each([
    ['a failing server', 503, 'answer_unusable'],
    [
      'a broken network',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })),
      'network',
    ],
  ])('W208 surfaces %s', async (_name, answer, code) => {
    const { hosts, found } = find({ [`GET ${RESOURCE}/v1/mcp`]: answer });
    expect((await failure(found)).code).toBe(code);
    expect(hosts.lines()).toHaveLength(1);
  });

  it('W210 goes on after 502 and documents without endpoints, but not after 503', async () => {
    const issuer = 'https://id.test';
    const script = (first: number | object): HostScript => ({
      [`GET ${issuer}/.well-known/oauth-authorization-server`]: first,
      [`GET ${issuer}/.well-known/openid-configuration`]: serverDocument(issuer),
    });
    for (const first of [502, 404, 401, html, [], { issuer }]) {
      const hosts = createScriptedHosts(script(first));
      const found = await discoverAuthorizationServerMetadata(issuer, { fetchFn: hosts.fetch });
      expect(found?.issuer).toBe(issuer);
    }
    const failing = createScriptedHosts(script(503));
    const error = await failure(discoverAuthorizationServerMetadata(issuer, { fetchFn: failing.fetch }));
    expect(error.code).toBe('answer_unusable');
  });

  it('W210 names the places of an issuer in order', () => {
    const places = (issuer: string) => buildDiscoveryUrls(issuer).map(({ url, type }) => [type, url.href]);
    expect(places('https://id.test')).toEqual([
      ['oauth', 'https://id.test/.well-known/oauth-authorization-server'],
      ['oidc', 'https://id.test/.well-known/openid-configuration'],
    ]);
    expect(places('https://id.test/a/b/')).toEqual([
      ['oauth', 'https://id.test/.well-known/oauth-authorization-server/a/b'],
      ['oidc', 'https://id.test/.well-known/openid-configuration/a/b'],
      ['oidc', 'https://id.test/a/b/.well-known/openid-configuration'],
    ]);
  });
});

describe('the issuer of metadata', () => {
  it.each([
    'https://evil.test',
    'https://id.test/',
    'https://ID.test',
    'https://id.test:443',
    'https://id.test/x',
  ])('W210 is not %s when https://id.test was asked for', async (issuer) => {
    const place = 'GET https://id.test/.well-known/oauth-authorization-server';
    const hosts = createScriptedHosts({ [place]: serverDocument(issuer) });
    const error = await failure(
      discoverAuthorizationServerMetadata('https://id.test', { fetchFn: hosts.fetch }),
    );
    expect([error.code, error.data]).toEqual([
      'issuer_mismatch',
      { kind: 'metadata', expected: 'https://id.test', received: issuer },
    ]);
    const lenient = { fetchFn: hosts.fetch, skipIssuerValidation: true };
    expect((await discoverAuthorizationServerMetadata('https://id.test', lenient))?.issuer).toBe(issuer);
  });

  it('W210 may lack the slash that a URL object adds', async () => {
    const place = 'GET https://id.test/.well-known/oauth-authorization-server';
    const hosts = createScriptedHosts({ [place]: serverDocument('https://id.test') });
    const found = await discoverAuthorizationServerMetadata(new URL('https://id.test'), {
      fetchFn: hosts.fetch,
    });
    expect(found?.issuer).toBe('https://id.test');
  });
});

describe('addresses in documents', () => {
  const documentAt = (resource: object): HostScript => ({ [`GET ${RESOURCE}/v1/mcp`]: resource });

  it.each([
    'http://id.test',
    'ftp://id.test',
    'file:///etc/passwd',
    'https://me:pw@id.test',
    'nowhere',
    'http://169.254.169.254',
  ])('W226 %s is refused as an issuer', async (issuer) => {
    const { hosts, found } = find(documentAt({ resource: SERVER, authorization_servers: [issuer] }));
    expect((await failure(found)).code).toBe('url_refused');
    expect(hosts.lines()).toHaveLength(1);
  });

  it('W226 pass the caller’s own check before they are asked, and so does each redirect', async () => {
    const asked: string[] = [];
    const checkUrl = ({ host }: URL): void => {
      asked.push(host);
      if (host.startsWith('169.254.')) throw new TypeError('closed');
    };
    const metadata = find(
      documentAt({ resource: SERVER, authorization_servers: ['https://169.254.169.254'] }),
      {
        http: { checkUrl },
      },
    );
    expect((await failure(metadata.found)).data).toMatchObject({
      url: expect.stringContaining('169.254.169.254'),
    });
    expect(metadata.hosts.lines()).toHaveLength(1);
    const moved = Response.json(null, {
      status: 302,
      headers: { location: 'https://169.254.169.254/latest' },
    });
    const redirected = find({ [`GET ${RESOURCE}/v1/mcp`]: moved }, { http: { checkUrl } });
    expect((await failure(redirected.found)).code).toBe('url_refused');
    expect(redirected.hosts.lines()).toHaveLength(1);
    expect(asked.filter((host) => host.startsWith('169'))).toHaveLength(2);
  });

  it('W226 follow a bounded number of redirects within the filter, and none down to http', async () => {
    const to = (location: string): Response => new Response(null, { status: 307, headers: { location } });
    const good = find({
      [`GET ${RESOURCE}/v1/mcp`]: to('https://meta.test/doc'),
      'GET https://meta.test/doc': { resource: SERVER, authorization_servers: ['https://id.test'] },
      'GET https://id.test/.well-known/oauth-authorization-server': serverDocument('https://id.test'),
    });
    expect((await good.found).authorizationServerUrl).toBe('https://id.test');
    expect(good.hosts.log.every(({ redirect }) => redirect === 'manual')).toBe(true);
    const plain = find({ [`GET ${RESOURCE}/v1/mcp`]: to('http://meta.test/doc') });
    expect((await failure(plain.found)).code).toBe('url_refused');
    const endless = find({ [`GET ${RESOURCE}/v1/mcp`]: to(`${RESOURCE}/v1/mcp`) });
    await failure(endless.found);
    expect(endless.hosts.lines().filter((line) => line.endsWith('/v1/mcp'))).toHaveLength(6);
  });

  it('lets a server that the person chose be read over http, but nothing that it names', async () => {
    const place = 'http://intranet.test/.well-known/oauth-protected-resource';
    const hosts = createScriptedHosts({
      [`GET ${place}`]: { resource: 'http://intranet.test', authorization_servers: ['https://id.test'] },
      'GET https://id.test/.well-known/oauth-authorization-server': serverDocument('https://id.test'),
    });
    const info = await discoverOAuthServerInfo('http://intranet.test', { fetchFn: hosts.fetch });
    expect(info.authorizationServerMetadata?.issuer).toBe('https://id.test');
    const foreign = { fetchFn: hosts.fetch, resourceMetadataUrl: new URL('http://other.test/doc') };
    expect((await failure(discoverOAuthServerInfo('http://intranet.test', foreign))).code).toBe(
      'url_refused',
    );
  });
});

describe('answers', () => {
  it('are bounded in bytes and time', async () => {
    const large = find({ [`GET ${RESOURCE}/v1/mcp`]: new Response('x'.repeat(300_000)) });
    expect((await failure(large.found)).data).toMatchObject({ limitBytes: 262_144 });
    const clock = createManualClock();
    const silent = find(
      { [`GET ${RESOURCE}/v1/mcp`]: () => new Promise(() => undefined) },
      { http: { clock } },
    );
    const error = failure(silent.found);
    await clock.advance(29_999);
    expect(clock.armed).toBe(1);
    await clock.advance(1);
    expect([(await error).code, clock.armed]).toEqual(['answer_timeout', 0]);
  });

  it('are given up when nobody waits any more', async () => {
    const leave = new AbortController();
    const reason = new TypeError('left');
    const { found } = find(
      { [`GET ${RESOURCE}/v1/mcp`]: () => new Promise(() => leave.abort(reason)) },
      { http: { signal: leave.signal } },
    );
    await expect(found).rejects.toBe(reason);
  });
});

it('W208 the helper for the resource document rejects without one and takes another address', async () => {
  const hosts = createScriptedHosts({ 'GET https://x.test/doc': { resource: 'https://any.test' } });
  expect((await failure(discoverOAuthProtectedResourceMetadata(SERVER, {}, hosts.fetch))).code).toBe(
    'no_server_metadata',
  );
  const options = { resourceMetadataUrl: 'https://x.test/doc' };
  expect((await discoverOAuthProtectedResourceMetadata(SERVER, options, hosts.fetch)).resource).toBe(
    'https://any.test',
  );
});

it('the older helper knows OAuth’s document alone, at the path and then at the root', async () => {
  const hosts = createScriptedHosts({
    'GET https://id.test/.well-known/oauth-authorization-server': serverDocument('https://id.test'),
  });
  expect((await discoverOAuthMetadata('https://id.test/t', {}, hosts.fetch))?.issuer).toBe('https://id.test');
  expect(hosts.lines()).toHaveLength(2);
});
