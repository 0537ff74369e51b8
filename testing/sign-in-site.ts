import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startAuthorizationServer } from './authorization-server.ts';
import type { AuthorizationServer, AuthorizationServerOptions } from './authorization-server.ts';
import { startGuardedServer } from './guarded-server.ts';
import type { GuardedServer } from './guarded-server.ts';
import type { SignInApp, SignInPage } from './sign-in-app.tsx';

/** Less than a test may take, so that it says what it waited for. */
const LONGEST_WAIT_MS = 60_000;

/** What `testing/sign-in-app.tsx` makes of a window. */
export type SignInWindow = Window & { readonly portico: SignInPage };

export interface SignInSiteOptions {
  readonly browser: Browser;
  /** The bundle of `testing/sign-in-app.tsx`. */
  readonly script: string;
  readonly issuer?: Omit<AuthorizationServerOptions, 'letsPagesIn'>;
  /** Headers of all pages of the application. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An application, a server whose door is guarded, who guards it, and a profile of a browser. */
export interface SignInSite {
  readonly origin: string;
  readonly issuer: AuthorizationServer;
  readonly server: GuardedServer;
  readonly context: BrowserContext;
  /** What the application is from now on; by default of one server, `mine`. */
  app: SignInApp;
  /** Opens a page of the application in a tab of its own. */
  readonly open: (path?: string) => Promise<Page>;
  /** How many requests for tokens there were, answered or not. */
  readonly tokenRequests: number;
  /** How often tokens were handed out, by what was given for them. */
  grants(type: 'authorization_code' | 'refresh_token'): number;
  close(): Promise<void>;
}

export async function openSignInSite(options: SignInSiteOptions): Promise<SignInSite> {
  const issuer = await startAuthorizationServer({ ...options.issuer, letsPagesIn: true });
  const server = await startGuardedServer(issuer, { letsPagesIn: true });
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    if (pathname === '/portico.js')
      return void response.setHeader('content-type', 'text/javascript').end(options.script);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...options.headers });
    const data = JSON.stringify(site.app).replaceAll('<', '\\u003c');
    response.end(
      `<!doctype html><title>app</title><body><script src="/portico.js"></script><script>portico.start(${data})</script>`,
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(http.address() as AddressInfo).port}`;
  const context = await options.browser.newContext();
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  let tokenRequests = 0;
  context.on('request', (request) => {
    if (request.url() === `${issuer.issuer}/token` && request.method() === 'POST') tokenRequests += 1;
  });
  const site: SignInSite = {
    origin,
    issuer,
    server,
    context,
    app: { servers: { mine: { url: server.url } } },
    async open(path = '/') {
      const page = await context.newPage();
      await page.goto(origin + path);
      return page;
    },
    get tokenRequests() {
      return tokenRequests;
    },
    grants: (type) => issuer.log.filter((line) => line === `granted ${type}`).length,
    async close() {
      await context.close();
      await Promise.all([server.close(), issuer.close()]);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return site;
}

/** Waits until a page shows a server in a state. */
export function untilState(page: Page, state: string, id = 'mine'): Promise<void> {
  return page.locator(`#${id} output`, { hasText: new RegExp(`^${state}$`) }).waitFor();
}

/** The address at which people sign in at a server of a page. */
export async function linkOf(page: Page, id = 'mine'): Promise<URL> {
  return new URL((await page.locator(`#${id} a`).getAttribute('href')) ?? '');
}

/** Signs in at a server of a page by its button. @returns the window that it opened */
export async function clickSignIn(page: Page, id = 'mine'): Promise<Page> {
  const opening = page.waitForEvent('popup');
  await page.locator(`#${id} button`).first().click();
  return await opening;
}

/** What the pages of an origin keep of sign-ins. */
export function storedBy(page: Page): Promise<Record<string, string>> {
  return page.evaluate(
    () =>
      new Promise<Record<string, string>>((resolve, reject) => {
        const opening = indexedDB.open('portico-oauth');
        opening.onerror = () => reject(opening.error ?? new TypeError('no database'));
        opening.onsuccess = () => {
          const values = opening.result.transaction('values').objectStore('values');
          const [keys, texts] = [values.getAllKeys(), values.getAll()];
          texts.onsuccess = () => {
            opening.result.close();
            resolve(
              Object.fromEntries(
                keys.result.map((key, index) => [key as string, texts.result[index] as string]),
              ),
            );
          };
        };
      }),
  );
}
