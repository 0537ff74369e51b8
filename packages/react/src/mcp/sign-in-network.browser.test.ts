import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import { bundleScript } from '../../../../testing/sandbox-site.ts';
import { clickSignIn, openSignInSite, untilState } from '../../../../testing/sign-in-site.ts';
import type { SignInSite, SignInWindow } from '../../../../testing/sign-in-site.ts';
import type { McpServer } from '../index.ts';

/** A request as it was sent. */
interface Sent {
  readonly url: string;
  readonly method: string;
  readonly authorization: string;
  /** All other headers, as one text. */
  readonly headers: string;
  readonly body: string;
}

function asSent(request: Request): Sent {
  const { authorization = '', ...headers } = request.headers();
  return {
    url: request.url(),
    method: request.method(),
    authorization,
    headers: JSON.stringify(headers),
    body: request.postData() ?? '',
  };
}

type Tokens = NonNullable<McpServer['authTokens']>;

interface Visit {
  readonly sent: readonly Sent[];
  /** All that were handed out. */
  readonly tokens: readonly Tokens[];
}

/** Everything that was requested while somebody signed in at two servers with one issuer, used them and left. */
async function recordVisit(site: SignInSite, second: string): Promise<Visit> {
  const sent: Sent[] = [];
  const tokens: Tokens[] = [];
  site.context.on('request', (request) => void sent.push(asSent(request)));
  site.app = { servers: { mine: { url: site.server.url }, second: { url: second } } };
  const page = await site.open();
  for (const id of ['mine', 'second']) {
    await untilState(page, 'pending_auth', id);
    const popup = await clickSignIn(page, id);
    await untilState(page, 'ready', id);
    await expect.poll(() => popup.isClosed()).toBe(true);
    tokens.push(await tokensOf(page, id));
  }
  site.server.refuseOldTokens();
  await page.evaluate(async () => {
    const { portico } = window as unknown as SignInWindow;
    for (const id of ['mine', 'second']) {
      await portico.server(id)?.callTool('whoami');
      await portico.server(id)?.ensureIconLoaded();
    }
  });
  tokens.push(await tokensOf(page, 'mine'));
  await page.evaluate(() => (window as unknown as SignInWindow).portico.unmount());
  await page.close();
  return { sent, tokens };
}

async function tokensOf(page: Page, id: string): Promise<Tokens> {
  const tokens = await page.evaluate(
    (name) => (window as unknown as SignInWindow).portico.server(name)?.authTokens,
    id,
  );
  return tokens ?? expect.fail('there are no tokens');
}

describe('what goes out while somebody signs in', () => {
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    [browser, script] = await Promise.all([launchBrowser(), bundleScript('testing/sign-in-app.tsx')]);
  });
  afterAll(() => browser.close());

  it('R164 R165 reaches the servers and who guards them only, and each secret only its own place', async () => {
    const site = await openSignInSite({ browser, script });
    const second = await startGuardedServer(site.issuer, { letsPagesIn: true });
    const { sent, tokens } = await recordVisit(site, second.url);
    const known = [
      site.origin,
      new URL(site.server.url).origin,
      new URL(second.url).origin,
      site.issuer.issuer,
    ];
    expect(new Set(sent.map(({ url }) => new URL(url).origin))).toEqual(new Set(known));
    expect(new Set(tokens.map(({ access_token: access }) => access)).size).toBe(3);
    expect([site.grants('authorization_code'), site.grants('refresh_token')]).toEqual([2, 1]);
    const endpoint = `${site.issuer.issuer}/token`;
    const forms = sent
      .filter(({ url, method }) => url === endpoint && method === 'POST')
      .map(({ body }) => new URLSearchParams(body));
    const resources = forms.map((form) => form.get('resource'));
    expect(resources).toHaveLength(3);
    expect(new Set(resources)).toEqual(new Set([site.server.url, second.url]));
    for (const { access_token: access = '', refresh_token: refresh = '' } of tokens) {
      const holds = (text: string): boolean => text.includes(access) || text.includes(refresh);
      expect(sent.filter(({ url, headers }) => holds(url) || holds(headers))).toEqual([]);
      expect(sent.filter(({ body }) => body.includes(access))).toEqual([]);
      expect(sent.filter(({ authorization }) => authorization.includes(refresh))).toEqual([]);
      const [place, ...others] = new Set(
        sent.filter(({ authorization }) => authorization === `Bearer ${access}`).map(({ url }) => url),
      );
      expect([site.server.url, second.url]).toContain(place);
      expect(others).toEqual([]);
      expect(
        new Set([endpoint, ...sent.filter(({ body }) => body.includes(refresh)).map(({ url }) => url)]),
      ).toEqual(new Set([endpoint]));
    }
    for (const secret of forms.flatMap((form) => [form.get('code'), form.get('code_verifier')])) {
      if (secret === null) continue;
      const places = sent.filter(({ url, body, headers }) =>
        [url, body, headers].some((text) => text.includes(secret)),
      );
      const origins = new Set(places.map(({ url }) => new URL(url).origin));
      origins.delete(site.origin);
      expect([...origins]).toEqual([site.issuer.issuer]);
      expect(places.filter(({ url, method }) => url.startsWith(endpoint) && method === 'POST')).toHaveLength(
        1,
      );
    }
    const used = sent.map(({ authorization }) => authorization).filter((text) => text !== '');
    expect(new Set(used)).toEqual(new Set(tokens.map(({ access_token: access }) => `Bearer ${access}`)));
    await second.close();
    await site.close();
  });
});
