import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs once before the tests that start the built product: it must be built from these sources. */
export function setup(): void {
  const root = join(import.meta.dirname, '..');
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root, stdio: 'inherit' });
}
