import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Serious and critical findings of axe in one document, without the frames in it. */
async function findingsIn(frame: Frame | Page): Promise<readonly string[]> {
  await frame.evaluate(AXE);
  const violations = await frame.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: unknown): Promise<{ violations: Finding[] }> };
    };
    return (await axe.run({ iframes: false, resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}

/** Colours come from the scheme and sizes from the width, so each of them once finds nearly all there is. */
const SOME_LOOKS = [
  [1280, 'light'],
  [390, 'dark'],
] as const;
/** What is looked at where there is time: `npm run nightly` asks for it. */
const ALL_LOOKS = [...SOME_LOOKS, [1280, 'dark'], [390, 'light']] as const;

export interface LookOptions {
  /** Only at this width, in pixels, in both schemes. Default: a wide and a narrow screen. */
  readonly width?: 1280 | 390;
  /** Look into this document in place of the page. */
  readonly frame?: Frame;
}

/**
 * Serious and critical findings on what is shown now, wide in light and narrow in dark colours; with
 * `PORTICO_ALL_LOOKS=1` in each width in both. Motion is reduced, since a colour on its way to another one has a contrast that nobody chose.
 */
export async function seriousFindings(page: Page, options: LookOptions = {}): Promise<readonly string[]> {
  const { width: only, frame = page } = options;
  const all = only !== undefined || process.env['PORTICO_ALL_LOOKS'] === '1';
  const looks = (all ? ALL_LOOKS : SOME_LOOKS).filter(([width]) => only === undefined || width === only);
  const found: string[] = [];
  for (const [width, colorScheme] of looks) {
    // oxlint-disable no-await-in-loop -- one page
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const here = await findingsIn(frame);
    found.push(...here.map((finding) => `${width} px, ${colorScheme}: ${finding}`));
    // oxlint-enable no-await-in-loop
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}
