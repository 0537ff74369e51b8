import { describe, expect, it } from 'vitest';
import { createScriptedBrowser } from '../../../../testing/scripted-environment.ts';
import { createServerManager } from './manager.ts';

const BACK = 'https://app.test/oauth/callback?code=c&state=s';

interface Opening {
  readonly isDevelopment?: boolean;
  readonly callbackUrl?: string;
}

function open(href: string, { isDevelopment = true, callbackUrl }: Opening = {}) {
  const browser = createScriptedBrowser();
  const tab = browser.openTab(href);
  const manager = createServerManager({ environment: { ...tab.environment, isDevelopment } });
  const settings = callbackUrl === undefined ? {} : { callbackUrl };
  manager.addServer('a', { url: 'https://a.test/mcp', ...settings });
  manager.addServer('b', { url: 'https://b.test/mcp', enabled: false });
  return { browser, tab, manager, release: manager.retain() };
}

describe('the reminder of the page that sign-ins come back to', () => {
  it('R71 says once that nobody ends a sign-in for which servers wait', async () => {
    const { browser, tab } = open(BACK);
    await browser.clock.advance(9_999);
    expect(tab.printed).toEqual([]);
    await browser.clock.advance(3_600_000);
    expect(tab.printed).toEqual([
      'warn somebody came back from a sign-in: this page has to call onMcpAuthorization()',
    ]);
  });

  it.each<[string, string, Opening]>([
    ['the sign-in is ended in time', BACK, {}],
    ['it is another page', 'https://app.test/shop?code=c&state=s', {}],
    ['another page is set', BACK, { callbackUrl: 'https://app.test/back' }],
    ['people use the application', BACK, { isDevelopment: false }],
  ])('R71 says nothing when %s', async (name, href, options) => {
    const { browser, tab, manager } = open(href, options);
    if (options.callbackUrl !== undefined) await manager.removeServer('b');
    await browser.clock.advance(9_000);
    if (name === 'the sign-in is ended in time') tab.page.go('https://app.test/oauth/callback');
    await browser.clock.advance(2_000);
    expect(tab.printed).toEqual([]);
  });

  it('R71 R138 leaves no timer behind when the servers are let go', async () => {
    const { browser, tab, release } = open(BACK);
    release();
    await browser.clock.advance(0);
    expect(browser.clock.armed).toBe(0);
    await browser.clock.advance(20_000);
    expect(tab.printed).toEqual([]);
  });
});
