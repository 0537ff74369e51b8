import type { Browser, Page } from 'playwright-core';
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

const HOUR_MS = 3_600_000;

describe('signing in', () => {
  let browser: Browser;
  let strict: Browser;
  let script: string;
  let site: SignInSite;

  beforeAll(async () => {
    [browser, strict, script] = await Promise.all([
      launchBrowser(),
      // As people have it: windows open for clicks only.
      launchBrowser([], ['--disable-popup-blocking']),
      bundleScript('testing/sign-in-app.tsx'),
    ]);
  });
  afterAll(() => Promise.all([browser.close(), strict.close()]));
  afterEach(() => site.close());

  const openSite = async (options: Partial<SignInSiteOptions> = {}): Promise<SignInSite> =>
    (site = await openSignInSite({ browser, script, ...options }));
  /** A page whose only server was signed in at. */
  const openReady = async (): Promise<Page> => {
    const page = await site.open();
    await untilState(page, 'pending_auth');
    await clickSignIn(page);
    await untilState(page, 'ready');
    return page;
  };

  it('R54 waits for somebody who signs in, and goes nowhere by itself', async () => {
    const { context, origin, open, issuer } = await openSite();
    const page = await open('/shop');
    await untilState(page, 'pending_auth');
    await linkOf(page);
    expect(context.pages()).toEqual([page]);
    expect(page.url()).toBe(`${origin}/shop`);
    expect(issuer.log).toEqual(['registered']);
    const popup = await clickSignIn(page);
    await untilState(page, 'ready');
    if (!popup.isClosed()) await popup.waitForEvent('close');
    expect(issuer.log).toEqual(['registered', 'authorized', 'granted authorization_code']);
  });

  it('R57 opens its window within the click, although it is not known yet where to sign in', async () => {
    await openSite();
    const popupFeatures = 'popup=yes,width=431,height=377,left=9';
    site.app = { servers: { mine: { url: site.server.url, popupFeatures } } };
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await site.context.route('**/.well-known/**', async (route) => {
      await held;
      await route.continue();
    });
    const page = await site.open();
    const popup = await clickSignIn(page);
    const { opened, windows } = await page.evaluate(() => (window as unknown as SignInWindow).portico);
    expect({ opened, windows }).toEqual({
      opened: [true],
      windows: [{ features: popupFeatures, isGiven: true }],
    });
    expect(popup.url()).toBe('about:blank');
    expect(site.issuer.log).toEqual([]);
    release();
    await untilState(page, 'ready');
    expect(await page.evaluate(() => (window as unknown as SignInWindow).portico.windows.length)).toBe(1);
  });

  it('R57 closes its window when it cannot be known where to sign in', async () => {
    await openSite();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await site.context.route('**/.well-known/**', async (route) => {
      await held;
      await route.abort();
    });
    const page = await site.open();
    const popup = await clickSignIn(page);
    const closed = popup.waitForEvent('close');
    release();
    await closed;
    await untilState(page, 'failed');
  });

  it.each(['link', 'click'] as const)(
    'R58 shows where to sign in when the browser opens no window, and a %s works then',
    async (way) => {
      await openSite({ browser: strict });
      site.app = { servers: { mine: { url: site.server.url, preventAutoAuth: false } } };
      // Whatever looks into a page would count as a click of its person.
      const told = site.context.waitForEvent('console', (line) => line.text() === 'mine pending_auth');
      const page = await site.open();
      await told;
      const windows = await page.evaluate(() => (window as unknown as SignInWindow).portico.windows);
      expect(windows.map(({ isGiven }) => isGiven)).toEqual([false]);
      expect(site.context.pages()).toEqual([page]);
      if (way === 'link') await page.locator('#mine a').click();
      else await clickSignIn(page);
      await untilState(page, 'ready');
    },
  );

  it('R58 shows where to sign in when it is not given its window', async () => {
    await openSite();
    site.app = { servers: { mine: { url: site.server.url, popupFeatures: 'popup=yes,noopener' } } };
    const page = await site.open();
    await untilState(page, 'pending_auth');
    await page.locator('#mine button').first().click();
    await page.waitForFunction(() => (window as unknown as SignInWindow).portico.shown.length > 3);
    await untilState(page, 'pending_auth');
    await page.locator('#mine a').click();
    await untilState(page, 'ready');
  });

  it('R59 leaves the page to sign in, and shows that very page again', async () => {
    await openSite();
    site.app = { servers: { mine: { url: site.server.url, useRedirectFlow: true } } };
    const page = await site.open('/shop?item=3&code=x#part');
    await untilState(page, 'pending_auth');
    const visited: string[] = [];
    page.on('framenavigated', (frame) => void visited.push(new URL(frame.url()).pathname));
    await page.locator('#mine button').first().click();
    await untilState(page, 'ready');
    expect(page.url()).toBe(`${site.origin}/shop?item=3&code=x#part`);
    expect(visited).toContain('/oauth/callback');
    expect(site.context.pages()).toEqual([page]);
    expect(await page.evaluate(() => (window as unknown as SignInWindow).portico.windows)).toEqual([]);
  });

  it('R64 field-D27 asks again 20 s after the window was closed', async () => {
    const answers: { now: 'agree' | 'leave' } = { now: 'leave' };
    await openSite({ issuer: { answers } });
    await site.context.clock.install();
    const page = await site.open();
    await untilState(page, 'pending_auth');
    const popup = await clickSignIn(page);
    await popup.waitForURL(/interaction/);
    await popup.close();
    await page.clock.fastForward(1_000);
    await page.clock.fastForward(18_000);
    await untilState(page, 'authenticating');
    await page.clock.fastForward(2_500);
    await untilState(page, 'pending_auth');
    answers.now = 'agree';
    await clickSignIn(page);
    await untilState(page, 'ready');
  });

  it('R64 fails when the person says no, leaves nothing of that, and works when it is tried again', async () => {
    const answers: { now: 'agree' | 'deny' } = { now: 'deny' };
    await openSite({ issuer: { answers } });
    const page = await site.open();
    await untilState(page, 'pending_auth');
    await clickSignIn(page);
    await untilState(page, 'failed');
    const failure = await page.evaluate(
      () => (window as unknown as SignInWindow).portico.server('mine')?.failure,
    );
    expect(failure).toEqual({ code: 'auth_failed', retryable: false });
    expect(await page.locator('#mine p').textContent()).toContain('the person said no');
    const kept = Object.keys(await storedBy(page)).map((key) =>
      decodeURIComponent(key.split(' ').at(-1) ?? ''),
    );
    expect(kept.filter((name) => /^(?:flow|outcome|attempt)/.test(name))).toEqual([]);
    answers.now = 'agree';
    await clickSignIn(page);
    await untilState(page, 'ready');
  });

  it('R69 R137 field-D26 uses the code once although a strict page asks twice, and both calls settle', async () => {
    await openSite();
    const page = await site.open();
    const link = await linkOf(page);
    const back = await site.open();
    await back.goto(link.href);
    await back.waitForFunction(() => (window as unknown as SignInWindow).portico?.settled.length === 2);
    expect(await back.evaluate(() => (window as unknown as SignInWindow).portico.settled)).toEqual([
      undefined,
      undefined,
    ]);
    expect(await back.getByRole('status').allTextContents()).toEqual([
      'You are signed in. This window can be closed.',
    ]);
    expect([site.tokenRequests, site.grants('authorization_code')]).toEqual([1, 1]);
    expect(new URL(back.url()).search).toBe('');
    await back.reload();
    expect(site.tokenRequests).toBe(1);
    await untilState(page, 'ready');
  });

  it.each([
    '<img src=x onerror="document.title=1">',
    '<script>document.title=1</script>',
    '&lt;b&gt;<b>x</b>',
  ])('R69 R168 shows what a server says as plain text: %s', async (words) => {
    await openSite();
    const page = await site.open();
    const link = await linkOf(page);
    const back = await site.open();
    const address = new URL('/oauth/callback', site.origin);
    for (const [name, value] of Object.entries({
      error: 'access_denied',
      error_description: words,
      state: link.searchParams.get('state') ?? '',
      iss: site.issuer.issuer,
    }))
      address.searchParams.set(name, value);
    await back.goto(address.href);
    expect(await back.getByRole('status').textContent()).toContain(words);
    expect(await back.locator('main ~ * *').count()).toBe(0);
    await untilState(page, 'failed');
    expect(await page.locator('#mine p').textContent()).toContain(words);
    expect(await page.locator('#mine p *').count()).toBe(0);
    expect([await page.title(), await back.title()]).toEqual(['app', 'app']);
  });

  it('R71 connects nothing on the page that people come back to before the sign-in is ended', async () => {
    await openSite();
    const callbackPath = '/sub/auth/back';
    const callbackUrl = site.origin + callbackPath;
    site.app = {
      servers: { mine: { url: site.server.url, callbackUrl } },
      callbackPath,
      servesCallback: true,
      waitsToFinish: true,
    };
    const page = await site.open('/sub/');
    const link = await linkOf(page);
    expect(link.searchParams.get('redirect_uri')).toBe(callbackUrl);
    const back = await site.open('/sub/');
    await untilState(back, 'pending_auth');
    await back.goto(link.href);
    await untilState(back, 'discovering');
    expect(new URL(back.url()).pathname).toBe(callbackPath);
    const asked: string[] = [];
    back.on('request', (request) => void asked.push(request.url()));
    await back.evaluate(() => (window as unknown as SignInWindow).portico.finishCallback());
    await untilState(back, 'ready');
    expect(asked.indexOf(`${site.issuer.issuer}/token`)).toBe(
      asked.findLastIndex((url) => !url.startsWith(site.server.url)),
    );
    expect(asked.slice(0, asked.indexOf(`${site.issuer.issuer}/token`))).not.toContain(site.server.url);
    await untilState(page, 'ready');
  });

  it('R71 says once, while the application is made, that nobody ends a sign-in', async () => {
    await openSite();
    await site.context.clock.install();
    site.app = { ...site.app, servesCallback: true, waitsToFinish: true };
    const page = await site.context.newPage();
    const warnings: string[] = [];
    page.on('console', (line) => {
      if (line.type() === 'warning') warnings.push(line.text());
    });
    await page.goto(`${site.origin}/oauth/callback?code=c&state=s`);
    await untilState(page, 'discovering');
    expect(warnings).toEqual([]);
    await page.clock.fastForward(11_000);
    await page.clock.fastForward(60_000);
    await expect.poll(() => warnings).toEqual([expect.stringContaining('onMcpAuthorization')]);
  });

  it.each(['is refused', 'ends within a minute'])(
    'R72 field-D22 renews a token that %s once for all calls, and stays ready',
    async (reason) => {
      await openSite();
      await site.context.clock.install();
      const page = await openReady();
      const shownBefore = await page.evaluate(() => (window as unknown as SignInWindow).portico.shown.length);
      const tokensOf = () =>
        page.evaluate(() => (window as unknown as SignInWindow).portico.server('mine')?.authTokens);
      const before = await tokensOf();
      if (reason === 'is refused') site.server.refuseOldTokens();
      else await page.clock.fastForward(HOUR_MS - 50_000);
      const results = await page.evaluate(async () => {
        const server = (window as unknown as SignInWindow).portico.server('mine');
        const call = async () => (await server?.callTool('whoami'))?.content;
        return await Promise.all(Array.from({ length: 5 }, call));
      });
      expect(results).toEqual(Array.from({ length: 5 }, () => [{ type: 'text', text: 'you' }]));
      expect([site.grants('refresh_token'), site.tokenRequests]).toEqual([1, 2]);
      const after = await tokensOf();
      expect(after?.access_token).not.toBe(before?.access_token);
      expect(after?.refresh_token).not.toBe(before?.refresh_token);
      const shown = await page.evaluate(() => (window as unknown as SignInWindow).portico.shown);
      expect(shown.slice(shownBefore)).toEqual([]);
    },
  );

  it('R78 is ready after a reload, with no request for tokens and nobody asked', async () => {
    await openSite();
    const page = await openReady();
    await page.reload();
    await untilState(page, 'ready');
    expect(site.tokenRequests).toBe(1);
    expect(await page.evaluate(() => (window as unknown as SignInWindow).portico.shown)).toEqual([
      'mine discovering',
      'mine ready',
    ]);
    expect(site.issuer.log.filter((line) => line === 'registered')).toHaveLength(1);
  });
});
