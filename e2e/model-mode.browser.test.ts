import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { addByCommand, everythingLine, openConsole } from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { startScriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedModel } from '../testing/scripted-model.ts';
import {
  answer,
  call,
  cut,
  hold,
  overloaded,
  rateLimited,
  say,
  text,
  unauthorized,
} from '../testing/scripted-reply.ts';
import type { ScriptedReply } from '../testing/scripted-reply.ts';

const TOOL = 'mcp__everything__get-sum';

let browser: Browser;
let host: HostProcess;
let model: ScriptedModel;
let page: Page;
/** What the model says next; each test sets its own. */
let replies: ScriptedReply[] = [];

beforeAll(async () => {
  model = await startScriptedModel({
    script: () => replies.shift() ?? say('The script has ended.'),
  });
  [browser, host] = await Promise.all([
    launchBrowser(),
    startHost({ env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted-key' } }),
  ]);
  ({ page } = await openConsole(browser, host));
  await addByCommand(page, 'everything', everythingLine());
  await page.getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  await model?.close();
});

beforeEach(async () => {
  replies = [];
  await page
    .getByRole('button', { name: 'New conversation' })
    .or(page.getByRole('link', { name: 'New conversation' }))
    .first()
    .click();
});

async function ask(message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(message);
  await page.keyboard.press('Enter');
}

/** What has been said; the page's heading repeats the first message as the title. */
const transcript = (): Locator => page.locator('[id^="item-"]');

/** The last request's messages as text, for looking into what the model was told. */
const lastTold = (): string => JSON.stringify(model.requests.at(-1)?.body.messages.at(-1));

describe('a model that drives', () => {
  it('asks before a tool runs, shows every argument, and answers with what it returned', async () => {
    replies = [call(TOOL, { a: 19, b: 23 }), say('It is forty-two.')];
    await ask('What is 19 plus 23?');
    const card = page.getByRole('region', { name: /^Allow .* from everything\?/ });
    await card.getByText('19', { exact: true }).waitFor();
    await card.getByText('23', { exact: true }).waitFor();
    expect(lastTold()).not.toContain('tool_result');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await transcript().getByText('It is forty-two.').waitFor();
    expect(lastTold()).toContain('42');
  });

  it('streams, and loses nothing when the page is loaded again in the middle', async () => {
    const gate = hold();
    replies = [answer(text('The first half, ', gate, 'and the second half.'))];
    await ask('Tell me both halves.');
    await transcript().getByText('The first half,').waitFor();
    await page.reload();
    await transcript().getByText('The first half,').waitFor();
    gate.release();
    await transcript().getByText('The first half, and the second half.').waitFor();
  });

  it('tells the model of a denial with the words of the person, and runs nothing', async () => {
    replies = [call(TOOL, { a: 1, b: 2 }), say('Then I will not.')];
    await ask('Add one and two.');
    const card = page.getByRole('region', { name: /^Allow .* from everything\?/ });
    await card.getByRole('button', { name: 'Deny with a message…' }).click();
    await card.getByLabel('Message to the model').fill('Do it in your head.');
    await card.getByRole('button', { name: 'Deny with this message' }).click();
    await transcript().getByText('Then I will not.').waitFor();
    expect(lastTold()).toContain('"is_error":true');
    expect(lastTold()).toContain('Do it in your head.');
    await transcript().getByText('Get Sum').or(transcript().getByText('get-sum')).first().waitFor();
  });

  it('is stopped by the person, keeping what came', async () => {
    const gate = hold();
    replies = [answer(text('So far ', gate, 'and no further.'))];
    await ask('Talk without end.');
    await transcript().getByText('So far').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    gate.release();
    await transcript().getByText('So far').waitFor();
    expect(await transcript().getByText('and no further.').count()).toBe(0);
  });
});

describe('a model that fails', () => {
  const cases = [
    {
      about: 'a refused key',
      failing: () => [unauthorized()],
      title: 'The model refused the key',
      again: 'Try again',
    },
    {
      about: 'a rate limit',
      failing: () => Array.from({ length: 4 }, () => rateLimited(0)),
      title: 'Too many requests to the model',
      again: 'Try again',
    },
    {
      about: 'a cut stream',
      failing: () => [answer(text('Half of ', cut()))],
      title: 'The answer broke off',
      again: 'Continue',
    },
  ];

  it.each(cases)(
    'says what to do about $about, and goes on without doubling the message',
    async ({ about, failing, title, again }) => {
      replies = [...failing(), say(`Recovered from ${about}.`)];
      const message = `Please meet ${about}.`;
      await ask(message);
      await transcript().getByText(title, { exact: true }).waitFor();
      await transcript()
        .getByRole('button', { name: new RegExp(`${again}|Retry`) })
        .click();
      await transcript().getByText(`Recovered from ${about}.`).waitFor();
      expect(await transcript().getByText(message, { exact: true }).count()).toBe(1);
    },
  );

  it('says what to do about an overload', async () => {
    replies = Array.from({ length: 4 }, () => overloaded());
    await ask('Please be overloaded.');
    await transcript().getByText('The model is overloaded').waitFor({ timeout: 60_000 });
  });
});
