import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../testing/browser.ts';
import { openConsole } from '../testing/console-page.ts';
import { startHost, temporaryFolder } from '../testing/host-process.ts';
import type { HostProcess } from '../testing/host-process.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const data = temporaryFolder('accessibility');

let browser: Browser;
let host: HostProcess;

beforeAll(async () => {
  [browser, host] = await Promise.all([launchBrowser(), startHost({ dataFolder: data.path })]);
});

afterAll(async () => {
  await browser?.close();
  await host?.stop();
  data.remove();
});

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Serious and critical findings of axe on what is shown now; frames are other people's pages. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: unknown): Promise<{ violations: Finding[] }> };
    };
    return (await axe.run({ iframes: false })).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Every screen, by the way a person gets there. */
const SCREENS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['home', async (page) => void (await page.goto(`${host.origin}/`))],
  [
    'conversation with a view',
    async (page) => {
      await page.goto(`${host.origin}/`);
      await page.getByRole('button', { name: /^Try a view/ }).click();
      await page.getByRole('link', { name: /^Details of the view/ }).click();
    },
  ],
  ['connectors', async (page) => void (await page.goto(`${host.origin}/connectors`))],
  [
    'connector',
    async (page) => {
      await page.goto(`${host.origin}/connectors`);
      await page.getByRole('main').getByRole('link', { name: 'Portico demo' }).click();
    },
  ],
  ['adding a command', async (page) => void (await page.goto(`${host.origin}/connectors?add=command`))],
  ['adding an address', async (page) => void (await page.goto(`${host.origin}/connectors?add=url`))],
  ['artifacts', async (page) => void (await page.goto(`${host.origin}/artifacts`))],
  [
    'artifact that asks',
    async (page) => {
      await page.goto(`${host.origin}/artifacts`);
      await page.getByRole('main').getByRole('link').first().click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  ['settings', async (page) => void (await page.goto(`${host.origin}/settings`))],
];

describe.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('at %i pixels in %s', (width, colorScheme) => {
  it('has no serious finding on any screen', async () => {
    // A second start joins and prints a fresh link, since each works once.
    const { launchLink } = await startHost({ dataFolder: data.path, port: host.port });
    const { page, context } = await openConsole(browser, { ...host, launchLink }, { width, colorScheme });
    const found: string[] = [];
    for (const [name, open] of SCREENS) {
      // oxlint-disable-next-line no-await-in-loop -- one page
      await open(page);
      // oxlint-disable-next-line no-await-in-loop -- one page
      await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor();
      // oxlint-disable-next-line no-await-in-loop -- one page
      for (const finding of await findings(page)) found.push(`${name}: ${finding}`);
    }
    await context.close();
    expect(found).toEqual([]);
  });
});

describe('by keyboard alone', () => {
  it('calls a tool of the demo connector and reads its answer', async () => {
    const { launchLink } = await startHost({ dataFolder: data.path, port: host.port });
    const { page, context } = await openConsole(browser, { ...host, launchLink });
    const composer = page.getByRole('combobox');
    for (let step = 0; step < 40; step++) {
      // oxlint-disable-next-line no-await-in-loop -- one key after another
      if (await composer.evaluate((element) => element === document.activeElement).catch(() => false)) break;
      // oxlint-disable-next-line no-await-in-loop -- one key after another
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('/get_weather');
    await page
      .getByRole('option', { name: /get_weather|weather/i })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { level: 3 }).first().waitFor();
    await context.close();
  });
});
