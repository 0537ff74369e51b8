#!/usr/bin/env node
// Writes every file that is derived from the layer table: tsconfig projects, package exports and
// the import walls of the linter. `--check` writes nothing and exits 1 when a file differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAYERS, SCOPE, sourceAliases } from './layers.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const TESTS = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'src/**/*.test-d.ts'];
const RUNTIME_OPTIONS = {
  neutral: { lib: ['es2023', 'webworker', 'webworker.iterable'], types: [] },
  node: { lib: ['es2023'], types: ['node'] },
  dom: { lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
};
/** Schemas are inferred there, so their exports cannot carry written-out types. */
const INFERRED = new Set(['spec', 'api']);

/** The extra projects of a package whose root is neutral: code for one runtime in a folder of its own. */
const subRuntimes = (layer) =>
  layer.runtime === 'neutral'
    ? ['node', 'dom'].filter((runtime) => existsSync(join(ROOT, 'packages', layer.name, 'src', runtime)))
    : [];

const projectsOf = (layer) => [
  { file: 'tsconfig.json', layer },
  ...subRuntimes(layer).map((runtime) => ({ file: `tsconfig.${runtime}.json`, layer, runtime })),
];

function project({ layer, runtime }) {
  const below = layer.mayImport.flatMap((name) => {
    const target = LAYERS.find((candidate) => candidate.name === name);
    return projectsOf(target).map(({ file }) => ({ path: `../${name}/${file}` }));
  });
  const references = runtime === undefined ? below : [{ path: './tsconfig.json' }, ...below];
  const app = layer.name === 'console';
  return {
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      ...RUNTIME_OPTIONS[runtime ?? layer.runtime],
      rootDir: 'src',
      ...(app
        ? { composite: false, declaration: false, isolatedDeclarations: false, noEmit: true }
        : { outDir: 'dist' }),
      tsBuildInfoFile: `dist/.tsbuildinfo${runtime === undefined ? '' : `-${runtime}`}`,
      ...(INFERRED.has(layer.name) ? { isolatedDeclarations: false } : {}),
    },
    include: [runtime === undefined ? 'src' : `src/${runtime}`],
    exclude: [...TESTS, ...(runtime === undefined ? subRuntimes(layer).map((name) => `src/${name}`) : [])],
    references,
  };
}

function packageExports(layer) {
  const built = (source) => {
    const path = source.replace(/^src\//, './dist/').replace(/\.tsx?$/, '');
    return { types: `${path}.d.ts`, default: `${path}.js` };
  };
  return Object.fromEntries(
    Object.entries(layer.entries).map(([subpath, entry]) => [
      subpath,
      typeof entry === 'string' ? built(entry) : { node: built(entry.node), ...built(entry.default) },
    ]),
  );
}

function packageFile(layer, current) {
  const dependencies = Object.entries(current.dependencies ?? {}).filter(
    ([name]) => !name.startsWith(`${SCOPE}/`),
  );
  const kept = Object.keys(current.dependencies ?? {})
    .filter((name) => name.startsWith(`${SCOPE}/`) && layer.mayImport.includes(name.slice(SCOPE.length + 1)))
    .map((name) => [name, '0.1.0']);
  const all = Object.fromEntries([...dependencies, ...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  const { dependencies: _dropped, exports: _old, ...rest } = current;
  return {
    ...rest,
    ...(Object.keys(layer.entries).length > 0 ? { exports: packageExports(layer) } : {}),
    ...(Object.keys(all).length > 0 ? { dependencies: all } : {}),
  };
}

/** One lint override a package: only the packages the table allows, and only by their entries. */
function importWall(layer) {
  const allowed = [...layer.mayImport, layer.name].flatMap((name) => [
    `!${SCOPE}/${name}`,
    `!${SCOPE}/${name}/*`,
  ]);
  const entries = sourceAliases().map(({ specifier }) => `!${specifier}`);
  return {
    files: [`packages/${layer.name}/src/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [`${SCOPE}/*`, `${SCOPE}/*/**`, ...allowed],
              message: 'The layer table (tools/layers.mjs) does not allow this import.',
            },
            {
              group: [`${SCOPE}/*/**`, ...entries],
              message: 'Import another package by its public entry.',
            },
          ],
        },
      ],
    },
  };
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const read = (path) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : undefined);

/** @returns {Map<string, string>} path → wanted text */
function wantedFiles() {
  const files = new Map();
  const base = JSON.parse(read('tsconfig.base.json'));
  base.compilerOptions.paths = Object.fromEntries(
    sourceAliases().map(({ specifier, source }) => [specifier, [`./${source}`]]),
  );
  files.set('tsconfig.base.json', json(base));
  const references = [];
  for (const layer of LAYERS) {
    for (const entry of projectsOf(layer)) {
      files.set(`packages/${layer.name}/${entry.file}`, json(project(entry)));
      references.push({ path: `packages/${layer.name}/${entry.file}` });
    }
    const manifest = `packages/${layer.name}/package.json`;
    files.set(manifest, json(packageFile(layer, JSON.parse(read(manifest)))));
  }
  files.set('tsconfig.json', json({ files: [], references }));
  const lint = JSON.parse(read('.oxlintrc.json'));
  const own = lint.overrides.filter((override) => !override.rules?.['no-restricted-imports']?.[1]?.patterns);
  lint.overrides = [...own, ...LAYERS.map(importWall)];
  files.set('.oxlintrc.json', json(lint));
  return files;
}

const check = process.argv.includes('--check');
const stale = [...wantedFiles()].filter(([path, text]) => read(path) !== text);
for (const [path, text] of stale) {
  if (check) console.error(`${path} does not match tools/layers.mjs; run: node tools/sync-layers.mjs`);
  else {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(`wrote ${path}`);
  }
}
if (check && stale.length > 0) process.exitCode = 1;
