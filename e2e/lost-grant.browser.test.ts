import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../testing/axe.ts';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, openConsole, pickTool, runTool } from '../testing/console-page.ts';
import { startGuardedServer } from '../testing/guarded-server.ts';
import type { GuardedServer } from '../testing/guarded-server.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { startRotatingIssuer } from '../testing/rotating-issuer.ts';
import type { RotatingIssuer } from '../testing/rotating-issuer.ts';

describe('a call whose account has lost its grant', () => {
  let browser: Browser;
  let host: HostProcess;
  let issuer: RotatingIssuer;
  let server: GuardedServer;
  let page: Page;

  beforeAll(async () => {
    issuer = await startRotatingIssuer();
    [browser, host, server] = await Promise.all([launchBrowser(), startHost(), startGuardedServer(issuer)]);
    ({ page } = await openConsole(browser, host));
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
    await server.close();
    await issuer.close();
  });

  it('K46 waits in the conversation with its sign-in, and is sent once after it', async () => {
    const main = page.getByRole('main');
    await addByAddress(page, 'Mail', server.url);
    await main.getByRole('button', { name: /^Sign in/ }).click();
    await main.getByText('ready', { exact: true }).first().waitFor();
    // Whatever is asked after the grant is gone finds that out: the call has to be the first to.
    await main.getByRole('tabpanel').getByText('whoami').first().waitFor();
    await page.getByRole('link', { name: 'Portico' }).first().click();
    await pickTool(page, 'whoami');
    issuer.trouble.refresh = 'refused';
    server.refuseOldTokens();
    await runTool(page);
    await main.getByText('Mail wants you to sign in again').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
    expect(server.runs).toBe(0);
    issuer.trouble.refresh = undefined;
    await main.getByRole('button', { name: /^Sign in at/ }).click();
    await main.getByText('Mail wants you to sign in again').waitFor({ state: 'hidden' });
    await expect.poll(() => server.runs).toBe(1);
    await main.getByText('you', { exact: true }).waitFor();
  });
});
