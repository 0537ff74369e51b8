import { createServer } from 'node:http';
import { isIP } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createHttpPool } from '@portico/client/node';
import { auth, createMemoryTokenStore, createOAuthProvider, signOut } from '@portico/oauth';
import { ExchangeScope, systemClock } from '@portico/rpc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createScriptedHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostScript } from '../../../../testing/scripted-hosts.ts';
import { openAccountHttp } from '../sign-in/account-http.ts';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveName } from './address-guard.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { reachOf } from './reach.ts';

/** Something that only this machine may talk to. */
const canary = createServer((_request, response) => response.end('{}'));
let touched = 0;
let port = 0;
canary.on('connection', () => (touched += 1));
beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  ({ port } = canary.address() as AddressInfo);
});
afterAll(async () => {
  canary.closeAllConnections();
  await new Promise((resolve) => canary.close(resolve));
});
beforeEach(() => {
  touched = 0;
});

/** The same inside of this machine, in every way that it can be written. */
const SPELLINGS: readonly string[] = [
  'http://127.0.0.1:PORT',
  'http://0177.0.0.1:PORT',
  'http://017700000001:PORT',
  'http://0x7f.0.0.1:PORT',
  'http://0x7f000001:PORT',
  'http://2130706433:PORT',
  'http://127.1:PORT',
  'http://127.0.0.1.:PORT',
  'http://[::ffff:127.0.0.1]:PORT',
  'http://[::ffff:7f00:1]:PORT',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT',
  'http://[::127.0.0.1]:PORT',
  'http://[64:ff9b::7f00:1]:PORT',
  'http://[::1]:PORT',
  'http://[::1%25lo]:PORT',
  'http://[fe80::1%25lo]:PORT',
  'http://0.0.0.0:PORT',
  'http://0:PORT',
  'http://[::]:PORT',
  'http://127。0。0。1:PORT',
  'http://127．0．0．1:PORT',
  'http://１２７.0.0.1:PORT',
  'http://user:pass@127.0.0.1:PORT',
  'http://mcp.example@127.0.0.1:PORT',
  'http://localhost:PORT',
  'http://LOCALHOST.:PORT',
  'http://console.localhost:PORT',
  'http://turned.example:PORT',
  'https://turned.example:PORT',
];

/** Cloud services that hand out keys to whoever asks from inside. */
const METADATA: readonly string[] = [
  'http://169.254.169.254',
  'http://0xa9fea9fe',
  'http://[::ffff:169.254.169.254]',
  'http://[::ffff:a9fe:a9fe]',
  'http://[fd00:ec2::254]',
  'http://100.100.100.200',
  'http://169。254。169。254',
];

/** The system's answer, but for a name that somebody turns to this machine. */
const resolve: ResolveName = (name) =>
  /^(?:turned|mcp)\.example$|localhost\.?$/i.test(name)
    ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

const SERVER = 'https://mcp.example/mcp';
const PRM = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';
const ISSUER = 'https://id.example';
const ASM = `${ISSUER}/.well-known/oauth-authorization-server`;
const metadataWith = (part: object): object => ({
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  ...part,
});
const resource = { resource: SERVER, authorization_servers: [ISSUER] };
const at = (place: string, path: string): string => `${place}${path}`;
/** As a header carries it. */
const inHeader = (place: string): string => place.replaceAll(/[^\p{ASCII}]/gu, encodeURIComponent);

interface Site {
  readonly name: string;
  /** What the servers outside answer, leading to a place. */
  script(place: string): HostScript;
  readonly challenge?: boolean;
  readonly grant?: 'refresh' | 'revoke';
}

/** Every request of a sign-in whose address somebody else wrote down. */
const SITES: readonly Site[] = [
  { name: 'metadata of the resource, by a challenge', script: () => ({}), challenge: true },
  {
    name: 'a redirect of the metadata of the resource',
    script: (place) => ({
      [`GET ${PRM}`]: new Response(null, { status: 302, headers: { location: inHeader(place) } }),
    }),
  },
  {
    name: 'metadata of the issuer',
    script: (place) => ({ [`GET ${PRM}`]: { ...resource, authorization_servers: [place] } }),
  },
  {
    name: 'a redirect of the metadata of the issuer',
    script: (place) => ({
      [`GET ${PRM}`]: resource,
      [`GET ${ASM}`]: new Response(null, { status: 307, headers: { location: inHeader(place) } }),
    }),
  },
  {
    name: 'registration',
    script: (place) => ({
      [`GET ${PRM}`]: resource,
      [`GET ${ASM}`]: metadataWith({ registration_endpoint: at(place, '/register') }),
    }),
  },
  {
    name: 'renewal of tokens',
    script: (place) => ({
      [`GET ${PRM}`]: resource,
      [`GET ${ASM}`]: metadataWith({ token_endpoint: at(place, '/token') }),
    }),
    grant: 'refresh',
  },
  {
    name: 'giving tokens back',
    script: (place) => ({
      [`GET ${PRM}`]: resource,
      [`GET ${ASM}`]: metadataWith({ revocation_endpoint: at(place, '/revoke') }),
    }),
    grant: 'revoke',
  },
];

/** Runs a sign-in whose servers outside are scripted, and whose every other request is the account's own. */
async function run(site: Site, place: string, typed = SERVER): Promise<void> {
  const hosts = createScriptedHosts(site.script(place));
  const account = openAccountHttp(typed, systemClock, resolve);
  const isOutside = (url: URL): boolean => ['mcp.example', 'id.example'].includes(url.host);
  const provider = createOAuthProvider({
    store: createMemoryTokenStore(),
    redirectUrl: 'http://127.0.0.1:6874/oauth/callback',
    openUrl: () => undefined,
    clientMetadata: { client_name: 'Portico' },
    ...(site.grant === undefined ? {} : { client: { client_id: 'given' } }),
  });
  if (site.grant !== undefined) {
    await provider.saveTokens({
      access_token: 'a',
      refresh_token: 'r',
      token_type: 'Bearer',
      issuer: ISSUER,
    });
  }
  const options = {
    ...account.http,
    serverUrl: SERVER,
    fetchFn: (url: string | URL, init?: RequestInit) =>
      isOutside(new URL(url)) ? hosts.fetch(url, init) : (account.http.fetchFn ?? hosts.fetch)(url, init),
    ...(site.challenge === true && URL.canParse(place) ? { resourceMetadataUrl: new URL(place) } : {}),
  };
  try {
    if (site.grant === 'revoke') await signOut(provider, options);
    else await auth(provider, options);
  } catch {
    // How each ends is told elsewhere; here it is about who was asked.
  } finally {
    await account.close();
  }
}

describe.each(SITES)('$name', (site) => {
  it('K195 is asked on this machine for a server that the person has on it', async () => {
    await run(site, `http://127.0.0.1:${port}`, 'http://localhost:1/mcp');
    expect(touched).toBeGreaterThan(0);
  });

  it.each([...SPELLINGS, ...METADATA])(
    'K195 is never asked at %s for a server elsewhere',
    async (spelling) => {
      await run(site, spelling.replace('PORT', String(port)));
      expect(touched).toBe(0);
    },
  );
});

describe('the server of a connector', () => {
  const ask = async (typed: string, url: string): Promise<unknown> => {
    const guard = createAddressGuard({ mayReach: reachOf(typed), resolve });
    const pool = createHttpPool({ guard });
    try {
      const scope = new ExchangeScope();
      return (await pool.send({ url: new URL(url), method: 'GET', headers: {}, scope })).status;
    } catch (error) {
      return error;
    } finally {
      await pool.close();
    }
  };
  const here = (spelling: string): string => spelling.replace('PORT', String(port));

  it('K195 is asked where the person has it on this machine', async () => {
    for (const spelling of ['http://127.0.0.1:PORT', 'http://localhost:PORT', 'http://127.1:PORT']) {
      expect(await ask(here(spelling), here(spelling))).toBe(200);
    }
    expect(touched).toBe(3);
  });

  it.each(SPELLINGS.filter((spelling) => URL.canParse(here(spelling))))(
    'K195 is not asked at %s when the person has it elsewhere',
    async (spelling) => {
      expect(await ask(SERVER, here(spelling))).toBeInstanceOf(Error);
      expect(touched).toBe(0);
    },
  );

  it('K195 is not asked on this machine by a name that leads there, although it was typed', async () => {
    const refused = await ask(here('http://turned.example:PORT'), here('http://turned.example:PORT'));
    expect(refused).toMatchObject({ code: 'address_refused', data: { reason: 'a loopback address' } });
    expect(touched).toBe(0);
  });

  it.each([...METADATA, 'http://0.0.0.0:1', 'http://[::]:1', 'http://224.0.0.1', 'http://240.0.0.1'])(
    'K195 is never asked at %s, although it was typed',
    async (typed) => {
      expect(await ask(typed, typed)).toMatchObject({ code: 'address_refused' });
    },
  );

  it.each(METADATA)('K195 is never asked at %s, whatever may be reached', async (address) => {
    const url = new URL(address);
    const literal = url.hostname.replaceAll(/[[\]]/g, '');
    const guard = createAddressGuard({
      mayReach: () => true,
      resolve: () => Promise.resolve([{ address: literal, family: isIP(literal) }]),
    });
    const data = expect.objectContaining({ reason: 'a metadata address' }) as unknown;
    const refusal = expect.objectContaining({ code: 'address_refused', data }) as Error;
    expect(() => guard.check(url)).toThrow(refusal);
    const pool = createHttpPool({ guard });
    const named = new URL('http://turned.example/mcp');
    const asked = pool.send({ url: named, method: 'GET', headers: {}, scope: new ExchangeScope() });
    await expect(asked).rejects.toEqual(refusal);
    await pool.close();
  });

  it('K195 is asked over connections that are kept, with one look-up for each', async () => {
    const asked: string[] = [];
    const guard = createAddressGuard({
      mayReach: () => true,
      resolve: (name) => {
        asked.push(name);
        return resolve(name);
      },
    });
    const pool = createHttpPool({ guard });
    for (let round = 0; round < 20; round += 1) {
      const url = new URL(here('http://turned.example:PORT/mcp'));
      const answer = await pool.send({ url, method: 'GET', headers: {}, scope: new ExchangeScope() });
      await answer.text(100);
    }
    await pool.close();
    // The second may be opened while the first is not free again yet.
    expect(touched).toBeLessThanOrEqual(2);
    expect(asked).toHaveLength(touched);
  });
});

describe('the endpoint of the model', () => {
  it('K195 is where the operator has it, and leads nowhere else', async () => {
    const own = `http://127.0.0.1:${port}`;
    const local = createGuardedFetch({ mayReach: reachOf(own), resolve });
    expect((await local.fetch(`${own}/v1/messages`, { method: 'POST', body: '{}' })).status).toBe(200);
    await expect(local.fetch('http://169.254.169.254/')).rejects.toMatchObject({ code: 'address_refused' });
    await local.close();
    const remote = createGuardedFetch({ mayReach: reachOf('https://models.example'), resolve });
    await expect(remote.fetch(own)).rejects.toMatchObject({ code: 'address_refused' });
    await expect(remote.fetch(`http://turned.example:${port}`)).rejects.toMatchObject({
      code: 'address_refused',
    });
    await remote.close();
  });
});
