import { describe, expect, it } from 'vitest';
import type { AuthInfo } from '../auth-info.ts';
import { OAuthError } from '../errors.ts';
import { type VerifyBearerTokenOptions, verifyBearerToken } from './bearer-auth.ts';
import { bearerAuthChallengeResponse, requireBearerAuth } from './bearer-gate.ts';
import type { OAuthTokenVerifier } from './token-verifier.ts';

const INFO: AuthInfo = { token: 't', clientId: 'c', scopes: ['a'], expiresAt: 4_000_000_000 };

const verifierOf = (more: Partial<AuthInfo>, own: Partial<OAuthTokenVerifier> = {}): OAuthTokenVerifier => ({
  verifyAccessToken: () => Promise.resolve({ ...INFO, ...more }),
  ...own,
});

const outcome = async (options: VerifyBearerTokenOptions): Promise<unknown> => {
  try {
    return (await verifyBearerToken('Bearer t', options)).clientId;
  } catch (error) {
    return error instanceof OAuthError ? error.code : error;
  }
};

describe('the audience', () => {
  const expectedResource = new URL('https://mcp.example/mcp');
  const url = (text: string): Partial<AuthInfo> => ({ resource: new URL(text) });
  it.each<readonly [what: string, info: Partial<AuthInfo>, good: boolean]>([
    ['the resource itself', url('https://mcp.example/mcp'), true],
    ['with a slash at the end', url('https://mcp.example/mcp/'), true],
    ['with a fragment', url('https://mcp.example/mcp#x'), true],
    ['in capitals', url('HTTPS://MCP.example/mcp'), true],
    ['another path', url('https://mcp.example/other'), false],
    ['the origin alone', url('https://mcp.example/'), false],
    ['another port', url('https://mcp.example:8443/mcp'), false],
    ['another scheme', url('http://mcp.example/mcp'), false],
    ['with a query', url('https://mcp.example/mcp?x'), false],
    ['below it', url('https://mcp.example/mcp/deeper'), false],
    ['another host', url('https://evil.example/mcp'), false],
    ['a text', { audience: 'https://mcp.example/mcp' }, true],
    ['a text with a slash', { audience: 'https://mcp.example/mcp/' }, true],
    ['one of a list', { audience: ['api', 'https://mcp.example/mcp'] }, true],
    ['a list of others', { audience: ['api', 'https://other.example'] }, false],
    ['an empty list', { audience: [] }, false],
    ['a text that is no address', { audience: 'mcp' }, false],
    ['nothing', {}, false],
  ])('W231 %s', async (_what, info, good) => {
    const verifier = verifierOf(info);
    expect(await outcome({ verifier, expectedResource })).toBe(good ? 'c' : 'invalid_token');
    // Where nothing is expected nothing is compared.
    expect(await outcome({ verifier })).toBe('c');
  });

  it('W231 may be vouched for by the verifier, but only where the token says nothing', async () => {
    const vouching = { vouchesForAudience: true };
    expect(await outcome({ verifier: verifierOf({}, vouching), expectedResource })).toBe('c');
    const foreign = verifierOf(url('https://evil.example/mcp'), vouching);
    expect(await outcome({ verifier: foreign, expectedResource })).toBe('invalid_token');
  });

  it('W231 with a slash at the end of what is expected, too', async () => {
    const slashed = new URL('https://mcp.example/');
    expect(
      await outcome({ verifier: verifierOf({ audience: 'https://mcp.example' }), expectedResource: slashed }),
    ).toBe('c');
  });
});

describe('scopes', () => {
  const HIERARCHY: Readonly<Record<string, readonly string[]>> = {
    admin: ['write'],
    write: ['read', 'admin'],
    many: Array.from({ length: 5000 }, (_, index) => `s${String(index)}`),
  };
  const impliedScopes = (scope: string): readonly string[] => HIERARCHY[scope] ?? [];

  it('W230 that are wider satisfy narrower ones, and show in what is handed on', async () => {
    const verifier = verifierOf({ scopes: ['admin'] });
    const info = await verifyBearerToken('Bearer t', { verifier, requiredScopes: ['read'], impliedScopes });
    expect(info.scopes).toEqual(['admin', 'write', 'read']);
    expect(await outcome({ verifier, requiredScopes: ['read'] })).toBe('insufficient_scope');
    const narrow = verifierOf({ scopes: ['read'] });
    expect(await outcome({ verifier: narrow, requiredScopes: ['write'], impliedScopes })).toBe(
      'insufficient_scope',
    );
  });

  it('are bounded, however many a hook adds', async () => {
    const verifier = verifierOf({ scopes: ['many'] });
    expect((await verifyBearerToken('Bearer t', { verifier, impliedScopes })).scopes).toHaveLength(1000);
  });
});

describe('the gate', () => {
  const gateOf = (
    verifier: OAuthTokenVerifier,
  ): ((authorization: string) => Promise<AuthInfo | Response>) => {
    const gate = requireBearerAuth({ verifier });
    return (authorization) => gate(new Request('https://a.example/', { headers: { authorization } }));
  };

  it('W229 takes a verifier that answers nonsense for a failing one', async () => {
    const answers = [undefined, null, {}, { ...INFO, scopes: 'a b' }] as unknown as AuthInfo[];
    for (const answer of answers) {
      const reply = await gateOf({ verifyAccessToken: () => Promise.resolve(answer) })('Bearer t');
      expect((reply as Response).status).toBe(500);
    }
  });

  it.each([Number.NaN, '4000000000', null, undefined])('W229 takes %s for no end', async (expiresAt) => {
    const info = { ...INFO, expiresAt } as AuthInfo;
    const reply = await gateOf({ verifyAccessToken: () => Promise.resolve(info) })('Bearer t');
    expect((reply as Response).status).toBe(401);
  });

  it('looks at no token that is longer than any header should be', async () => {
    let looked = 0;
    const gate = gateOf({
      verifyAccessToken: () => {
        looked += 1;
        return Promise.resolve(INFO);
      },
    });
    expect((await gate(`Bearer ${'x'.repeat(16_385)}`)) as Response).toMatchObject({ status: 401 });
    expect(looked).toBe(0);
    expect(await gate(`Bearer ${'x'.repeat(16_384)}`)).toBe(INFO);
  });

  it('fails where it is made when there is no verifier', () => {
    expect(() => requireBearerAuth(undefined as unknown as VerifyBearerTokenOptions)).toThrow(TypeError);
    expect(() => requireBearerAuth({} as VerifyBearerTokenOptions)).toThrow(TypeError);
  });

  it('W258 keeps tokens out of what it answers', async () => {
    const gate = gateOf({
      verifyAccessToken: (token) =>
        Promise.reject(new OAuthError('invalid_token', `no such token: ${token}!`)),
    });
    const reply = (await gate('Bearer canary-5f2e')) as Response;
    expect(JSON.stringify([...reply.headers]) + (await reply.text())).not.toContain('canary');
  });
});

describe('challenges', () => {
  const header = (error: unknown, options?: object): string | null =>
    bearerAuthChallengeResponse(error, options).headers.get('www-authenticate');

  it('W232 keep every text within its quotes and its line, and within bounds', () => {
    const hostile = 'a"b\\c\r\nSet-Cookie: x=1\u0000\u2028é🎉';
    const told = header(new OAuthError('invalid_token', hostile), {
      requiredScopes: ['x", evil="1', hostile],
      resourceMetadataUrl: `https://a.example/"${hostile}`,
    });
    const quoted = '"(?:[^"\\\\\\u0000-\\u001f\\u007f-\\uffff]|\\\\["\\\\])*"';
    expect(told).toMatch(
      new RegExp(
        `^Bearer error=${quoted}, error_description=${quoted}, scope=${quoted}, resource_metadata=${quoted}$`,
      ),
    );
    const long = header(new OAuthError('invalid_token', 'x'.repeat(100_000)));
    expect(long?.length).toBeLessThan(2000);
  });

  it('W228 W230 never ask for offline_access, which is none of the resource’s business', () => {
    const told = header(new OAuthError('insufficient_scope', 'x'), {
      requiredScopes: ['offline_access', 'a'],
    });
    expect(told).toBe('Bearer error="insufficient_scope", error_description="x", scope="a"');
  });

  it.each([
    ['invalid_token', 401, true],
    ['insufficient_scope', 403, true],
    ['server_error', 500, false],
    ['invalid_request', 400, false],
    ['of their own', 400, false],
  ])('W229 of the code %s have the status %d', (code, status, challenged) => {
    const answer = bearerAuthChallengeResponse(new OAuthError(code, 'x'));
    expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([status, challenged]);
  });
});
