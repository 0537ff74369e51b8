import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { startAuthorizationServer } from '../testing/authorization-server.ts';
import type { AuthorizationServer } from '../testing/authorization-server.ts';
import { seriousFindings } from '../testing/axe.ts';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, openConsole } from '../testing/console-page.ts';
import { startGuardedServer } from '../testing/guarded-server.ts';
import type { GuardedServer } from '../testing/guarded-server.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

describe('signing in from the console', () => {
  const answers: { now: 'agree' | 'deny' | 'leave' } = { now: 'agree' };
  let browser: Browser;
  let host: HostProcess;
  let guard: AuthorizationServer;
  let server: GuardedServer;
  let page: Page;
  let main: Locator;

  beforeAll(async () => {
    guard = await startAuthorizationServer({ answers, isolated: true });
    [browser, host, server] = await Promise.all([launchBrowser(), startHost(), startGuardedServer(guard)]);
    ({ page } = await openConsole(browser, host));
    main = page.getByRole('main');
    await addByAddress(page, 'Mail', server.url);
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
    await server.close();
    await guard.close();
  });

  const site = (): string => new URL(guard.issuer).host;
  const ready = (): Promise<void> => main.getByText('ready', { exact: true }).first().waitFor();
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await main.getByText('needs sign-in', { exact: true }).first().waitFor();
  };
  const context = (): BrowserContext => page.context();
  /** Presses a button, and answers the window that it opens. */
  const press = async (name: string | RegExp): Promise<Page> => {
    const [popup] = await Promise.all([
      context().waitForEvent('page'),
      main.getByRole('button', { name }).first().click(),
    ]);
    return popup;
  };

  it('K41 names the site, opens a window that has no tie to this page, and goes on by itself', async () => {
    const button = main.getByRole('button', { name: `Sign in at ${site()}` });
    await button.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const [popup] = await Promise.all([context().waitForEvent('page'), button.click()]);
    await ready();
    // It closes itself where the browser lets it.
    await popup.close();
    await main.getByRole('tab', { name: 'Details' }).click();
    await main.getByText(guard.issuer, { exact: true }).waitFor();
    await main.getByText('Attempts to sign in').waitFor();
    await main.getByText('Registration', { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('K41 K43 says why it did not work and what to do, and works at the next try', async () => {
    await signOut();
    answers.now = 'deny';
    const [popup] = await Promise.all([
      context().waitForEvent('page'),
      main.getByRole('button', { name: /^Sign in/ }).click(),
    ]);
    await main.getByText('The permission was denied.').first().waitFor();
    await popup.close();
    expect(await seriousFindings(page)).toEqual([]);
    answers.now = 'agree';
    const [again] = await Promise.all([
      context().waitForEvent('page'),
      main.getByRole('button', { name: 'Ask again' }).click(),
    ]);
    await ready();
    await again.close();
  });

  it('K41 waits while the person is away, whatever became of the window, opens another, and lets them cancel', async () => {
    await signOut();
    answers.now = 'leave';
    const popup = await press(/^Sign in/);
    await popup.getByRole('heading', { name: 'Sign in here' }).waitFor();
    await main.getByText(`Waiting for you to sign in at ${site()}`).waitFor();
    await popup.close();
    expect(await seriousFindings(page)).toEqual([]);
    await main.getByRole('button', { name: 'Cancel' }).click();
    await main.getByText('The sign-in was cancelled.').first().waitFor();
    const closed = await press('Sign in');
    await closed.getByRole('heading', { name: 'Sign in here' }).waitFor();
    await closed.close();
    answers.now = 'agree';
    const again = await press('Open again');
    await ready();
    await again.close();
  });

  it('K41 uses this window where no other one can be opened, and comes back to the same screen', async () => {
    await signOut();
    const address = page.url();
    await page.evaluate(() => {
      window.open = () => null;
    });
    await main.getByRole('button', { name: /^Sign in/ }).click();
    await ready();
    expect(page.url()).toBe(address);
  });

  it('K41 uses this window where there is no room for two, and comes back to the same screen', async () => {
    await signOut();
    await main.getByRole('tab', { name: 'Details' }).click();
    const address = page.url();
    expect(address).toContain('?tab=details');
    await page.setViewportSize({ width: 390, height: 800 });
    await main.getByRole('button', { name: `Sign in at ${site()}` }).click();
    await ready();
    expect([page.url(), context().pages()]).toEqual([address, [page]]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('K41 works in two tabs beside each other: the one that is ended makes the account ready in both', async () => {
    await signOut();
    const other = await context().newPage();
    await other.goto(page.url());
    answers.now = 'leave';
    const first = await press(/^Sign in/);
    await first.getByRole('heading', { name: 'Sign in here' }).waitFor();
    // The other tab knows of it, and begins one of its own.
    await other.getByText(`Waiting for you to sign in at ${site()}`).waitFor();
    answers.now = 'agree';
    const [second] = await Promise.all([
      context().waitForEvent('page'),
      other.getByRole('button', { name: 'Open again' }).click(),
    ]);
    await ready();
    await other.getByText('ready', { exact: true }).first().waitFor();
    // Nothing of the first is left to be told, whatever becomes of its window.
    await main.getByText(/^Waiting for you/).waitFor({ state: 'detached' });
    await Promise.all([first.close(), second.close(), other.close()]);
  });

  it('adds another account of the same server, which signs in for itself', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Add account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Work');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Mail · Work' }).waitFor();
    await main.getByText('needs sign-in', { exact: true }).first().waitFor();
    const [popup] = await Promise.all([
      context().waitForEvent('page'),
      main.getByRole('button', { name: /^Sign in/ }).click(),
    ]);
    await ready();
    await popup.close();
  });

  it('takes a client id that was registered by hand, and shows the address to register', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Client id' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox', { name: 'Redirect address' }).inputValue()).toBe(
      `http://127.0.0.1:${host.port}/oauth/callback`,
    );
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Client id' }).fill('given-by-hand');
    await dialog.getByLabel('Client secret').fill('canary-client-secret');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await main.getByRole('tab', { name: 'Details' }).click();
    await main.getByText('given-by-hand', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('canary-client-secret');
  });
});
