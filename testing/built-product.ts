import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs once before the tests that start the built product: it must be built from these sources.
 * `PORTICO_SKIP_BUILD=1` is for working on browser tests that need no product.
 */
export function setup(): void {
  if (process.env['PORTICO_SKIP_BUILD'] === '1') return;
  const root = join(import.meta.dirname, '..');
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root, stdio: 'inherit' });
}
