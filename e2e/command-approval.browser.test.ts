import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connector } from '@portico/api';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { openAddDialog, openConnector, openConsole } from '../testing/console-page.ts';
import { startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { http, postJson } from '../testing/http.ts';
import { cookieOf } from '../testing/seen-text.ts';

const work = temporaryFolder('approval');
const LONG = '0123456789'.repeat(400);
/** A direction override, a zero-width space, a tag character and a selector without a pictograph. */
const HIDDEN = 'exe\u202Egnp\u200B\u{E0041}x\uFE0F';
const HIDDEN_SHOWN = 'exe\\u{202e}gnp\\u{200b}\\u{e0041}x\\u{fe0f}';
const VARIABLE = 'NAME_OF_A_VARIABLE';
/** Names no file by itself: what it stands for depends on the working folder. */
const COMMAND = './a-program';

let browser: Browser;
let host: HostProcess;
let page: Page;
let cookie: string;

const marker = (name: string): string => join(work.path, `${name}-ran`);
/** Arguments of a program that only proves that it ran. */
const markerScript = (name: string): string =>
  `require("node:fs").writeFileSync(${JSON.stringify(marker(name))}, "")`;
const argumentsOf = (name: string): string[] => ['-e', markerScript(name), LONG, HIDDEN];

beforeAll(async () => {
  symlinkSync(process.execPath, join(work.path, COMMAND));
  [browser, host] = await Promise.all([launchBrowser(), startHost()]);
  let context;
  ({ page, context } = await openConsole(browser, host));
  cookie = await cookieOf(context);
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  work.remove();
});

const dialog = (name: string): Locator =>
  page.getByRole('dialog', { name: `Run this command for ${name}?`, exact: true });

async function connector(name: string): Promise<Connector | undefined> {
  const answer = await http(`${host.origin}/api/connectors`, { headers: { cookie } });
  const { connectors } = answer.json() as { readonly connectors: readonly Connector[] };
  return connectors.find((candidate) => candidate.name === name);
}

async function send(name: string, args: readonly string[]): Promise<Connector> {
  const transport = { kind: 'stdio', command: COMMAND, args, cwd: work.path, env: { [VARIABLE]: 'x' } };
  const answer = await postJson(
    `${host.origin}/api/connectors`,
    { name, transport },
    { headers: { cookie } },
  );
  return answer.json() as Connector;
}

/** Has the host run a program from beginning to end: whatever had begun before it has come up by then. */
async function runAnother(number: string): Promise<void> {
  const name = `other-${number}`;
  const { id, pendingApproval } = await send(name, ['-e', markerScript(name)]);
  const approval = { hash: pendingApproval?.hash };
  await postJson(`${host.origin}/api/connectors/${id}/approval`, approval, { headers: { cookie } });
  await expect.poll(() => existsSync(marker(name))).toBe(true);
  await expect.poll(async () => (await connector(name))?.status).toBe('failed');
}

/** Each way in which a command can come to the host, up to the dialog that shows it. */
const WAYS: Readonly<Record<string, (name: string) => Promise<void>>> = {
  async typed(name) {
    const add = await openAddDialog(page, 'Command');
    await add
      .getByLabel('Command line')
      .fill([COMMAND, ...argumentsOf(name).map((word) => `'${word}'`)].join(' '));
    await add.getByLabel('Program').waitFor();
    await add.getByLabel('Name', { exact: true }).fill(name);
    await add.getByRole('button', { name: 'Add variable' }).click();
    await add.getByRole('textbox', { name: 'Variable', exact: true }).fill(VARIABLE);
    await add.getByLabel(`Value of ${VARIABLE}`).fill('x');
    await add.getByLabel('Working folder').fill(work.path);
    await add.getByRole('button', { name: 'Add', exact: true }).last().click();
  },
  async pasted(name) {
    const add = await openAddDialog(page, 'Paste configuration');
    const entry = { command: COMMAND, args: argumentsOf(name), cwd: work.path, env: { [VARIABLE]: 'x' } };
    await add
      .getByRole('textbox', { name: 'Configuration' })
      .fill(JSON.stringify({ mcpServers: { [name]: entry } }));
    const read = add.getByRole('button', { name: 'Read' });
    if (await read.isVisible()) await read.click();
    await add.getByRole('button', { name: /Add 1 connector/ }).click();
  },
  async sent(name) {
    await send(name, argumentsOf(name));
    await openConnector(page, name);
    await page.getByRole('button', { name: 'Review command' }).click();
  },
};

async function seeItWhole(name: string): Promise<void> {
  await dialog(name).waitFor();
  const shown = (await dialog(name).getByRole('group', { name: 'The exact command' }).textContent()) ?? '';
  for (const part of [join(work.path, COMMAND), '-e', markerScript(name), LONG, HIDDEN_SHOWN, VARIABLE]) {
    expect(shown).toContain(part);
  }
  expect(shown.replaceAll(marker(name), '').replace(join(work.path, COMMAND), '')).toContain(work.path);
  for (const character of ['\u202E', '\u200B', '\u{E0041}', '\uFE0F']) expect(shown).not.toContain(character);
  const fits = await dialog(name)
    .locator('*')
    .evaluateAll((elements) => elements.every((element) => element.scrollWidth <= element.clientWidth + 1));
  expect(fits).toBe(true);
  const last = dialog(name).getByText(VARIABLE);
  await last.scrollIntoViewIfNeeded();
  expect(await last.isVisible()).toBe(true);
}

describe('a command that has not run yet', () => {
  it('K19 is shown whole, runs nothing while it is shown, and no key that was pressed before allows it, whichever way it came', async () => {
    for (const [name, bring] of Object.entries(WAYS)) {
      // oxlint-disable no-await-in-loop -- one page
      await bring(name);
      await seeItWhole(name);
      const approve = dialog(name).getByRole('button', { name: 'Run this command' });
      expect(await approve.evaluate((button) => button === document.activeElement)).toBe(false);
      for (const key of ['Enter', 'Space', 'Control+Enter']) await page.keyboard.press(key);
      await runAnother(`${Object.keys(WAYS).indexOf(name)}`);
      expect(await dialog(name).isVisible()).toBe(true);
      expect((await connector(name))?.status).toBe('stopped');
      expect(existsSync(marker(name))).toBe(false);
      await dialog(name).getByRole('button', { name: 'Not now' }).click();
      await dialog(name).waitFor({ state: 'detached' });
      // oxlint-enable no-await-in-loop
    }
  });

  it('is whole on a narrow screen too, where its buttons stay in sight', async () => {
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(`${host.origin}/connectors`);
    await page.getByRole('main').getByRole('link', { name: 'typed', exact: true }).first().click();
    await page.getByRole('button', { name: 'Review command' }).click();
    await seeItWhole('typed');
    const box = await dialog('typed').getByRole('button', { name: 'Run this command' }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
    await dialog('typed').getByRole('button', { name: 'Not now' }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('runs once it is approved, and another command in its place asks again', async () => {
    await openConnector(page, 'typed');
    await page.getByRole('button', { name: 'Review command' }).click();
    await dialog('typed').getByRole('button', { name: 'Run this command' }).click();
    await page.getByRole('main').getByText('failed', { exact: true }).first().waitFor();
    expect(existsSync(marker('typed'))).toBe(true);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit typed' });
    await edit.getByRole('textbox', { name: 'Argument 2', exact: true }).fill(markerScript('changed'));
    await edit.getByRole('button', { name: 'Save' }).click();
    await dialog('typed').getByText(markerScript('changed')).waitFor();
    await page.keyboard.press('Enter');
    await runAnother('last');
    expect((await connector('typed'))?.status).toBe('stopped');
    expect(existsSync(marker('changed'))).toBe(false);
    await dialog('typed').getByRole('button', { name: 'Run this command' }).click();
    await expect.poll(() => existsSync(marker('changed'))).toBe(true);
  });
});
