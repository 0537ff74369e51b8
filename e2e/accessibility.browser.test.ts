import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Frame, Page } from 'playwright-core';
import { seriousFindings } from '../testing/axe.ts';
import { launchBrowser } from '../testing/browser.ts';
import {
  addByCommand,
  everythingLine,
  fillCommand,
  openConsole,
  openConnector,
  pickTool,
  runTool,
  sendToModel,
} from '../testing/console-page.ts';
import { startHost } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { openModelDesk } from '../testing/model-host.ts';
import type { ModelDesk } from '../testing/model-host.ts';
import { call, hold, say, unauthorized } from '../testing/scripted-reply.ts';

const PROSE = `# A heading\n\nWith **bold**, \`code\`, [a link](https://example.org) and a list:

- one
- two

| a | b |
| - | - |
| 1 | 2 |

\`\`\`js
const answer = 42;
\`\`\`

![far away](https://example.org/x.png)`;

let browser: Browser;
let desk: ModelDesk;
/** With a model and a real connector. */
let host: HostProcess;
/** As it is on the first day. */
let empty: HostProcess;
let page: Page;
let emptyPage: Page;

beforeAll(async () => {
  [browser, desk, empty] = await Promise.all([launchBrowser(), openModelDesk(), startHost()]);
  host = await desk.startHost();
  ({ page } = await openConsole(browser, host));
  ({ page: emptyPage } = await openConsole(browser, empty));
  await addByCommand(page, 'everything', everythingLine());
  await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([host?.stop(), empty?.stop()]);
  await desk?.model.close();
});

async function open(path: string): Promise<void> {
  await page.goto(host.origin + path);
  // By element, since an open dialog takes the page behind it from the roles.
  await page.locator('h1').waitFor({ state: 'attached' });
}

async function ask(message: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Nothing said yet' }).waitFor();
  await sendToModel(page, message);
}

async function openDemoPage(): Promise<void> {
  await open('/artifacts');
  await page.getByRole('main').getByRole('link', { name: 'Harbour board' }).click();
}

/** The frame whose document has a button of this name. */
async function frameWith(button: string): Promise<Frame> {
  for (const frame of page.frames()) {
    // oxlint-disable-next-line no-await-in-loop -- the first one counts
    if ((await frame.getByRole('button', { name: button }).count()) > 0) return frame;
  }
  throw new Error(`no frame has a button ${button}`);
}

const looksRight = async (): Promise<void> => expect(await seriousFindings(page)).toEqual([]);

describe('axe finds nothing serious, wide or narrow, light or dark,', () => {
  beforeEach(() => open('/'));

  it('on the first screen and the settings of an empty host', async () => {
    expect(await seriousFindings(emptyPage)).toEqual([]);
    await emptyPage.getByRole('link', { name: 'How to add a model' }).click();
    await emptyPage.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await seriousFindings(emptyPage)).toEqual([]);
  });

  it('on a new conversation, and while the model answers', async () => {
    const gate = hold();
    desk.nextReplies(say(PROSE, gate, ' The end.'));
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('heading', { name: 'Nothing said yet' }).waitFor();
    await looksRight();
    await sendToModel(page, 'Write something.');
    await page.getByRole('heading', { name: 'A heading' }).waitFor();
    await looksRight();
    gate.release();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('on an approval, and on calls that were denied and that failed', async () => {
    desk.nextReplies(
      call('mcp__everything__echo', { message: 'long '.repeat(200), more: { deep: [1, 2] } }),
      call('mcp__everything__get-resource-reference', { resourceId: -1, resourceType: 'Text' }),
      unauthorized(),
    );
    await ask('Call something.');
    const allow = page.getByRole('button', { name: 'Allow once', disabled: false });
    await allow.waitFor();
    await looksRight();
    await page.getByRole('button', { name: 'Deny', exact: true, disabled: false }).click();
    await page.getByRole('region', { name: /^Allow “Get Resource/ }).waitFor();
    await allow.click();
    await page.getByRole('main').getByText('The model refused the key', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Arguments/ })
      .first()
      .click();
    await looksRight();
  });

  it('on a form with mistakes, on what a call answered, and on its details', async () => {
    await pickTool(page, 'Get Structured Content Tool');
    await page.getByLabel('location').waitFor();
    await runTool(page);
    await page
      .getByText(/This is needed|Choose one of/)
      .first()
      .waitFor();
    await looksRight();
    await page.getByLabel('location').selectOption({ label: 'Chicago' });
    await runTool(page);
    await page.getByText('Light rain / drizzle').waitFor();
    await looksRight();
    await page.getByRole('link', { name: 'Details of Get Structured Content Tool' }).click();
    await page.getByRole('complementary').getByText('Result as it came').waitFor();
    await looksRight();
  });

  it('on a view, inside and outside', async () => {
    await page.getByRole('button', { name: /^Try a view/ }).click();
    const card = page.getByRole('region', { name: /^View of Show the weather/ });
    const shown = card.frameLocator('iframe').frameLocator('iframe');
    await shown.getByText(/^\d+\skm\/h$/).waitFor();
    await looksRight();
    expect(await seriousFindings(page, { frame: await frameWith('Read again') })).toEqual([]);
    await page.getByRole('link', { name: /^Details of the view/ }).click();
    await page.getByRole('complementary').getByText('Own origin').waitFor();
    await looksRight();
  });

  it('on connectors: the list, a failed one, one that is ready, its details and a tool', async () => {
    await fillCommand(page, 'wrong', 'portico-no-such-program');
    await openConnector(page, 'wrong');
    await page.getByRole('main').getByText('failed', { exact: true }).first().waitFor();
    await looksRight();
    await open('/connectors');
    await page.getByRole('main').getByRole('link', { name: 'everything' }).waitFor();
    await looksRight();
    await openConnector(page, 'everything');
    await page.getByRole('main').getByText('echo', { exact: true }).first().waitFor();
    await looksRight();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('mcp-servers/everything').waitFor();
    await looksRight();
    await page.getByRole('tab', { name: /^Tools/ }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Echo Tool/ })
      .click();
    await page.getByText('Input schema').waitFor();
    await looksRight();
    await page.getByRole('complementary').getByRole('textbox', { name: 'message' }).fill('Hello');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Echo: Hello').waitFor();
    await page.getByRole('tab', { name: /^Messages/ }).click();
    await page.locator('[data-message]').last().click();
    await looksRight();
  });

  it.each(['command', 'url', 'paste'])('on the dialog that adds a connector, by %s', async (way) => {
    await open(`/connectors?add=${way}`);
    await page.getByRole('dialog').getByRole('tab').first().waitFor();
    await looksRight();
  });

  it('on a command that waits for its approval', async () => {
    await fillCommand(page, 'waiting', `${everythingLine()} --flag '\u202ehidden'`, { A_NAME: 'x' });
    await page.getByRole('button', { name: 'Run this command' }).waitFor();
    await looksRight();
    await page.getByRole('button', { name: 'Not now' }).click();
    await openConnector(page, 'waiting');
    await page.getByRole('button', { name: 'Review command' }).waitFor();
    await looksRight();
  });

  it('on artifacts: the list, the question, the page itself, its details and publishing', async () => {
    await open('/artifacts');
    await page.getByRole('main').getByRole('link', { name: 'Harbour board' }).waitFor();
    await looksRight();
    await openDemoPage();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).waitFor();
    await looksRight();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
    await page
      .frameLocator('main iframe')
      .getByText(/^Read at /)
      .waitFor();
    expect(await seriousFindings(page, { frame: await frameWith('Refresh') })).toEqual([]);
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('complementary').getByText('Address').waitFor();
    await looksRight();
    await open('/artifacts');
    await page.getByRole('button', { name: 'Publish page' }).click();
    await page.getByRole('dialog').waitFor();
    await looksRight();
  });

  it('on settings, search, the list of shortcuts, a question before deleting, and a dead link', async () => {
    await open('/settings');
    await page.getByText(desk.model.url.replace('http://', '')).first().waitFor();
    await looksRight();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await looksRight();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await looksRight();
    await page.keyboard.press('Escape');
    await openConnector(page, 'everything');
    await page.getByRole('button', { name: 'More actions' }).click();
    await looksRight();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Delete everything?').waitFor();
    await looksRight();
    await open('/c/none');
    await page.getByText('There is nothing here').waitFor();
    await looksRight();
  });

  it('on the navigation of a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Connectors' }).waitFor();
    expect(await seriousFindings(page, { width: 390 })).toEqual([]);
  });
});

describe('without a mouse', () => {
  type Role = 'button' | 'textbox' | 'combobox' | 'link';
  const focused = (name: string | RegExp, role: Role) =>
    emptyPage.getByRole(role, { name, exact: typeof name === 'string' }).and(emptyPage.locator(':focus'));

  /** Presses Tab until the control has the focus, which then has to be in sight. */
  async function tabTo(name: string | RegExp, role: Role): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      // oxlint-disable no-await-in-loop -- one key after another
      await emptyPage.keyboard.press('Tab');
      if ((await focused(name, role).count()) === 0) continue;
      expect((await focused(name, role).boundingBox())?.height).toBeGreaterThan(0);
      return;
      // oxlint-enable no-await-in-loop
    }
    throw new Error(`Tab does not reach ${role} ${String(name)}`);
  }

  it('a person adds a connector, approves its command, fills a form, runs the tool and reads the answer', async () => {
    const { keyboard } = emptyPage;
    await emptyPage.goto(empty.origin);
    await emptyPage.getByRole('button', { name: /^Add a connector/ }).waitFor();
    await keyboard.press('Tab');
    await focused('Skip to content', 'link').waitFor();
    await keyboard.press('Enter');
    await tabTo(/^Add a connector/, 'button');
    await keyboard.press('Enter');
    const dialog = emptyPage.getByRole('dialog');
    await dialog.getByLabel('Command line').waitFor();
    await tabTo('Command line', 'textbox');
    await keyboard.insertText(everythingLine());
    await dialog.getByLabel('Program').waitFor();
    await tabTo('Name', 'textbox');
    await keyboard.press('Control+a');
    await keyboard.insertText('typed');
    await tabTo('Add', 'button');
    await keyboard.press('Enter');

    // The command has the focus, not the button that runs it.
    await emptyPage
      .getByRole('group', { name: 'The exact command' })
      .and(emptyPage.locator(':focus'))
      .waitFor();
    await tabTo('Run this command', 'button');
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await tabTo(/^typed/, 'link');
    await keyboard.press('Enter');
    await emptyPage.getByRole('main').getByText('ready', { exact: true }).first().waitFor();

    await keyboard.press('h');
    await emptyPage.getByRole('heading', { name: 'What would you like to do?' }).waitFor();
    await keyboard.press('/');
    await focused('Search a tool to call', 'combobox').waitFor();
    await keyboard.type('get-sum');
    await emptyPage.getByRole('option', { name: /Get Sum Tool/ }).waitFor();
    await keyboard.press('Enter');
    await focused('a', 'textbox').waitFor();
    await keyboard.type('19');
    await tabTo('b', 'textbox');
    await keyboard.type('23');
    await keyboard.press('Control+Enter');
    await emptyPage.getByText('The sum of 19 and 23 is 42.').waitFor();
    await tabTo(/^Arguments/, 'button');
    await keyboard.press('Enter');
    await emptyPage.getByRole('group', { name: 'Arguments' }).getByText('19').waitFor();
  });
});
