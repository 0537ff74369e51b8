// Sources in TypeScript that benchmarks share with the tests; packages are the built ones.
import { join } from 'node:path';
import { runnerImport } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');

/** Imports a source file of this repository. @param {string} path below its root */
export async function loadSource(path) {
  const { module } = await runnerImport(join(ROOT, path), {
    root: ROOT,
    logLevel: 'error',
    ssr: { external: true },
  });
  return module;
}
