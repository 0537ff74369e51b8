import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, FrameLocator, Locator, Page, Response } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, openConnector, openConsole, pickTool, runTool } from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { startHttpServer } from '../testing/npm-servers.ts';
import type { HttpServerProcess } from '../testing/npm-servers.ts';

let browser: Browser;
let host: HostProcess;
let servers: readonly HttpServerProcess[] = [];
let page: Page;
/** What the frames of the page write to the console of the browser. */
const spoken: string[] = [];
/** Every answer that came from another host than the console's. */
const sandboxAnswers: Response[] = [];

beforeAll(async () => {
  const names = ['server-basic-react', 'server-budget-allocator', 'server-debug'] as const;
  [browser, host, servers] = await Promise.all([
    launchBrowser(),
    startHost(),
    Promise.all(names.map((name) => startHttpServer(name))),
  ]);
  ({ page } = await openConsole(browser, host));
  page.on('console', (message) => spoken.push(message.text()));
  page.on('response', (response) => {
    if (new URL(response.url()).origin !== host.origin) sandboxAnswers.push(response);
  });
  for (const [index, name] of ['basic', 'budget', 'debug'].entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one dialog after the other
    await addByAddress(page, name, servers[index]?.url ?? '');
    // oxlint-disable-next-line no-await-in-loop -- and each one ready before the next
    await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
  }
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([host?.stop(), ...servers.map((server) => server.stop())]);
});

/** Calls a tool in a conversation of its own and answers the card of its view. */
async function callWithView(title: string, connector: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Pick a tool to call' }).waitFor();
  await pickTool(page, title);
  await runTool(page);
  return viewCard(title, connector);
}

const viewCard = (title: string, connector: string): Locator =>
  page.getByRole('region', { name: `View of ${title} from ${connector}` });

/** The view's own document, inside the document that the host puts around it. */
const documentOf = (card: Locator): FrameLocator => card.frameLocator('iframe').frameLocator('iframe');

async function addressOf(card: Locator): Promise<URL> {
  return new URL((await card.locator('iframe').getAttribute('src')) ?? '');
}

/** Lists the tools that the panel shows for the app of a view. */
async function openDetails(card: Locator): Promise<Locator> {
  await card.getByRole('link', { name: /^Details of the view/ }).click();
  return page.getByRole('complementary');
}

describe('a view of server-basic-react', () => {
  let card: Locator;

  beforeAll(async () => {
    card = await callWithView('Get Time', 'basic');
  });

  it('comes by address from an origin of its own, under a policy in the response header', async () => {
    await documentOf(card).getByText('Server Time:').waitFor();
    const { hostname, port, origin, pathname } = await addressOf(card);
    expect(hostname).toMatch(/^[a-z2-7]{32}\.localhost$/);
    expect(port).toBe(String(host.port));
    const documents = sandboxAnswers.filter((answer) => new URL(answer.url()).origin === origin);
    expect(documents.map((answer) => new URL(answer.url()).pathname)).toEqual([pathname, `${pathname}/app`]);
    for (const answer of documents) {
      // oxlint-disable-next-line no-await-in-loop -- two of them
      expect(await answer.headerValue('content-security-policy')).toMatch(/^default-src 'none'; /);
      // oxlint-disable-next-line no-await-in-loop -- two of them
      expect(await answer.request().headerValue('cookie')).toBeNull();
    }
  });

  it('is told input and result of its call', async () => {
    const item = page.getByRole('listitem').filter({ has: card });
    const summary = await item.getByRole('button', { name: /^Result/ }).textContent();
    const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(summary ?? '')?.[0] ?? 'no time';
    await documentOf(card).getByText(time, { exact: true }).waitFor();
    expect(spoken.some((line) => line.includes('Received tool call input'))).toBe(true);
  });

  it('says in the details which app it is and where it runs', async () => {
    const { origin } = await addressOf(card);
    const panel = await openDetails(card);
    await panel.getByText('Get Time App').waitFor();
    await panel.getByText(origin).waitFor();
    await panel.getByText('ready', { exact: true }).waitFor();
    await panel.getByText('Nothing so far.').waitFor();
    await page.getByRole('button', { name: 'Close panel' }).click();
  });

  it('calls its own server at the press of its button', async () => {
    const shown = documentOf(card).locator('code');
    const before = (await shown.textContent()) ?? '';
    await documentOf(card).getByRole('button', { name: 'Get Server Time' }).click();
    await documentOf(card).locator('code').filter({ hasNotText: before }).waitFor();
    expect(await shown.textContent()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('is built again by a reload, with the same result and without a second call', async () => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/calls')) calls.push(request.url());
    });
    const item = page.getByRole('listitem').filter({ has: card });
    const summary = await item.getByRole('button', { name: /^Result/ }).textContent();
    await page.reload();
    await documentOf(card)
      .getByText(/\d{4}-\d\d-\d\dT/)
      .waitFor();
    expect(summary).toContain(await documentOf(card).locator('code').textContent());
    expect(await page.getByRole('heading', { level: 3, name: 'Get Time' }).count()).toBe(1);
    expect(calls).toEqual([]);
  });

  it('asks before it opens an address or speaks for the person', async () => {
    await documentOf(card).getByRole('button', { name: 'Open Link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'basic wants to open an address' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('other views', () => {
  it('lists the five tools that the app of server-budget-allocator offers', async () => {
    const card = await callWithView('Get Budget Data', 'budget');
    await documentOf(card).getByText('Marketing').first().waitFor();
    const panel = await openDetails(card);
    await panel.getByRole('heading', { name: 'Tools of the app (5)' }).waitFor();
    const names = [
      'get-allocations',
      'set-allocation',
      'set-total-budget',
      'set-company-stage',
      'get-benchmark-comparison',
    ];
    for (const name of names) {
      // oxlint-disable-next-line no-await-in-loop -- each has to be there
      await panel.getByText(name, { exact: true }).waitFor();
    }
  });

  it('keeps tools that are for the app only from the person, and lets the view call them', async () => {
    await openConnector(page, 'debug');
    await page.getByRole('main').getByText('for its app only').first().waitFor();
    const card = await callWithView('Debug Tool', 'debug');
    const view = documentOf(card);
    await view.getByRole('button', { name: 'Call debug-refresh' }).click();
    await view
      .getByText(/Server timestamp/)
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Search a tool to call' }).fill('/debug-refresh');
    await page.getByText('No tool matches.').waitFor();
    await page.getByRole('combobox', { name: 'Search a tool to call' }).fill('');
  });

  it('shows the demo, whose button reads the weather again', async () => {
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('button', { name: /^Try a view/ }).click();
    const card = page.getByRole('region', { name: /^View of Show the weather/ });
    const view = documentOf(card);
    await view.getByRole('heading', { name: 'Larkhaven' }).waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('/requests'));
    await view.getByRole('button', { name: 'Read again' }).click();
    const answer = (await (await answered).json()) as { result: { structuredContent: { station: string } } };
    expect(answer.result.structuredContent.station).toBe('Larkhaven');
    await view.getByRole('button', { name: 'Read again', disabled: false }).waitFor();
  });

  it('has console, view and artifact on three origins', async () => {
    const card = page.getByRole('region', { name: /^View of Show the weather/ });
    const { origin: view } = await addressOf(card);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('button', { name: /^Open an artifact/ }).click();
    // By its tag, since the question for consent hides the page behind it from roles.
    const frame = page.locator('main iframe');
    const artifact = new URL((await frame.getAttribute('src')) ?? '').origin;
    expect(new Set([host.origin, view, artifact]).size).toBe(3);
    expect(await page.evaluate(() => window.location.origin)).toBe(host.origin);
  });
});
