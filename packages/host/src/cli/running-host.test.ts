import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@portico/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startControlServer } from '../control/control-server.ts';
import type { ControlServer } from '../control/control-server.ts';
import { readEnvironment } from '../environment.ts';
import type { CommandContext } from './context.ts';
import { runningHost } from './running-host.ts';

describe('a command on a running host', () => {
  let folder: string;
  let server: ControlServer | undefined;
  let said: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-running-'));
    said = [];
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await rm(folder, { recursive: true });
  });
  const context = (): CommandContext => ({
    terminal: { out: (text) => said.push(text), err: (text) => said.push(text) },
    environment: readEnvironment({}),
    clock: systemClock,
    platform: 'linux',
    home: folder,
    uid: process.getuid?.(),
    pid: process.pid,
    version: '2.0.0',
  });
  const start = async (version: string): Promise<void> => {
    server = await startControlServer({
      path: join(folder, 'portico.sock'),
      log: { info() {}, warn() {}, error() {} },
      handlers: {
        launchLink: () => 'http://portico.localhost:1/launch?token=x',
        status: () => ({ version, port: 1, origin: '', connectors: [], runningTurns: 0 }),
        publish: () => Promise.reject(new TypeError('unused')),
        rotateKey: () => Promise.reject(new TypeError('unused')),
      },
    });
  };

  it('warns when the host has another version, and does its work', async () => {
    await start('1.0.0');
    const link = await runningHost(folder, context()).ask((client) => client.launchLink());
    expect(link).toContain('/launch');
    expect(said).toEqual(['warning: the running portico has version 1.0.0, this command 2.0.0']);
  });

  it('says nothing when the versions are the same', async () => {
    await start('2.0.0');
    await runningHost(folder, context()).ask((client) => client.status());
    expect(said).toEqual([]);
  });

  it('that is not there ends with the way to start it', async () => {
    await expect(runningHost(folder, context()).ask((client) => client.status())).rejects.toMatchObject({
      code: 'not_running',
      exitCode: 4,
      data: { path: folder, remedy: expect.stringContaining('portico serve') as string },
    });
  });
});
