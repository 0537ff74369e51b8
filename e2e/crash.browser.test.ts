import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation, ConversationDetail, PublishResult } from '@portico/api';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import {
  fillCommand,
  openConnector,
  openConsole,
  pickTool,
  runTool,
  sendToModel,
} from '../testing/console-page.ts';
import { countingLine, executionsIn } from '../testing/counting-server.ts';
import { temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { http } from '../testing/http.ts';
import { openModelDesk, timesInMessages } from '../testing/model-host.ts';
import type { ModelDesk } from '../testing/model-host.ts';
import { call, hold, say } from '../testing/scripted-reply.ts';
import { cookieOf } from '../testing/seen-text.ts';

const SECRET = 'value-of-the-counter';
const MANIFEST = { mcp: { servers: [{ name: 'counter', tools: ['count'] }] } };
const data = temporaryFolder('crash');
const counts = temporaryFolder('counts');
const countFile = join(counts.path, 'executions.jsonl');

let browser: Browser;
let desk: ModelDesk;
let host: HostProcess;
let page: Page;

beforeAll(async () => {
  [browser, desk] = await Promise.all([launchBrowser(), openModelDesk()]);
  host = await desk.startHost({ dataFolder: data.path });
  ({ page } = await openConsole(browser, host));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => complaints.push(message.text()));
  await addCounter();
  await allowDemoPage();
});

/** What the page complained of since the last test. */
let complaints: string[] = [];

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    const shown = await page.locator('body').innerText();
    const seen = shown.slice(0, 2000);
    process.stderr.write(`the page at ${page.url()} showed: ${seen}\n${complaints.join('\n')}\n`);
  }
  complaints = [];
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  await desk?.model.close();
  data.remove();
  counts.remove();
});

/** A connector of our own with a stored secret, which it needs to work. */
async function addCounter(): Promise<void> {
  await fillCommand(page, 'counter', countingLine(countFile), { COUNTER_SECRET: SECRET });
  await page.getByRole('button', { name: 'Run this command' }).click();
  await openConnector(page, 'counter');
  await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
}

async function openDemoPage(): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('button', { name: /^Open an artifact/ }).click();
}

async function allowDemoPage(): Promise<void> {
  await openDemoPage();
  await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
  await page
    .frameLocator('main iframe')
    .getByText(/^Read at /)
    .waitFor();
}

/** The power goes off, and on again. */
async function crash(): Promise<void> {
  expect(await host.kill()).toBe('SIGKILL');
  host = await desk.startHost({ dataFolder: data.path, port: host.port });
}

/** The same, and the page is loaded again. */
async function crashAndReload(): Promise<void> {
  await crash();
  await page.reload();
}

async function ask(message: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Nothing said yet' }).waitFor();
  await sendToModel(page, message);
}

const items = (content: string | RegExp): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: content });
const turnIsOver = (): Promise<void> => page.getByRole('button', { name: 'Send' }).waitFor();
const counted = (item: string): number =>
  executionsIn(countFile).filter((execution) => execution.item === item).length;
const interrupted = (): Locator =>
  page.getByRole('main').getByText('This turn was interrupted', { exact: true });

describe('a host that is killed during an answer', () => {
  it('marks the turn interrupted with all that had come, and Continue lets the model go on', async () => {
    const gate = hold();
    desk.nextReplies(say('Before the end, ', gate, 'lost for ever'), say('After the end.'));
    await ask('A question that must stay.');
    await items('Before the end,').waitFor();
    await crash();
    gate.release();
    // The page that stayed open finds its host again.
    await interrupted().waitFor();
    await page.getByRole('link', { name: /A question that must stay\..*interrupted/ }).waitFor();
    await page.reload();
    await interrupted().waitFor();
    expect(await items('Before the end,').count()).toBe(1);
    await page.getByRole('button', { name: 'Continue' }).click();
    await items('After the end.').waitFor();
    await turnIsOver();
    expect(await items('A question that must stay.').count()).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'A question that must stay.')).toBe(1);
    expect(desk.model.requests).toHaveLength(2);
  });

  it('still has the connector, whose stored value works', async () => {
    await openConnector(page, 'counter');
    await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('heading', { name: 'Nothing said yet' }).waitFor();
    await pickTool(page, 'Count');
    await page.getByLabel('item', { exact: true }).fill('by hand');
    await runTool(page);
    await items('Counted by hand.').waitFor();
    expect(executionsIn(countFile)).toEqual([{ name: 'count', item: 'by hand', secret: SECRET }]);
  });

  it('still has the page and what was allowed to it', async () => {
    await openDemoPage();
    await page
      .frameLocator('main iframe')
      .getByText(/^Read at /)
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('a host that is killed while a call waits for approval', () => {
  const approval = (): Locator => page.getByRole('region', { name: 'Allow “Count” from counter?' });

  it('shows the question again, and allowing runs the call once', async () => {
    desk.nextReplies(call('mcp__counter__count', { item: 'later' }), say('Counted after all.'));
    await ask('Count something later.');
    await approval().waitFor();
    await crashAndReload();
    await approval().getByText('later').waitFor();
    expect(await page.title()).toMatch(/^\(1\) /);
    expect(counted('later')).toBe(0);
    await approval().getByRole('button', { name: 'Allow once' }).click();
    await items('Counted after all.').waitFor();
    await turnIsOver();
    expect(counted('later')).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'Counted later.')).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'Count something later.')).toBe(1);
    expect(await items('Counted later.').count()).toBe(1);
  });

  it('tells the model of a denial that came after the restart', async () => {
    desk.nextReplies(call('mcp__counter__count', { item: 'never' }), say('As you wish.'));
    await ask('Count something never.');
    await approval().waitFor();
    await crashAndReload();
    await approval().getByRole('button', { name: 'Deny', exact: true }).click();
    await items('As you wish.').waitFor();
    expect(timesInMessages(desk.lastRequest(), 'The person declined this call.')).toBe(1);
    expect(counted('never')).toBe(0);
  });
});

describe('a host that is killed while a tool runs', () => {
  it('says that the outcome is unknown, and never runs it again by itself', async () => {
    desk.nextReplies(call('mcp__counter__count_forever', { item: 'hanging' }), say('I cannot know.'));
    await ask('Count without an end.');
    await page
      .getByRole('region', { name: 'Allow “Count forever” from counter?' })
      .getByRole('button', { name: 'Allow once' })
      .click();
    await page.getByRole('progressbar', { name: 'Progress of Count forever' }).waitFor();
    await expect.poll(() => counted('hanging')).toBe(1);
    await crashAndReload();
    await page.getByText('The host stopped while this ran').waitFor();
    await interrupted().waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await items('I cannot know.').waitFor();
    await turnIsOver();
    expect(counted('hanging')).toBe(1);
    expect(timesInMessages(desk.lastRequest(), 'Count without an end.')).toBe(1);
    await openConnector(page, 'counter');
    await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
    expect(counted('hanging')).toBe(1);
  });
});

describe('a host that is killed as soon as it has answered', () => {
  const send = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const headers = { cookie: await cookieOf(page.context()), 'content-type': 'application/json' };
    const answer = await http(host.origin + path, { method, headers, body: JSON.stringify(body) });
    expect([path, answer.status < 300]).toEqual([path, true]);
    return answer.json() as T;
  };
  const crashedDetail = async (id: string): Promise<ConversationDetail> => {
    await crash();
    const headers = { cookie: await cookieOf(page.context()) };
    return (await http(`${host.origin}/api/conversations/${id}`, { headers })).json() as ConversationDetail;
  };

  it('has the message, the choice, the page and the consent that it took in', async () => {
    desk.nextReplies(call('mcp__counter__count', { item: 'chosen' }), say('Noted.'));
    const { id } = await send<Conversation>('POST', '/api/conversations', {});
    await send('POST', `/api/conversations/${id}/messages`, { text: 'A message taken in.' });
    const first = await crashedDetail(id);
    expect(first.conversation.status).toBe('interrupted');
    expect(first.items[0]).toMatchObject({ type: 'user_message', text: 'A message taken in.' });

    await page.goto(`${host.origin}/c/${id}`);
    desk.nextReplies(call('mcp__counter__count', { item: 'chosen' }), say('Noted.'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('region', { name: 'Allow “Count” from counter?' }).waitFor();
    const waiting = (await crashedDetail(id)).items.find((item) => item.type === 'tool_call');
    await send('POST', `/api/conversations/${id}/calls/${waiting?.id}/decision`, { decision: 'allow' });
    const decided = (await crashedDetail(id)).items.find((item) => item.type === 'tool_call');
    expect(['done', 'unknown']).toContain(decided?.status);
    expect(counted('chosen')).toBeLessThanOrEqual(1);

    const html = '<!doctype html><title>Taken in</title><p>Here.</p>';
    const published = await send<PublishResult>('POST', '/api/artifacts', { html, manifest: MANIFEST });
    await crash();
    const { artifact } = published;
    await send('PUT', `/api/artifacts/${artifact.id}/consent`, { server: 'counter', decision: 'allow' });
    await crash();
    await page.goto(`${host.origin}/artifacts/${artifact.id}`);
    await page.frameLocator('main iframe').getByText('Here.').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    expect(await page.getByLabel('Access to counter').inputValue()).toBe('allow');
    expect(counted('chosen')).toBeLessThanOrEqual(1);
  });
});
