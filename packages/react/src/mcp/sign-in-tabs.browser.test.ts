import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { bundleScript } from '../../../../testing/sandbox-site.ts';
import {
  clickSignIn,
  linkOf,
  openSignInSite,
  storedBy,
  untilState,
} from '../../../../testing/sign-in-site.ts';
import type { SignInSite, SignInSiteOptions, SignInWindow } from '../../../../testing/sign-in-site.ts';

const TWO_HOURS_MS = 7_200_000;

describe('tabs of one application', () => {
  let browser: Browser;
  let script: string;
  let site: SignInSite;

  beforeAll(async () => {
    [browser, script] = await Promise.all([launchBrowser(), bundleScript('testing/sign-in-app.tsx')]);
  });
  afterAll(() => browser.close());
  afterEach(() => site.close());

  const openSite = async (options: Partial<SignInSiteOptions> = {}): Promise<SignInSite> =>
    (site = await openSignInSite({ browser, script, ...options }));
  const openReady = async (): Promise<Page> => {
    const page = await site.open();
    await untilState(page, 'pending_auth');
    await clickSignIn(page);
    await untilState(page, 'ready');
    return page;
  };
  const tokensOf = (page: Page, id = 'mine') =>
    page.evaluate((name) => (window as unknown as SignInWindow).portico.server(name)?.authTokens, id);

  it('R56 are ready when somebody signed in at the address that one of them shows, in another one', async () => {
    const { context } = await openSite();
    const page = await site.open();
    const link = await linkOf(page);
    const other = await context.newPage();
    await other.goto(link.href);
    await untilState(page, 'ready');
    expect(await page.locator('#mine a').count()).toBe(0);
  });

  it('R56 R70 are ready when somebody signed in in another one, in a browser without BroadcastChannel', async () => {
    const { context } = await openSite();
    await context.addInitScript(() => void Reflect.deleteProperty(globalThis, 'BroadcastChannel'));
    site.app = { ...site.app, servesCallback: true };
    const page = await site.open();
    const link = await linkOf(page);
    const other = await context.newPage();
    await other.goto(link.href);
    await untilState(page, 'ready');
    // The page that it came back to ends the sign-in, and then connects as well.
    await untilState(other, 'ready');
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  it('R70 field-D27 learn of a sign-in each its own, although no window knows its opener', async () => {
    const answers: { now: 'agree' | 'leave' } = { now: 'leave' };
    const headers = { 'cross-origin-opener-policy': 'same-origin' };
    const { context } = await openSite({ headers, issuer: { answers, isolated: true } });
    const [waiting, other] = [await site.open(), await site.open()];
    await untilState(waiting, 'pending_auth');
    await untilState(other, 'pending_auth');
    await (await clickSignIn(other)).waitForURL(/interaction/);
    answers.now = 'agree';
    const popup = await clickSignIn(waiting);
    await untilState(waiting, 'ready');
    await expect.poll(() => popup.isClosed()).toBe(true);
    await other.bringToFront();
    await untilState(other, 'authenticating');
    expect(await tokensOf(other)).toBeUndefined();
    expect(site.grants('authorization_code')).toBe(1);
    expect(context.pages()).toHaveLength(3);
  });

  it('R70 of a state that is unknown, used or old asks for no tokens and changes nothing stored', async () => {
    await openSite();
    await site.context.clock.install();
    const page = await site.open();
    const used = await linkOf(page);
    await (await site.open()).goto(used.href);
    await untilState(page, 'ready');
    const other = await site.open();
    site.app = { servers: { other: { url: site.server.url, storageKeyPrefix: 'other' } } };
    await other.reload();
    const old = await linkOf(other, 'other');
    // One that stays would sweep up what is too old.
    await other.close();
    await page.clock.fastForward(601_000);
    const [before, requests] = [await storedBy(page), site.tokenRequests];
    const states = ['unknown', used.searchParams.get('state') ?? '', old.searchParams.get('state') ?? ''];
    const back = await site.context.newPage();
    for (const state of states) {
      await back.goto(`${site.origin}/oauth/callback?code=x&state=${state}&iss=${site.issuer.issuer}`);
      expect(await back.getByRole('status').textContent()).toMatch(/not known/);
      expect(new URL(back.url()).search).toBe('');
    }
    expect(site.tokenRequests).toBe(requests);
    expect(Object.keys(before).filter((key) => key.includes(states[2] ?? ''))).not.toEqual([]);
    expect(await storedBy(page)).toEqual(before);
  });

  it.each([
    [2, 'Web Locks'],
    [4, 'Web Locks'],
    [2, 'leases'],
    [4, 'leases'],
  ] as const)(
    'R73 field-D22 renew a token that ended once: %d that wake with it, by %s',
    async (count, kind) => {
      await openSite();
      const { context } = site;
      const waiting = kind === 'Web Locks' ? () => locksWaitedFor(tabs[0]!) : await withoutLocks(context);
      await context.clock.install();
      const first = await openReady();
      await first.goto('about:blank');
      await first.clock.fastForward(TWO_HOURS_MS);
      site.server.refuseOldTokens();
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await context.route(`${site.issuer.issuer}/token`, async (route) => {
        await held;
        await route.continue();
      });
      const asked = context.waitForEvent(
        'request',
        (request) => request.url() === `${site.issuer.issuer}/token`,
      );
      const tabs = await Promise.all(Array.from({ length: count }, () => site.open()));
      await asked;
      // Nobody is answered before every other one waits, or asks as well.
      await expect
        .poll(async () => site.tokenRequests - 2 + (await waiting()))
        .toBeGreaterThanOrEqual(count - 1);
      release();
      await Promise.all(tabs.map((tab) => untilState(tab, 'ready')));
      expect([site.tokenRequests, site.grants('refresh_token')]).toEqual([2, 1]);
      const tokens = await Promise.all(tabs.map((tab) => tokensOf(tab)));
      expect(new Set(tokens.map((each) => each?.refresh_token)).size).toBe(1);
    },
  );

  it('R76 drop what one of them signs out of, and nothing else', async () => {
    await openSite();
    const { url } = site.server;
    site.app = { servers: { mine: { url }, second: { url, storageKeyPrefix: 'second' } } };
    const [page, other] = [await site.open(), await site.open()];
    for (const id of ['mine', 'second']) {
      await untilState(page, 'pending_auth', id);
      await clickSignIn(page, id);
      await untilState(page, 'ready', id);
    }
    await other.reload();
    await untilState(other, 'ready');
    await untilState(other, 'ready', 'second');
    const before = await storedBy(page);
    const mine = `mcp:auth ${url} `;
    await page.locator('#mine button').last().click();
    await untilState(other, 'pending_auth');
    expect(await tokensOf(other)).toBeUndefined();
    expect(await tokensOf(page)).toBeUndefined();
    expect(await page.evaluate(() => (window as unknown as SignInWindow).portico.server('mine')?.idle)).toBe(
      true,
    );
    await untilState(other, 'ready', 'second');
    await untilState(page, 'ready', 'second');
    const after = await storedBy(page);
    const left = Object.entries(before).filter(([key]) => !key.startsWith(mine));
    expect(left).not.toEqual([]);
    expect(after).toMatchObject(Object.fromEntries(left));
    expect(Object.values(after).join()).not.toContain(
      (JSON.parse(tokensIn(before, mine)) as { access_token: string }).access_token,
    );
    expect(tokensIn(after, mine)).toBe('');
  });

  it('R82 that each add a server both find both after a reload', async () => {
    await openSite();
    site.app = { keeps: true };
    const { url } = site.server;
    const tabs = [await site.open(), await site.open()] as const;
    const add = async (tab: Page, id: string): Promise<void> => {
      await tab.evaluate(
        (given) => (window as unknown as SignInWindow).portico.addServer(given.id, { url: given.address }),
        { id, address: `${url}?of=${id}` },
      );
      await untilState(tab, 'pending_auth', id);
    };
    await Promise.all(tabs.map((tab, index) => add(tab, `s${index}`)));
    // What this tab was never told of is there all the same.
    await add(tabs[0], 's2');
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) {
      for (const id of ['s0', 's1', 's2']) await untilState(tab, 'pending_auth', id);
      expect((await tab.locator('section').evaluateAll((all) => all.map(({ id }) => id))).toSorted()).toEqual(
        ['s0', 's1', 's2'],
      );
    }
  });

  it('R166 are told nothing that is worth anything, and believe nothing that a hostile one says', async () => {
    const answers: { now: 'agree' | 'leave' } = { now: 'leave' };
    await openSite({ issuer: { answers } });
    const hostile = await site.context.newPage();
    await hostile.route('**/hostile', (route) =>
      route.fulfill({ body: 'hostile', contentType: 'text/html' }),
    );
    await hostile.goto(`${site.origin}/hostile`);
    await hostile.evaluate(() => {
      const heard: unknown[] = [];
      const channel = new BroadcastChannel('portico sign-in');
      channel.onmessage = (event: MessageEvent<unknown>) => void heard.push(event.data);
      Object.assign(window, { heard, channel });
    });
    const ready = await openReadyWith(answers);
    answers.now = 'leave';
    const page = await site.open();
    site.app = { servers: { second: { url: site.server.url, storageKeyPrefix: 'second' } } };
    await page.reload();
    await untilState(page, 'pending_auth', 'second');
    await (await clickSignIn(page, 'second')).waitForURL(/interaction/);
    const secrets = Object.values((await tokensOf(ready)) ?? {}).map(String);
    const heard = await hostile.evaluate(() => (window as unknown as Hostile).heard);
    expect(heard).not.toEqual([]);
    for (const secret of secrets.filter((text) => text.length > 8))
      expect(JSON.stringify(heard)).not.toContain(secret);
    const before = [await storedBy(page), site.tokenRequests, site.server.seen.length] as const;
    const shown = await shownBy([ready, page]);
    // Both listen before anything is said.
    const last = await Promise.all([ready, page].map((tab) => listenFor(tab, 'the last')));
    await hostile.evaluate((known) => {
      const { channel } = window as unknown as Hostile;
      const ids = [
        ...known.flatMap((message) => (message.id === undefined ? [] : [message.id])),
        'x',
        '__proto__',
      ];
      const forged: unknown[] = [
        ...known,
        ...ids.map((id) => ({
          type: 'flow-ended',
          id,
          tokens: { access_token: 'evil' },
          state: 'x',
          code: 'x',
        })),
        { type: 'credentials-changed', tokens: { access_token: 'evil' } },
        { type: 'callback-done', url: 'https://evil.test/' },
        { type: 'flow-ended' },
        { type: 'flow-ended', id: { toString: 'x' } },
        null,
        'flow-ended',
        7,
        'the last',
      ];
      for (const message of forged) channel.postMessage(message);
    }, heard);
    await Promise.all(last.map((heardLast) => heardLast()));
    await callFrom(ready);
    const [stored, requests, seen] = before;
    // The one call is seen.
    expect([await storedBy(page), site.tokenRequests, site.server.seen.length]).toEqual([
      stored,
      requests,
      seen + 1,
    ]);
    expect(await shownBy([ready, page])).toEqual(shown);
  });

  const openReadyWith = async (answers: { now: 'agree' | 'leave' }): Promise<Page> => {
    answers.now = 'agree';
    return await openReady();
  };
});

interface Hostile {
  readonly channel: BroadcastChannel;
  readonly heard: { readonly type?: string; readonly id?: string }[];
}

/** A page that listens on the channel of sign-ins. */
interface Listening {
  heardLast?: Promise<void>;
}

/** Lets a page listen on the channel of sign-ins. @returns waits until it was told this */
async function listenFor(page: Page, last: string): Promise<() => Promise<void>> {
  await page.evaluate((awaited) => {
    const heardLast = new Promise<void>((resolve) => {
      const channel = new BroadcastChannel('portico sign-in');
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (data !== awaited) return;
        channel.close();
        resolve();
      };
    });
    Object.assign(window, { heardLast });
  }, last);
  return () => page.evaluate(() => (window as unknown as Listening).heardLast);
}

async function callFrom(page: Page): Promise<void> {
  const result = await page.evaluate(() =>
    (window as unknown as SignInWindow).portico.server('mine')?.callTool('whoami'),
  );
  expect(result?.content).toEqual([{ type: 'text', text: 'you' }]);
}

/** Takes Web Locks away. @returns how many pages found a lease taken */
async function withoutLocks(context: BrowserContext): Promise<() => number> {
  const waiting = new Set<Page>();
  await context.exposeBinding('findsLease', ({ page }) => void waiting.add(page));
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
    const proto = IDBObjectStore.prototype;
    const get = Reflect.get(proto, 'get') as (this: IDBObjectStore, key: string) => IDBRequest<unknown>;
    Reflect.set(proto, 'get', function (this: IDBObjectStore, key: string) {
      const reading = get.call(this, key);
      if (this.name === 'leases' && key.startsWith('mcp:auth'))
        reading.addEventListener('success', () => {
          if (reading.result !== undefined) void (window as unknown as Finding).findsLease();
        });
      return reading;
    });
  });
  return () => waiting.size;
}

interface Finding {
  findsLease(): Promise<void>;
}

/** How many wait for a lock among all tabs. */
function locksWaitedFor(tab: Page): Promise<number> {
  return tab.evaluate(async () => (await navigator.locks.query()).pending?.length ?? 0);
}

function tokensIn(stored: Readonly<Record<string, string>>, prefix: string): string {
  const found = Object.entries(stored).find(([key]) => key.startsWith(`${prefix}tokens`));
  return found?.[1] ?? '';
}

function shownBy(pages: readonly Page[]): Promise<string[][]> {
  return Promise.all(
    pages.map((page) => page.evaluate(() => [...(window as unknown as SignInWindow).portico.shown])),
  );
}
