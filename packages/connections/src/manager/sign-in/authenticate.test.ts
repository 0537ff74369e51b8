import { describe, expect, it } from 'vitest';
import { ISSUER, TOKEN_PLACE, createSignInWorld } from '../../../../../testing/sign-in-world.ts';
import type { SignInWorld, WatchedSignIn } from '../../../../../testing/sign-in-world.ts';
import type { ScriptedTab, ScriptedWindow } from '../../../../../testing/scripted-environment.ts';
import type { ServerSignInOptions } from './sign-in-parts.ts';

const MINUTE_MS = 60_000;

interface Desk extends WatchedSignIn {
  readonly world: SignInWorld;
  readonly tab: ScriptedTab;
  /** Lets everything that needs no time happen. */
  readonly settle: () => Promise<void>;
  readonly window: (index?: number) => ScriptedWindow;
}

/** Somebody who has to sign in, unless `isKnown` is false: then nobody knows yet. */
async function desk(
  options: Partial<ServerSignInOptions> = {},
  { world = createSignInWorld(), isKnown = true } = {},
): Promise<Desk> {
  const tab = world.browser.openTab('https://app.test/servers?tab=2#third');
  const watched = world.watch(tab, {}, options);
  if (isKnown) await watched.signIn.prepare();
  return {
    ...watched,
    world,
    tab,
    settle: () => world.browser.clock.advance(0),
    window: (index = 0) => {
      const opened = tab.page.windows[index];
      if (opened === undefined) throw new TypeError(`there is no window ${index}`);
      return opened;
    },
  };
}

const byPage = { wishes: () => ({ popupFeatures: 'popup=yes', useRedirectFlow: true }) };

describe('signing in in a window', () => {
  it('R57 opens it within the call, with the features that are set, and steers it when the address is known', async () => {
    const { signIn, tab, window, settle } = await desk(
      { wishes: () => ({ popupFeatures: 'width=1,left=2', useRedirectFlow: false }) },
      { isKnown: false },
    );
    void signIn.authenticate({ ready: false });
    expect(tab.page.windows.map(({ features, urls }) => [features, urls])).toEqual([['width=1,left=2', []]]);
    expect(signIn.state).toEqual({ flow: 'running' });
    await settle();
    expect(window().urls).toEqual([signIn.state.authUrl]);
    expect(new URL(signIn.state.authUrl ?? '').origin).toBe(ISSUER);
    expect(tab.page.sentTo).toEqual([]);
  });

  it('R57 closes it when nobody can be asked, and tells why', async () => {
    const world = createSignInWorld({ metadata: { code_challenge_methods_supported: ['plain'] } });
    const { signIn, window } = await desk({}, { world, isKnown: false });
    await signIn.authenticate({ ready: false });
    expect(window().closed).toBe(true);
    expect(window().urls).toEqual([]);
    expect(signIn.state).toMatchObject({ flow: 'none', failure: { code: 'auth_failed' } });
    expect(signIn.state).not.toHaveProperty('authUrl');
  });

  it('R62 R70 resolves without a value when somebody came back, and has told the new tokens', async () => {
    const { signIn, completed, states, world, window, settle } = await desk();
    const done = signIn.authenticate({ ready: false });
    await settle();
    const seen = states.length;
    await world.comeBack(signIn.state.authUrl);
    await expect(done).resolves.toBeUndefined();
    expect(window().closed).toBe(true);
    expect(completed).toEqual([signIn.state]);
    expect(signIn.state).toMatchObject({ flow: 'none', tokens: { access_token: 'access-1' } });
    // Told by `completed` alone: nothing in between was there to be seen.
    expect(states).toHaveLength(seen);
    expect(world.browser.clock.armed).toBe(0);
  });

  it('R62 resolves when the new connection is there, however that ends', async () => {
    let finish: (error: Error) => void = () => undefined;
    const connected = new Promise<void>((_resolve, reject) => (finish = reject));
    const { signIn, world, settle } = await desk({ completed: () => connected });
    let isDone = false;
    const done = signIn.authenticate({ ready: false }).then(() => (isDone = true));
    await settle();
    await world.comeBack(signIn.state.authUrl);
    await settle();
    expect(isDone).toBe(false);
    finish(new Error('not reached'));
    await done;
    expect(signIn.state).toEqual({ flow: 'none', tokens: expect.anything() as unknown });
  });

  it('R70 learns of it by the storage where channels bring nothing', async () => {
    const world = createSignInWorld();
    const deaf = world.browser.openTab();
    const silent = {
      ...deaf.environment,
      openChannel: () => ({ post() {}, listen: () => () => {}, close() {} }),
    };
    const { signIn, completed } = world.watch(deaf, {}, { environment: silent });
    const done = signIn.authenticate({ ready: false });
    await world.browser.clock.advance(0);
    await world.comeBack(signIn.state.authUrl);
    await world.browser.clock.advance(500);
    await done;
    expect(completed).toHaveLength(1);
  });

  it('R61 joins what is running: one window in all, which is brought forward', async () => {
    const { signIn, tab, window, settle, world } = await desk();
    const first = signIn.authenticate({ ready: false });
    const second = signIn.authenticate({ ready: false });
    await settle();
    const third = signIn.authenticate({ ready: true });
    expect(tab.page.windows).toHaveLength(1);
    expect(window().focused).toBe(2);
    await world.comeBack(signIn.state.authUrl);
    await Promise.all([first, second, third]);
  });

  it('R61 opens the window before what has to end first, and closes it when nobody has to sign in', async () => {
    const { signIn, tab, window, world } = await desk({}, { isKnown: false });
    let end: (isWanted: boolean) => void = () => undefined;
    const before = (): Promise<boolean> => new Promise((resolve) => (end = resolve));
    const done = signIn.authenticate({ ready: false, before });
    expect(tab.page.windows).toHaveLength(1);
    expect(signIn.state.flow).toBe('none');
    await world.browser.clock.advance(3_000);
    end(false);
    await done;
    expect(window().closed).toBe(true);
    expect([signIn.state, world.hosts.log]).toEqual([{ flow: 'none' }, []]);
    void signIn.authenticate({ ready: false, before });
    // As an entry does that leaves the server in order to connect anew.
    signIn.withdraw();
    end(true);
    await world.browser.clock.advance(0);
    expect(window(1).urls).toEqual([signIn.state.authUrl]);
    signIn.withdraw();
    await signIn.authenticate({ ready: false, before: () => Promise.reject(new Error('no')) });
    expect(window(2).closed).toBe(true);
    expect(signIn.state.flow).toBe('none');
  });

  it('R58 leaves an address where the window is refused; that, or a later click, ends it well', async () => {
    const { signIn, tab, window, world, completed } = await desk({}, { isKnown: false });
    tab.page.allowWindows(false);
    await signIn.authenticate({ ready: false });
    expect(signIn.state).toEqual({ flow: 'none', authUrl: expect.any(String) });
    await world.comeBack(signIn.state.authUrl);
    await world.browser.clock.advance(0);
    expect(completed).toHaveLength(1);
    tab.page.allowWindows(true);
    const done = signIn.authenticate({ ready: true });
    await world.browser.clock.advance(0);
    expect(window().urls).toEqual([signIn.state.authUrl]);
    await world.comeBack(signIn.state.authUrl);
    await done;
    expect(completed).toHaveLength(2);
  });
});

describe('giving a sign-in up', () => {
  it('R63 R64 by closing the window is known 20 seconds later, and everything is as before', async () => {
    const { signIn, window, world, completed, settle } = await desk();
    const before = [world.browser.stored(), signIn.state];
    const done = signIn.authenticate({ ready: false });
    await settle();
    window().shut();
    await world.browser.clock.advance(20_000);
    expect(signIn.state.flow).toBe('running');
    await world.browser.clock.advance(500);
    await done;
    expect([world.browser.stored(), signIn.state]).toEqual(before);
    expect(completed).toEqual([]);
  });

  it('R64 R58 by closing is taken back by whoever comes back late: a page may have cut the tie', async () => {
    for (const lateMs of [19_000, 3 * MINUTE_MS]) {
      const { signIn, window, world, completed, settle } = await desk();
      const done = signIn.authenticate({ ready: false });
      await settle();
      const { authUrl } = signIn.state;
      window().shut();
      await world.browser.clock.advance(lateMs);
      await world.comeBack(authUrl);
      await done;
      await settle();
      expect(completed).toHaveLength(1);
      expect(signIn.state).not.toHaveProperty('authUrl');
    }
  });

  it('R64 by leaving the window alone ends after five minutes: it is closed, and its flow is gone', async () => {
    const { signIn, window, world, settle } = await desk();
    const done = signIn.authenticate({ ready: false });
    await settle();
    const { authUrl: old } = signIn.state;
    await world.browser.clock.advance(5 * MINUTE_MS - 1_000);
    expect(signIn.state.flow).toBe('running');
    await world.browser.clock.advance(1_000);
    await done;
    expect(window().closed).toBe(true);
    expect(signIn.state).toEqual({ flow: 'none', authUrl: expect.any(String) });
    expect(signIn.state.authUrl).not.toBe(old);
    expect(await world.comeBack(old)).toMatchObject({ outcome: 'unknown' });
    await world.comeBack(signIn.state.authUrl);
    await settle();
    expect(signIn.state.tokens).toBeDefined();
  });

  it('R61 R63 beside a live connection leaves nothing behind that was not there', async () => {
    const { signIn, window, world, settle } = await desk();
    await world.comeBack(signIn.state.authUrl);
    await settle();
    const before = [world.browser.stored(), signIn.state];
    const done = signIn.authenticate({ ready: true });
    await settle();
    expect(signIn.state).toMatchObject({ flow: 'running', tokens: { access_token: 'access-1' } });
    window().shut();
    await world.browser.clock.advance(21_000);
    await done;
    expect([world.browser.stored(), signIn.state]).toEqual(before);
  });

  it('R64 by a refusal, or when the exchange fails, is told as auth_failed, and the next try works', async () => {
    const refusal = { error: 'access_denied', error_description: 'not\u2028you' };
    for (const [answer, told] of [
      [refusal, 'access_denied, not you'],
      [{ code: 'c1' }, 'invalid_grant'],
    ] as const) {
      const { signIn, world, completed, settle } = await desk();
      const refuse = (): Response => Response.json({ error: 'invalid_grant' }, { status: 400 });
      world.hosts.change({ [`POST ${TOKEN_PLACE}`]: refuse });
      const done = signIn.authenticate({ ready: false });
      await settle();
      await world.comeBack(signIn.state.authUrl, answer);
      await done;
      expect(signIn.state).toEqual({
        flow: 'none',
        failure: { code: 'auth_failed', message: expect.stringContaining(told) as string },
      });
      const names = Object.keys(world.browser.stored());
      expect(names.filter((name) => /attempt|flow|outcome/.test(name))).toEqual([]);
      world.hosts.change({ [`POST ${TOKEN_PLACE}`]: world.grants.place });
      const again = signIn.authenticate({ ready: false });
      await settle();
      expect(signIn.state).not.toHaveProperty('failure');
      await world.comeBack(signIn.state.authUrl);
      await again;
      expect(completed).toHaveLength(1);
      expect(world.hosts.lines().filter((line) => line.endsWith('/register'))).toHaveLength(1);
    }
  });

  it('R14 R64 by leaving the server closes the window and stops waiting', async () => {
    const { signIn, window, world, settle } = await desk();
    const done = signIn.authenticate({ ready: false });
    await settle();
    signIn.withdraw();
    await done;
    await settle();
    expect(window().closed).toBe(true);
    expect(signIn.state).toEqual({ flow: 'none' });
    expect(world.browser.clock.armed).toBe(0);
    expect(Object.keys(world.browser.stored()).filter((name) => /attempt|flow/.test(name))).toEqual([]);
  });

  it('R138 by disposing publishes nothing any more and leaves no timer, channel or listener', async () => {
    for (const steps of ['known', 'asking', 'window'] as const) {
      const { signIn, states, world, tab, settle } = await desk({}, { isKnown: steps !== 'asking' });
      const done = steps === 'known' ? Promise.resolve() : signIn.authenticate({ ready: false });
      if (steps === 'window') await settle();
      const before = states.length;
      signIn.dispose();
      await settle();
      await done;
      expect(states).toHaveLength(before);
      expect([world.browser.clock.armed, tab.channels, tab.page.listeners]).toEqual([0, 0, 0]);
      await expect(signIn.authenticate({ ready: false })).resolves.toBeUndefined();
      expect(tab.page.windows).toHaveLength(steps === 'known' ? 0 : 1);
    }
  });
});

describe('signing in on the whole page', () => {
  it('R59 R62 leaves the page, opens no window, and resolves then', async () => {
    const { signIn, tab } = await desk(byPage);
    await signIn.authenticate({ ready: false });
    expect(tab.page.sentTo).toEqual([signIn.state.authUrl]);
    expect(tab.page.windows).toEqual([]);
    expect(signIn.state.flow).toBe('running');
  });

  it('R59 shows the page that was left again, exactly, and its tokens are there', async () => {
    const { signIn, tab, world } = await desk(byPage);
    await signIn.authenticate({ ready: false });
    const report = await world.comeBack(signIn.state.authUrl, { code: 'c1' }, tab);
    expect(report).toMatchObject({ outcome: 'signed_in', leaves: true });
    expect(tab.page.sentTo.slice(1)).toEqual(['https://app.test/servers?tab=2#third']);
    const back = world.watch(tab, {}, byPage);
    expect(await back.signIn.authProvider.token()).toBe('access-1');
    expect(Object.keys(world.browser.stored()).filter((name) => /attempt|flow|outcome/.test(name))).toEqual(
      [],
    );
  });

  it('R64 R59 tells a refusal where the sign-in began, once, and does not go round in circles', async () => {
    const { signIn, tab, world } = await desk(byPage);
    await signIn.authenticate({ ready: false });
    await world.comeBack(signIn.state.authUrl, { error: 'access_denied' }, tab);
    const back = world.watch(tab, {}, byPage);
    const failure = world.connect(back.signIn);
    await expect(failure).rejects.toMatchObject({
      code: 'auth_failed',
      message: expect.stringContaining('access_denied'),
    });
    await expect(world.connect(back.signIn)).rejects.toMatchObject({ code: 'auth_required' });
  });

  it('R55 leaves the page unasked no more than once a minute', async () => {
    const { signIn, tab, world } = await desk(byPage);
    await signIn.authenticate({ ready: false, unasked: true });
    expect(tab.page.sentTo).toHaveLength(1);
    const again = await desk(byPage, { world });
    await again.signIn.authenticate({ ready: false, unasked: true });
    expect(again.tab.page.sentTo).toEqual([]);
    expect(again.signIn.state).toEqual({ flow: 'none', authUrl: expect.any(String) });
    await world.browser.clock.advance(MINUTE_MS);
    await again.signIn.authenticate({ ready: false, unasked: true });
    expect(again.tab.page.sentTo).toHaveLength(1);
  });

  it('R59 waits no more when the person goes back to the page that was left', async () => {
    const { signIn, tab } = await desk(byPage);
    await signIn.authenticate({ ready: false });
    tab.page.show(false);
    tab.page.show(true);
    expect(signIn.state).toEqual({ flow: 'none', authUrl: expect.any(String) });
  });
});
