import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as react from './index.ts';

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|test-d)\.tsx?$/.test(file))
    .map((file) => join(folder, file));

describe('the entry of the React package', () => {
  it('R1 has these nine values and no other', () => {
    expect(Object.keys(react).toSorted()).toEqual([
      'LocalStorageProvider',
      'McpClientProvider',
      'MemoryStorageProvider',
      'ViewRenderer',
      'onMcpAuthorization',
      'useMcp',
      'useMcpClient',
      'useMcpServer',
      'useRpcLog',
    ]);
  });

  it('R144 begins each file with the client directive, before anything else', () => {
    const files = filesBelow(import.meta.dirname);
    expect(files.length).toBeGreaterThan(20);
    const without = files.filter((file) => !readFileSync(file, 'utf8').startsWith("'use client';\n"));
    expect(without).toEqual([]);
  });
});
