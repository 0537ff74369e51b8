import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { openConsole } from '../testing/console-page.ts';
import { startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

const data = temporaryFolder('first-run');
let browser: Browser;
let host: HostProcess;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  [browser, host] = await Promise.all([launchBrowser(), startHost({ dataFolder: data.path })]);
  ({ page, problems } = await openConsole(browser, host));
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  data.remove();
});

async function goHome(): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'What would you like to do?' }).waitFor();
}

/** Names of the messages that views send to the host, as the console passes them on. */
function listenToViews(): Promise<() => Promise<readonly string[]>> {
  return page
    .evaluate(() => {
      const methods: string[] = [];
      Object.assign(window, { heardFromViews: methods });
      window.addEventListener('message', ({ data: message }: MessageEvent<{ method?: string }>) => {
        if (typeof message?.method === 'string') methods.push(message.method);
      });
    })
    .then(
      () => () => page.evaluate(() => (window as unknown as { heardFromViews: string[] }).heardFromViews),
    );
}

describe('the first screen of an empty host', () => {
  it('K3 offers a view, a page and a connector, each of which one click brings to a result, and needs no model', async () => {
    await page.getByRole('heading', { name: 'What would you like to do?' }).waitFor();
    await page.getByText('A model is optional. Without one, you call the tools yourself.').waitFor();

    // A view: it reports that it is initialized, and shows what its tool answered.
    const heard = await listenToViews();
    await page.getByRole('button', { name: /^Try a view/ }).click();
    const card = page.getByRole('region', { name: /^View of Show the weather from Portico demo/ });
    const view = card.frameLocator('iframe').frameLocator('iframe');
    await view.getByRole('heading', { name: 'Larkhaven' }).waitFor();
    expect(await heard()).toContain('ui/notifications/initialized');
    expect(await view.locator('#temperature').textContent()).toMatch(/^-?\d+$/);

    // A page: it asks before it reads, and then shows what the connector answered.
    await goHome();
    await page.getByRole('button', { name: /^Open an artifact/ }).click();
    const consent = page.getByRole('dialog');
    await consent.getByRole('heading', { name: '“Harbour board” wants to use Portico demo' }).waitFor();
    const artifact = page.frameLocator('main iframe');
    expect(await artifact.getByText(/^-?\d+\.\d°$/).count()).toBe(0);
    await consent.getByRole('button', { name: 'Allow' }).click();
    await artifact.getByText(/^Read at /).waitFor();
    expect(await artifact.getByText(/^-?\d+\.\d°$/).count()).toBe(4);

    // A connector: the dialog that adds one is open.
    await goHome();
    await page.getByRole('button', { name: /^Add a connector/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Add connector' });
    await dialog.getByLabel('Command line').waitFor();
    expect(await dialog.getByRole('tab').allTextContents()).toEqual([
      'Command',
      'Address',
      'Paste configuration',
    ]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('says how a model can be added', async () => {
    await goHome();
    await page.getByRole('link', { name: 'How to add a model' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page
      .getByText(/ANTHROPIC_API_KEY=/)
      .first()
      .waitFor();
  });

  it('does not ask a second time for what was allowed', async () => {
    await goHome();
    await page.getByRole('button', { name: /^Open an artifact/ }).click();
    await page
      .frameLocator('main iframe')
      .getByText(/^Read at /)
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('causes no error in the page', () => {
    expect(problems).toEqual([]);
  });
});

describe('without a launch link', () => {
  it('shows how to get one and nothing else, on every address of the console', async () => {
    const stranger = await (await browser.newContext()).newPage();
    for (const path of ['/', '/connectors', '/settings', '/artifacts/none']) {
      // oxlint-disable-next-line no-await-in-loop -- one page
      const answer = await stranger.goto(host.origin + path);
      expect(answer?.status()).toBe(401);
      // oxlint-disable-next-line no-await-in-loop -- one page
      expect(await stranger.innerText('body')).toContain('portico doctor --link');
    }
    await stranger.context().close();
  });
});
