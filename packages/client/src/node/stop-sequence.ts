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
  /** Runs this when our own process is about to end. What comes back takes it off again. */
  onleaving(run: () => void): () => void;
}

/** How often a stop looks whether everything is gone, milliseconds. */
const LOOK_EVERY_MS = 25;

/**
 * Waits that keep nobody alive: the child itself does that for as long as it lives. When our own process
 * ends meanwhile there is no more waiting.
 */
class Waits {
  readonly #clock: Clock;
  #wake: () => void = () => undefined;
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the wait there is, and all to come. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves with true as soon as nothing is alive, or with false when the wait is over. */
  untilGone(isAlive: () => boolean, waitMs: number): Promise<boolean> {
    const endMs = this.#clock.now() + waitMs;
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isAlive()) resolve(true);
        else if (this.#isOver || this.#clock.now() >= endMs) resolve(false);
        else {
          const delayMs = Math.min(LOOK_EVERY_MS, endMs - this.#clock.now());
          this.#clock.setTimer(delayMs, look).unref?.();
        }
      };
      this.#wake = look;
      look();
    });
  }
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
 * Carries out a stop plan and ends early once child and group are gone. When our own process ends
 * meanwhile, what is left gets the last step at once.
 *
 * @returns false when even the last step left the child alive
 */
export async function runStop(
  plan: readonly StopStep[],
  control: ChildControl,
  clock: Clock,
): Promise<boolean> {
  if (!control.isGroupAlive()) return true;
  const waits = new Waits(clock);
  const last = plan.at(-1);
  const stay = control.onleaving(() => {
    if (last !== undefined && control.isGroupAlive()) perform(last, control);
    waits.end();
  });
  try {
    for (const step of plan) {
      perform(step, control);
      if (await waits.untilGone(aliveAfter(step, control, clock), step.waitMs)) return true;
      if (waits.isOver) break;
    }
    return !control.isChildAlive();
  } finally {
    stay();
  }
}
