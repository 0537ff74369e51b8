import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleScript } from '../../../../testing/sandbox-site.ts';
import { injectKernel } from '../inject-kernel.ts';

it('the bundled kernel is at most 6 KiB packed and can stand inside a page', async () => {
  const code = await bundleScript('packages/frames/src/dom/kernel.ts');
  expect(gzipSync(code).length).toBeLessThanOrEqual(6 * 1024);
  expect(injectKernel('<p>', code, { shellOrigin: 'http://portico.localhost:6874', mcp: true })).toContain(
    '<script',
  );
});
