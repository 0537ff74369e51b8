import type { FetchLike } from '@portico/spec';
import { describe, expect, it, vi } from 'vitest';
import { ISSUER, TOKEN_PLACE, createSignInWorld } from '../../../../testing/sign-in-world.ts';
import { afterCallback, isCallbackPage, resolveCallbackUrl } from './callback-place.ts';
import { finishCallback } from './callback.ts';

const TEN_MINUTES_MS = 600_000;

/** An address to sign in at, which a tab waits for. */
async function waiting() {
  const world = createSignInWorld();
  const tab = world.browser.openTab();
  const watched = world.watch(tab);
  await watched.signIn.prepare();
  return { world, tab, ...watched, authUrl: watched.signIn.state.authUrl };
}

describe('the page that sign-ins come back to', () => {
  it('R69 ends a sign-in once, however often it is asked to, and all who ask hear of it', async () => {
    const { world, authUrl } = await waiting();
    const tab = world.browser.openTab();
    const first = world.comeBack(authUrl, { code: 'c1', iss: ISSUER }, tab);
    const again = finishCallback({ environment: tab.environment, oauthFetch: () => world.hosts.fetch });
    expect(await Promise.all([first, again])).toEqual([
      { outcome: 'signed_in', text: expect.stringMatching(/signed in/), leaves: false },
      { outcome: 'nothing', text: '', leaves: false },
    ]);
    expect(world.tokenRequests('authorization_code')).toHaveLength(1);
    expect(tab.page.href).toBe('https://app.test/oauth/callback');
  });

  it('R69 does nothing on any other page', async () => {
    const world = createSignInWorld();
    const tab = world.browser.openTab('https://app.test/?state=s');
    const oauthFetch = vi.fn<() => FetchLike>();
    expect(await finishCallback({ environment: tab.environment, oauthFetch })).toMatchObject({
      outcome: 'nothing',
    });
    const { page: _page, ...pageless } = tab.environment;
    expect(await finishCallback({ environment: pageless, oauthFetch })).toMatchObject({ outcome: 'nothing' });
    expect([oauthFetch.mock.calls, world.browser.stored()]).toEqual([[], {}]);
  });

  it('R70 reaches exactly the entry that waits, of two tabs and two entries in each', async () => {
    const world = createSignInWorld();
    const tabs = [world.browser.openTab(), world.browser.openTab()];
    const entries = tabs.flatMap((tab) => [
      world.watch(tab),
      world.watch(tab, { storageKeyPrefix: 'second', oauth: { clientId: 'mine' } }),
    ]);
    for (const { signIn } of entries) await signIn.prepare();
    await world.comeBack(entries[2]?.signIn.state.authUrl);
    await world.browser.clock.advance(0);
    expect(entries.map(({ completed }) => completed.length)).toEqual([0, 0, 1, 0]);
    expect(entries.map(({ signIn }) => signIn.state.tokens?.access_token)).toEqual([
      undefined,
      undefined,
      'access-1',
      undefined,
    ]);
  });

  it('R70 loses nobody who came back when tokens are said to have changed at that moment', async () => {
    const { world, authUrl, completed } = await waiting();
    const tab = world.browser.openTab();
    const openChannel = () => ({
      post: () => undefined,
      listen: () => () => undefined,
      close: () => undefined,
    });
    await world.comeBack(
      authUrl,
      { code: 'c1' },
      { ...tab, environment: { ...tab.environment, openChannel } },
    );
    world.browser.shout('portico sign-in', { type: 'credentials-changed' });
    await world.browser.clock.advance(0);
    expect(completed).toHaveLength(1);
  });

  it.each([-1_000, -1, 1, 1_000])(
    'R70 reaches whoever waits although the clock of the page is another one, by %d ms',
    async (ms) => {
      const { world, authUrl, completed } = await waiting();
      const tab = world.browser.openTab();
      const { clock } = world.browser;
      const environment = { ...tab.environment, clock: { ...clock, now: () => clock.now() + ms } };
      await world.comeBack(authUrl, { code: 'c1' }, { ...tab, environment });
      await world.browser.clock.advance(0);
      expect(completed).toHaveLength(1);
    },
  );

  it('R70 of an unknown, used or old state asks nobody for tokens and changes nothing stored', async () => {
    const { world, authUrl } = await waiting();
    const unknown = new URL(authUrl ?? '');
    const states = ['', 'x', '../flow', 'x'.repeat(10_000), ' ', '%'];
    const before = world.browser.stored();
    for (const state of states) {
      unknown.searchParams.set('state', state);
      expect(await world.comeBack(unknown.href)).toMatchObject({ outcome: 'unknown' });
    }
    expect(await world.comeBack(authUrl, { error: 'access_denied', state: 'x' })).toMatchObject({
      outcome: 'unknown',
    });
    expect(world.browser.stored()).toEqual(before);
    await world.browser.clock.advance(0);
    await world.comeBack(authUrl);
    const after = world.browser.stored();
    expect(await world.comeBack(authUrl, { code: 'c2' })).toMatchObject({ outcome: 'unknown' });
    expect(world.browser.stored()).toEqual(after);
    expect(world.tokenRequests('authorization_code')).toHaveLength(1);
  });

  it('R70 takes nobody back after ten minutes', async () => {
    for (const [ageMs, outcome, requests] of [
      [TEN_MINUTES_MS - 1, 'signed_in', 1],
      [TEN_MINUTES_MS, 'unknown', 0],
    ] as const) {
      const { world, authUrl, signIn } = await waiting();
      signIn.dispose();
      await world.browser.clock.advance(ageMs);
      const before = JSON.stringify(world.browser.stored());
      expect(await world.comeBack(authUrl)).toMatchObject({ outcome });
      expect(JSON.stringify(world.browser.stored()) === before).toBe(outcome === 'unknown');
      expect(world.tokenRequests('authorization_code')).toHaveLength(requests);
    }
  });

  it('R68 does not show what another issuer wrote, and sends it no code', async () => {
    for (const answer of [
      { error: 'access_denied', error_description: 'call 555', iss: 'https://evil.test' },
      { code: 'c1', iss: 'https://evil.test/?call=555' },
    ]) {
      const { world, authUrl, signIn } = await waiting();
      const report = await world.comeBack(authUrl, answer);
      await world.browser.clock.advance(0);
      expect(report.outcome).toBe('refused');
      expect(JSON.stringify([report, signIn.state, world.browser.stored()])).not.toContain('555');
      expect(signIn.state.failure?.code).toBe('auth_failed');
      expect(world.tokenRequests('authorization_code')).toEqual([]);
    }
  });

  it('R51 R70 asks for the tokens by the proxy with which the sign-in began', async () => {
    const world = createSignInWorld();
    const { signIn } = world.watch(
      world.browser.openTab(),
      {},
      { oauthProxyUrl: () => 'https://app.test/oauth' },
    );
    await signIn.prepare();
    const asked = new URL(signIn.state.authUrl ?? '').searchParams;
    const tab = world.browser.openTab(
      `https://app.test/oauth/callback?code=c&state=${asked.get('state') ?? ''}`,
    );
    const ways: (string | undefined)[] = [];
    await finishCallback({
      environment: tab.environment,
      oauthFetch(proxyUrl) {
        ways.push(proxyUrl);
        return world.hosts.fetch;
      },
    });
    expect(ways).toEqual(['https://app.test/oauth']);
    expect(world.hosts.forms(TOKEN_PLACE)).toHaveLength(1);
  });

  it('R167 goes back to pages of its own origin only', async () => {
    for (const [place, sentTo] of [
      ['https://app.test/a?b#c', ['https://app.test/a?b#c']],
      ['https://evil.test/', []],
      ['https://app.test.evil.test/', []],
      ['http://app.test/', []],
      ['javascript:alert(1)', []],
      ['//evil.test', []],
    ] as const) {
      const { world, authUrl } = await waiting();
      const flow = Object.entries(world.browser.stored()).find(([name]) => name.includes(' flow%20'));
      const [key = '', text = ''] = flow ?? [];
      const changed = { ...(JSON.parse(text) as object), returnTo: place };
      await world.browser.storage.setItem(key, JSON.stringify(changed));
      const tab = world.browser.openTab();
      expect((await world.comeBack(authUrl, { code: 'c1' }, tab)).outcome).toBe('signed_in');
      expect([place, tab.page.sentTo]).toEqual([place, sentTo]);
    }
  });

  it('R166 tells other tabs nothing that is worth anything', async () => {
    const { world, authUrl } = await waiting();
    const tab = world.browser.openTab();
    await world.comeBack(authUrl, { code: 'code-canary' }, tab);
    expect(tab.posted.map((message) => Reflect.get(message as object, 'type') as unknown)).toEqual([
      'flow-ended',
      'callback-done',
    ]);
    const state = new URL(authUrl ?? '').searchParams.get('state') ?? '';
    const said = JSON.stringify(tab.posted);
    for (const secret of [state, 'code-canary', 'access-1', 'refresh-1', 'api.test'])
      expect(said).not.toContain(secret);
  });

  it('R166 changes nothing when another page says that somebody came back', async () => {
    const { world, tab, signIn, completed, states } = await waiting();
    const known =
      Object.entries(world.browser.stored()).find(([name]) => name.includes('flow%20'))?.[1] ?? '{}';
    const { id } = JSON.parse(known) as { id: string };
    const before = [signIn.state, states.length, world.hosts.log.length, world.browser.stored()];
    for (const message of [
      { type: 'flow-ended', id },
      { type: 'flow-ended', id: 'other' },
      { type: 'flow-ended', id: 7 },
      { type: 'credentials-changed' },
      { type: 'unheard-of' },
      'flow-ended',
      null,
    ])
      world.browser.shout('portico sign-in', message);
    await world.browser.clock.advance(0);
    expect([signIn.state, states.length, world.hosts.log.length, world.browser.stored()]).toEqual(before);
    expect([completed, tab.page.sentTo]).toEqual([[], []]);
  });
});

describe('the address that sign-ins come back to', () => {
  it('R60 is below the origin of the page unless it is set, and a whole one stays as it is', () => {
    const { page } = createSignInWorld().browser.openTab('https://app.test/deep/page?x=1');
    expect(resolveCallbackUrl(page)).toBe('https://app.test/oauth/callback');
    expect(resolveCallbackUrl(page, '/back')).toBe('https://app.test/back');
    expect(resolveCallbackUrl(page, 'https://app.test')).toBe('https://app.test');
    expect(resolveCallbackUrl(undefined, 'https://app.test/a')).toBe('https://app.test/a');
    expect(resolveCallbackUrl(undefined)).toBeUndefined();
  });

  it('R71 is known by what is set, whatever its path is, and only with a code or an error', () => {
    const set = 'https://app.test/sub/app?cb=1';
    const rows: readonly (readonly [string, string | undefined, boolean])[] = [
      ['https://app.test/sub/app?cb=1&code=c&state=s', set, true],
      ['https://app.test/sub/app?cb=1&error=e', set, true],
      ['https://app.test/sub/app?cb=1', set, false],
      ['https://app.test/sub/app?cb=2&code=c', set, false],
      ['https://app.test/sub/app/?cb=1&code=c', set, false],
      ['https://other.test/sub/app?cb=1&code=c', set, false],
      ['https://app.test/oauth/callback?code=c', set, false],
      ['https://app.test/oauth/callback?code=c', undefined, false],
    ];
    const { browser } = createSignInWorld();
    for (const [href, callbackUrl, expected] of rows)
      expect([href, isCallbackPage(browser.openTab(href).environment, callbackUrl)]).toEqual([
        href,
        expected,
      ]);
  });

  it('R71 holds up who wants to connect there until the sign-in is dealt with', async () => {
    const { world, authUrl } = await waiting();
    const state = new URL(authUrl ?? '').searchParams.get('state') ?? '';
    const place = 'https://app.test/oauth/callback';
    const elsewhere = vi.fn<() => void>();
    afterCallback(world.browser.openTab().environment, place, elsewhere);
    expect(elsewhere).toHaveBeenCalledOnce();
    const tab = world.browser.openTab(`${place}?code=c1&state=${state}`);
    const [run, stopped] = [vi.fn<() => void>(), vi.fn<() => void>()];
    afterCallback(tab.environment, place, run);
    afterCallback(tab.environment, place, stopped)();
    // Another tab is done with another one.
    world.browser.shout('portico sign-in', { type: 'callback-done' });
    await world.browser.clock.advance(0);
    expect(run).not.toHaveBeenCalled();
    await finishCallback({ environment: tab.environment, oauthFetch: () => world.hosts.fetch });
    await world.browser.clock.advance(0);
    expect([run.mock.calls.length, stopped.mock.calls.length, tab.channels]).toEqual([1, 0, 0]);
  });
});
