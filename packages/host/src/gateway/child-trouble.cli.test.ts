import { readFileSync, writeFileSync } from 'node:fs';
import type { Connector } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PORTICO, temporaryFolder } from '../../../../testing/host-process.ts';
import { ROUGH_SERVER } from '../../../../testing/living-processes.ts';
import { startProgram } from '../../../../testing/processes.ts';
import { startSignedInHost } from '../../../../testing/signed-in-host.ts';
import type { SignedInHost } from '../../../../testing/signed-in-host.ts';

/** How much a child writes to its error output during one call, in bytes. */
const FLOOD_BYTES = Number(process.env['PORTICO_FLOOD_BYTES'] ?? 64_000_000);
/** How long that may take at the most, milliseconds. */
const FLOOD_WITHIN_MS = 180_000;
/** How much the host may grow by that, whatever the child writes, in KiB. */
const MAX_GROWTH_KIB = 40 * 1024;

describe('a program that makes trouble', () => {
  const data = temporaryFolder('trouble');
  let host: SignedInHost;
  beforeAll(async () => {
    host = await startSignedInHost({ dataFolder: data.path });
  });
  afterAll(async () => {
    await host.kill();
    data.remove();
  });

  const add = (name: string, options: object = {}): Promise<Connector> =>
    host.addProgram(name, [ROUGH_SERVER, JSON.stringify(options)]);
  const list = async (...args: string[]): Promise<string> => {
    const program = startProgram([PORTICO, 'list', ...args, '--data', data.path]);
    expect(await program.ended).toBe(0);
    return program.stdout();
  };

  it('K30 has its last words on the card and in the list, without control sequences', async () => {
    const { id } = await add('No database', { starts: 'exit' });
    await expect.poll(async () => (await host.connector(id)).problem).toBeDefined();
    const words = 'no database at db.example.com';
    const { cause, problem } = await host.connector(id);
    expect(cause.message).toBe('The server process ended with exit code 3.');
    expect(problem).toMatchObject({ kind: 'processExitCode', facts: { exitCode: '3' }, stderrTail: [words] });
    const { connectors } = JSON.parse(await list('--json')) as { connectors: { id: string }[] };
    expect(connectors.find((connector) => connector.id === id)).toMatchObject({
      cause: 'The server process ended with exit code 3.',
      lastLines: [words],
    });
    expect(await list()).toContain(`\n  | ${words}`);
    await host.call('DELETE', `/api/connectors/${id}`);
  });

  it.skipIf(process.platform !== 'linux')(
    'K30 may flood its error output during a call: that call and others are answered, and the host hardly grows (measured on Linux only)',
    async () => {
      const { id } = await add('Flood');
      await host.untilConnector(id, 'ready');
      const { pid = 0 } = host.program.child;
      // From here on the highest mark counts anew.
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      const before = memoryOf(pid, 'VmRSS');
      const flood = await host.callTool(id, 'flood', { bytes: FLOOD_BYTES, seed: 7 });
      const other = await host.callTool(id, 'echo', { token: 'other', delayMs: 10 });
      expect((await other.ended()).result?.structuredContent).toMatchObject({ token: 'other' });
      expect((await flood.ended(FLOOD_WITHIN_MS)).result?.structuredContent).toEqual({ bytes: FLOOD_BYTES });
      const after = memoryOf(pid, 'VmHWM');
      expect(after - before).toBeLessThan(MAX_GROWTH_KIB);
      await host.call('DELETE', `/api/connectors/${id}`);
    },
  );

  it('K33 comes back four times, later each time, and is left alone after the fifth crash with its last words', async () => {
    const crashFiveTimes = async (how: object): Promise<Connector> => {
      const { id } = await add(`Crashing ${JSON.stringify(how)}`);
      for (let crash = 1; crash <= 5; crash++) {
        await host.untilConnector(id, 'ready');
        const pending = await host.callTool(id, 'echo', { token: 'never', delayMs: 600_000 });
        await host.callTool(id, 'exit', { ...how, afterMs: 300, says: `crash ${crash}\nout of memory\n` });
        const call = await pending.ended();
        expect(call.status).toBe('failed');
        expect(call.problem?.message).toBe('The server stopped; the action may have happened.');
      }
      await host.untilConnector(id, 'stopped');
      return await host.connector(id);
    };
    const [byCode, bySignal] = await Promise.all([
      crashFiveTimes({ code: 7 }),
      crashFiveTimes({ signal: 'SIGKILL' }),
    ]);
    expect(byCode.problem).toMatchObject({
      message: 'The server process ended with exit code 7.',
      stderrTail: ['crash 5', 'out of memory'],
    });
    expect(bySignal.problem).toMatchObject({
      message: 'The server process ended by signal SIGKILL.',
      stderrTail: ['crash 5', 'out of memory'],
    });
    expect([byCode.action, bySignal.action]).toEqual(['reconnect', 'reconnect']);
  });
});

/** A line of /proc/PID/status, in KiB. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}
