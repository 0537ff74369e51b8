import { describe, expect, it } from 'vitest';
import {
  extractResourceMetadataUrl,
  extractWWWAuthenticateParams,
  parseChallenges,
  readChallenge,
} from './challenge.ts';

const META = 'https://api.test/.well-known/oauth-protected-resource';

describe('reading a challenge', () => {
  it.each<[string, string, Record<string, string>]>([
    ['nothing', '', {}],
    ['a bare scheme', 'Bearer', {}],
    ['one quoted value', 'Bearer scope="a b"', { scope: 'a b' }],
    ['a bare value', 'Bearer scope=a', { scope: 'a' }],
    ['an address without quotes', `Bearer resource_metadata=${META}`, { meta: META }],
    ['another case of the scheme', 'bEARER scope="a"', { scope: 'a' }],
    [
      'another case of the names',
      'Bearer SCOPE="a", Error=invalid_token',
      { scope: 'a', error: 'invalid_token' },
    ],
    ['no case of values', 'Bearer scope="Files:Read"', { scope: 'Files:Read' }],
    [
      'several parameters',
      `Bearer scope="a", resource_metadata="${META}", error="invalid_token"`,
      { scope: 'a', meta: META, error: 'invalid_token' },
    ],
    ['spaces around the sign', 'Bearer scope = "a" , error = "x"', { scope: 'a', error: 'x' }],
    ['tabs', 'Bearer\tscope="a",\terror="x"', { scope: 'a', error: 'x' }],
    ['no space after the comma', 'Bearer scope="a",error="x"', { scope: 'a', error: 'x' }],
    ['a missing comma', 'Bearer scope="a" error="x"', { scope: 'a', error: 'x' }],
    ['empty elements', ',, Bearer scope="a",, ,error="x",', { scope: 'a', error: 'x' }],
    [
      'escaped quotes',
      String.raw`Bearer error_description="say \"no\"", scope="a"`,
      { description: 'say "no"', scope: 'a' },
    ],
    [
      'commas in quotes',
      'Bearer error_description="a, scope=b", scope="c"',
      { description: 'a, scope=b', scope: 'c' },
    ],
    [
      'schemes in quotes',
      'Bearer error_description="Basic realm", scope="c"',
      { description: 'Basic realm', scope: 'c' },
    ],
    ['another scheme before', 'Basic realm="x", Bearer scope="a"', { scope: 'a' }],
    ['another scheme after', 'Bearer scope="a", Basic realm="x", scope="b"', { scope: 'a' }],
    ['a scheme with a blob before', 'Negotiate YII+abc/==, Bearer scope="a"', { scope: 'a' }],
    ['a bare scheme before', 'Negotiate, Bearer scope="a"', { scope: 'a' }],
    ['another scheme alone', 'Basic realm="x", scope="b"', {}],
    ['names that end alike', 'Bearer xscope="b", scope="a"', { scope: 'a' }],
    ['a repeated name', 'Bearer scope="a", scope="b"', { scope: 'a' }],
    ['a repeated challenge', 'Bearer scope="a", Bearer scope="b"', { scope: 'a' }],
    ['empty values', 'Bearer scope="", error=""', {}],
    ['a value that is missing', 'Bearer error="x", scope=', { error: 'x' }],
    ['quotes that do not end', 'Bearer error="x", scope="a', { error: 'x' }],
    ['an address that is none', 'Bearer resource_metadata="nowhere", scope="a"', { scope: 'a' }],
    ['names of prototypes', 'Bearer __proto__="x", constructor="y", scope="a"', { scope: 'a' }],
    ['no grammar at all', '"; === ,,, Bearer', {}],
    [
      'proof of possession',
      `DPoP algs="ES256", scope="a", resource_metadata="${META}"`,
      { scope: 'a', meta: META },
    ],
    ['a token beside a proof', 'DPoP scope="b", Bearer scope="a"', { scope: 'a' }],
  ])('W207 ext-P12 finds what belongs to OAuth in %s', (_name, header, expected) => {
    const { resourceMetadataUrl, scope, error, errorDescription } = readChallenge(header);
    const found = { meta: resourceMetadataUrl?.href, scope, error, description: errorDescription };
    expect(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))).toEqual(
      expected,
    );
  });

  it('W207 takes several headers together, as the platform joins them', () => {
    const headers = new Headers();
    headers.append('www-authenticate', 'Basic realm="a, b"');
    headers.append('www-authenticate', `Bearer resource_metadata="${META}", scope="a b"`);
    const response = new Response(null, { status: 401, headers });
    expect(extractWWWAuthenticateParams(response)).toEqual({
      resourceMetadataUrl: new URL(META),
      scope: 'a b',
    });
    expect(extractResourceMetadataUrl(response)?.href).toBe(META);
    expect(parseChallenges(headers.get('www-authenticate') ?? '').map(({ scheme }) => scheme)).toEqual([
      'basic',
      'bearer',
    ]);
  });

  it('bounds how much of a header it looks at', () => {
    const long = `${'Basic realm="x", '.repeat(2_000)}Bearer scope="a"`;
    expect(readChallenge(long)).toEqual({});
    expect(parseChallenges('a '.repeat(100_000)).length).toBeLessThan(10_000);
  });
});
