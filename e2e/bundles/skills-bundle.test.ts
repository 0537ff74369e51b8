import { expect, it } from 'vitest';
import { bundlePage, bundleProgram } from './bundle-entry.ts';

it.each(['client', 'server'])('ext-S1 %s/ext/skills reaches no module of Node', async (name) => {
  const { nodeModules } = await bundleProgram(`export * from '@portico/${name}/ext/skills';`);
  expect(nodeModules).toEqual([]);
});

it.each(['client', 'server'])(
  'ext-S25 %s/ext/skills loads the reader of YAML with the first frontmatter',
  async (name) => {
    const { first, later } = await bundlePage(
      `import * as skills from '@portico/${name}/ext/skills'; console.log(skills);`,
    );
    const reader = 'RESOURCE_EXHAUSTION';
    expect(first).not.toContain(reader);
    const chunks = Object.entries(later).filter(([, code]) => code.includes(reader));
    expect(chunks.map(([chunk]) => chunk)).toEqual(['read-yaml']);
  },
);

it.each(['client', 'server'])('ext-S25 the root of %s knows nothing of skills', async (name) => {
  const { files } = await bundleProgram(`export * from '@portico/${name}';`);
  expect(files.filter((file) => /\/src\/(?:ext\/)?skills\/|\/node_modules\/yaml\//.test(file))).toEqual([]);
});
