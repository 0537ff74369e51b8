import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import {
  addByAddress,
  addByCommand,
  everythingLine,
  fillCommand,
  openAddDialog,
  openConnector,
  openConsole,
} from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { serverEntry, startHttpServer } from '../testing/npm-servers.ts';
import type { HttpServerProcess } from '../testing/npm-servers.ts';

let browser: Browser;
let host: HostProcess;
let budget: HttpServerProcess;
let page: Page;

beforeAll(async () => {
  [browser, host, budget] = await Promise.all([
    launchBrowser(),
    startHost(),
    startHttpServer('server-budget-allocator'),
  ]);
  ({ page } = await openConsole(browser, host));
});

afterAll(async () => {
  await browser.close();
  await Promise.all([host.stop(), budget.stop()]);
});

describe('connectors', () => {
  it('adds a command, shows it whole before it runs, and then its tools and its own name', async () => {
    await addByCommand(page, 'everything', everythingLine());
    const main = page.getByRole('main');
    await main.getByText('ready', { exact: true }).first().waitFor();
    await main.getByText('echo', { exact: true }).first().waitFor();
    await main.getByRole('tab', { name: 'Details' }).click();
    await main.getByText('mcp-servers/everything').waitFor();
  });

  it('adds an address', async () => {
    await addByAddress(page, 'budget', budget.url);
    const main = page.getByRole('main');
    await main.getByText('ready', { exact: true }).first().waitFor();
    await main.getByText('get-budget-data').first().waitFor();
  });

  it('adds what a pasted configuration holds, with values that never come back', async () => {
    const dialog = await openAddDialog(page, 'Paste configuration');
    const text = {
      mcpServers: {
        pasted: {
          command: process.execPath,
          args: [serverEntry('server-everything'), 'stdio'],
          env: { PASTED_SECRET: 'canary-of-the-pasted-block' },
        },
      },
    };
    await dialog.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(text));
    const read = dialog.getByRole('button', { name: 'Read' });
    if (await read.isVisible()) await read.click();
    await dialog.getByRole('button', { name: /Add 1 connector/ }).click();
    await page.getByRole('button', { name: 'Run this command' }).click();
    await openConnector(page, 'pasted');
    await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
    expect(await page.content()).not.toContain('canary-of-the-pasted-block');
  });

  it('says why a wrong command and a dead address do not work', async () => {
    await fillCommand(page, 'wrong', 'portico-no-such-program --flag');
    await openConnector(page, 'wrong');
    const main = page.getByRole('main');
    await main.getByText('failed', { exact: true }).first().waitFor();
    await main
      .getByText(/portico-no-such-program/)
      .first()
      .waitFor();
    await addByAddress(page, 'dead', 'http://127.0.0.1:9/mcp');
    await main.getByText('failed', { exact: true }).first().waitFor();
    await main
      .getByText(/refused|127\.0\.0\.1:9/i)
      .first()
      .waitFor();
  });

  it('shows the last lines that a failing program wrote', async () => {
    const script = `console.error('the reason is on this line'); process.exit(3)`;
    await addByCommand(page, 'exits', `${process.execPath} -e "${script}"`);
    await page.getByText('the reason is on this line').last().waitFor();
  });
});

describe('a connector that is there', () => {
  const menu = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };

  it('is disabled, enabled and reconnected', async () => {
    await openConnector(page, 'everything');
    const status = page.getByRole('banner').or(page.getByRole('main'));
    await menu('Disable');
    await status.getByText('disabled', { exact: true }).first().waitFor();
    await menu('Enable');
    await status.getByText('ready', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Reconnect' }).first().click();
    await status.getByText('ready', { exact: true }).first().waitFor();
  });

  it('asks again when its command is changed', async () => {
    await openConnector(page, 'everything');
    await menu('Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add argument' }).click();
    await dialog.getByRole('textbox', { name: 'Argument 3' }).fill('--a-new-argument');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const approve = page.getByRole('button', { name: 'Run this command' });
    await approve.waitFor();
    await page.getByRole('dialog').getByText('--a-new-argument').waitFor();
    await approve.click();
    await page.getByText('ready', { exact: true }).first().waitFor();
  });

  it('is deleted after a question, with its tools', async () => {
    await openConnector(page, 'pasted');
    await menu('Delete');
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('main').getByRole('link', { name: 'pasted' }).waitFor({ state: 'detached' });
  });
});
