import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder } from '../data-folder/data-folder.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { openKeys } from './key-holder.ts';

const NONE = { key: undefined, previousKey: undefined };

describe('the key', () => {
  let path: string;
  let folder: DataFolder;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'portico-key-'));
    folder = createDataFolder({ path, fresh: true, madeFrom: undefined });
  });
  afterEach(() => rm(path, { recursive: true }));

  it('is made once, for the owner only, and found again', async () => {
    const { ring } = await openKeys(folder, NONE);
    expect(ring).toEqual({ current: expect.any(Buffer), previous: [] });
    expect(ring.current).toHaveLength(32);
    expect((await openKeys(folder, NONE)).ring).toEqual(ring);
    expect((await stat(join(path, 'key'))).mode & 0o777).toBe(0o600);
    expect(await folder.names()).toEqual(['key']);
  });

  it('given by the operator wins over the file and leaves it alone', async () => {
    const given = Buffer.alloc(32, 7);
    for (const key of [given.toString('base64'), ` ${given.toString('base64url')}\n`]) {
      const { ring } = await openKeys(folder, { ...NONE, key });
      expect(ring).toEqual({ current: given, previous: [] });
    }
    expect(await folder.names()).toEqual([]);
  });

  it.each(['short', 'A'.repeat(42), 'A'.repeat(64), '!'.repeat(43)])('%j is refused', async (text) => {
    await expect(openKeys(folder, { ...NONE, key: text })).rejects.toMatchObject({
      code: 'key_invalid',
      data: { setting: 'PORTICO_KEY' },
    });
  });

  it('file that holds no key is refused with its path and never overwritten', async () => {
    await writeFile(join(path, 'key'), 'damaged');
    await expect(openKeys(folder, NONE)).rejects.toMatchObject({
      code: 'key_invalid',
      data: { path: join(path, 'key') },
    });
    expect(await readFile(join(path, 'key'), 'utf8')).toBe('damaged');
  });

  it('in the file is joined by a new one, which comes first, and stays until it is dropped', async () => {
    const keys = await openKeys(folder, NONE);
    const old = keys.ring.current;
    const both = await keys.add();
    expect(both.previous).toEqual([old]);
    expect(both.current).not.toEqual(old);
    expect((await openKeys(folder, NONE)).ring).toEqual(both);
    expect((await stat(join(path, 'key'))).mode & 0o777).toBe(0o600);
    await keys.dropPrevious();
    expect((await openKeys(folder, NONE)).ring).toEqual({ current: both.current, previous: [] });
    expect(await folder.names()).toEqual(['key']);
  });

  it('given by the operator is exchanged only for another one that is given', async () => {
    const [key, previousKey] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    await expect((await openKeys(folder, { ...NONE, key })).add()).rejects.toMatchObject({
      code: 'bad_configuration',
      data: { setting: 'PORTICO_KEY' },
    });
    const keys = await openKeys(folder, { key, previousKey });
    expect(await keys.add()).toEqual({ current: Buffer.alloc(32, 1), previous: [Buffer.alloc(32, 2)] });
    expect((await keys.dropPrevious()).previous).toEqual([]);
    await expect(openKeys(folder, { key, previousKey: 'short' })).rejects.toMatchObject({
      data: { setting: 'PORTICO_PREVIOUS_KEY' },
    });
  });
});
