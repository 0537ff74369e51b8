import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { startAuthorizationServer } from '../testing/authorization-server.ts';
import type { AuthorizationServer } from '../testing/authorization-server.ts';
import { seriousFindings } from '../testing/axe.ts';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, openConnector, openConsole, pickTool, runTool } from '../testing/console-page.ts';
import { startGuardedServer } from '../testing/guarded-server.ts';
import type { GuardedServer, GuardedServerOptions } from '../testing/guarded-server.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

const lacks = (scope: string, reason: string) => ({
  status: 403,
  challenge: `Bearer error="insufficient_scope", scope="${scope}", error_description="${reason}"`,
});

describe('being asked for a sign-in, or for more of one', () => {
  let browser: Browser;
  let host: HostProcess;
  let guard: AuthorizationServer;
  let server: GuardedServer;
  let page: Page;
  let main: Locator;
  beforeEach(async () => {
    [browser, host] = await Promise.all([launchBrowser(), startHost()]);
    ({ page } = await openConsole(browser, host));
    main = page.getByRole('main');
  });
  afterEach(async () => {
    await browser.close();
    await host.stop();
    await server.close();
    await guard.close();
  });

  const start = async (options: GuardedServerOptions): Promise<void> => {
    guard = await startAuthorizationServer({
      clients: [
        {
          client_id: 'robot',
          client_secret: 'canary-secret',
          redirect_uris: [],
          response_types: [],
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    });
    server = await startGuardedServer(guard, options);
    await addByAddress(page, 'Mail', server.url);
  };
  const site = (): string => new URL(guard.issuer).host;
  const status = (text: string): Promise<void> => main.getByText(text, { exact: true }).first().waitFor();
  /** Presses a button that opens a window, whose person agrees, and answers where it went first. */
  const signIn = async (name: string): Promise<URL> => {
    const isAsked = (url: string): boolean => url.startsWith(`${guard.issuer}/auth?`);
    const asked = page.context().waitForEvent('request', (request) => isAsked(request.url()));
    await main.getByRole('button', { name }).first().click();
    return new URL((await asked).url());
  };
  const scopesOf = (url: URL): string[] =>
    (url.searchParams.get('scope') ?? '').split(' ').filter((scope) => scope !== 'offline_access');
  const run = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Portico' }).first().click();
    await pickTool(page, 'whoami');
    await runTool(page);
  };
  const look = async (): Promise<void> => {
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  it('K47 says which of three scopes are new and why, asks for old and new, and sends the call that waits', async () => {
    await start({
      refuse({ method, scopes }) {
        if (scopes === undefined) return { status: 401, challenge: 'Bearer scope="init"' };
        if (method === 'tools/list' && !scopes.includes('read')) return lacks('read', 'lists need read');
        if (method === 'tools/call' && !scopes.includes('write')) return lacks('write', 'posts need write');
        return undefined;
      },
    });
    expect(scopesOf(await signIn(`Sign in at ${site()}`))).toEqual(['init']);
    await main.getByText('Mail needs more permission').waitFor();
    await main.getByText('The server says: “lists need read”').waitFor();
    expect(await main.getByRole('list', { name: 'New permissions' }).innerText()).toBe('read');
    await look();
    expect(scopesOf(await signIn(`Allow more at ${site()}`))).toEqual(['init', 'read']);
    await main.getByText('Mail needs more permission').waitFor({ state: 'hidden' });
    await status('ready');

    await run();
    await main.getByText('The server says: “posts need write”').waitFor();
    expect(await main.getByRole('list', { name: 'New permissions' }).innerText()).toBe('write');
    await look();
    expect(server.runs).toBe(0);
    expect(scopesOf(await signIn(`Allow more at ${site()}`))).toEqual(['init', 'read', 'write']);
    await main.getByText('you', { exact: true }).waitFor();
    expect([server.runs, await main.getByText('Mail needs more permission').count()]).toEqual([1, 0]);
  });

  it('K48 offers a sign-in that nobody needs yet, and starts it by the call that needs one', async () => {
    await start({
      refuse: ({ method, scopes }) =>
        method === 'tools/call' && scopes === undefined
          ? { status: 401, challenge: 'Bearer scope="read"' }
          : undefined,
    });
    await status('ready');
    const item = page.getByRole('menuitem', { name: `Sign in at ${site()}` });
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'More actions' }).click();
        return await item.count();
      })
      .toBe(1);
    await look();
    await page.keyboard.press('Escape');
    await run();
    await main.getByText('Mail asks you to sign in').waitFor();
    await look();
    expect(server.runs).toBe(0);
    await openConnector(page, 'Mail');
    await main.getByText('refused a part of what it offers', { exact: false }).waitFor();
    await look();
    await page.goBack();
    await page.goBack();
    await signIn(`Sign in at ${site()}`);
    await main.getByText('you', { exact: true }).waitFor();
    expect(server.runs).toBe(1);
  });

  it('K49 takes credentials of the application, says that it acts, and renews its tokens without a word', async () => {
    await start({});
    await status('needs sign-in');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Act as the application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Client id' }).fill('robot');
    await dialog.getByRole('textbox', { name: 'Client secret' }).fill('canary-secret');
    await dialog.getByRole('textbox', { name: 'Permissions' }).fill('read');
    await look();
    await dialog.getByRole('tab', { name: 'Signed assertion' }).click();
    await look();
    await dialog.getByRole('tab', { name: 'Client secret' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await status('ready');
    await main.getByText('Acts as the application', { exact: false }).waitFor();
    await look();
    const grants = (): number => guard.log.filter((line) => line === 'granted client_credentials').length;
    expect(grants()).toBe(1);
    server.refuseOldTokens();
    await run();
    await main.getByText('you', { exact: true }).waitFor();
    expect([grants(), server.runs]).toEqual([2, 1]);
    expect(await main.getByRole('button', { name: /^Sign in/ }).count()).toBe(0);

    await openConnector(page, 'Mail');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Act as the application' }).click();
    expect(await dialog.getByRole('textbox', { name: 'Permissions' }).inputValue()).toBe('read');
    expect(await page.content()).not.toContain('canary-secret');
    await dialog.getByRole('button', { name: 'Stop acting as the application' }).click();
    await status('needs sign-in');
    await main.getByText('Acts as the application', { exact: false }).waitFor({ state: 'hidden' });
  });
});
