import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { getDefaultEnvironment } from './default-environment.ts';
import { planSpawn } from './spawn-plan.ts';
import { planStop, planSweep } from './stop-plan.ts';
import { runStop } from './stop-sequence.ts';
import type { ChildControl } from './stop-sequence.ts';

describe('spawn plans', () => {
  const environment = {
    PATH: '/bin',
    HOME: '/home/me',
    USERPROFILE: 'C:\\Users\\me',
    SECRET_TOKEN: 'canary',
    SHELL: '() { :; }; echo canary',
  };
  const parameters = { command: 'server', args: ['a b', '$(x)', '`y`', ';'], env: { OWN: '1' } };

  it.each(['linux', 'darwin', 'freebsd'] as const)(
    'leads a group of its own without a shell on %s',
    (platform) => {
      expect(
        planSpawn(
          { ...parameters, cwd: '/srv' },
          { platform, inherited: getDefaultEnvironment(environment, platform) },
        ),
      ).toEqual({
        command: 'server',
        args: ['a b', '$(x)', '`y`', ';'],
        options: {
          cwd: '/srv',
          env: { PATH: '/bin', HOME: '/home/me', OWN: '1' },
          shell: false,
          detached: true,
          windowsHide: false,
          stdio: ['pipe', 'pipe', 'pipe'],
        },
      });
    },
  );

  it('opens no window on Windows, where there are no groups', () => {
    expect(
      planSpawn(parameters, { platform: 'win32', inherited: getDefaultEnvironment(environment, 'win32') })
        .options,
    ).toEqual({
      env: { PATH: '/bin', USERPROFILE: 'C:\\Users\\me', OWN: '1' },
      shell: false,
      detached: false,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  });

  it('lets a given variable win over an inherited one', () => {
    const given = { command: 'x', env: { PATH: '/own' } };
    expect(
      planSpawn(given, { platform: 'linux', inherited: getDefaultEnvironment(environment, 'linux') }).options
        .env['PATH'],
    ).toBe('/own');
  });

  it('inherits no function of the shell and nothing that is not on the list', () => {
    expect(getDefaultEnvironment(environment, 'linux')).toEqual({ PATH: '/bin', HOME: '/home/me' });
  });
});

describe('stop plans', () => {
  it('closes the input, asks the group and kills it, two seconds apart', () => {
    expect(planStop('linux', 77)).toEqual([
      { do: 'close_input', waitMs: 2_000 },
      { do: 'signal_group', signal: 'SIGTERM', waitMs: 2_000 },
      { do: 'signal_group', signal: 'SIGKILL', waitMs: 2_000 },
    ]);
  });

  it('ends the tree by the tool of the system on Windows', () => {
    expect(planStop('win32', 77)).toEqual([
      { do: 'close_input', waitMs: 2_000 },
      { do: 'run', command: 'taskkill', args: ['/pid', '77', '/T'], waitMs: 2_000 },
      { do: 'run', command: 'taskkill', args: ['/pid', '77', '/T', '/F'], waitMs: 2_000 },
    ]);
  });

  it('sweeps only what is left of a group when the child went by itself', () => {
    expect(planSweep('darwin', 77).map((step) => step.do)).toEqual(['signal_group', 'signal_group']);
    expect(planSweep('win32', 77)).toEqual([]);
  });
});

describe('a stop', () => {
  /** A child that goes at a given step, with or without what it started. */
  function createChild(
    goesAt: string,
    groupGoesAt = goesAt,
  ): ChildControl & { done: string[]; readonly listeners: number; leave(): void } {
    const done: string[] = [];
    const listeners = new Set<() => void>();
    const reached = (step: string): boolean => done.includes(step);
    return {
      done,
      closeInput: () => void done.push('close'),
      signalGroup: (signal) => void done.push(signal),
      run: (command, args) => void done.push([command, ...args].join(' ')),
      isChildAlive: () => !reached(goesAt),
      isGroupAlive: () => !reached(goesAt) || !reached(groupGoesAt),
      onleaving(run) {
        listeners.add(run);
        return () => void listeners.delete(run);
      },
      get listeners() {
        return listeners.size;
      },
      leave() {
        for (const run of listeners) run();
      },
    };
  }

  it('shows a polite child only the end of its input', async () => {
    const child = createChild('close');
    expect(await runStop(planStop('linux', 7), child, createManualClock())).toBe(true);
    expect(child.done).toEqual(['close']);
  });

  it('goes on to the group when the child is gone but left something behind', async () => {
    const clock = createManualClock();
    const child = createChild('close', 'SIGTERM');
    const stopping = runStop(planStop('linux', 7), child, clock);
    await clock.advance(1_999);
    expect(child.done).toEqual(['close']);
    await clock.advance(1);
    expect(await stopping).toBe(true);
    expect(child.done).toEqual(['close', 'SIGTERM']);
  });

  it('kills what is deaf, and does not wait for what nobody collects', async () => {
    const clock = createManualClock();
    const child = createChild('SIGKILL', 'never');
    const stopping = runStop(planStop('linux', 7), child, clock);
    await clock.advance(4_250);
    expect(await stopping).toBe(true);
    expect(child.done).toEqual(['close', 'SIGTERM', 'SIGKILL']);
  });

  it('W81 arms no timer that keeps our process alive, and kills what is left when that ends', async () => {
    const clock = createManualClock();
    const kept: boolean[] = [];
    const setTimer: typeof clock.setTimer = (delayMs, run) => {
      const index = kept.push(true) - 1;
      return Object.assign(clock.setTimer(delayMs, run), { unref: () => void (kept[index] = false) });
    };
    const child = createChild('SIGTERM', 'never');
    const stopping = runStop(planStop('linux', 7), child, { now: () => clock.now(), setTimer });
    await clock.advance(500);
    expect([kept.length > 10, kept.includes(true), child.done]).toEqual([true, false, ['close']]);
    child.leave();
    expect(child.done).toEqual(['close', 'SIGKILL']);
    await clock.advance(0);
    expect(await stopping).toBe(false);
    expect(child.listeners).toBe(0);
  });

  it('says so when not even the kill helps', async () => {
    const clock = createManualClock();
    const stopping = runStop(planStop('win32', 7), createChild('never'), clock);
    await clock.advance(6_000);
    expect(await stopping).toBe(false);
  });

  it('signals nobody when all is gone already', async () => {
    const child = createChild('close');
    child.done.push('close');
    expect(await runStop(planSweep('linux', 7), child, createManualClock())).toBe(true);
    expect(child.done).toEqual(['close']);
  });
});
