import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connector } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../testing/host-process.ts';
import { ROUGH_SERVER, countLivingProcesses } from '../../../../testing/living-processes.ts';
import type { LivingProcess, LivingProcesses } from '../../../../testing/living-processes.ts';
import { startSignedInHost } from '../../../../testing/signed-in-host.ts';
import type { SignedInHost } from '../../../../testing/signed-in-host.ts';
import { readRecords } from './child-records.ts';
import { CHILDREN_FILE } from './record-file.ts';

/** Nothing that stems from a child may live longer than this after its end, milliseconds. */
const GONE_WITHIN_MS = 10_000;

/** Servers that make their end hard, and how many processes each of them is. */
const HARD_TO_END = [
  { behaviour: { deaf: true, forks: 'group' }, count: 2 },
  { behaviour: { deaf: true, forks: 'detached' }, count: 2 },
  { behaviour: { deaf: true, wraps: true }, count: 2 },
  { behaviour: { wraps: true, forks: 'detached' }, count: 3 },
];
const ALL_OF_THEM = HARD_TO_END.reduce((sum, { count }) => sum + count, 0);

// Elsewhere only the group of a child is ended, and nobody can prove whose an orphan is.
describe.skipIf(process.platform !== 'linux')('processes of connectors (Linux only)', () => {
  const data = temporaryFolder('children');
  const counters: LivingProcesses[] = [];
  let host: SignedInHost;
  const start = (): Promise<SignedInHost> =>
    startSignedInHost({ dataFolder: data.path, env: { CANARY_OF_THE_HOST: 'canary' } });
  beforeAll(async () => {
    host = await start();
  });
  afterAll(async () => {
    await host.kill();
    const left = counters.flatMap(({ alive }) => alive);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    for (const counter of counters) await counter.close();
    data.remove();
  });

  const count = async (): Promise<LivingProcesses> => {
    const living = await countLivingProcesses();
    counters.push(living);
    return living;
  };
  const add = (name: string, options: object): Promise<Connector> =>
    host.addProgram(name, [ROUGH_SERVER, JSON.stringify(options)]);
  /** @param others how many processes are counted already */
  const addHardOnes = async (name: string, living: LivingProcesses, others = 0): Promise<Connector[]> => {
    const adding = HARD_TO_END.map(({ behaviour }, index) =>
      add(`${name} ${index}`, { report: living.port, ...behaviour }),
    );
    const added = await Promise.all(adding);
    await Promise.all(added.map(({ id }) => host.untilConnector(id, 'ready')));
    await living.until((alive) => alive.length === ALL_OF_THEM + others);
    return added;
  };
  /** Resolves when none of them lives any more. */
  const gone = (living: LivingProcesses, pids: readonly number[]): Promise<void> =>
    expect
      .poll(() => living.alive.filter(({ pid }) => pids.includes(pid)), { timeout: GONE_WITHIN_MS })
      .toEqual([]);
  const pidsOf = (processes: readonly LivingProcess[]): readonly number[] => processes.map(({ pid }) => pid);
  const onRecord = () => readRecords(readFileSync(join(data.path, CHILDREN_FILE), 'utf8')) ?? [];

  it('K31 have no shell, a group of their own and few variables', async () => {
    const args = [ROUGH_SERVER, '{}', '$(id)', '; exit', '`id`', '*'];
    const { id } = await host.addProgram('Plain', args);
    await host.untilConnector(id, 'ready');
    const { result } = await (await host.callTool(id, 'who')).ended();
    const who = result?.structuredContent as { pid: number; args: string[]; variables: string[] };
    expect(who.args).toEqual(args.slice(1));
    expect(who.variables).toContain('PORTICO_CHILD');
    const usual = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'PORTICO_CHILD'];
    expect(who.variables.filter((name) => !usual.includes(name))).toEqual([]);
    const [group, session] = readFileSync(`/proc/${who.pid}/stat`, 'utf8').split(' ').slice(4, 6);
    expect([Number(group), Number(session)]).toEqual([who.pid, who.pid]);
    expect(onRecord().find(({ pid }) => pid === who.pid)).toMatchObject({ command: process.execPath });
    await host.call('DELETE', `/api/connectors/${id}`);
    expect(onRecord().find(({ pid }) => pid === who.pid)).toBeUndefined();
  });

  const switchedOff = async (): Promise<void> => {
    const living = await count();
    const added = await addHardOnes('Switched off', living);
    const pids = pidsOf(living.alive);
    const off = added.map(({ id }) => host.call('PUT', `/api/connectors/${id}/enabled`, { enabled: false }));
    await gone(living, pids);
    await Promise.all(off);
    expect(living.alive).toEqual([]);
  };

  const deleted = async (): Promise<void> => {
    const living = await count();
    const added = await addHardOnes('Deleted', living);
    const pids = pidsOf(living.alive);
    const deleted = added.map(({ id }) => host.call('DELETE', `/api/connectors/${id}`));
    await gone(living, pids);
    await Promise.all(deleted);
    expect(living.alive).toEqual([]);
  };

  const neverAnswering = async (): Promise<void> => {
    const living = await count();
    const behaviour = { deaf: true, forks: 'detached', starts: 'silent' };
    const { id } = await add('Silent', { report: living.port, ...behaviour });
    await living.until((alive) => alive.length === 2);
    expect((await host.connector(id)).status).toBe('connecting');
    const pids = pidsOf(living.alive);
    const off = host.call('DELETE', `/api/connectors/${id}`);
    await gone(living, pids);
    await off;
  };

  const notStarted = async (): Promise<void> => {
    const living = await count();
    const failAndLookForIts = async (forks: string): Promise<void> => {
      const isFork = ({ role }: LivingProcess): boolean => role === forks;
      const behaviour = { deaf: true, forks, starts: 'exit' };
      const { id } = await add(`Failing ${forks}`, { report: living.port, ...behaviour });
      const first = await living.until((alive) => alive.some(isFork));
      await gone(living, pidsOf(first.filter(isFork)));
      // It is tried again by and by until it is deleted.
      await host.call('DELETE', `/api/connectors/${id}`);
    };
    await Promise.all(['group', 'detached'].map(failAndLookForIts));
    await gone(living, pidsOf(living.alive));
  };

  it('K31 are gone with all that they started once they are switched off, deleted, or fail to start', async () => {
    await Promise.all([switchedOff(), deleted(), neverAnswering(), notStarted()]);
  });

  it('K31 end with the host: by their closed input when it is killed, or at its next start, but nobody of the same number', async () => {
    const living = await count();
    await add('Polite', { report: living.port });
    const [polite] = await living.until((alive) => alive.length === 1);
    const added = await addHardOnes('Orphaned', living, 1);
    await host.kill();
    await living.until((alive) => alive.every(({ pid }) => pid !== polite?.pid));
    const orphans = pidsOf(living.alive.filter(({ role }) => role !== 'wrapper'));
    expect(orphans.length).toBeGreaterThan(HARD_TO_END.length);

    // The system gives the number of the one that has ended to a process of somebody else.
    const stranger = spawn(
      process.execPath,
      [ROUGH_SERVER, JSON.stringify({ report: living.port, role: 'stranger' })],
      {
        detached: true,
        stdio: 'ignore',
      },
    );
    await living.until((alive) => alive.some(({ role }) => role === 'stranger'));
    const before = onRecord();
    const children = before.map((record) =>
      record.pid === polite?.pid ? { ...record, pid: stranger.pid } : record,
    );
    expect(children.some(({ pid }) => pid === stranger.pid)).toBe(true);
    writeFileSync(join(data.path, CHILDREN_FILE), JSON.stringify({ format: 1, children }));

    host = await start();
    await gone(living, orphans);
    await expect.poll(() => host.program.stderr()).toMatch(new RegExp(`left alone .* pid=${stranger.pid}`));
    expect(host.program.stderr()).toContain('ended a program that an earlier run had left running');
    // Everything runs again, and nothing is on record but that.
    await Promise.all(added.map(({ id }) => host.untilConnector(id, 'ready')));
    await living.until((alive) => alive.length === ALL_OF_THEM + 2);
    const ids = before.map(({ id }) => id);
    expect(onRecord().filter(({ id }) => ids.includes(id))).toEqual([]);

    const present = pidsOf(living.alive).filter((pid) => pid !== stranger.pid);
    const stopped = host.stop();
    await gone(living, present);
    expect(await stopped).toBe(0);
    expect(pidsOf(living.alive)).toEqual([stranger.pid]);
    expect(onRecord()).toEqual([]);
    stranger.kill('SIGKILL');
  });
});
