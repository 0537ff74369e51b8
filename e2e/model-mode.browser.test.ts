import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { addByCommand, everythingLine, openConsole, sendToModel } from '../testing/console-page.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { MODEL_KEY, openModelDesk, timesInMessages } from '../testing/model-host.ts';
import type { ModelDesk } from '../testing/model-host.ts';
import {
  answer,
  call,
  cut,
  hold,
  overloaded,
  rateLimited,
  say,
  text,
  toolUse,
  unauthorized,
} from '../testing/scripted-reply.ts';
import type { ScriptedFailure } from '../testing/scripted-reply.ts';

let browser: Browser;
let desk: ModelDesk;
let host: HostProcess;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  [browser, desk] = await Promise.all([launchBrowser(), openModelDesk()]);
  host = await desk.startHost();
  ({ page, problems } = await openConsole(browser, host));
  await addByCommand(page, 'everything', everythingLine());
  await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  await desk?.model.close();
});

/** Sends the first message of a new conversation. */
async function ask(message: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Nothing said yet' }).waitFor();
  await sendToModel(page, message);
}

const approval = (tool: string): Locator =>
  page.getByRole('region', { name: `Allow “${tool}” from everything?` });
const callCard = (tool: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: tool }) });
/** What the person or the model said, in the conversation. */
const said = (message: string | RegExp): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: message });
/** The box offers to send again: no turn runs. */
const turnIsOver = (): Promise<void> => page.getByRole('button', { name: 'Send' }).waitFor();

/** What the model was told about its newest calls. */
function toolResults(): readonly { readonly is_error?: boolean; readonly text: string }[] {
  const { content } = desk.lastRequest().body.messages.at(-1) ?? { content: [] };
  const blocks = content as readonly { type: string; is_error?: boolean; content?: unknown }[];
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ is_error, content: told }) => ({
      ...(is_error === undefined ? {} : { is_error }),
      text: JSON.stringify(told),
    }));
}

describe('a model that asks for a tool', () => {
  it('waits for the person, who sees every argument whole, and answers with what the tool said', async () => {
    const message = `first line\nsecond ${'long '.repeat(400)}line with an end\u202e`;
    desk.nextReplies(
      answer(text('Let me try.'), toolUse('mcp__everything__echo', { message })),
      say('The tool has answered.'),
    );
    await ask('Please echo something.');
    const card = approval('Echo Tool');
    await card.getByText('The model wants to call').waitFor();
    const shown = await card.getByRole('group', { name: 'message' }).textContent();
    expect(shown).toBe(message.replace('\u202e', '\\u{202e}'));
    await said('Let me try.').waitFor();
    expect(desk.model.requests).toHaveLength(1);
    expect(await page.title()).toMatch(/^\(1\) /);

    // Keys that were pressed on the way here allow nothing.
    expect(await card.locator(':focus').count()).toBe(0);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await said('The tool has answered.').waitFor();
    await callCard('Echo Tool').getByText('done', { exact: true }).waitFor({ state: 'attached' });
    await callCard('Echo Tool').getByText('Echo: first line').waitFor();
    expect(toolResults()).toEqual([{ text: expect.stringContaining('Echo: first line') }]);
    await turnIsOver();
  });

  it('is told that a call was denied, with the words of the person, and the call does not run', async () => {
    desk.nextReplies(call('mcp__everything__get-sum', { a: 19, b: 23 }), say('Then I leave it.'));
    await ask('Add two numbers.');
    const card = approval('Get Sum Tool');
    await card.getByRole('button', { name: 'Deny with a message…' }).click();
    await card.getByRole('textbox', { name: 'Message to the model' }).fill('I can add by myself');
    await card.getByRole('button', { name: 'Deny with this message' }).click();
    await said('Then I leave it.').waitFor();
    await callCard('Get Sum Tool').getByText('denied', { exact: true }).waitFor({ state: 'attached' });
    expect(toolResults()).toEqual([{ is_error: true, text: expect.stringContaining('I can add by myself') }]);
    expect(await page.getByText('The sum of 19 and 23 is 42.').count()).toBe(0);
  });

  it('can ask for several tools at once, each of which waits for an answer of its own', async () => {
    desk.nextReplies(
      answer(
        toolUse('mcp__everything__echo', { message: 'one' }),
        toolUse('mcp__everything__get-sum', { a: 1, b: 2 }),
      ),
      say('Both are answered.'),
    );
    await ask('Do both.');
    await approval('Echo Tool').getByRole('button', { name: 'Allow once' }).click();
    await approval('Get Sum Tool').getByRole('button', { name: 'Deny', exact: true }).click();
    await said('Both are answered.').waitFor();
    const results = toolResults();
    expect(results.map(({ is_error }) => is_error === true)).toEqual([false, true]);
    expect(results[0]?.text).toContain('Echo: one');
  });
});

describe('an answer that streams in', () => {
  it('is there before it is complete, survives a reload in the middle, and goes on after it', async () => {
    const gate = hold();
    desk.nextReplies(say('The beginning, ', gate, 'and the end.'));
    await ask('Tell me a story.');
    await said('The beginning,').waitFor();
    await page.reload();
    await said('The beginning,').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    gate.release();
    await said(/The beginning, and the end\.$/).waitFor();
    await turnIsOver();
    expect(await said('The beginning,').count()).toBe(1);
    expect(await said('Tell me a story.').count()).toBe(1);
  });

  it('belongs to the host: with every tab closed it goes on, and who comes back finds it running with Stop', async () => {
    const gate = hold();
    const later = hold();
    desk.nextReplies(say('Begun with a tab, ', gate, 'gone on without one, ', later, 'ended.'));
    await ask('Take your time.');
    await said('Begun with a tab,').waitFor();
    const address = page.url();
    const context = page.context();
    await page.close();
    gate.release();
    await later.reached;
    ({ page, problems } = await openConsole(browser, host, { context }));
    await page.goto(address);
    await said('Begun with a tab, gone on without one,').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.getByRole('link', { name: /Take your time\..*running/ }).waitFor();
    later.release();
    await said(/, ended\.$/).waitFor();
    await turnIsOver();
  });

  it('ends at Stop with what had come, and the next message goes through', async () => {
    const gate = hold();
    desk.nextReplies(say('What had come ', gate, 'and what never did'), say('At your service.'));
    await ask('Never stop.');
    await said('What had come').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await turnIsOver();
    gate.release();
    await sendToModel(page, 'And now?');
    await said('At your service.').waitFor();
    expect(await said('What had come').count()).toBe(1);
    expect(await page.getByText('and what never did').count()).toBe(0);
  });

  it('Stop also ends the tool that the turn waits for', async () => {
    const tool = 'Trigger Long Running Operation Tool';
    desk.nextReplies(call('mcp__everything__trigger-long-running-operation', { duration: 60, steps: 120 }));
    await ask('Wait for a minute.');
    await approval(tool).getByRole('button', { name: 'Allow once' }).click();
    await callCard(tool)
      .getByText(/^\d+ of 120$/)
      .waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
    await callCard(tool).getByText('stopped', { exact: true }).first().waitFor({ state: 'attached' });
    await turnIsOver();
  });
});

/** A pause this long is left to the person, so that the host does not wait by itself. */
const later = (failure: ScriptedFailure): ScriptedFailure => ({
  ...failure,
  headers: { 'retry-after': '90' },
});

describe('a model that fails', () => {
  it.each([
    {
      failure: unauthorized(),
      title: 'The model refused the key',
      remedy: 'Start Portico with a valid ANTHROPIC_API_KEY',
    },
    {
      failure: later(rateLimited()),
      title: 'Too many requests to the model',
      remedy: 'Wait a little, then try again.',
    },
    {
      failure: later(overloaded()),
      title: 'The model is overloaded',
      remedy: 'Try again in a minute.',
    },
  ])('ends the turn in a card $title, which says what to do and asks again once', async (end) => {
    desk.nextReplies(end.failure, say('Now it works.'));
    await ask('My only question.');
    const main = page.getByRole('main');
    await main.getByText(end.title, { exact: true }).waitFor();
    await main.getByText(end.remedy).waitFor();
    await main.getByRole('button', { name: 'Try again' }).click();
    await said('Now it works.').waitFor();
    await turnIsOver();
    expect(await said('My only question.').count()).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'My only question.')).toBe(1);
    expect(await main.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('leads from a refused key to where a key is set', async () => {
    desk.nextReplies(unauthorized());
    await ask('Who am I?');
    await page.getByRole('link', { name: 'How to set a key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.content()).not.toContain(MODEL_KEY);
  });

  it('keeps what came of an answer that breaks off, and Continue lets the model go on', async () => {
    const gate = hold();
    desk.nextReplies(say('Half of an ans', gate, cut()), say('The other half.'));
    await ask('Say all of it.');
    await said('Half of an ans').waitFor();
    gate.release();
    await page.getByRole('main').getByText('The answer broke off', { exact: true }).waitFor();
    await page.getByRole('main').getByText('Continue to let the model go on.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Continue' }).click();
    await said('The other half.').waitFor();
    expect(await said('Half of an ans').count()).toBe(1);
    expect(await said('Say all of it.').count()).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'Say all of it.')).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'Half of an ans')).toBe(1);
  });
});

it('causes no error in the page, and no longer calls a model optional', async () => {
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'What would you like to do?' }).waitFor();
  expect(await page.getByText('A model is optional.').count()).toBe(0);
  expect(problems).toEqual([]);
});
