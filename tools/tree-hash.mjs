import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.test-results', '.portico', 'coverage']);

/**
 * SHA-256 over names and contents of the files below the given places.
 * @param {string} root
 * @param {readonly string[]} places files or folders relative to root; a missing one counts as empty
 * @param {(path: string) => boolean} [wanted]
 * @returns {string} hex
 */
export function treeHash(root, places, wanted = () => true) {
  const hash = createHash('sha256');
  for (const path of places.flatMap((place) => filesBelow(join(root, place)))) {
    const name = relative(root, path);
    if (!wanted(name)) continue;
    hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} files in a stable order */
function filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !SKIPPED.has(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** All that a test's outcome depends on: sources, tests, tools, documents and configuration. */
export const TREE_PLACES = [
  'packages',
  'testing',
  'tools',
  'e2e',
  'bench',
  'examples',
  'docs',
  '.ci',
  'README.md',
  'CONTRIBUTING.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.tests.json',
  'vitest.config.ts',
  'knip.json',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  '.npmrc',
];
