import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@portico/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { describeStores } from '../../../../testing/store-contract.ts';
import { openSqlite } from './sqlite-driver.ts';
import { openSqliteStores } from './sqlite-stores.ts';

describeStores('SQLite stores', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-store-'));
  const path = join(folder, 'portico.db');
  return {
    open: () => openSqliteStores({ path, clock: systemClock }),
    dispose: () => rm(folder, { recursive: true }),
  };
});

describe('a SQLite file', () => {
  let folder: string;
  let path: string;
  const open = (): ReturnType<typeof openSqliteStores> => openSqliteStores({ path, clock: systemClock });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-store-'));
    path = join(folder, 'portico.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each(['this is no database. '.repeat(1_000), 'short', '\0'.repeat(8_192)])(
    'that is no database is refused with its path and a remedy, and left alone (%#)',
    async (content) => {
      await writeFile(path, content);
      await expect(open()).rejects.toMatchObject({
        code: 'database_corrupt',
        exitCode: 2,
        data: { path, remedy: expect.stringContaining('backup') as string },
      });
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );

  it('K32 takes connectors from before they had accounts for the only account of theirs, which starts at once', async () => {
    const stores = await open();
    const transport = { kind: 'builtin', module: 'demo' };
    const old = { id: 'c1', name: 'Demo', transport, enabled: true, approvedHash: null, createdAtMs: 1 };
    const grown = { ...old, label: '', groupId: 'c1', starts: 'with_portico' };
    await stores.connectors.put(old as never);
    expect(await stores.connectors.get('c1')).toEqual(grown);
    expect(await stores.connectors.list()).toEqual([grown]);
    await stores.close();
  });

  it('that was damaged in the middle is refused where the damage is met', async () => {
    const stores = await open();
    for (let n = 0; n < 200; n++) await stores.settings.put(`key ${n}`, 'x'.repeat(1_000));
    await stores.close();
    const bytes = await readFile(path);
    bytes.fill(0xa5, 40_960);
    await writeFile(path, bytes);
    const damaged = (async () => {
      const opened = await open();
      try {
        for (let n = 0; n < 200; n++) await opened.settings.get(`key ${n}`);
      } finally {
        await opened.close();
      }
    })();
    await expect(damaged).rejects.toMatchObject({ code: 'database_corrupt', data: { path } });
  });

  it('with a newer schema is refused with what to install, and left alone', async () => {
    await (await open()).close();
    const connection = await openSqlite({ path, clock: systemClock });
    await connection.run('PRAGMA user_version = 999');
    connection.close();
    const before = await readFile(path);
    await expect(open()).rejects.toMatchObject({
      code: 'database_newer',
      exitCode: 2,
      data: { path, found: 999, remedy: expect.stringContaining('install') as string },
    });
    expect(await readFile(path)).toEqual(before);
  });

  it('of another program is refused and left alone', async () => {
    const connection = await openSqlite({ path, clock: systemClock });
    await connection.run('CREATE TABLE settings (anything TEXT)');
    connection.close();
    await expect(open()).rejects.toMatchObject({ code: 'database_unusable', data: { path } });
    const again = await openSqlite({ path, clock: systemClock });
    expect((await again.run('SELECT name FROM sqlite_schema')).rows).toEqual([{ name: 'settings' }]);
    again.close();
  });

  it('that cannot be created is refused with its path', async () => {
    path = join(folder, 'nowhere', 'portico.db');
    await expect(open()).rejects.toMatchObject({ code: 'database_unusable', data: { path } });
  });

  it('opened by two at once is set up once', async () => {
    const all = await Promise.all([open(), open(), open()]);
    await Promise.all(all.map((stores, index) => stores.settings.put('who', String(index))));
    expect(await all[0]!.settings.get('who')).toMatch(/^[012]$/);
    for (const stores of all) await stores.close();
  });

  it('that another connection holds is waited for without blocking, then given up after 5 s', async () => {
    const clock = createManualClock();
    const stores = await openSqliteStores({ path, clock });
    const holder = await openSqlite({ path, clock: systemClock });
    await holder.begin();
    let outcome: unknown = 'waiting';
    const writing = stores.settings.put('a', '1').then(
      () => 'written',
      (error: unknown) => error,
    );
    void writing.then((result) => (outcome = result));
    await clock.advance(4_900);
    expect(outcome).toBe('waiting');
    await clock.advance(200);
    expect(outcome).toMatchObject({ code: 'database_busy', data: { path } });

    const second = stores.settings.put('a', '2');
    await clock.advance(1_000);
    await holder.commit();
    await clock.advance(100);
    await second;
    expect(await stores.settings.get('a')).toBe('2');
    holder.close();
    await stores.close();
  });
});
