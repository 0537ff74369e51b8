import type { Clock } from '@portico/rpc';
import type { StopStep } from './stop-plan.ts';

/** The powers a stop needs over one child and its group. None of the members may throw. */
export interface ChildControl {
  closeInput(): void;
  signalGroup(signal: 'SIGTERM' | 'SIGKILL'): void;
  run(command: string, args: readonly string[]): void;
  /** Whether the child itself still lives. */
  isChildAlive(): boolean;
  /** Whether the child or anything in its group still lives. */
  isGroupAlive(): boolean;
}

/** How often a stop looks whether everything is gone, milliseconds. */
const LOOK_EVERY_MS = 25;

/** Resolves with true as soon as nothing is alive, or with false when the wait is over. */
function waitUntilGone(isAlive: () => boolean, clock: Clock, waitMs: number): Promise<boolean> {
  const endMs = clock.now() + waitMs;
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isAlive()) resolve(true);
      else if (clock.now() >= endMs) resolve(false);
      else clock.setTimer(Math.min(LOOK_EVERY_MS, endMs - clock.now()), look);
    };
    look();
  });
}

function perform(step: StopStep, control: ChildControl): void {
  switch (step.do) {
    case 'close_input':
      return control.closeInput();
    case 'signal_group':
      return control.signalGroup(step.signal);
    case 'run':
      return control.run(step.command, step.args);
  }
}

/** How long a killed group may take to vanish, milliseconds. */
const VANISH_MS = 250;

/**
 * What has to be gone before a plan may end early. Nothing survives a kill, but killed processes may
 * stay listed where nobody collects them (a container without init), so they are not waited for long.
 */
function aliveAfter(step: StopStep, control: ChildControl, clock: Clock): () => boolean {
  if (step.do !== 'signal_group' || step.signal !== 'SIGKILL') return () => control.isGroupAlive();
  const vanishedByMs = clock.now() + VANISH_MS;
  return () => control.isChildAlive() || (clock.now() < vanishedByMs && control.isGroupAlive());
}

/**
 * Carries out a stop plan and ends early once child and group are gone.
 *
 * @returns false when even the last step left the child alive
 */
export async function runStop(
  plan: readonly StopStep[],
  control: ChildControl,
  clock: Clock,
): Promise<boolean> {
  if (!control.isGroupAlive()) return true;
  for (const step of plan) {
    perform(step, control);
    if (await waitUntilGone(aliveAfter(step, control, clock), clock, step.waitMs)) return true;
  }
  return !control.isChildAlive();
}
