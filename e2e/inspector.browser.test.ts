import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../testing/browser.ts';
import { addByAddress, addByCommand, everythingLine, openConsole } from '../testing/console-page.ts';
import type { ConsolePage } from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { startTalkativeServer } from '../testing/talkative-server.ts';
import type { TalkativeServer } from '../testing/talkative-server.ts';

let browser: Browser;
let host: HostProcess;
let talkative: TalkativeServer;
let console: ConsolePage;
let page: Page;
/** Addresses of the two connectors. */
let everything: string;
let talker: string;

/** What the page asked the endpoints of connectors for: the connector, and the method of JSON-RPC. */
const asked: { readonly connector: string; readonly method: string }[] = [];

function watch(target: Page): void {
  target.on('request', (request) => {
    const connector = /\/api\/connectors\/([^/]+)\/mcp$/.exec(request.url())?.[1];
    if (connector === undefined) return;
    const { method = request.method() } = (request.postDataJSON() ?? {}) as { readonly method?: string };
    asked.push({ connector, method });
  });
}

beforeAll(async () => {
  [browser, host, talkative] = await Promise.all([
    launchBrowser(),
    startHost(),
    startTalkativeServer('modern'),
  ]);
  console = await openConsole(browser, host);
  ({ page } = console);
  watch(page);
  const ready = (): Promise<void> =>
    page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
  await addByCommand(page, 'everything', everythingLine());
  await ready();
  everything = new URL(page.url()).pathname;
  await addByAddress(page, 'talkative', talkative.url);
  await ready();
  talker = new URL(page.url()).pathname;
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([host?.stop(), talkative?.close()]);
});

const panel = (of: Page = page): Locator => of.getByRole('complementary');
const run = (): Promise<void> => panel().getByRole('button', { name: 'Run', exact: true }).click();

async function open(path: string, of: Page = page): Promise<void> {
  await of.goto(host.origin + path);
  await of.getByRole('heading', { level: 1 }).waitFor();
}

describe("a connector's page", () => {
  it('lists its tools and tries one, over the endpoint of this connector and of no other', async () => {
    await open('/connectors');
    asked.length = 0;
    await page.getByRole('main').getByRole('link', { name: 'everything' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Echo Tool' }).click();
    await panel().getByRole('textbox', { name: 'message' }).fill('Hello inspector');
    await run();
    await panel().getByText('Echo: Hello inspector').waitFor();
    await panel().getByText('done', { exact: true }).first().waitFor();
    expect(new Set(asked.map(({ connector }) => connector))).toEqual(new Set([everything.split('/')[2]]));
    expect(asked.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    expect(asked.filter(({ method }) => method === 'subscriptions/listen')).toHaveLength(1);
  });

  it('shows how far a long operation is, and stops it', async () => {
    await open(`${everything}/tools/trigger-long-running-operation`);
    await panel().getByRole('textbox', { name: 'duration' }).fill('20');
    await panel().getByRole('textbox', { name: 'steps' }).fill('40');
    await run();
    await panel()
      .getByText(/^\d+ of 40$/)
      .waitFor();
    await panel().getByRole('progressbar').waitFor();
    await panel().getByRole('button', { name: 'Stop' }).click();
    await panel().getByText('stopped', { exact: true }).first().waitFor();
  });

  it('lets the server know of what is stopped', async () => {
    await open(`${talker}/tools/wait`);
    await panel().getByRole('textbox', { name: 'text' }).fill('given up');
    await run();
    await panel().getByRole('button', { name: 'Stop' }).click();
    await panel().getByText('stopped', { exact: true }).first().waitFor();
    await expect.poll(() => talkative.stopped).toContain('given up');
  });

  it('reads a resource, and one that a template makes', async () => {
    await open(`${everything}?tab=resources`);
    await page.getByRole('main').getByRole('link', { name: 'features.md' }).click();
    await panel()
      .getByRole('heading', { name: /Everything Server/ })
      .waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Dynamic Text Resource' }).click();
    await panel().getByRole('combobox', { name: 'resourceId' }).fill('7');
    await panel().getByText('demo://resource/dynamic/text/7').waitFor();
    await panel().getByRole('button', { name: 'Read', exact: true }).click();
    await panel()
      .getByText(/^Resource 7: This is a plaintext resource/)
      .waitFor();
  });

  it('saves what it cannot show as a file', async () => {
    await open(`${everything}?resource=${encodeURIComponent('demo://resource/dynamic/blob/3')}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel().getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('3');
  });

  it('gets a prompt with values that the server completes', async () => {
    await open(`${everything}?prompt=completable-prompt`);
    await panel().getByRole('combobox', { name: 'department' }).fill('Sa');
    await panel().getByRole('option', { name: 'Sales' }).click();
    await panel().getByRole('combobox', { name: 'name', exact: true }).fill('E');
    await panel().getByRole('option', { name: 'Eve' }).click();
    await panel().getByRole('button', { name: 'Get messages' }).click();
    await panel().getByText('Please promote Eve to the head of the Sales team.').waitFor();
  });

  it('shows every message, a log message of the server and an error with its number among them', async () => {
    await open(`${talker}/tools/echo?tab=messages`);
    const log = page.getByRole('region', { name: 'Messages' });
    await panel().getByRole('textbox', { name: 'text' }).fill('needle');
    await run();
    await panel().getByText('needle').first().waitFor();
    await log.getByText('notifications/message').waitFor();
    await page.getByRole('searchbox', { name: 'Filter messages' }).fill('tools/call');
    await page.getByRole('radio', { name: 'Sent' }).click();
    const call = log.locator('[data-message]');
    await expect.poll(() => call.count()).toBe(1);
    await call.click();
    await log.getByRole('group', { name: 'The whole message' }).getByText('needle').waitFor();
    expect(await log.textContent()).not.toMatch(/cookie|authorization/i);
    await open(`${talker}/tools/refuse`);
    await run();
    const problem = panel().getByRole('alert');
    await problem.getByText('-31999').waitFor();
    await problem.getByText('refused').waitFor();
  });

  it('shows in two tabs at once a tool that comes later, and what is typed stays', async () => {
    const other = await openConsole(browser, host, { context: console.context });
    try {
      await Promise.all([open(`${talker}/tools/echo`), open(talker, other.page)]);
      const count = async (of: Page): Promise<string | null> =>
        await of.getByRole('tab', { name: /^Tools/ }).textContent();
      await panel().getByRole('textbox', { name: 'text' }).fill('half written');
      const row = page.getByRole('main').getByRole('link', { name: 'Tool fail' });
      await row.focus();
      await other.page.getByRole('main').getByRole('link', { name: 'Tool echo' }).waitFor();
      const before = Number((await count(page))?.split(' ')[1]);
      // Announced once both listen: before that, whoever comes later reads it anyway.
      await expect
        .poll(() => asked.filter(({ method }) => method === 'subscriptions/listen').length)
        .toBeGreaterThan(1);
      await talkative.addTool('later');
      await Promise.all(
        [page, other.page].map((of) =>
          of.getByRole('main').getByRole('link', { name: 'Tool later' }).waitFor(),
        ),
      );
      expect(await count(page)).toBe(`Tools ${before + 1}`);
      expect(await count(other.page)).toBe(`Tools ${before + 1}`);
      expect(await panel().getByRole('textbox', { name: 'text' }).inputValue()).toBe('half written');
      expect(await row.evaluate((link) => link === document.activeElement)).toBe(true);
    } finally {
      await other.page.close();
    }
  });

  it('leaves calls a connection in each of four tabs', async () => {
    const others: Page[] = [];
    try {
      for (let tab = 2; tab <= 4; tab += 1) {
        const other = await console.context.newPage();
        others.push(other);
        await open(`${everything}/tools/echo`, other);
        await panel(other).getByRole('textbox', { name: 'message' }).fill(`tab ${tab}`);
        await panel(other).getByRole('button', { name: 'Run', exact: true }).click();
        await panel(other).getByText(`Echo: tab ${tab}`).waitFor();
      }
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  it('has nothing to complain of in the console of the browser, the policy included', () => {
    expect(console.problems).toEqual([]);
  });
});
