import { describe, expect, it } from 'vitest';
import { PROTECTED_SERVER } from '../../../../../testing/protected-server.ts';
import { TOKEN_PLACE, createSignInWorld } from '../../../../../testing/sign-in-world.ts';
import type { SignInWorld, WatchedSignIn } from '../../../../../testing/sign-in-world.ts';
import { createScriptedBrowser } from '../../../../../testing/scripted-environment.ts';
import { createAccountStore, findPlace } from './account-store.ts';

async function signInAt(world: SignInWorld, watched: WatchedSignIn): Promise<void> {
  await watched.signIn.prepare();
  await world.comeBack(watched.signIn.state.authUrl);
  await world.browser.clock.advance(0);
}

describe('where sign-ins are kept', () => {
  it('R77 is under keys that begin with the prefix and hold the whole address', async () => {
    const world = createSignInWorld();
    const watched = world.watch(world.browser.openTab());
    await watched.signIn.prepare();
    const during = Object.keys(world.browser.stored());
    await world.comeBack(watched.signIn.state.authUrl);
    const keys = [...during, ...Object.keys(world.browser.stored())];
    expect(keys.length).toBeGreaterThan(5);
    for (const key of keys) {
      expect(key.startsWith('mcp:auth ')).toBe(true);
      expect(key).toContain(PROTECTED_SERVER);
    }
  });

  it('R77 is apart for any two addresses and prefixes, also such as look alike', async () => {
    const { storage } = createScriptedBrowser();
    const urls = [
      'https://a.test/',
      'https://a.test/x',
      'https://a.test/x%20y',
      'https://a.test/?q=Aa',
      'https://a.test/?q=BB',
    ];
    const prefixes = ['p', 'p ', 'p https://a.test/', 'p https://a.test/ x', '', 'mcp:auth'];
    const places = prefixes.flatMap((storageKeyPrefix) => urls.map((url) => ({ storageKeyPrefix, url })));
    for (const place of places) {
      const store = createAccountStore(storage, place);
      expect(await store.names()).toEqual([]);
      await store.set('tokens https://id.test/ x', place);
      await store.set(`flow ${JSON.stringify(place)}`, true);
    }
    for (const place of places) {
      const store = createAccountStore(storage, place);
      expect(await store.get('tokens https://id.test/ x')).toEqual(place);
      expect(await store.names()).toHaveLength(2);
      expect(await findPlace(storage, `flow ${JSON.stringify(place)}`)).toEqual(place);
    }
  });

  it('R77 keeps two prefixes on one address as two accounts beside each other', async () => {
    const world = createSignInWorld();
    const tab = world.browser.openTab();
    const [one, two] = [world.watch(tab), world.watch(tab, { storageKeyPrefix: 'other' })];
    await signInAt(world, one);
    await signInAt(world, two);
    expect(await one.signIn.authProvider.token()).toBe('access-1');
    expect(await two.signIn.authProvider.token()).toBe('access-2');
  });

  it('R79 may answer with promises, and may hold what nobody here wrote', async () => {
    const world = createSignInWorld({ browser: { slowStorage: true } });
    const { storage } = world.browser;
    for (const name of ['issuer', 'discovery', 'tokens', '%', 'flow%20x', 'outcome%20page'])
      await storage.setItem(`mcp:auth ${PROTECTED_SERVER} ${name}`, '{"not json');
    await storage.setItem('theirs', 'kept');
    const watched = world.watch(world.browser.openTab());
    await signInAt(world, watched);
    expect(watched.completed).toHaveLength(1);
    expect(await watched.signIn.authProvider.token()).toBe('access-1');
  });
});

describe('removing what is stored', () => {
  it('R76 returns at once, leaves every other key, and other tabs drop the same', async () => {
    const world = createSignInWorld();
    const tabs = [world.browser.openTab(), world.browser.openTab()];
    const [mine, theirs] = tabs.map((tab) => world.watch(tab));
    const other = world.watch(world.browser.openTab(), { storageKeyPrefix: 'other' });
    if (mine === undefined || theirs === undefined) throw new TypeError('two tabs');
    await world.browser.storage.setItem('app', 'own');
    await world.browser.storage.setItem(`mcp:auth ${PROTECTED_SERVER}x tokens`, '1');
    await signInAt(world, other);
    const others = world.browser.stored();
    await signInAt(world, mine);
    await theirs.signIn.authProvider.token();
    await mine.signIn.prepare();
    await theirs.signIn.prepare();
    expect(theirs.signIn.state.tokens).toBeDefined();
    expect(mine.signIn.clear()).toBeUndefined();
    expect(mine.signIn.state).toEqual({ flow: 'none' });
    expect(mine.states.at(-1)).toEqual({ flow: 'none' });
    await world.browser.clock.advance(0);
    expect(world.browser.stored()).toEqual(others);
    expect([mine, theirs].map(({ signIn }) => signIn.state)).toEqual([{ flow: 'none' }, { flow: 'none' }]);
    expect(other.signIn.state.tokens).toBeDefined();
    expect(world.browser.clock.armed).toBe(0);
    await signInAt(world, theirs);
    expect(theirs.signIn.state.tokens).toBeDefined();
  });

  it('R76 is not undone by a renewal or a sign-in that is on its way in another tab', async () => {
    for (const what of ['renewal', 'sign-in'] as const) {
      const world = createSignInWorld();
      const mine = world.watch(world.browser.openTab());
      const theirs = world.watch(world.browser.openTab());
      await signInAt(world, mine);
      await theirs.signIn.prepare();
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      world.hosts.change({
        [`POST ${TOKEN_PLACE}`]: async () => {
          await held;
          return { access_token: 'late', token_type: 'Bearer', refresh_token: 'late', expires_in: 60 };
        },
      });
      const { authUrl } = theirs.signIn.state;
      if (what === 'renewal') await world.browser.clock.advance(7_200_000);
      const coming = what === 'renewal' ? theirs.signIn.authProvider.token() : world.comeBack(authUrl);
      await world.browser.clock.advance(0);
      mine.signIn.clear();
      await world.browser.clock.advance(0);
      expect(Object.keys(world.browser.stored()).filter((name) => / (?:tokens|client)/.test(name))).toEqual(
        [],
      );
      answer();
      await coming;
      await world.browser.clock.advance(0);
      expect(JSON.stringify(world.browser.stored())).not.toContain('late');
      expect([mine.signIn.state.tokens, theirs.signIn.state.tokens]).toEqual([undefined, undefined]);
      expect(theirs.completed).toEqual([]);
    }
  });

  it('R76 is not seen to be undone by what is being read, at whatever point that is', async () => {
    const world = createSignInWorld({ browser: { slowStorage: true } });
    await signInAt(world, world.watch(world.browser.openTab()));
    const stored = Object.entries(world.browser.stored());
    for (let turns = 0; turns < 20; turns++) {
      for (const [key, value] of stored) await world.browser.storage.setItem(key, value);
      const { signIn, states } = world.watch(world.browser.openTab());
      const reading = signIn.authProvider.token();
      for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
      signIn.clear();
      const seen = states.length;
      await reading;
      await world.browser.clock.advance(0);
      expect(states.slice(seen).filter(({ tokens }) => tokens !== undefined)).toEqual([]);
    }
  });

  it('R76 closes the window of a sign-in and tells other tabs although this one is left at once', async () => {
    const world = createSignInWorld();
    const tab = world.browser.openTab();
    const [mine, theirs] = [world.watch(tab), world.watch(world.browser.openTab())];
    await signInAt(world, mine);
    await theirs.signIn.authProvider.token();
    const done = mine.signIn.authenticate({ ready: true });
    await world.browser.clock.advance(0);
    mine.signIn.clear();
    mine.signIn.dispose();
    await done;
    await world.browser.clock.advance(0);
    expect(tab.page.windows[0]?.closed).toBe(true);
    expect([world.browser.stored(), theirs.signIn.state]).toEqual([{}, { flow: 'none' }]);
    expect(tab.channels).toBe(0);
  });

  it('R63 is never done by a sign-in, whichever way it ends', async () => {
    const world = createSignInWorld();
    const tab = world.browser.openTab();
    const watched = world.watch(tab);
    await signInAt(world, watched);
    const lasting = (): Record<string, string> =>
      Object.fromEntries(
        Object.entries(world.browser.stored()).filter(([name]) => !/(?:attempt|flow|outcome)/.test(name)),
      );
    const before = lasting();
    const ends: readonly (() => Promise<unknown> | undefined)[] = [
      () => world.comeBack(watched.signIn.state.authUrl, { error: 'access_denied' }),
      () => {
        tab.page.windows.at(-1)?.shut();
        return world.browser.clock.advance(30_000);
      },
      () => world.browser.clock.advance(300_000),
    ];
    for (const end of ends) {
      const done = watched.signIn.authenticate({ ready: true });
      await world.browser.clock.advance(0);
      expect(lasting()).toEqual(before);
      await end();
      await done;
      expect(lasting()).toEqual(before);
    }
    const done = watched.signIn.authenticate({ ready: true });
    await world.browser.clock.advance(0);
    await world.comeBack(watched.signIn.state.authUrl);
    await done;
    expect(Object.keys(lasting())).toEqual(Object.keys(before));
    expect(watched.signIn.state.tokens?.access_token).toBe('access-2');
  });

  it('R125 writes nothing into the log that came from a sign-in', async () => {
    const world = createSignInWorld();
    const watched = world.watch(world.browser.openTab());
    await signInAt(world, watched);
    world.grants.valid.clear();
    await world.connect(watched.signIn);
    expect(watched.lines).toEqual(['info the tokens were renewed']);
  });
});
