import { describe, expect, it } from 'vitest';
import { PROTECTED_SERVER } from '../../../../testing/protected-server.ts';
import { createSignInWorld } from '../../../../testing/sign-in-world.ts';
import { createServerManager } from './manager.ts';

const BACK = '/sign-in/back';
const WHOLE = `https://app.test${BACK}`;

/** A tab with a manager whose servers come back to a path of the page's own origin. */
function open(href: string) {
  const { browser, hosts } = createSignInWorld();
  const tab = browser.openTab(href);
  const manager = createServerManager({ environment: { ...tab.environment, isDevelopment: true } });
  manager.addServer('a', { url: PROTECTED_SERVER, callbackUrl: BACK });
  manager.retain();
  return { browser, hosts, tab, manager };
}

describe('a path as the page that sign-ins come back to', () => {
  it('R60 is asked for and registered as the whole address, wherever the page itself is', async () => {
    const { browser, hosts, manager } = open('https://app.test/deep/page?x=1');
    await browser.clock.advance(0);
    const { state, authUrl = '' } = manager.getServer('a') ?? {};
    expect(state).toBe('pending_auth');
    expect(new URL(authUrl).searchParams.get('redirect_uri')).toBe(WHOLE);
    const registered = hosts.log.find(({ url }) => url.pathname === '/register');
    expect(JSON.parse(registered?.text ?? '{}')).toMatchObject({ redirect_uris: [WHOLE] });
    await manager.close();
  });

  it('R71 is known on that page: nothing is connected there, and somebody is reminded to end it', async () => {
    const { browser, hosts, tab, manager } = open(`${WHOLE}?code=c&state=s`);
    await browser.clock.advance(20_000);
    expect(manager.getServer('a')?.state).toBe('discovering');
    expect(hosts.log).toEqual([]);
    expect(tab.printed).toEqual([expect.stringContaining('onMcpAuthorization()')]);
    await manager.close();
  });
});
