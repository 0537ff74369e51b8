import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { LAYERS } from '../../tools/layers.mjs';
import { bundleProgram } from './bundle-entry.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROTOCOL = ['rpc', 'spec', 'oauth', 'client', 'server'];
const ROOTS = ['rpc', 'spec', 'client', 'server'] as const;

/** What a file exports, statement by statement, other than by explicit names. */
function unnamedExports(text: string): string[] {
  const { body } = parseAst(text, { lang: 'ts' });
  return body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return [];
    if (statement.type !== 'ExportNamedDeclaration') return [statement.type];
    return statement.declaration === null ? [] : [`${statement.type} of ${statement.declaration.type}`];
  });
}

describe('public entries', () => {
  it('W241 index files give explicit names and nothing else', () => {
    const files = LAYERS.filter(({ name }) => PROTOCOL.includes(name)).flatMap(({ name, entries }) =>
      Object.values(entries)
        .flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
        .filter((file) => file.endsWith('/index.ts') || /\/validators\/|\/node\/(stdio|http)\.ts$/.test(file))
        .map((file) => `packages/${name}/${file}`),
    );
    expect(files.length).toBeGreaterThan(12);
    const wrong = files.map((file) => [file, unnamedExports(readFileSync(join(ROOT, file), 'utf8'))]);
    expect(wrong.filter(([, found]) => found?.length !== 0)).toEqual([]);
    const samples = `export * from './a.ts'; export default 1; export const a = 1; let b; export * as c from './c.ts';`;
    expect(unnamedExports(samples)).toHaveLength(5);
  });

  it.each(ROOTS)(
    'W241 the root of %s reaches nothing of Node, not through what it depends on either',
    async (name) => {
      for (const format of ['esm', 'iife'] as const) {
        const { nodeModules, code } = await bundleProgram(`export * from '@portico/${name}';`, format);
        expect(nodeModules).toEqual([]);
        // What is named in passing would be resolved by nobody.
        expect(code).not.toMatch(/["'`]node:/);
        expect(code).not.toMatch(/\brequire\(/);
      }
    },
  );

  it.each([
    ['client', ['StdioClientTransport', 'getDefaultEnvironment']],
    ['server', ['StdioServerTransport', 'serveStdio']],
  ] as const)('W241 what %s does with processes is at ./stdio alone', async (name, names) => {
    const root = Object.keys((await import(`@portico/${name}`)) as object);
    const stdio = Object.keys((await import(`@portico/${name}/stdio`)) as object);
    expect(stdio).toEqual(expect.arrayContaining([...names]));
    expect(root.filter((each) => stdio.includes(each))).toEqual([]);
    // The list of what is refused is not empty: where processes are, it finds them.
    const { nodeModules } = await bundleProgram(`export * from '@portico/${name}/stdio';`);
    expect(nodeModules).toContain(name === 'client' ? 'child_process' : 'node:process');
  });

  it.each(['client', 'server'])(
    'W241 the validators of %s are at entries of their own, which need no Node',
    async (name) => {
      const { files } = await bundleProgram(`export * from '@portico/${name}';`);
      expect(files.filter((file) => /\/(ajv|ajv-formats)\//.test(file))).toEqual([]);
      for (const [entry, marker] of [
        ['ajv', '/ajv/'],
        ['cf-worker', '/@cfworker/json-schema/'],
      ] as const) {
        const specifier = `@portico/${name}/validators/${entry}`;
        const bundle = await bundleProgram(`export * from '${specifier}';`);
        expect([specifier, bundle.nodeModules]).toEqual([specifier, []]);
        expect(bundle.files.some((file) => file.includes(marker))).toBe(true);
      }
    },
  );
});
