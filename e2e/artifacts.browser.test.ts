import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import type { FrameSession, PublishResult } from '@portico/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../testing/browser.ts';
import { addByCommand, everythingLine, openConsole } from '../testing/console-page.ts';
import { PORTICO, startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';
import { startProgram } from '../testing/processes.ts';

const EXAMPLE = join(import.meta.dirname, '../examples/artifact/page.html');
const MANIFEST =
  '{"title": "Sum beside", "mcp": {"servers": [{"name": "everything", "tools": ["get-sum"]}]}}';

const data = temporaryFolder('artifacts');
const folder = temporaryFolder('pages');
let browser: Browser;
let host: HostProcess;
let page: Page;

beforeAll(async () => {
  [browser, host] = await Promise.all([launchBrowser(), startHost({ dataFolder: data.path })]);
  ({ page } = await openConsole(browser, host));
  await addByCommand(page, 'everything', everythingLine());
  await page.getByRole('main').getByText('ready', { exact: true }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  data.remove();
  folder.remove();
});

/** The example without its own manifest, with another title and heading. */
function pageWithoutManifest(name: string): string {
  const path = join(folder.path, name);
  const html = readFileSync(EXAMPLE, 'utf8');
  const bare = html.replace(/<script type="application\/portico\+json">[\s\S]*?<\/script>/, '');
  writeFileSync(path, bare.replaceAll('Sum of two numbers', name));
  return path;
}

function written(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

interface Ended {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** Runs `portico publish` as a person would. */
async function publish(...args: readonly string[]): Promise<Ended> {
  const program = startProgram([PORTICO, 'publish', ...args, '--data', data.path]);
  return { code: await program.ended, out: program.stdout(), err: program.stderr() };
}

async function publishJson(...args: readonly string[]): Promise<PublishResult> {
  const { code, out, err } = await publish(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as PublishResult;
}

/** The artifact's document. By element, since an open dialog takes the page behind it from the roles. */
const frame = (): FrameLocator => page.frameLocator('main iframe');
const answer = (): Locator => frame().getByRole('status');
const consentFor = (title: string, connector = 'everything'): Locator =>
  page.getByRole('dialog').filter({
    has: page.getByRole('heading', { name: `“${title}” wants to use ${connector}` }),
  });

/** Opens an artifact and answers its session, as the host gave it to the console. */
async function open(artifactId: string): Promise<FrameSession> {
  const session = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/frames');
  await page.goto(`${host.origin}/artifacts/${artifactId}`);
  return (await (await session).json()) as FrameSession;
}

/** Calls that reached the host for open frames, from now on. */
function watchFrameCalls(): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/frames\/[^/]+\/calls$/.test(request.url())) calls.push(request.url());
  });
  return calls;
}

/** The call that the example makes, as the console's own page could send it past the frame. */
function callPastTheFrame(frameId: string): Promise<unknown> {
  return page.evaluate(async (id) => {
    const body = JSON.stringify({ server: 'everything', tool: 'get-sum', input: { a: 1, b: 2 } });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`/api/frames/${id}/calls`, { method: 'POST', headers, body });
    return (await response.json()) as unknown;
  }, frameId);
}

async function openPublishDialog(): Promise<Locator> {
  await page.getByRole('link', { name: 'Artifacts' }).first().click();
  await page.getByRole('button', { name: 'Publish page' }).click();
  return page.getByRole('dialog');
}

describe('publishing in the console', () => {
  it('opens the page at once, which may call nothing before the viewer has allowed it', async () => {
    const calls = watchFrameCalls();
    const dialog = await openPublishDialog();
    await dialog.getByLabel('HTML file').setInputFiles(EXAMPLE);
    await dialog.getByText('page.html').waitFor();
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sum of two numbers' }).waitFor();
    const consent = consentFor('Sum of two numbers');
    await consent.getByText('get-sum', { exact: true }).waitFor();
    expect(await frame().getByText('Asking …').count()).toBe(1);
    expect(calls).toEqual([]);
    await consent.getByRole('button', { name: 'Allow' }).click();
    await answer().getByText('The sum of 19 and 23 is 42.').waitFor();
    expect(calls).toHaveLength(1);
  });

  it('says that the very same page is there already', async () => {
    const dialog = await openPublishDialog();
    await dialog.getByLabel('HTML file').setInputFiles(EXAMPLE);
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('“Sum of two numbers” was published like this already').waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Sum of two numbers' }).count()).toBe(1);
  });

  it('takes a manifest that lies beside the page', async () => {
    const path = pageWithoutManifest('dropped.html');
    const beside = written('dropped.manifest.json', MANIFEST);
    const dialog = await openPublishDialog();
    await dialog.getByLabel('HTML file').setInputFiles([path, beside]);
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await consentFor('Sum beside').getByRole('button', { name: 'Allow' }).click();
    await answer().getByText('is 42.').waitFor();
  });

  it('says beside the form what is wrong with a page or a manifest', async () => {
    const dialog = await openPublishDialog();
    await dialog.getByLabel('HTML file').setInputFiles(written('notes.txt', 'no page'));
    await dialog.getByText('This is no HTML file.').waitFor();
    await dialog.getByLabel('HTML file').setInputFiles(written('words.html', 'only words'));
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText('This is not an HTML page: it has not a single tag.').waitFor();
    await dialog.getByLabel('HTML file').setInputFiles(pageWithoutManifest('wrong.html'));
    const manifest = dialog.getByRole('textbox', { name: 'Manifest' });
    await manifest.fill('{"mcp": ');
    await dialog.getByText('This is not valid JSON.').waitFor();
    await manifest.fill('{"mcp": {"servers": []}}');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText('The manifest asks for connectors but names none.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
});

describe('portico publish', () => {
  it('prints the address of the page, and publishes the same bytes once', async () => {
    const path = pageWithoutManifest('typed.html');
    const manifest = written('elsewhere.json', MANIFEST.replace('Sum beside', 'Sum by flag'));
    const first = await publish(path, '--manifest', manifest);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('Published Sum by flag, version 1');
    const address = /http:\/\/\S+/.exec(first.out)?.[0] ?? '';
    const again = await publish(path, '--manifest', manifest);
    expect([again.code, again.out.includes(address)]).toEqual([0, true]);
    expect(again.out).toContain('was published like this already');
    await page.goto(address);
    await consentFor('Sum by flag').getByRole('button', { name: 'Allow' }).click();
    await answer().getByText('is 42.').waitFor();
  });

  it('reads the manifest beside the page, and makes the next version of an artifact', async () => {
    const path = pageWithoutManifest('beside.html');
    written('beside.manifest.json', MANIFEST.replace('Sum beside', 'Sum in versions'));
    const first = await publishJson(path);
    expect(first).toMatchObject({ created: true, artifact: { title: 'Sum in versions', version: 1 } });
    expect(first.artifact.servers).toEqual([{ name: 'everything', tools: ['get-sum'] }]);
    const { id } = first.artifact;
    expect(await publishJson(path, '--artifact', id)).toMatchObject({ created: false });
    writeFileSync(path, readFileSync(path, 'utf8').replace('Ask again', 'Once more'));
    const next = await publishJson(path, '--artifact', id);
    expect(next).toMatchObject({ created: true, address: first.address, artifact: { id, version: 2 } });
    await open(id);
    await frame().getByRole('button', { name: 'Once more' }).waitFor();
  });

  it.each([
    { name: 'words.html', html: 'only words', sentence: /not an HTML page/ },
    { name: 'none.html', manifest: '{"mcp": {"servers": []}}', sentence: /names none/ },
    { name: 'tools.html', manifest: '{"mcp": {"servers": [{"name": "x"}]}}', sentence: /"tools"/ },
    { name: 'json.html', manifest: '{"mcp": ', sentence: /is not JSON/ },
  ])(
    'refuses $name in a sentence, on stderr, with exit code 2',
    async ({ name, html = '<p>page', manifest, sentence }) => {
      const path = written(name, html);
      if (manifest !== undefined) written(name.replace('.html', '.manifest.json'), manifest);
      const { code, out, err } = await publish(path);
      expect([code, out]).toEqual([2, '']);
      expect(err.split('\n')[0]).toMatch(/^portico: \S/);
      expect(err).toMatch(sentence);
      const inJson = await publish(path, '--json');
      expect(inJson.code).toBe(2);
      expect(JSON.parse(inJson.err)).toMatchObject({ error: { code: 'page_refused' } });
    },
  );

  it('says that a file is not there, and that no host runs', async () => {
    const missing = await publish(join(folder.path, 'missing.html'));
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('cannot be read (ENOENT)')]);
    const empty = temporaryFolder('no-host');
    const nobody = await startProgram([PORTICO, 'publish', EXAMPLE, '--data', empty.path]).ended;
    empty.remove();
    expect(nobody).toBe(4);
  });
});

describe('consent', () => {
  it('says no to a page whose viewer said no, in the page and past it', async () => {
    const path = pageWithoutManifest('denied.html');
    copyFileSync(
      written('d.json', MANIFEST.replace('Sum beside', 'Denied')),
      path.replace('.html', '.manifest.json'),
    );
    const { artifact } = await publishJson(path);
    const { frameId } = await open(artifact.id);
    const before = { ok: false, error: { code: 'not_in_manifest' } };
    await consentFor('Denied').waitFor();
    expect(await callPastTheFrame(frameId)).toMatchObject(before);
    await consentFor('Denied').getByRole('button', { name: 'Deny' }).click();
    await answer().getByText('You did not allow this page to use “everything”.').waitFor();
    expect(await callPastTheFrame(frameId)).toMatchObject(before);
    await frame().getByRole('button', { name: 'Ask again' }).click();
    await answer().getByText('You did not allow this page to use “everything”.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('asks nobody about a connector that is not there, and the page says so', async () => {
    const html = readFileSync(EXAMPLE, 'utf8').replaceAll('"everything"', '"elsewhere"');
    const path = written('unknown.html', html.replaceAll("'everything'", "'elsewhere'"));
    const { artifact } = await publishJson(path, '--title', 'Not here');
    await open(artifact.id);
    await answer()
      .getByText(/^Add a connector called/)
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('survives a restart of the host, and can be withdrawn while the page is open', async () => {
    const { artifact } = await publishJson(EXAMPLE);
    expect(artifact.grants).toEqual([{ server: 'everything', state: 'allow' }]);
    await host.stop();
    host = await startHost({ dataFolder: data.path, port: host.port });
    await page.goto(`${host.origin}/connectors`);
    await page.getByRole('main').getByText('ready', { exact: true }).nth(1).waitFor();
    const { frameId } = await open(artifact.id);
    await answer().getByText('is 42.').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    const access = page.getByLabel('Access to everything');
    expect(await access.inputValue()).toBe('allow');
    await access.selectOption({ label: 'Deny' });
    await frame().getByRole('button', { name: 'Ask again' }).click();
    await answer().getByText('You did not allow').waitFor();
    expect(await callPastTheFrame(frameId)).toMatchObject({ ok: false });
    await access.selectOption({ label: 'Ask' });
    await frame().getByRole('button', { name: 'Ask again' }).click();
    await consentFor('Sum of two numbers').getByRole('button', { name: 'Allow' }).click();
    await answer().getByText('is 42.').waitFor();
    expect(await access.inputValue()).toBe('allow');
  });
});

describe('the demo page', () => {
  beforeEach(async () => {
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('button', { name: /^Open an artifact/ }).click();
  });

  it('shows what it read once the viewer has allowed it', async () => {
    await consentFor('Harbour board', 'Portico demo').getByRole('button', { name: 'Allow' }).click();
    await frame()
      .getByText(/^Read at /)
      .waitFor();
    for (const station of ['Larkhaven', 'Port Amber', 'Mistral Point', 'Old Foundry']) {
      // oxlint-disable-next-line no-await-in-loop -- each has to be there
      await frame().getByRole('listitem').filter({ hasText: station }).getByText(/°$/).waitFor();
    }
  });

  it('F10 has no window.claude when its own address is opened at the top', async () => {
    const element = page.locator('main iframe');
    await frame().getByRole('heading', { name: 'Harbour board' }).waitFor();
    const top = await page.context().newPage();
    await top.goto((await element.getAttribute('src')) ?? '');
    await top.getByText('Open this page in Portico: only there can it read your connectors.').waitFor();
    const probes = await top.evaluate(() => {
      const { claude } = window as unknown as { claude: { mcp: { callTool(): unknown } } };
      const probe = (): string => {
        try {
          return typeof claude.mcp.callTool();
        } catch (error) {
          return (error as Error).name;
        }
      };
      return ['claude' in window, typeof claude, typeof (claude as typeof claude | undefined)?.mcp, probe()];
    });
    expect(probes).toEqual([false, 'undefined', 'undefined', 'TypeError']);
    await top.close();
  });
});
