import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { addByCommand, everythingLine, openConsole, openConnector } from '../testing/console-page.ts';
import { startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { startScriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedModel } from '../testing/scripted-model.ts';
import { answer, call, hold, say, text } from '../testing/scripted-reply.ts';
import type { ScriptedReply } from '../testing/scripted-reply.ts';

const data = temporaryFolder('crash');

let browser: Browser;
let model: ScriptedModel;
let host: HostProcess;
let context: BrowserContext;
let page: Page;
let replies: ScriptedReply[] = [];

const start = (port?: number): Promise<HostProcess> =>
  startHost({
    dataFolder: data.path,
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted-key' },
    ...(port === undefined ? {} : { port }),
  });

beforeAll(async () => {
  model = await startScriptedModel({ script: () => replies.shift() ?? say('The script has ended.') });
  [browser, host] = await Promise.all([launchBrowser(), start()]);
  ({ context, page } = await openConsole(browser, host));
  await addByCommand(page, 'everything', everythingLine());
  await page.getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  await model?.close();
  data.remove();
});

/** Ends the host without warning and starts it again on the same data; the browser's session stays. */
async function powerCut(): Promise<void> {
  await host.kill();
  host = await start(host.port);
}

async function converse(message: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Nothing said yet' }).waitFor();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(message);
  await page.keyboard.press('Enter');
}

const items = (): ReturnType<Page['locator']> => page.locator('[id^="item-"]');

describe('after the host was killed', () => {
  it('shows what was streamed, marks the turn, and goes on when asked to', async () => {
    replies = [answer(text('Kept until here', hold())), say('And on we go.')];
    await converse('Speak while the power fails.');
    await items().getByText('Kept until here').waitFor();
    const address = page.url();
    await powerCut();
    await page.goto(address);
    await items().getByText('Speak while the power fails.').waitFor();
    await items().getByText('Kept until here').waitFor();
    await items().getByText('This turn was interrupted', { exact: true }).waitFor();
    await items().getByRole('button', { name: 'Continue' }).click();
    await items().getByText('And on we go.').waitFor();
    expect(await items().getByText('Speak while the power fails.').count()).toBe(1);
  });

  it('lets a waiting approval be answered, and runs its tool once', async () => {
    replies = [call('mcp__everything__get-sum', { a: 20, b: 22 })];
    await converse('Add while the power fails.');
    const card = page.getByRole('region', { name: /^Allow .* from everything\?/ });
    await card.waitFor();
    const address = page.url();
    await powerCut();
    replies = [say('It was forty-two.')];
    await page.goto(address);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await items().getByText('It was forty-two.').waitFor();
    const told = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(told.match(/"tool_result"/g)).toHaveLength(1);
    expect(told).toContain('42');
  });

  it('has its connectors, artifacts and consents still', async () => {
    await page.goto(`${host.origin}/`);
    await page.getByRole('button', { name: /^Open an artifact/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
    const artifact = page.frameLocator('main iframe');
    await artifact.getByText(/^Read at /).waitFor();
    await powerCut();
    await page.reload();
    await artifact.getByText(/^Read at /).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await openConnector(page, 'everything');
    await page.getByText('ready', { exact: true }).first().waitFor();
    expect((await context.cookies()).length).toBeGreaterThan(0);
  });
});
