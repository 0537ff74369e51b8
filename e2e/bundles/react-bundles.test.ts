import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundlePage } from './bundle-entry.ts';

const KIB = 1024;
/** React itself is the application's. */
const REACT = ['react', 'react/jsx-runtime'];

interface Sizes {
  /** All that is loaded before it runs, KiB, minified and gzipped. */
  readonly first: number;
  /** What may be loaded later, KiB. */
  readonly later: number;
  readonly code: string;
}

function gzipped(codes: readonly string[]): number {
  return codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / KIB;
}

async function sizesOf(names: string): Promise<Sizes> {
  const { first, later } = await bundlePage(`export { ${names} } from '@portico/react';`, REACT);
  const rest = Object.values(later);
  return { first: gzipped([first]), later: gzipped(rest), code: [first, ...rest].join('\n') };
}

describe('what an application carries of the React package', () => {
  it.each([
    ['LocalStorageProvider', 3],
    ['onMcpAuthorization', 25],
    ['ViewRenderer', 40],
  ])('R158 is small for %s: at most %d KiB, with everything that is loaded later', async (names, limit) => {
    const { first, later } = await sizesOf(names);
    expect(first + later).toBeLessThanOrEqual(limit);
  });

  it('R158 has no code of views unless views are shown', async () => {
    const { code } = await sizesOf('useMcp, McpClientProvider, useMcpClient, useMcpServer, useRpcLog');
    expect(code).not.toMatch(/iframe|ui\/initialize/);
    expect((await sizesOf('ViewRenderer')).code).toMatch(/iframe/);
  });

  it('R158 takes at most 60 KiB for useMcp and the provider, and 43 that are loaded when they are needed', async () => {
    const { first, later } = await sizesOf('useMcp, McpClientProvider');
    expect(first).toBeLessThanOrEqual(60);
    expect(later).toBeLessThanOrEqual(43);
  });
});
