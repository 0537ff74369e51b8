import { describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../testing/manual-clock.ts';
import { requireBearerAuth } from '../bearer-gate.ts';
import { createIntrospectionVerifier, type IntrospectionVerifierOptions } from './introspection-verifier.ts';

const START_MS = 1_700_000_000_000;
const NOW = START_MS / 1000;
const ENDPOINT = new URL('https://as.example/introspect');

interface World {
  readonly clock: ManualClock;
  readonly asked: { readonly url: string; readonly authorization: string | null; readonly body: string }[];
  readonly verify: (token: string) => Promise<unknown>;
  readonly verifier: ReturnType<typeof createIntrospectionVerifier>;
  answer: (token: string) => Response | Promise<Response>;
}

const active = (more: object = {}): Response =>
  Response.json({ active: true, client_id: 'app', scope: 'a b', sub: 'person', exp: NOW + 3600, ...more });

function open(more: Partial<IntrospectionVerifierOptions> = {}): World {
  const clock = createManualClock(START_MS);
  const asked: World['asked'] = [];
  const world = { clock, asked, answer: () => active() } as unknown as World;
  const verifier = createIntrospectionVerifier({
    endpoint: ENDPOINT,
    clientId: 'resource',
    clientSecret: 'canary secret',
    clock,
    async fetch(url, init) {
      const body = typeof init?.body === 'string' ? init.body : '';
      asked.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization'), body });
      return await world.answer(new URLSearchParams(body).get('token') ?? '');
    },
    ...more,
  });
  const verify = async (token: string): Promise<unknown> => {
    try {
      return await verifier.verifyAccessToken(token);
    } catch (error) {
      return (error as { code?: unknown }).code ?? error;
    }
  };
  return Object.assign(world, { verifier, verify });
}

describe('tokens that are looked up', () => {
  it('W229 are read into what handlers know', async () => {
    const world = open();
    expect(await world.verify('t')).toMatchObject({
      token: 't',
      clientId: 'app',
      scopes: ['a', 'b'],
      expiresAt: NOW + 3600,
      extra: { sub: 'person' },
    });
    const [request] = world.asked;
    expect(request).toMatchObject({
      url: ENDPOINT.href,
      authorization: `Basic ${btoa('resource:canary+secret')}`,
    });
    expect(new URLSearchParams(request?.body).get('token')).toBe('t');
    const posting = open({ clientAuthentication: 'client_secret_post' });
    await posting.verify('t');
    expect(new URLSearchParams(posting.asked[0]?.body).get('client_secret')).toBe('canary secret');
  });

  it.each<readonly [string, object]>([
    ['inactive', { active: false }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['bound to a key that nobody here can check', { cnf: { jkt: 'x' } }],
  ])('W229 are refused when they are %s', async (_what, more) => {
    const world = open({ issuer: 'https://as.example' });
    world.answer = () => active(more);
    expect(await world.verify('t')).toBe('invalid_token');
  });

  it('W231 tell the gate whom they are for', async () => {
    const world = open();
    const expectedResource = new URL('https://mcp.example/mcp');
    const gate = requireBearerAuth({ verifier: world.verifier, expectedResource, clock: world.clock });
    const ask = async (token: string): Promise<unknown> => {
      const answer = await gate(new Request('http://a/', { headers: { authorization: `Bearer ${token}` } }));
      return answer instanceof Response ? answer.status : answer.clientId;
    };
    world.answer = (token) =>
      active(token === 'none' ? {} : { aud: token === 'list' ? ['x', expectedResource] : token });
    expect(await ask('https://mcp.example/mcp')).toBe('app');
    expect(await ask('list')).toBe('app');
    expect(await ask('https://other.example')).toBe(401);
    expect(await ask('none')).toBe(401);
  });

  it.each<readonly [string, () => Response | Promise<Response>, string]>([
    ['nobody', () => Promise.reject(new TypeError('fetch failed')), 'unreachable'],
    ['an error', () => Response.json({ error: 'invalid_client' }, { status: 401 }), 'unusable'],
    [
      'a redirect',
      () => new Response(null, { status: 307, headers: { location: 'https://evil.example' } }),
      'unusable',
    ],
    ['no JSON', () => new Response('<html>'), 'unusable'],
    ['no verdict', () => Response.json({}), 'unusable'],
    ['too much', () => new Response('x'.repeat(262_145)), 'too_large'],
  ])('are no worse for a server that answers %s: that is our fault', async (_what, answer, code) => {
    const world = open();
    world.answer = answer;
    expect(await world.verify('canary-token')).toBe(code);
    const gate = requireBearerAuth({ verifier: world.verifier });
    const reply = await gate(new Request('http://a/', { headers: { authorization: 'Bearer canary-token' } }));
    expect((reply as Response).status).toBe(500);
    expect(await (reply as Response).text()).not.toContain('canary');
    expect(world.asked).toHaveLength(2);
  });

  it('W258 leave no token and no secret in errors', async () => {
    const world = open();
    for (const answer of [
      () => Response.json({ canary: 1 }),
      () => new Response('canary', { status: 500 }),
    ]) {
      world.answer = answer;
      const told = await world.verifier.verifyAccessToken('canary-token').catch((error: unknown) => error);
      const { stack, data, cause } = told as { stack: string; data: unknown; cause: unknown };
      expect(`${stack}${JSON.stringify([data, cause])}`).not.toContain('canary');
    }
  });

  it('are waited for no longer than the limit', async () => {
    const world = open({ timeoutMs: 500 });
    world.answer = () => new Promise(() => undefined);
    const verdict = world.verify('t');
    await world.clock.advance(500);
    expect(await verdict).toBe('too_late');
  });

  it('are asked about over https only, or within this machine', () => {
    expect(() => open({ endpoint: new URL('http://as.example/introspect') })).toThrow(TypeError);
    expect(() => open({ endpoint: new URL('http://localhost:1/introspect') })).not.toThrow();
  });
});

describe('verdicts that are remembered', () => {
  it('last as long as is said, and no longer than the token', async () => {
    const world = open();
    world.answer = (token) =>
      token === 'bad' ? Response.json({ active: false }) : active({ exp: NOW + 40 });
    await Promise.all([world.verify('good'), world.verify('good'), world.verify('good')]);
    await world.verify('bad');
    expect([await world.verify('bad'), world.asked.length]).toEqual(['invalid_token', 2]);
    await world.clock.advance(29_999);
    await world.verify('good');
    expect(world.asked).toHaveLength(2);
    await world.clock.advance(1);
    await world.verify('good');
    expect(world.asked).toHaveLength(3);
    await world.clock.advance(10_000);
    await world.verify('good');
    expect(world.asked).toHaveLength(4);
  });

  it('can be switched off, and are a bounded number', async () => {
    const never = open({ cacheMs: 0 });
    for (let count = 0; count < 3; count++) await never.verify('t');
    expect(never.asked).toHaveLength(3);
    const few = open({ maxCached: 2 });
    for (const token of ['a', 'b', 'c', 'c', 'b', 'a']) await few.verify(token);
    expect(few.asked.map(({ body }) => new URLSearchParams(body).get('token'))).toEqual(['a', 'b', 'c', 'a']);
  });

  it('are none where the server could not be asked', async () => {
    const world = open();
    world.answer = () => Promise.reject(new TypeError('fetch failed'));
    await world.verify('t');
    world.answer = () => active();
    expect(await world.verify('t')).toMatchObject({ clientId: 'app' });
  });
});
