#!/usr/bin/env node
// Builds what the host runs from: every package by tsc -b, the sandbox scripts as single files,
// and the console. Does nothing when the sources have not changed since the last build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { treeHash } from './tree-hash.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const STAMP = join(ROOT, 'node_modules', '.portico-build');
const INPUTS = ['packages', 'tools/build.mjs', 'tools/layers.mjs', 'tsconfig.base.json', 'package-lock.json'];
const isInput = (name) => !/\.(test|test-d)\.tsx?$/.test(name);

/** Scripts that run inside sandbox documents, each bundled into one file without imports. */
const SANDBOX_SCRIPTS = [
  {
    entry: 'packages/views/src/dom/proxy.ts',
    output: 'packages/views/dist',
    file: 'proxy.bundle.js',
  },
  {
    entry: 'packages/frames/src/dom/kernel.ts',
    output: 'packages/frames/dist',
    file: 'kernel.bundle.js',
  },
];
const OUTPUTS = [
  ...SANDBOX_SCRIPTS.map(({ output, file }) => `${output}/${file}`),
  'packages/host/dist/cli/main.js',
  'packages/console/dist/app/index.html',
];

/** @returns {Promise<boolean>} whether anything had to be built */
export async function ensureBuilt() {
  const hash = treeHash(ROOT, INPUTS, isInput);
  const fresh =
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === hash &&
    OUTPUTS.every((path) => existsSync(join(ROOT, path)));
  if (fresh) return false;
  compile();
  const { build } = await import('vite');
  for (const script of SANDBOX_SCRIPTS) await bundle(build, script);
  await build({ root: join(ROOT, 'packages/console'), logLevel: 'warn', mode: 'production' });
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, hash);
  return true;
}

function compile() {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

async function bundle(build, { entry, output, file }) {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(ROOT, output),
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: join(ROOT, entry), formats: ['iife'], name: 'portico', fileName: () => file },
    },
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureBuilt();
}
