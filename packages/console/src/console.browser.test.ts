import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../testing/browser.ts';
import { startConsoleDouble } from '../../../testing/console-double.ts';
import type { ConsoleDouble } from '../../../testing/console-double.ts';

const FOLDER = join(import.meta.dirname, '..', 'dist', 'app');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where screenshots go when somebody wants to look at them. */
const SHOTS = process.env['PORTICO_SHOTS'];

/** One run looks at every address; a busy machine takes its time. */
const MATRIX_TIMEOUT_MS = 300_000;

const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 390, height: 844 };
const ADDRESSES = [
  '/',
  '/c/c1',
  '/c/c2',
  '/c/c2/k4?details=true',
  '/c/c3',
  '/c/c4',
  '/c/c5',
  '/connectors',
  '/connectors?add=command',
  '/connectors?add=url',
  '/connectors?add=paste',
  '/connectors/demo',
  '/connectors/demo/tools/add_note',
  '/connectors/broken',
  '/connectors/everything?tab=details',
  '/connectors/everything?tab=messages',
  '/connectors/everything?resource=file:///home/me/plan.md',
  '/connectors/everything?template=weather://{city}/{day}',
  '/connectors/everything?prompt=promote',
  '/artifacts',
  '/artifacts?publish=true',
  '/artifacts/a2?details=true',
  '/settings',
  '/nowhere',
  '/?connector=demo&tool=add_note',
] as const;

let browser: Browser;
let host: ConsoleDouble;
let withModel: ConsoleDouble;

beforeAll(async () => {
  [browser, host, withModel] = await Promise.all([
    launchBrowser(),
    startConsoleDouble({ folder: FOLDER }),
    startConsoleDouble({ folder: FOLDER, model: 'scripted-model' }),
  ]);
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([host.close(), withModel.close()]);
});

/** Opens an address and waits until it is drawn and at rest. */
async function open(page: Page, address: string, at: ConsoleDouble = host): Promise<void> {
  await page.goto(at.url + address);
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('[role="status"] .breathe') === null);
}

async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  try {
    await use(await context.newPage());
  } finally {
    await context.close();
  }
}

interface AxeNode {
  readonly html: string;
  readonly failureSummary?: string;
}

/** Serious and critical violations, as readable lines. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    interface Violation {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly AxeNode[];
    }
    const { axe } = window as unknown as {
      axe: { run(root: unknown, options: unknown): Promise<{ violations: Violation[] }> };
    };
    // Frames are other people's documents; the shell is what is looked at.
    const { violations: found } = await axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'] });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${(node.failureSummary ?? '').slice(0, 200)}`),
      );
  });
}

// Screens of a real host are looked at in e2e/accessibility; here each width, scheme and language once, for
// the states that a real host seldom shows.
describe.each([
  ['wide-light', { viewport: WIDE, colorScheme: 'light' }, 'en-US'],
  ['narrow-dark-german', { viewport: NARROW, colorScheme: 'dark', hasTouch: true }, 'de-DE'],
] as const)('every screen, %s', (name, options, locale) => {
  it(
    'has nothing serious for axe, no sideways scrolling, and no script refused by the policy',
    async () => {
      const problems: string[] = [];
      await withPage({ ...options, locale }, async (page) => {
        page.on('pageerror', (error) => problems.push(`${page.url()} ${String(error)}`));
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text()) && !/frame/.test(message.text()))
            problems.push(message.text());
        });
        for (const address of ADDRESSES) {
          await open(page, address, address === '/c/c1' || address === '/c/c4' ? withModel : host);
          problems.push(...(await violations(page)).map((line) => `${address} ${line}`));
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - window.innerWidth,
          );
          if (overflow > 0) problems.push(`${address} scrolls sideways by ${overflow}`);
          if (SHOTS !== undefined)
            await page.screenshot({ path: join(SHOTS, `${address.replaceAll(/\W+/g, '-')}-${name}.png`) });
        }
      });
      expect(problems).toEqual([]);
    },
    MATRIX_TIMEOUT_MS,
  );
});

describe('small screens', () => {
  it('have targets of 44 pixels and a sheet for the sidebar', async () => {
    await withPage({ viewport: NARROW, hasTouch: true }, async (page) => {
      for (const address of [
        '/',
        '/c/c1',
        '/c/c3',
        '/connectors',
        '/connectors/demo',
        '/artifacts',
        '/connectors?add=command',
      ]) {
        await open(page, address, withModel);
        const small = await page.evaluate(() =>
          [
            ...document.querySelectorAll<HTMLElement>(
              'button, select, input:not(.sr-only):not([type="checkbox"])',
            ),
          ]
            .filter(
              (element) =>
                element.checkVisibility() &&
                element.closest('[aria-hidden="true"], .sr-only, p, [role="group"]') === null,
            )
            .map((element) => ({ element, box: element.getBoundingClientRect() }))
            .filter(({ box }) => box.height > 1 && box.height < 43.5)
            .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.height}`),
        );
        expect(small, address).toEqual([]);
      }
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Artifacts' }).click();
      await page.getByRole('heading', { level: 1, name: 'Artifacts' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  });

  it('leave a value of JSON its width beside a name of any length, and need no scrolling for it', async () => {
    await withPage({ viewport: NARROW }, async (page) => {
      await open(page, '/c/c2');
      const tree = page.getByRole('group', { name: 'Structured content' }).last();
      const value = tree.getByText('https://statistics.example.com/2026/november');
      const [width, letter] = await value.evaluate((element) => [
        element.getBoundingClientRect().width,
        Number.parseFloat(getComputedStyle(element).fontSize) / 2,
      ]);
      expect(width).toBeGreaterThan(16 * (letter ?? 0));
      // A short one stays beside its name.
      const [name, flag] = [tree.getByText('done:'), tree.getByText('true')];
      expect((await name.boundingBox())?.y).toBe((await flag.boundingBox())?.y);
      expect(await tree.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    });
  });
});

describe('the keyboard', () => {
  it('reaches a tool and runs it, with the focus always in sight', async () => {
    await withPage({ viewport: WIDE }, async (page) => {
      await open(page, '/c/c5');
      await page.keyboard.press('/');
      await page.keyboard.type('sear');
      await page.keyboard.press('Enter');
      await page.getByLabel('query').waitFor();
      await page.keyboard.type('fence');
      const outline = await page.evaluate(
        () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
      );
      expect(outline).toBe('solid');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Done.').waitFor();
      expect(
        host.requests.find(({ line }) => line === 'POST /api/conversations/c5/calls')?.body,
      ).toMatchObject({ tool: 'search_notes', arguments: { query: 'fence' } });
    });
  });

  it('skips to the content, walks the regions and comes back from dialogs to where it was', async () => {
    await withPage({ viewport: WIDE }, async (page) => {
      await open(page, '/connectors');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await page.keyboard.press('F6');
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('NAV');
      const review = page.getByRole('button', { name: 'Review command' });
      await review.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.textContent === 'Review command');
      expect(host.requests.filter(({ line }) => line.endsWith('/approval'))).toEqual([]);
    });
  });

  it('shows a command of any length whole and lets it be scrolled', async () => {
    await withPage({ viewport: NARROW }, async (page) => {
      await open(page, '/connectors');
      await page.getByRole('button', { name: 'Review command' }).click();
      const body = page.locator('[data-dialog-body]');
      await page.keyboard.press('End');
      await page.waitForFunction(() => {
        const element = document.querySelector('[data-dialog-body]');
        return element !== null && element.scrollTop > 0;
      });
      const [scrolls, sideways] = await body.evaluate((element) => [
        element.scrollHeight > element.clientHeight,
        element.scrollWidth - element.clientWidth,
      ]);
      expect([scrolls, sideways]).toEqual([true, 0]);
      expect(await body.textContent()).toContain('end');
    });
  });
});

describe('first paint', () => {
  it('has the chosen theme before anything is drawn', async () => {
    await withPage({ viewport: WIDE, colorScheme: 'light' }, async (page) => {
      await open(page, '/settings');
      await page.getByText('Dark', { exact: true }).click();
      await page.route('**/assets/*.js', () => undefined);
      await page.goto(`${host.url}/settings`, { waitUntil: 'commit' });
      await page.waitForFunction(
        () => document.documentElement.dataset['theme'] === 'dark' && document.styleSheets.length > 0,
      );
      const lightness = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d');
        if (canvas === null) return 255;
        canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
      });
      expect(lightness).toBeLessThan(40);
    });
  });
});

describe('a lost host', () => {
  it('says so, and catches up by itself when the host is back', async () => {
    const flaky = await startConsoleDouble({ folder: FOLDER });
    try {
      await withPage({ viewport: WIDE }, async (page) => {
        await open(page, '/artifacts', flaky);
        flaky.setStreams(false);
        await page.getByText(/No connection to the host/).waitFor({ timeout: 20_000 });
        flaky.setStreams(true);
        await page.getByRole('button', { name: 'Reconnect now' }).click();
        await page.getByText(/No connection to the host/).waitFor({ state: 'detached' });
        flaky.emit({ type: 'artifact.removed', artifactId: 'a3' });
        await page.getByRole('link', { name: 'Clock' }).waitFor({ state: 'detached' });
      });
    } finally {
      await flaky.close();
    }
  });
});
