import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../../testing/browser.ts';
import { startFleet } from '../../../../testing/mcp-fleet.ts';
import type { Fleet } from '../../../../testing/mcp-fleet.ts';
import type { McpPage, MountOptions } from '../../../../testing/mcp-page.tsx';
import { bundleScript, createSandboxSite } from '../../../../testing/sandbox-site.ts';
import type { BundleOptions, SandboxSite } from '../../../../testing/sandbox-site.ts';
import { ensureInstalled } from '../../../../tools/install.mjs';

interface PageWindow {
  readonly portico: { mount(options: MountOptions): McpPage; readonly version: string };
  app: McpPage;
}

const ROOT = join(import.meta.dirname, '../../../..');
const COUNT = 20;
let browser: Browser;
let site: SandboxSite;
let fleet: Fleet;
let page: Page;
let problems: string[];
/** Ends of sessions that the page asked for; a server may hear of one twice, since the browser repeats requests. */
let deleted: number;

beforeAll(async () => {
  browser = await launchBrowser();
  site = await createSandboxSite();
  site.serve('app', '/favicon.ico', { body: '' });
  const react18 = 'testing/react-18';
  ensureInstalled(join(ROOT, react18));
  for (const [name, options] of Object.entries<BundleOptions>({
    development: { mode: 'development' },
    production: { mode: 'production' },
    'react-18': { mode: 'development', reactFolder: react18 },
  })) {
    const script = await bundleScript('testing/mcp-page.tsx', 'portico', options);
    site.serve('app', `/${name}`, { body: `<!doctype html><body><script>${script}</script>` });
  }
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  fleet = await startFleet(COUNT);
  page = await browser.newPage();
  problems = [];
  deleted = 0;
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deleted += 1;
  });
  page.on('console', (message) => {
    if (message.type() !== 'info') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
});
afterEach(async () => {
  await page.close();
  await fleet.close();
});

const renders = (): Promise<Record<string, number>> =>
  page.evaluate(() => ({ ...(window as unknown as PageWindow).app.renders }));

/** Opens the page and waits until all rows show all tools. */
async function open(
  name: 'development' | 'production' | 'react-18',
  options: Omit<MountOptions, 'urls'> = {},
): Promise<void> {
  await page.goto(`${site.origin('app')}/${name}`);
  await mount(options);
}

async function mount(options: Omit<MountOptions, 'urls'> = {}): Promise<void> {
  await begin(options);
  await ready(COUNT);
  await streams(COUNT);
}

async function begin(options: Omit<MountOptions, 'urls'> = {}): Promise<void> {
  await page.evaluate(
    (given) => {
      const shell = window as unknown as PageWindow;
      shell.app = shell.portico.mount(given);
    },
    { ...options, urls: fleet.servers.map(({ url }) => url) },
  );
}

/** Waits until so many rows show all tools. */
async function ready(count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('li')].filter((row) => row.textContent?.endsWith('ready 30')).length ===
      wanted,
    count,
  );
}

/** Waits for so many open streams. */
async function streams(count: number): Promise<void> {
  await expect.poll(() => fleet.streams, { timeout: 10_000 }).toBe(count);
}

/** How many requests came, to all servers. */
const received = (): number => fleet.servers.reduce((sum, { lines }) => sum + lines.length, 0);

/** Lets what was sent arrive and be rendered. */
const quiet = (): Promise<void> => page.waitForTimeout(300);

describe('twenty servers in Chromium', () => {
  it('R141 R159 render each row twice until all is there, and once for one change of it', async () => {
    await open('production');
    await quiet();
    const rows = Array.from({ length: COUNT }, (_, index) => `s${index}`);
    const first = await renders();
    for (const id of rows) expect(first[id], id).toBeLessThanOrEqual(3);
    expect([first['rows'], first['functions']]).toEqual([1, 1]);

    const before = await page.evaluate(() => (window as unknown as PageWindow).app.serialized());
    fleet.servers[3]?.addTool('late');
    await page.waitForFunction(() => document.body.textContent?.includes('s3 ready 31'));
    await quiet();
    const changed = await renders();
    expect(changed).toEqual({ ...first, s3: (first['s3'] ?? 0) + 1 });
    expect(fleet.servers[3]?.lines.filter((line) => line === 'POST tools/list')).toHaveLength(2);
    const made = await page.evaluate(() => (window as unknown as PageWindow).app.serialized());
    expect(made - before).toBeLessThan(2_000);

    await fleet.servers[5]?.say('notifications/message', { level: 'info', data: 'hello' });
    await page.evaluate(() =>
      (window as unknown as PageWindow).app.client().getServer('s7')?.callTool('tool-1', {}),
    );
    await quiet();
    expect(await renders()).toEqual(changed);
    expect(problems).toEqual([]);
  });

  it('R160 cost each server what bare fetches would, and none waits for another', async () => {
    await page.goto(`${site.origin('app')}/production`);
    const slow = fleet.servers.slice(0, 2);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    for (const { url } of slow) {
      await page.route(url, async (route) => {
        await held;
        await route.continue();
      });
    }
    await begin();
    await ready(COUNT - slow.length);
    expect(slow.flatMap(({ lines }) => lines)).toEqual([]);
    letGo();
    await ready(COUNT);
    await streams(COUNT);
    await quiet();
    for (const { lines } of fleet.servers) {
      expect(lines.filter((line) => line !== 'GET')).toEqual([
        'POST initialize',
        'POST notifications/initialized',
        'POST tools/list',
      ]);
    }
    const { rows: _rows, functions: _functions, unread: _unread, ...ofRows } = await renders();
    expect(Object.keys(ofRows)).toHaveLength(COUNT);
    for (const [id, count] of Object.entries(ofRows)) expect(count, id).toBeLessThanOrEqual(3);
  });

  it('R162 R107 render a count of unread notifications five times at most for two hundred in a burst', async () => {
    await open('production');
    await quiet();
    const before = await renders();
    const burst = Array.from({ length: 200 }, (_, index) =>
      fleet.servers[0]?.say('notifications/message', { level: 'info', data: index }),
    );
    await Promise.all(burst);
    await page.waitForFunction(() => document.querySelector('output')?.textContent === '200');
    const after = await renders();
    expect((after['unread'] ?? 0) - (before['unread'] ?? 0)).toBeLessThanOrEqual(5);
    expect({ ...after, unread: before['unread'] }).toEqual(before);
    const kept = await page.evaluate(() =>
      (window as unknown as PageWindow).app
        .client()
        .getServer('s0')
        ?.notifications.map(({ params }) => params?.['data']),
    );
    expect(kept).toEqual(Array.from({ length: 200 }, (_, index) => 199 - index));
  });

  it('R137 R107 R135 open one session and one stream each in strict mode, and tell everything once', async () => {
    await open('development', { strict: true });
    expect([fleet.sessions, fleet.streams]).toEqual([{ opened: COUNT, ended: 0 }, COUNT]);
    expect(fleet.count('POST initialize')).toBe(COUNT);
    await fleet.servers[0]?.say('notifications/message', { level: 'info', data: 'one' });
    await page.waitForFunction(() => document.querySelector('output')?.textContent === '1');
    const told = await page.evaluate(() => (window as unknown as PageWindow).app.told);
    for (const text of ['+ ', 'discovering', 'ready']) {
      expect(
        told.filter((line) => line.includes(text)),
        text,
      ).toHaveLength(COUNT);
    }
    expect(told).toHaveLength(3 * COUNT);
    expect(problems).toEqual([]);
  });

  it('R144 do the same with React 18: one session each in strict mode, one row for one change, nothing left', async () => {
    await open('react-18', { strict: true });
    const version = await page.evaluate(() => (window as unknown as PageWindow).portico.version);
    expect(version).toMatch(/^18\./);
    expect([fleet.sessions, fleet.streams]).toEqual([{ opened: COUNT, ended: 0 }, COUNT]);
    expect(fleet.count('POST initialize')).toBe(COUNT);
    await quiet();
    const before = await renders();
    fleet.servers[3]?.addTool('late');
    await page.waitForFunction(() => document.body.textContent?.includes('s3 ready 31'));
    await quiet();
    // Strict mode renders twice what is rendered once.
    expect(await renders()).toEqual({ ...before, s3: (before['s3'] ?? 0) + 2 });
    await page.evaluate(() => (window as unknown as PageWindow).app.unmount());
    await streams(0);
    await expect.poll(() => fleet.sessions).toEqual({ opened: COUNT, ended: COUNT });
    await expect.poll(() => deleted).toBe(COUNT);
    expect(problems).toEqual([]);
  });

  it('R138 R163 leave no stream and no session when they go, at once and again and again', async () => {
    await open('development', { strict: true });
    await page.evaluate(() => (window as unknown as PageWindow).app.unmount());
    await streams(0);
    await expect.poll(() => fleet.sessions).toEqual({ opened: COUNT, ended: COUNT });
    await expect.poll(() => deleted).toBe(COUNT);
    await page.evaluate(
      async (urls) => {
        const shell = window as unknown as PageWindow;
        for (let turn = 0; turn < 100; turn++) {
          const app = shell.portico.mount({ urls, strict: true });
          await new Promise((resolve) => setTimeout(resolve, turn % 5));
          app.unmount();
        }
      },
      fleet.servers.slice(0, 2).map(({ url }) => url),
    );
    await streams(0);
    // What was on its way arrives, and then nothing comes any more.
    let before = -1;
    await expect
      .poll(
        () => {
          const same = before === received();
          before = received();
          return same;
        },
        { interval: 500, timeout: 10_000 },
      )
      .toBe(true);
    await streams(0);
    const held = (): Promise<number | undefined> =>
      page.evaluate(async () => (await navigator.locks.query()).held?.length);
    await expect.poll(held, { timeout: 10_000 }).toBe(0);
    expect(problems).toEqual([]);
  });
});
