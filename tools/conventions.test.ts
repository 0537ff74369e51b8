import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAYERS, SCOPE } from './layers.mjs';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface PackageFile {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}
const packageFile = (folder: string): PackageFile =>
  JSON.parse(read(join(folder, 'package.json'))) as PackageFile;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Product sources with their text: no tests, nothing built. */
const sources = filesBelow(join(root, 'packages'))
  .filter((path) => /\/src\/.*\.tsx?$/.test(path) && !/\.(test|test-d)\.tsx?$/.test(path))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));

const matching = (pattern: RegExp, allowed: (path: string) => boolean = () => false): string[] =>
  sources.filter(({ path, text }) => !allowed(path) && pattern.test(text)).map(({ path }) => path);

describe('the layer table', () => {
  it('lets packages import lower floors only', () => {
    const floors = new Map(LAYERS.map((layer) => [layer.name, layer.floor]));
    for (const layer of LAYERS) {
      for (const name of layer.mayImport) {
        expect(floors.get(name), `${layer.name} → ${name}`).toBeLessThan(layer.floor);
      }
    }
  });

  it('names every package folder and is what all derived files say', () => {
    expect(readdirSync(join(root, 'packages')).sort()).toEqual(LAYERS.map(({ name }) => name).sort());
    execFileSync(process.execPath, ['tools/sync-layers.mjs', '--check'], { cwd: root });
  });

  it('makes a test fail that loads a built file', async () => {
    const folder = join(root, 'packages/rpc/dist');
    const file = join(folder, 'loaded-by-a-test.js');
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, 'export const built = true;\n');
    try {
      await expect(import(/* @vite-ignore */ file)).rejects.toThrow('loads a built file');
    } finally {
      rmSync(file);
    }
  });
});

describe('dependencies', () => {
  const documented = [
    ...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| [^|]{10,} \|$/gm),
  ].map(([, name = '', version = '', where = '']) => `${name} ${version.trim()}: ${where.trim()}`);
  const declared = [
    { place: 'development', ...packageFile('.') },
    ...LAYERS.map(({ name }) => ({ place: name, ...packageFile(`packages/${name}`) })),
    { place: 'conformance', ...packageFile('tools/conformance') },
    { place: 'benchmark', ...packageFile('bench/react') },
    { place: 'React 18', ...packageFile('testing/react-18') },
  ].flatMap(({ place, dependencies = {}, devDependencies = {}, optionalDependencies = {} }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([name]) => !name.startsWith(`${SCOPE}/`))
      .map(([name, version]) => ({ place, name, version })),
  );

  it('are pinned exactly', () => {
    for (const { name, version } of declared) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('stand in docs/dependencies.md with the packages that use them, and no other does', () => {
    const wanted = new Map<string, Set<string>>();
    for (const { name, version, place } of declared) {
      const places = wanted.get(`${name} ${version}`) ?? new Set<string>();
      wanted.set(`${name} ${version}`, places.add(place));
    }
    const table = Array.from(wanted, ([name, places]) => `${name}: ${[...places].join(', ')}`);
    expect(documented.toSorted()).toEqual(table.toSorted());
  });

  it('of a benchmark are no part of the workspace and cannot be reached from its root', () => {
    const fromRoot = createRequire(join(root, 'package.json'));
    const lock = JSON.parse(read('package-lock.json')) as { packages: object };
    const locked = Object.keys(lock.packages);
    expect(locked).not.toContain('bench/react');
    for (const name of Object.keys(packageFile('bench/react').dependencies ?? {})) {
      expect(() => fromRoot.resolve(name), name).toThrow('Cannot find module');
      expect(locked.filter((path) => path.endsWith(`node_modules/${name}`))).toEqual([]);
    }
  });

  it('of React 18 are no part of the workspace, which has one React', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version?: string }>;
    };
    expect(Object.keys(packages)).not.toContain('testing/react-18');
    const versions = Object.entries(packages)
      .filter(([path]) => /(^|\/)node_modules\/react(-dom)?$/.test(path))
      .map(([, { version }]) => version);
    expect(versions).toEqual([packageFile('.').devDependencies?.['react'], versions[0]]);
  });

  const locks = ['.', 'tools/conformance', 'bench/react', 'testing/react-18'];
  it.each(locks)('are locked without addresses in %s, as npm ci wants it', (place) => {
    const lock = JSON.parse(read(join(place, 'package-lock.json'))) as {
      packages: Record<string, { resolved?: string }>;
    };
    const addresses = Object.values(lock.packages).filter((entry) => entry.resolved?.includes('://'));
    expect(addresses).toEqual([]);
    execFileSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], {
      cwd: join(root, place),
      stdio: 'pipe',
    });
  });
});

describe('house rules that no linter knows', () => {
  it('throws no bare Error', () => {
    expect(matching(/throw new Error\(/)).toEqual([]);
  });

  it('exports no whole modules', () => {
    expect(matching(/^export \*/m)).toEqual([]);
  });

  it('has no drawer files', () => {
    const drawers = sources.filter(({ path }) => /\/(utils?|helpers?|common|misc)\.tsx?$/.test(path));
    expect(drawers.map(({ path }) => path)).toEqual([]);
  });

  it('reads the environment in one file of the host, and for what children inherit', () => {
    const readers = ['packages/host/src/environment.ts', 'packages/client/src/node/default-environment.ts'];
    expect(matching(/process\.env/, (path) => readers.includes(path))).toEqual([]);
  });

  it('names no machine path and no package registry', () => {
    expect(matching(/\/work\/|\/root\/|https?:\/\/registry\./)).toEqual([]);
  });
});
