import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { signIn as de } from '../packages/console/src/i18n/de/sign-in.ts';
import { signIn as en } from '../packages/console/src/i18n/en/sign-in.ts';
import { SIGN_IN_ACTIONS } from '../packages/console/src/sign-in/sign-in-actions.ts';
import type { SignInAction } from '../packages/console/src/sign-in/sign-in-actions.ts';
import { seriousFindings } from '../testing/axe.ts';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, openConsole } from '../testing/console-page.ts';
import { startGuardedServer } from '../testing/guarded-server.ts';
import type { GuardedServer } from '../testing/guarded-server.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { ISSUER_FAULTS, startScriptedIssuer } from '../testing/scripted-issuer.ts';
import type { IssuerFault, ScriptedIssuer } from '../testing/scripted-issuer.ts';

const TOLD = ISSUER_FAULTS.filter(({ cause }) => cause !== 'unknown_state');

describe('why a sign-in failed', () => {
  let browser: Browser;
  let host: HostProcess;
  let issuer: ScriptedIssuer;
  let server: GuardedServer;
  let page: Page;
  let german: Page;
  let main: Locator;
  let address: string;

  beforeAll(async () => {
    issuer = await startScriptedIssuer();
    [browser, host, server] = await Promise.all([launchBrowser(), startHost(), startGuardedServer(issuer)]);
    const console_ = await openConsole(browser, host);
    ({ page } = console_);
    await console_.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
    main = page.getByRole('main');
    await addByAddress(page, 'Mail', server.url);
    address = page.url();
    const storageState = await console_.context.storageState();
    const other = await browser.newContext({
      storageState,
      locale: 'de-DE',
      viewport: { width: 390, height: 800 },
    });
    other.setDefaultTimeout(60_000);
    german = await other.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
    await server.close();
    await issuer.close();
  });

  /** Presses a button that opens a window, and waits until that has come to its end. */
  const press = async (name: string | RegExp): Promise<Page> => {
    const button = main.getByRole('button', { name }).first();
    const [popup] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
    return popup;
  };
  const fail = async ({ cause, places = {}, secure = false }: IssuerFault): Promise<void> => {
    Object.assign(issuer, { places, secure });
    await page.goto(address);
    const popup = await press(/^(Sign in|Try again|Open again)/);
    if (cause !== 'unknown_state') await main.getByText(en.cause[cause]).first().waitFor();
    else await popup.getByText(en.cause.unknown_state).waitFor();
    Object.assign(issuer, { places: {}, secure: false });
  };
  const effects: Record<SignInAction, (label: string) => Promise<void>> = {
    async 'sign-in'(label) {
      issuer.places = {
        'GET /authorize': () => ({ headers: { 'content-type': 'text/html' }, body: 'here' }),
      };
      const popup = await press(label);
      await popup.waitForURL(`${issuer.issuer}/**`);
      await popup.close();
    },
    async identity(label) {
      await main.getByRole('button', { name: label }).click();
      const shown = page.getByRole('dialog').getByRole('textbox', { name: en.redirect });
      expect(await shown.inputValue()).toBe(`http://127.0.0.1:${host.port}/oauth/callback`);
    },
    async edit(label) {
      await main.getByRole('button', { name: label }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Address' }).waitFor();
    },
    async steps(label) {
      await main.getByRole('button', { name: label }).click();
      await main.getByRole('heading', { name: en.attempts }).waitFor();
    },
  };

  it.each(TOLD)('K43 $cause has its own words and its own action, in both languages', async (fault) => {
    const { cause } = fault;
    await fail(fault);
    await main.getByText(en.remedy[cause], { exact: false }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await german.goto(address);
    const there = german.getByRole('main');
    await there.getByText(de.cause[cause]).first().waitFor();
    await there.getByText(de.remedy[cause], { exact: false }).waitFor();
    await there.getByRole('button', { name: de.action[cause] }).waitFor();
    expect(await seriousFindings(german)).toEqual([]);
    await effects[SIGN_IN_ACTIONS[cause][0]](en.action[cause]);
    for (const other of page.context().pages()) if (other !== page) await other.close();
  });

  it('K43 unknown_state is said where the browser came back, with the way to go on', async () => {
    await fail(ISSUER_FAULTS.find(({ cause }) => cause === 'unknown_state')!);
    const popup = page
      .context()
      .pages()
      .find((each) => each !== page)!;
    await popup.getByText(en.remedy.unknown_state).waitFor();
    expect(await seriousFindings(popup)).toEqual([]);
    await popup.getByRole('link', { name: en.toConnectors }).click();
    await popup.getByRole('main').getByRole('link', { name: 'Mail' }).waitFor();
    await popup.close();
    await german.goto(`${host.origin}/oauth/finish?code=x&state=foreign`);
    await german.getByText(de.cause.unknown_state).waitFor();
    await german.getByText(de.remedy.unknown_state).waitFor();
  });

  it('K42 shows the steps as they come, and copies them without a secret', async () => {
    issuer.places = {};
    await page.goto(`${address}?tab=details`);
    const popup = await press(/^(Sign in|Try again|Open again)/);
    await main.getByText('ready', { exact: true }).first().waitFor();
    await popup.close();
    const newest = main.getByRole('group').first();
    for (const step of [
      'resource-metadata',
      'server-metadata',
      'client-identity',
      'authorization',
      'callback',
      'token',
    ] as const)
      await newest.getByText(en.step[step], { exact: true }).waitFor();
    await newest.getByRole('button', { name: en.copySteps }).click();
    const copy = await page.evaluate(() => navigator.clipboard.readText());
    expect(copy.split('\n').at(-1)).toBe('done');
    expect(copy).toContain('token | granted | POST');
    expect(copy).not.toContain('canary');
    for (const secret of issuer.sent.filter((each) => each.length > 5)) expect(copy).not.toContain(secret);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('K44 asks for an id where nobody registers, shows the address to copy, and signs in with what is given', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    issuer.metadata = { registration_endpoint: undefined };
    // A registration of before would still do: this is another account, which has none.
    await addByAddress(page, 'Post', server.url);
    const popup = await press(/^Sign in/);
    await main.getByText(en.cause.client_id_needed).first().waitFor();
    await popup.close();
    await main.getByRole('button', { name: en.action.client_id_needed }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: en.copyRedirect }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `http://127.0.0.1:${host.port}/oauth/callback`,
    );
    await dialog.getByRole('textbox', { name: en.identity }).fill('given-by-hand');
    await dialog.getByLabel(en.secret).fill('canary-by-hand');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const again = await press(/^Sign in/);
    await main.getByText('ready', { exact: true }).first().waitFor();
    await again.close();
    expect(issuer.sent).toContain('canary-by-hand');
  });
});
