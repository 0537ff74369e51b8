import { describe, expect, it } from 'vitest';
import { MemoryProvider } from '../../../../testing/memory-provider.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedHosts, signInHosts } from '../../../../testing/scripted-hosts.ts';
import type { HostAnswer } from '../../../../testing/scripted-hosts.ts';
import type { StoredOAuthTokens } from '../documents.ts';
import { auth } from './auth.ts';
import type { AuthOptions } from './auth.ts';
import { hasExpired, isRenewalDue } from './refresh.ts';
import { refreshBeforeUse, renewTokens } from './renewal.ts';

const ISSUER = 'https://id.test';
const TOKEN = `${ISSUER}/token`;
const STORED: StoredOAuthTokens = {
  access_token: 'old',
  token_type: 'Bearer',
  refresh_token: 'r0',
  issuer: ISSUER,
};
const CLIENT = { client_id: 'known', issuer: ISSUER };

function world(places: Record<string, HostAnswer> = {}) {
  const hosts = createScriptedHosts({ ...signInHosts(), ...places });
  const clock = createManualClock();
  const options: AuthOptions = { serverUrl: 'https://api.test/mcp', fetchFn: hosts.fetch, clock };
  return { hosts, clock, options };
}

const refreshing = (more: Partial<MemoryProvider> = {}): MemoryProvider =>
  new MemoryProvider({ client: CLIENT, stored: STORED, ...more });

const oauthError = (error: string, status = 400): Response =>
  Response.json({ error, error_description: 'said so' }, { status });

describe('a renewal', () => {
  it('W221 comes before the use of a token that has ended, and never sends the person', async () => {
    const { hosts, options, clock } = world();
    const provider = refreshing({ stored: { ...STORED, expires_at: clock.now() + 60_000 } });
    expect(await refreshBeforeUse(provider, options)).toBe(false);
    await clock.advance(50_000);
    expect(await refreshBeforeUse(provider, options)).toBe(true);
    expect(provider.stored?.access_token).toBe('access-1');
    hosts.change({ [`POST ${TOKEN}`]: oauthError('invalid_grant') });
    provider.stored = { ...STORED, expires_at: 0 };
    expect(await refreshBeforeUse(provider, options)).toBe(false);
    expect([provider.stored, provider.redirects]).toEqual([undefined, []]);
  });

  const stale = (clock: { now(): number }, leftMs: number, seconds?: number) => ({
    ...STORED,
    expires_at: clock.now() + leftMs,
    ...(seconds === undefined ? {} : { expires_in: seconds }),
  });

  it.each([
    ['an hour', 3_600, 60_000],
    ['five minutes', 300, 30_000],
    ['a minute', 60, 6_000],
    ['nobody knows how long', undefined, 10_000],
  ])('K45 of a token that lasts %s is due the smaller of a minute and a tenth before its end', (...row) => {
    const [, seconds, marginMs] = row;
    const { clock } = world();
    expect(isRenewalDue(stale(clock, marginMs + 1, seconds), clock.now())).toBe(false);
    expect(isRenewalDue(stale(clock, marginMs, seconds), clock.now())).toBe(true);
    expect(hasExpired(stale(clock, 1, seconds), clock.now())).toBe(false);
    expect(hasExpired(stale(clock, 0, seconds), clock.now())).toBe(true);
  });

  it.each<[string, HostAnswer]>([
    ['503', () => new Response('try later', { status: 503 })],
    ['a page in place of an answer', () => new Response('<h1>Log in to the hotel</h1>')],
    ['an error of its own', oauthError('temporarily_unavailable', 503)],
    ['no way there', () => Promise.reject(new TypeError('fetch failed'))],
  ])(
    'W221 K46 that ends with %s leaves a good token in use, fails for one that has ended, and loses neither',
    async (...row) => {
      const [, answer] = row;
      const { options, clock } = world({ [`POST ${TOKEN}`]: answer });
      const early = refreshing({ stored: stale(clock, 5_000, 300) });
      expect(await refreshBeforeUse(early, options)).toBe(false);
      const late = refreshing({ stored: stale(clock, -1, 300) });
      await expect(refreshBeforeUse(late, options)).rejects.toHaveProperty('code');
      await expect(renewTokens(late, options)).rejects.toHaveProperty('code');
      for (const provider of [early, late]) {
        expect(provider.stored?.refresh_token).toBe('r0');
        expect([provider.invalidated, provider.redirects, provider.client]).toEqual([[], [], CLIENT]);
      }
    },
  );

  it('W221 says whether it was refused or could not be tried, and asks nobody', async () => {
    const { options } = world({ [`POST ${TOKEN}`]: oauthError('invalid_grant') });
    const provider = refreshing();
    expect(await renewTokens(provider, options)).toBe('refused');
    expect(provider.invalidated).toEqual(['tokens']);
    expect(await renewTokens(provider, options)).toBe('impossible');
    expect(await renewTokens(new MemoryProvider(), options)).toBe('impossible');
    expect([provider.redirects, provider.client]).toEqual([[], CLIENT]);
  });

  it('W221 fails with its server only where that is wished, else the person is asked', async () => {
    const { options } = world({ [`POST ${TOKEN}`]: () => new Response('', { status: 503 }) });
    expect(await auth(refreshing(), options)).toBe('REDIRECT');
    const kept = refreshing();
    await expect(auth(kept, { ...options, failWithServer: true })).rejects.toMatchObject({
      code: 'server_error',
    });
    expect([kept.stored, kept.redirects]).toEqual([STORED, []]);
  });
});
