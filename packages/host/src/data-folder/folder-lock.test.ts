import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { takeLock } from './folder-lock.ts';
import type { LockOutcome } from './folder-lock.ts';
import { createProcessTable, startTicks } from './process-identity.ts';
import type { ProcessTable } from './process-identity.ts';

describe('the lock of a data folder', () => {
  let path: string;
  let folder: DataFolder;
  /** Number → start of the processes that live. */
  let living: Map<number, string>;
  const processes: ProcessTable = {
    async identify(pid) {
      const startedAt = living.get(pid);
      return startedAt === undefined ? undefined : { pid, startedAt };
    },
  };
  const take = (pid: number): Promise<LockOutcome> => takeLock({ folder, processes, pid });
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'portico-lock-'));
    folder = createDataFolder({ path, fresh: true, madeFrom: undefined });
    living = new Map([
      [10, 'monday'],
      [11, 'tuesday'],
    ]);
  });
  afterEach(() => rm(path, { recursive: true }));

  it('is had by one living process, which the next one learns', async () => {
    expect((await take(10)).lock).toBeDefined();
    expect(await take(11)).toEqual({ holder: { pid: 10, startedAt: 'monday' } });
  });

  it('knows whether it is still there', async () => {
    const { lock } = await take(10);
    expect(await lock?.isHeld()).toBe(true);
    for (const name of await folder.names()) await folder.remove(name);
    expect(await lock?.isHeld()).toBe(false);
    await take(11);
    expect(await lock?.isHeld()).toBe(false);
  });

  it('is free again after its release', async () => {
    await (await take(10)).lock?.release();
    expect((await take(11)).lock).toBeDefined();
    expect(await take(10)).toMatchObject({ holder: { pid: 11 } });
  });

  it('of a process that was killed is taken over', async () => {
    await take(10);
    living.delete(10);
    expect((await take(11)).lock).toBeDefined();
  });

  it('of a process whose number another one got is taken over', async () => {
    await take(10);
    living.set(10, 'wednesday');
    expect((await take(11)).lock).toBeDefined();
  });

  it('is not taken over where the start of its process cannot be told', async () => {
    await take(10);
    living.set(10, 'unknown');
    expect(await take(11)).toMatchObject({ holder: { pid: 10 } });
  });

  it('with unreadable content is taken over, and drafts are cleared away', async () => {
    await writeFile(join(path, 'lock.7'), '{"pid":');
    await writeFile(join(path, 'lock.3'), '{}');
    await writeFile(join(path, 'lock.8.new-000000000000'), 'x');
    expect((await take(10)).lock).toBeDefined();
    expect(await folder.names()).toEqual(['lock.8']);
  });

  it('goes to exactly one of many starts that find the same dead lock', async () => {
    for (let round = 0; round < 20; round++) {
      living = new Map([[1, 'dead soon']]);
      await take(1);
      living = new Map(Array.from({ length: 8 }, (_, index) => [100 + index, `round ${round}`]));
      const outcomes = await Promise.all([...living.keys()].map((pid) => take(pid)));
      const winners = outcomes.filter((outcome) => outcome.lock !== undefined);
      expect(winners).toHaveLength(1);
      const holders = new Set(
        outcomes.map((outcome) => outcome.holder?.pid).filter((pid) => pid !== undefined),
      );
      expect(holders.size).toBe(1);
    }
  });
});

describe('the process table', () => {
  const table = createProcessTable(process.platform);

  it('tells this process with the same start each time, and no process for an unused number', async () => {
    const self = await table.identify(process.pid);
    expect(self?.startedAt).not.toBe('unknown');
    expect(await table.identify(process.pid)).toEqual(self);
    expect(await table.identify(2 ** 30)).toBeUndefined();
  });

  it('reads the start time behind a name with spaces and brackets', () => {
    const fields = Array.from({ length: 40 }, (_, index) => String(index + 3));
    expect(startTicks(`12 (a) b (c) ${fields.join(' ')}`)).toBe('22');
  });
});
