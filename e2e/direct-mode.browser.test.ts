import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { addByCommand, everythingLine, openConsole, pickTool, runTool } from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

let browser: Browser;
let host: HostProcess;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  [browser, host] = await Promise.all([launchBrowser(), startHost()]);
  ({ page, problems } = await openConsole(browser, host));
  await addByCommand(page, 'everything', everythingLine());
  await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
});

beforeEach(async () => {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { level: 1, name: 'Untitled conversation' }).waitFor();
  await page.getByRole('heading', { name: 'Pick a tool to call' }).waitFor();
});

/** The card of the newest call of a tool. */
const cardOf = (title: string, of: Page = page): Locator =>
  of
    .getByRole('listitem')
    .filter({ has: of.getByRole('heading', { level: 3, name: title }) })
    .last();

/** Paths of the requests that start a call, from now on. */
function watchCalls(): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.endsWith('/calls')) calls.push(pathname);
  });
  return calls;
}

describe('direct mode', () => {
  it('makes a form of the schema, marks what is wrong at its field and sends nothing until it is right', async () => {
    const calls = watchCalls();
    await pickTool(page, 'Get Sum Tool');
    const a = page.getByLabel('a', { exact: true });
    const b = page.getByLabel('b', { exact: true });
    await page.getByText('First number').waitFor();
    await a.fill('nineteen');
    await runTool(page);
    await page.getByText('This is not a number.').waitFor();
    await page.getByText('This is needed.').waitFor();
    expect(await a.getAttribute('aria-invalid')).toBe('true');
    expect(await b.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(':focus').getAttribute('id')).toBe(await a.getAttribute('id'));
    expect(calls).toEqual([]);
    await a.fill('19');
    await b.fill('23');
    await runTool(page);
    await cardOf('Get Sum Tool').getByText('The sum of 19 and 23 is 42.').waitFor();
    expect(calls).toHaveLength(1);
  });

  it('shows the text that a tool answers with', async () => {
    await pickTool(page, 'Echo Tool');
    await page.getByLabel('message', { exact: true }).fill('two lines\nof text');
    await runTool(page);
    const card = cardOf('Echo Tool');
    await card.getByText('Echo: two lines').waitFor();
    await card.getByText('done', { exact: true }).waitFor({ state: 'attached' });
    await card.getByRole('button', { name: /^Arguments/ }).click();
    await card.getByRole('group', { name: 'Arguments' }).getByText('of text').waitFor();
  });

  it('shows structured content once, as a tree', async () => {
    await pickTool(page, 'Get Structured Content Tool');
    await page.getByLabel('location').selectOption({ label: 'Chicago' });
    await runTool(page);
    const card = cardOf('Get Structured Content Tool');
    await card.getByText('Light rain / drizzle').waitFor();
    expect(await card.getByText('Light rain / drizzle').count()).toBe(1);
    await card.getByText('humidity:').waitFor();
  });

  it('shows an image in its own size', async () => {
    await pickTool(page, 'Get Tiny Image Tool');
    await runTool(page);
    const card = cardOf('Get Tiny Image Tool');
    const image = card.getByRole('img', { name: 'Image from the tool, 20 × 20' });
    await image.waitFor();
    expect(await image.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(20);
    await card.getByText('The image above is the MCP logo.').waitFor();
  });

  it('shows an error of the tool as an error', async () => {
    await pickTool(page, 'Get Resource Reference Tool');
    await page.getByLabel('resourceId', { exact: true }).fill('-1');
    await runTool(page);
    const card = cardOf('Get Resource Reference Tool');
    await card.getByRole('button', { name: 'The tool reported an error' }).waitFor();
    await card.getByText(/Invalid resourceId: -1/).waitFor();
  });

  it('shows progress, and Stop ends the call and says so, in every tab', async () => {
    await pickTool(page, 'Trigger Long Running Operation Tool');
    await page.getByLabel('duration', { exact: true }).fill('60');
    await page.getByLabel('steps', { exact: true }).fill('120');
    await runTool(page);
    const card = cardOf('Trigger Long Running Operation Tool');
    await card.getByText(/^\d+ of 120$/).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const theirs = cardOf('Trigger Long Running Operation Tool', other);
    await theirs.getByText(/^\d+ of 120$/).waitFor();
    await theirs.getByRole('button', { name: 'Stop', exact: true }).click();
    for (const each of [card, theirs]) {
      await each.getByText('stopped', { exact: true }).last().waitFor();
      await each.getByRole('progressbar').waitFor({ state: 'detached' });
    }
    await other.close();
  });

  it('keeps calls and results over a reload, and shows the same in a second tab', async () => {
    await pickTool(page, 'Echo Tool');
    await page.getByLabel('message', { exact: true }).fill('stays');
    await runTool(page);
    await cardOf('Echo Tool').getByText('Echo: stays').waitFor();
    await page.reload();
    await cardOf('Echo Tool').getByText('Echo: stays').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await cardOf('Echo Tool', other).getByText('Echo: stays').waitFor();
    await pickTool(other, 'Get Sum Tool');
    await other.getByLabel('a', { exact: true }).fill('1');
    await other.getByLabel('b', { exact: true }).fill('2');
    await runTool(other);
    await cardOf('Get Sum Tool').getByText('The sum of 1 and 2 is 3.').waitFor();
    await other.close();
  });

  it('causes no error in the page', () => {
    expect(problems).toEqual([]);
  });
});
