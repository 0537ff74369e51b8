import { afterAll, describe, expect, it } from 'vitest';
import {
  type AuthInfo,
  McpServer,
  type McpServerFactory,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
  type VerifyBearerTokenOptions,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  requireBearerAuth,
} from '@portico/server';
import * as official from '@modelcontextprotocol/server';
import { createManualClock } from '../../testing/manual-clock.ts';
import { type HttpAnswer, http, postJson } from '../../testing/http.ts';
import { headersOf } from '../../testing/mcp-headers.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { GUARDED } from './guarded-hosts.ts';
import { closeHosts } from './hosts.ts';

afterAll(closeHosts);

const NOW_SECONDS = 1_700_000_000;
const RESOURCE = new URL('https://mcp.example/mcp');
const DOCUMENT = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';

const GOOD: AuthInfo = {
  token: 'good',
  clientId: 'client',
  scopes: ['read', 'write'],
  expiresAt: NOW_SECONDS + 1,
  resource: RESOURCE,
};
/** Tokens by their text; others are unknown. */
const TOKENS: Readonly<Record<string, AuthInfo>> = {
  good: GOOD,
  narrow: { ...GOOD, token: 'narrow', scopes: ['read'] },
  expired: { ...GOOD, token: 'expired', expiresAt: NOW_SECONDS },
  'expired-narrow': { ...GOOD, expiresAt: NOW_SECONDS - 1, scopes: [] },
  foreign: { ...GOOD, token: 'foreign', resource: new URL('https://other.example/mcp') },
};
const { expiresAt: _end, ...ENDLESS } = { ...GOOD, token: 'endless' };

const verifier: OAuthTokenVerifier = {
  async verifyAccessToken(token) {
    await Promise.resolve();
    if (token === 'crash') throw new TypeError('the database at secret-host said no to crash');
    if (token === 'endless') return ENDLESS;
    if (token === 'rude') throw new OAuthError(OAuthErrorCode.InvalidToken, 'a "quoted\\"\r\nX: y 🎉 rude');
    const found = TOKENS[token];
    if (found === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, 'No such token.');
    return found;
  },
};

const gate: VerifyBearerTokenOptions = {
  verifier,
  requiredScopes: ['read', 'write'],
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(RESOURCE),
  expectedResource: RESOURCE,
  clock: createManualClock(NOW_SECONDS * 1000),
};

const oauthMetadata = {
  issuer: 'https://as.example/',
  authorization_endpoint: 'https://as.example/authorize',
  token_endpoint: 'https://as.example/token',
  response_types_supported: ['code'],
  made_up: 'kept',
};
const documents = {
  oauthMetadata,
  resourceServerUrl: RESOURCE,
  scopesSupported: ['read', 'offline_access', 'write'],
  resourceName: 'Example',
};

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern({ name: 'look' }) };
const headers = { accept: 'application/json, text/event-stream', ...headersOf(call) };

/** Every token that is refused: its header, status, code, and the description of the challenge. */
const REFUSED: readonly (readonly [
  why: string,
  authorization: string | undefined,
  status: number,
  code: string,
  description: string,
])[] = [
  ['no header', undefined, 401, 'invalid_token', 'The Authorization header is missing.'],
  ['no token', 'Bearer', 401, 'invalid_token', 'The Authorization header must be \\"Bearer\\" and a token.'],
  ['another scheme', 'Basic good', 401, 'invalid_token', expect.any(String) as string],
  ['two words', 'Bearer good good', 401, 'invalid_token', expect.any(String) as string],
  ['proof of possession unasked', 'DPoP good', 401, 'invalid_token', expect.any(String) as string],
  ['an unknown token', 'Bearer unknown', 401, 'invalid_token', 'No such token.'],
  ['an expired token', 'Bearer expired', 401, 'invalid_token', 'The token has expired.'],
  ['an expired one of few scopes', 'Bearer expired-narrow', 401, 'invalid_token', 'The token has expired.'],
  ['a token without end', 'Bearer endless', 401, 'invalid_token', 'The token has no end.'],
  ['a token for others', 'Bearer foreign', 401, 'invalid_token', 'The token is not for this resource.'],
  ['text that breaks out', 'Bearer rude', 401, 'invalid_token', 'a \\"quoted\\\\\\"??X: y ? ?'],
  ['too few scopes', 'Bearer narrow', 403, 'insufficient_scope', 'The token grants too few scopes.'],
];

describe.each(GUARDED)('the gate on %s', (_name, serve) => {
  const start = async (): Promise<{ origin: string; ran: unknown[]; faults: unknown[] }> => {
    const ran: unknown[] = [];
    const faults: unknown[] = [];
    const factory: McpServerFactory = ({ authInfo, era }) => {
      ran.push([era, authInfo]);
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('look', {}, ({ http: context }) => {
        ran.push(context?.authInfo);
        return { content: [] };
      });
      return server;
    };
    const handler = createMcpHandler(factory, { allowedHosts: ['*'] });
    const onerror = (error: Error): void => void faults.push(error);
    return { origin: await serve(handler, { gate: { ...gate, onerror }, documents }), ran, faults };
  };
  const ask = (origin: string, authorization?: string): Promise<HttpAnswer> =>
    postJson(`${origin}/mcp`, call, {
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    });

  it('W229 W230 W231 W232 turns away what is no good token, in the same words everywhere', async () => {
    const { origin, ran, faults } = await start();
    for (const [why, authorization, status, code, description] of REFUSED) {
      const answer = await ask(origin, authorization);
      expect([why, answer.status, answer.json()]).toMatchObject([why, status, { error: code }]);
      expect(answer.headers['content-type'], why).toMatch(/^application\/json/);
      const challenge = answer.headers['www-authenticate'] ?? '';
      const [, told] = /error_description="((?:[^"\\]|\\.)*)"/.exec(challenge) ?? [];
      expect(told, why).toEqual(description);
      const rest = `scope="read write", resource_metadata="${DOCUMENT}"`;
      expect(challenge, why).toBe(`Bearer error="${code}", error_description="${told ?? ''}", ${rest}`);
    }
    expect(ran).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('W229 takes no token from the address', async () => {
    const { origin, ran } = await start();
    const answer = await postJson(`${origin}/mcp?access_token=good`, call, { headers });
    expect([answer.status, ran]).toEqual([401, []]);
  });

  it('W229 says nothing of a verifier that fails but that it did', async () => {
    const { origin, ran, faults } = await start();
    const answer = await ask(origin, 'Bearer crash');
    expect([answer.status, answer.json()]).toEqual([
      500,
      { error: 'server_error', error_description: 'Internal Server Error' },
    ]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(ran).toEqual([]);
    expect(faults).toMatchObject([{ name: 'TypeError' }]);
  });

  it('W113 W232 hands what was verified to the factory and to handlers', async () => {
    const { origin, ran } = await start();
    expect((await ask(origin, 'Bearer good')).status).toBe(200);
    const stamped = { ...GOOD, resourceMetadataUrl: DOCUMENT };
    expect(ran).toEqual([['modern', stamped], stamped]);
    expect((ran[0] as unknown[])[1]).toBe(ran[1]);
    expect((await ask(origin, 'bearer good')).status).toBe(200);
  });

  it('W228 serves both documents to pages of every origin, and by no other method', async () => {
    const { origin } = await start();
    const resource = '/.well-known/oauth-protected-resource/mcp';
    const wanted = {
      resource: RESOURCE.href,
      authorization_servers: ['https://as.example/'],
      scopes_supported: ['read', 'write'],
      resource_name: 'Example',
    };
    for (const [path, document] of [
      [resource, wanted],
      [`${resource}/`, wanted],
      ['/.well-known/oauth-authorization-server', oauthMetadata],
    ] as const) {
      const got = await http(origin + path);
      expect([path, got.status, got.json()]).toEqual([path, 200, document]);
      expect(got.headers['access-control-allow-origin']).toBe('*');
      const head = await http(origin + path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      const preflight = await http(origin + path, {
        method: 'OPTIONS',
        headers: { origin: 'http://localhost:1', 'access-control-request-headers': 'mcp-protocol-version' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'mcp-protocol-version',
        vary: 'Access-Control-Request-Headers',
      });
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const refused = await http(origin + path, { method });
        expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
        expect(refused.json()).toMatchObject({ error: 'method_not_allowed' });
      }
    }
    const elsewhere = await http(`${origin}/.well-known/oauth-protected-resource`);
    expect(elsewhere.status).not.toBe(200);
  });
});

describe('the gate beside the official one', () => {
  it('W232 gives the same statuses, codes and parameters of challenges', async () => {
    const fresh = Math.floor(Date.now() / 1000) + 1000;
    const live: OAuthTokenVerifier = {
      async verifyAccessToken(token) {
        const info = await verifier.verifyAccessToken(token);
        return token === 'good' || token === 'narrow' ? { ...info, expiresAt: fresh } : info;
      },
    };
    const options = {
      verifier: live,
      requiredScopes: ['read', 'write'],
      resourceMetadataUrl: DOCUMENT,
      expectedResource: RESOURCE,
    };
    const theirVerifier = {
      async verifyAccessToken(token: string): Promise<official.AuthInfo> {
        try {
          return await live.verifyAccessToken(token);
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
          throw new official.OAuthError(error.code as official.OAuthErrorCode, error.message);
        }
      },
    };

    const theirs = official.requireBearerAuth({ ...options, verifier: theirVerifier });
    const ours = requireBearerAuth(options);
    const shapeOf = async (answer: AuthInfo | Response): Promise<unknown> => {
      if (!(answer instanceof Response)) return answer;
      const challenge = answer.headers.get('www-authenticate');
      return {
        status: answer.status,
        code: ((await answer.json()) as { error: string }).error,
        challenge: challenge?.replaceAll(/error_description="(?:[^"\\]|\\.)*"/g, ''),
      };
    };
    // The official gate takes the first of two words, and looks at scopes before it looks at the end.
    const differs = new Set<string | undefined>(['Bearer good good', 'Bearer expired-narrow']);
    for (const authorization of [
      'Bearer good',
      'Bearer crash',
      ...REFUSED.map(([, header]) => header).filter((header) => !differs.has(header)),
    ]) {
      const request = new Request('https://mcp.example/mcp', {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([authorization, await shapeOf(await ours(request))]).toEqual([
        authorization,
        await shapeOf(await theirs(request)),
      ]);
    }
  });
});
