import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { walkToCallback } from '../../../../testing/authorization-server.ts';
import { launchBrowser } from '../../../../testing/browser.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';
import { startRotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import type { RotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import { bundleScript } from '../../../../testing/sandbox-site.ts';
import type { SharedSignIn } from '../../../../testing/shared-sign-in-page.ts';
import { auth } from './auth.ts';
import { finishAuthorization } from './callback.ts';
import { createOAuthProvider } from './stored-provider.ts';
import { createMemoryTokenStore } from './token-store.ts';

interface TabWindow {
  portico: SharedSignIn;
}

describe('tabs of one origin that share a sign-in', () => {
  let browser: Browser;
  let script: string;
  let issuer: RotatingIssuer;
  let server: GuardedServer;
  let context: BrowserContext;
  /** Tabs that wait for another one. */
  let waiting: number;
  let waits: () => void;

  beforeAll(async () => {
    [browser, script] = await Promise.all([launchBrowser(), bundleScript('testing/shared-sign-in-page.ts')]);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    issuer = await startRotatingIssuer();
    // The page is of the server's own origin, so that no other one has to let it in.
    server = await startGuardedServer(issuer, { page: `<!doctype html><script>${script}</script>` });
    context = await browser.newContext();
    waiting = 0;
    waits = () => undefined;
    await context.exposeFunction('waits', () => {
      waiting += 1;
      waits();
    });
  });
  afterEach(async () => {
    await context.close();
    await server.close();
    await issuer.close();
  });

  /** What a sign-in leaves behind, its token ended long ago. */
  const signedIn = async (): Promise<Record<string, unknown>> => {
    const store = createMemoryTokenStore();
    const opened: URL[] = [];
    const provider = createOAuthProvider({
      store,
      redirectUrl: 'http://127.0.0.1/callback',
      clientMetadata: { client_name: 'test' },
      openUrl: (url) => void opened.push(url),
    });
    const options = { serverUrl: server.url };
    await auth(provider, options);
    await finishAuthorization(provider, await walkToCallback(opened[0]!, 'http://127.0.0.1/'), options);
    await provider.saveTokens({ ...(await provider.tokens())!, expires_at: 0 });
    const names = await store.names();
    const values = await Promise.all(names.map((name) => store.get(name)));
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  };
  const openTabs = async (count: number): Promise<Page[]> => {
    const tabs = await Promise.all(Array.from({ length: count }, () => context.newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(new URL('/page', server.url).href)));
    return tabs;
  };

  it.each([
    ['two', 2, 'web'],
    ['four', 4, 'web'],
    ['two', 2, 'lease'],
    ['four', 4, 'lease'],
  ] as const)(
    'W221 field-D22 %s tabs that wake with the same ended token renew it once, and all are ready (%#: %s, by %s)',
    async (_name, count, kind) => {
      const tabs = await openTabs(count);
      await tabs[0]!.evaluate(
        (values) => (window as unknown as TabWindow).portico.fill(values),
        await signedIn(),
      );
      // Who has a lease has not waited for it.
      const others = kind === 'lease' ? count - 1 : count;
      // Nobody is answered before every other one waits, or one of them asks as well.
      const held: (() => void)[] = [];
      waits = () => {
        if (waiting >= others || issuer.attempts > 1) for (const release of held) release();
      };
      issuer.beforeRefresh = () =>
        new Promise((resolve) => {
          held.push(resolve);
          waits();
        });
      const outcomes = await Promise.all(
        tabs.map((tab) =>
          tab.evaluate((input) => (window as unknown as TabWindow).portico.connect(input), {
            url: server.url,
            kind,
          }),
        ),
      );
      expect(outcomes).toEqual(Array.from({ length: count }, () => 'you'));
      expect([issuer.attempts, issuer.renewals]).toEqual([1, 1]);
      const used = new Set(server.seen.filter((header) => header !== undefined));
      expect(used.size).toBe(1);
    },
  );

  it('W221 a tab that was closed while it renewed keeps nobody waiting longer than its lease', async () => {
    const [first, second] = (await openTabs(2)) as [Page, Page];
    await first.evaluate((values) => (window as unknown as TabWindow).portico.fill(values), await signedIn());
    const asked = new Promise<void>((resolve) => {
      issuer.beforeRefresh = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const input = { url: server.url, kind: 'lease', leaseMs: 1_000 } as const;
    const gone = first
      .evaluate((given) => (window as unknown as TabWindow).portico.connect(given), input)
      .catch(() => 'gone');
    await asked;
    await first.close();
    issuer.beforeRefresh = () => Promise.resolve();
    expect(
      await second.evaluate((given) => (window as unknown as TabWindow).portico.connect(given), input),
    ).toBe('you');
    expect([await gone, issuer.renewals]).toEqual(['gone', 1]);
  });
});
