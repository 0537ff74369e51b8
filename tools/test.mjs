#!/usr/bin/env node
// `npm test`: installs what the tests need, then format check, lint, types, unused code and tests.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_PATHS } from './chromium.mjs';
import { ensureInstalled, requireNode } from './install.mjs';
import { RESULTS_FILE } from './result-reporter.mjs';
import { TREE_PLACES, treeHash } from './tree-hash.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name, file) => join(root, 'node_modules', name, file);

/** Checks that run before the tests; each counts as one in the closing line. */
const GATES = [
  { name: 'layer table', args: [join(root, 'tools/sync-layers.mjs'), '--check'] },
  { name: 'format', args: [bin('oxfmt', 'bin/oxfmt'), '--check'] },
  { name: 'types', args: [bin('typescript', 'bin/tsc'), '-b'] },
  { name: 'types of tests', args: [bin('typescript', 'bin/tsc'), '-p', 'tsconfig.tests.json'] },
  { name: 'lint', args: [bin('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'unused code', args: [bin('knip', 'bin/knip.js'), '--no-progress'] },
];

function ensureChromium() {
  if (process.env.PORTICO_CHROMIUM !== undefined || CHROMIUM_PATHS.some((path) => existsSync(path))) return;
  const asRoot = process.getuid?.() === 0;
  if (!asRoot || spawnSync('apt-get', ['--version']).status !== 0) {
    console.error(
      'The browser tests need Chromium. Install it (Debian and Ubuntu: sudo apt-get install chromium), ' +
        'or set PORTICO_CHROMIUM to its path.',
    );
    process.exit(2);
  }
  console.error('Installing Chromium …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'],
  ]) {
    const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env });
    if (status !== 0) {
      console.error(
        `apt-get ${args[0]} failed; install Chromium by hand, or set PORTICO_CHROMIUM to its path.`,
      );
      process.exit(2);
    }
  }
}

/** @returns {boolean} */
function runNode(name, args) {
  console.error(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  return status === 0;
}

function runTests() {
  rmSync(RESULTS_FILE, { force: true });
  const ok = runNode('tests', [
    bin('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=./tools/result-reporter.mjs',
  ]);
  const none = { tests: [], broken: ['the whole run'], unhandled: [] };
  const results = existsSync(RESULTS_FILE) ? JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) : none;
  const count = (state) => results.tests.filter((test) => test.state === state).length;
  const failures = count('failed') + results.broken.length + results.unhandled.length;
  // An empty run, or one that vitest itself calls failed, is never a success.
  const failed = failures === 0 && (!ok || count('passed') === 0) ? 1 : failures;
  return { results, passed: count('passed'), failed };
}

requireNode();
ensureInstalled(root);
ensureInstalled(join(root, 'testing/react-18'));
ensureChromium();
const before = treeHash(root, TREE_PLACES);
const failedGates = GATES.filter(({ name, args }) => !runNode(name, args)).map(({ name }) => name);
const { results, passed, failed } = runTests();
const after = treeHash(root, TREE_PLACES);
const summary = {
  passed: passed + GATES.length - failedGates.length,
  failed: failed + failedGates.length,
};
mkdirSync(dirname(RESULTS_FILE), { recursive: true });
const complete = before === after;
writeFileSync(RESULTS_FILE, JSON.stringify({ treeHash: after, complete, summary, ...results }));
if (failedGates.length > 0) console.error(`\nFailed before the tests: ${failedGates.join(', ')}`);
if (results.broken.length > 0) console.error(`Did not load: ${results.broken.join(', ')}`);
if (results.unhandled.length > 0) console.error(`Errors outside tests: ${results.unhandled.join('; ')}`);
console.log(`${summary.passed} passed, ${summary.failed} failed`);
process.exitCode = summary.failed === 0 ? 0 : 1;
