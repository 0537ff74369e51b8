import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';
import { sourceAliases } from './tools/layers.mjs';

const ROOT = import.meta.dirname;

/** Tests of sources must see sources: a file below a package's `dist` is a stale copy. */
function refuseBuiltFiles(): Plugin {
  return {
    name: 'portico:refuse-built-files',
    enforce: 'pre',
    load(id) {
      if (/\/packages\/[^/]+\/dist\//.test(id)) throw new Error(`a source test loads a built file: ${id}`);
      return null;
    },
  };
}

const aliases = (condition: 'node' | 'default') =>
  sourceAliases(condition)
    // The longest first, since an alias also matches what follows it.
    .sort((a, b) => b.specifier.length - a.specifier.length)
    .map(({ specifier, source }) => ({
      find: new RegExp(`^${specifier}$`),
      replacement: join(ROOT, source),
    }));

const plugins = [refuseBuiltFiles()];
const shared = { plugins, resolve: { alias: aliases('default') } };
/** Everything of React, from where the oldest version that we support is installed. */
const oldestReact = {
  find: /^(react|react-dom|@testing-library\/react)(\/.*)?$/,
  replacement: join(ROOT, 'testing/react-18/node_modules/$1$2'),
};
const IN_BROWSER = ['**/*.browser.test.ts', '**/*.cli.test.ts'];
const IN_DOM = ['**/*.dom.test.ts', '**/*.dom.test.tsx'];
/** Waiting costs nothing where it ends early, and a second is short on a machine that does much else. */
const PATIENT = { poll: { timeout: 20_000 } };
const SKIPPED = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    reporters: ['default'],
    // All processors, where the default leaves one of them idle; each worker waits much of its time.
    maxWorkers: availableParallelism(),
    projects: [
      {
        plugins,
        resolve: { alias: aliases('node') },
        test: {
          name: 'node',
          expect: PATIENT,
          include: ['{packages,testing,tools,e2e,examples}/**/*.test.ts'],
          // Modules hold no state, so that files can share them; loading all anew for each took half the time.
          isolate: false,
          exclude: [...SKIPPED, ...IN_BROWSER, ...IN_DOM],
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'dom',
          expect: PATIENT,
          include: IN_DOM,
          exclude: SKIPPED,
          environment: 'happy-dom',
          testTimeout: 30_000,
          provide: { reactMajor: 19 },
        },
      },
      {
        plugins,
        resolve: { alias: [...aliases('default'), oldestReact] },
        test: {
          name: 'react-18',
          expect: PATIENT,
          include: ['packages/react/src/**/*.dom.test.tsx', 'packages/react/src/server-rendering.test.ts'],
          exclude: SKIPPED,
          environment: 'happy-dom',
          globalSetup: ['testing/react-18/install.ts'],
          testTimeout: 30_000,
          provide: { reactMajor: 18 },
        },
      },
      {
        ...shared,
        test: {
          name: 'browser',
          expect: PATIENT,
          include: IN_BROWSER,
          exclude: SKIPPED,
          globalSetup: ['testing/built-product.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          // After the others, so that browsers and hosts do not share the processors with them.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
