import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import { startControlServer } from '../control/control-server.ts';
import { takeLock } from '../data-folder/folder-lock.ts';
import { openDataFolder } from '../data-folder/open-data-folder.ts';
import { createProcessTable } from '../data-folder/process-identity.ts';
import { readEnvironment } from '../environment.ts';
import type { CommandContext } from './context.ts';
import { serve } from './serve.ts';

describe('a second start on a data folder', () => {
  let data: string;
  let clock: ManualClock;
  let said: string[];
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'portico-second-'));
    clock = createManualClock();
    said = [];
    // The first one is this very process.
    const folder = await openDataFolder({ path: data, uid: process.getuid?.() });
    await takeLock({ folder, processes: createProcessTable(process.platform), pid: process.pid });
  });
  afterEach(() => rm(data, { recursive: true }));
  const start = (): Promise<number> => {
    const context: CommandContext = {
      terminal: { out: (text) => said.push(text), err: (text) => said.push(text) },
      environment: readEnvironment({ CI: 'true' }),
      clock,
      platform: process.platform,
      home: data,
      uid: process.getuid?.(),
      pid: process.pid,
      version: '1.0.0',
    };
    return serve({ data, open: true }, context);
  };
  const startFirst = () =>
    startControlServer({
      path: join(data, 'portico.sock'),
      log: { info() {}, warn() {}, error() {} },
      handlers: {
        launchLink: () => 'http://portico.localhost:1/launch?token=x',
        status: () => ({ version: '1.0.0', port: 1, origin: '', connectors: [], runningTurns: 0 }),
        publish: () => Promise.reject(new TypeError('unused')),
        rotateKey: () => Promise.reject(new TypeError('unused')),
      },
    });
  /** Moves the clock until the start has ended, in steps that let the file system answer. */
  const settle = async <T>(started: Promise<T>): Promise<T> => {
    let over = false;
    void started.then(
      () => (over = true),
      () => (over = true),
    );
    while (!over) await clock.advance(100);
    return await started;
  };

  it('prints a link of the first one', async () => {
    const first = await startFirst();
    expect(await settle(start())).toBe(0);
    expect(said.join('\n')).toContain('http://portico.localhost:1/launch?token=x');
    await first.close();
  });

  it('waits for a first one that has just begun', async () => {
    const second = start();
    await clock.advance(1_000);
    expect(said).toEqual([]);
    const first = await startFirst();
    expect(await settle(second)).toBe(0);
    await first.close();
  });

  it('names a first one that does not answer within 20 s', async () => {
    await expect(settle(start())).rejects.toMatchObject({
      code: 'data_folder_busy',
      exitCode: 2,
      data: { path: data, pid: process.pid },
    });
    expect(said).toEqual([]);
  });
});
