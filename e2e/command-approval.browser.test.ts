import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { fillCommand, openAddDialog, openConnector, openConsole } from '../testing/console-page.ts';
import { startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

const work = temporaryFolder('approval');
const LONG = `${'0123456789'.repeat(400)}`;
/** A direction override, a zero-width space and a tag character, which would hide what runs. */
const HIDDEN = 'exe\u202Egnp\u200B\u{E0041}';

let browser: Browser;
let host: HostProcess;
let page: Page;

const marker = (name: string): string => join(work.path, name);
/** A program that only proves that it ran. */
const markerArguments = (name: string): string[] => [
  '-e',
  `require('node:fs').writeFileSync(${JSON.stringify(marker(name))}, '')`,
];

beforeAll(async () => {
  [browser, host] = await Promise.all([launchBrowser(), startHost()]);
  ({ page } = await openConsole(browser, host));
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  work.remove();
});

const dialog = () => page.getByRole('dialog', { name: /^Run this command for/ });

/** The connector as the API tells it, from the signed-in page. */
async function statusOf(name: string): Promise<string | undefined> {
  return await page.evaluate(async (wanted) => {
    const answer = await fetch('/api/connectors');
    const { connectors } = (await answer.json()) as { connectors: { name: string; status: string }[] };
    return connectors.find((connector) => connector.name === wanted)?.status;
  }, name);
}

/** Has the host do other work, so that anything it had begun would have come up by now. */
async function otherWork(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    await statusOf('Portico demo');
  }
}

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

describe('a command that has not run yet', () => {
  it('K19 is shown whole with escapes, does not run while it is shown, and is not approved by Enter, whichever way it came', async () => {
    // Typed.
    const args = [...markerArguments('typed'), LONG, HIDDEN];
    await fillCommand(page, 'typed', `${quoted([process.execPath, ...args])}`);
    await dialog().waitFor();
    const shown = (await dialog().textContent()) ?? '';
    expect(shown).toContain(process.execPath);
    expect(shown).toContain(LONG);
    expect(shown).toContain('exe\\u{202e}gnp\\u{200b}\\u{e0041}');
    expect(shown).not.toMatch(/[\u202E\u200B]/);
    const wide = await dialog().evaluate((element) => element.scrollWidth <= element.clientWidth);
    expect(wide).toBe(true);
    await page.keyboard.press('Enter');
    await otherWork();
    expect(await dialog().isVisible()).toBe(true);
    expect(existsSync(marker('typed'))).toBe(false);
    expect(await statusOf('typed')).toBe('stopped');
    await page.getByRole('button', { name: 'Not now' }).click();

    // Pasted.
    const paste = await openAddDialog(page, 'Paste configuration');
    const block = {
      mcpServers: {
        pasted: { command: process.execPath, args: markerArguments('pasted'), env: { PASTED_NAME: 'x' } },
      },
    };
    await paste.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(block));
    const read = paste.getByRole('button', { name: 'Read' });
    if (await read.isVisible()) await read.click();
    await paste.getByRole('button', { name: /Add 1 connector/ }).click();
    await dialog().getByText('PASTED_NAME').waitFor();
    await page.keyboard.press('Enter');
    await otherWork();
    expect(existsSync(marker('pasted'))).toBe(false);
    await page.getByRole('button', { name: 'Not now' }).click();

    // Sent to the API.
    await page.evaluate(
      async ([command, ...rest]) => {
        await fetch('/api/connectors', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'sent', transport: { kind: 'stdio', command, args: rest } }),
        });
      },
      [process.execPath, ...markerArguments('sent')],
    );
    await otherWork();
    expect(existsSync(marker('sent'))).toBe(false);
    expect(await statusOf('sent')).toBe('stopped');
  });

  it('runs once it is approved', async () => {
    await openConnector(page, 'typed');
    await page.getByRole('button', { name: 'Review command' }).click();
    await dialog().getByRole('button', { name: 'Run this command' }).click();
    await page.getByText('failed', { exact: true }).first().waitFor();
    expect(existsSync(marker('typed'))).toBe(true);
  });
});
