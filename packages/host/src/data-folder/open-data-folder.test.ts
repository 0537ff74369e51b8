import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from './open-data-folder.ts';

const uid = process.getuid?.();

describe('the data folder', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'portico-folder-'));
  });
  afterEach(() => rm(base, { recursive: true }));
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('is made with those above it, for its owner only', async () => {
    const path = join(base, 'a', 'b');
    const folder = await openDataFolder({ path, uid });
    expect(folder).toMatchObject({ path, fresh: true });
    expect(await modeOf(path)).toBe(0o700);
    expect(await modeOf(join(base, 'a'))).toBe(0o700);
    expect(await readdir(path)).toEqual([]);
  });

  it('that is there already is closed to others', async () => {
    const path = join(base, 'data');
    await mkdir(path);
    await chmod(path, 0o755);
    await writeFile(join(path, 'key'), 'x');
    expect(await openDataFolder({ path, uid })).toMatchObject({ fresh: false });
    expect(await modeOf(path)).toBe(0o700);
  });

  it('writes files for the owner only, whole or not at all', async () => {
    const folder = await openDataFolder({ path: join(base, 'data'), uid });
    await folder.createText('one', 'text');
    await folder.ensureFile('two');
    expect(await folder.readText('one')).toBe('text');
    expect(await folder.readText('none')).toBeUndefined();
    await expect(folder.createText('one', 'other')).rejects.toMatchObject({ code: 'EEXIST' });
    await writeFile(folder.pathOf('two'), 'kept');
    await chmod(folder.pathOf('two'), 0o644);
    await folder.ensureFile('two');
    expect(await folder.readText('two')).toBe('kept');
    expect((await folder.names()).sort()).toEqual(['one', 'two']);
    for (const name of ['one', 'two']) expect(await modeOf(folder.pathOf(name))).toBe(0o600);
  });

  it('takes a failed first start back, with the folders made for it', async () => {
    const folder = await openDataFolder({ path: join(base, 'a', 'b'), uid });
    await folder.createText('key', 'x');
    await folder.discard();
    expect(await readdir(base)).toEqual([]);
  });

  it('never takes back a folder that was in use before', async () => {
    await writeFile(join(base, 'key'), 'x');
    const folder = await openDataFolder({ path: base, uid });
    await folder.discard();
    expect(await readdir(base)).toEqual(['key']);
  });

  it.each(['file', 'file/below'])('refuses %s, which is no folder', async (name) => {
    await writeFile(join(base, 'file'), 'x');
    const path = join(base, name);
    await expect(openDataFolder({ path, uid })).rejects.toMatchObject({
      code: 'data_folder_not_a_folder',
      exitCode: 2,
      data: { path, remedy: expect.stringContaining('--data') as string },
    });
    expect(await readdir(base)).toEqual(['file']);
  });

  it('refuses a folder of another user and leaves it as it is', async () => {
    const path = join(base, 'foreign');
    await mkdir(path);
    await chmod(path, 0o755);
    // Seen from a user with another number, so that it needs no rights to set up.
    const other = (uid ?? 0) + 1;
    await expect(openDataFolder({ path, uid: other })).rejects.toMatchObject({
      code: 'data_folder_foreign',
      data: { path, owner: uid, user: other },
    });
    expect(await readdir(path)).toEqual([]);
    expect(await modeOf(path)).toBe(0o755);
  });
});
