import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureInstalled } from '../../../tools/install.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'packages/react');
const built = (path: string): string => join(PACKAGE, 'dist', path);

/** What is published of each source file, below `dist`. */
const modules = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file))
  .map((file) => file.replace(/\.tsx?$/, '.js'));

describe('the built files of the React package', () => {
  it('R144 begin with the client directive, so that components of servers may import each of them', () => {
    expect(modules.length).toBeGreaterThan(20);
    const without = modules.filter(
      (file) => !readFileSync(built(file), 'utf8').startsWith("'use client';\n"),
    );
    expect(without).toEqual([]);
    const { exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      exports: Record<string, { types: string; default: string }>;
    };
    const entries = Object.values(exports).map((entry) => entry.default.replace('./dist/', ''));
    expect(entries.filter((file) => !modules.includes(file))).toEqual([]);
    expect(Object.values(exports).filter(({ types }) => !existsSync(join(PACKAGE, types)))).toEqual([]);
  });

  it('R144 have types that fit those of React 18', () => {
    const folder = join(ROOT, 'testing/react-18');
    ensureInstalled(folder);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const read = execFileSync(process.execPath, [compiler, '-p', folder, '--listFiles'], {
      encoding: 'utf8',
    }).split('\n');
    const ofReact = read.filter((file) => file.includes('@types/react/'));
    expect(ofReact.filter((file) => !file.startsWith(folder))).toEqual([]);
    expect(ofReact.length).toBeGreaterThan(0);
    expect(read).toContain(built('index.d.ts'));
  });
});
