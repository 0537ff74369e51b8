import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder } from '../data-folder/data-folder.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { loadKey } from './load-key.ts';

describe('the key', () => {
  let path: string;
  let folder: DataFolder;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'portico-key-'));
    folder = createDataFolder({ path, fresh: true, madeFrom: undefined });
  });
  afterEach(() => rm(path, { recursive: true }));

  it('is made once, for the owner only, and found again', async () => {
    const first = await loadKey(folder, undefined);
    expect(first).toHaveLength(32);
    expect(await loadKey(folder, undefined)).toEqual(first);
    expect((await stat(join(path, 'key'))).mode & 0o777).toBe(0o600);
    expect(await folder.names()).toEqual(['key']);
  });

  it('given by the operator wins over the file and leaves it alone', async () => {
    const given = Buffer.alloc(32, 7);
    expect(await loadKey(folder, given.toString('base64'))).toEqual(given);
    expect(await loadKey(folder, ` ${given.toString('base64url')}\n`)).toEqual(given);
    expect(await folder.names()).toEqual([]);
  });

  it.each(['short', 'A'.repeat(42), 'A'.repeat(64), '!'.repeat(43)])('%j is refused', async (text) => {
    await expect(loadKey(folder, text)).rejects.toMatchObject({
      code: 'key_invalid',
      data: { setting: 'PORTICO_KEY' },
    });
  });

  it('file that holds no key is refused with its path and never overwritten', async () => {
    await writeFile(join(path, 'key'), 'damaged');
    await expect(loadKey(folder, undefined)).rejects.toMatchObject({
      code: 'key_invalid',
      data: { path: join(path, 'key') },
    });
    expect(await readFile(join(path, 'key'), 'utf8')).toBe('damaged');
  });
});
