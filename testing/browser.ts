import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { CHROMIUM_PATHS } from '../tools/chromium.mjs';

/**
 * Playwright's own switched-off features less ThirdPartyStoragePartitioning, which is part of what
 * we test. Chromium obeys the last such switch on its command line, and this one comes last.
 */
const SWITCHED_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
];

/** Path of the Chromium that tests drive; `PORTICO_CHROMIUM` wins. */
export function chromiumPath(): string {
  const path = process.env['PORTICO_CHROMIUM'] ?? CHROMIUM_PATHS.find((candidate) => existsSync(candidate));
  if (path === undefined) {
    throw new Error('no Chromium found: install it, or set PORTICO_CHROMIUM to its path');
  }
  return path;
}

/**
 * Starts headless Chromium with storage partitioned as people have it and no background traffic.
 * @param switches further command-line switches
 * @param left Playwright's own switches that are left out
 */
export async function launchBrowser(
  switches: readonly string[] = [],
  left: readonly string[] = [],
): Promise<Browser> {
  // Chromium refuses to run its own sandbox as root; everybody else keeps it.
  const asRoot = process.getuid?.() === 0;
  return await chromium.launch({
    executablePath: chromiumPath(),
    chromiumSandbox: !asRoot,
    ignoreDefaultArgs: [...left],
    args: [
      ...(asRoot ? ['--no-sandbox'] : []),
      '--disable-quic',
      `--disable-features=${SWITCHED_OFF.join(',')}`,
      ...switches,
    ],
  });
}
