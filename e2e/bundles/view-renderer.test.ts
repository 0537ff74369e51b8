import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleProgram } from './bundle-entry.ts';

const VIEW_BUDGET_BYTES = 40 * 1024;

it('R158 keeps ViewRenderer within its budget, React left out', async () => {
  const { code } = await bundleProgram("export { ViewRenderer } from '@portico/react';", 'esm', ['react']);
  expect(code).toContain('sandbox-proxy-ready');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(VIEW_BUDGET_BYTES);
});

it('R158 keeps code of views out of a program without any', async () => {
  const { code, files } = await bundleProgram(
    "export { useMcp, McpClientProvider } from '@portico/react';",
    'esm',
    ['react'],
  );
  expect(code).not.toContain('sandbox-proxy-ready');
  expect(files.filter((file) => file.includes('/packages/views/'))).toEqual([]);
});
