import { type Report, reportGuarded } from './callbacks.ts';
import type { Clock, Timer } from './clock.ts';
import { RpcError } from './errors.ts';

/** Faults of one kind that are told one by one in a second; the rest of them become one report. */
const MAX_FAULTS_PER_SECOND = 100;

const SECOND_MS = 1000;

interface Kind {
  count: number;
  timer: Timer | undefined;
}

/**
 * Tells faults to a callback that is not ours, which may throw, and keeps a peer from flooding it:
 * beyond the first hundred of one code in a second, faults are counted and told as one
 * `faults_merged` when the second is over.
 */
export class FaultReporter {
  readonly #clock: Clock;
  readonly #tell: (error: Error) => unknown;
  readonly #kinds = new Map<string, Kind>();
  /** Faults arise one after the other mostly, so the second of each kind is counted by its first. */
  #startedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, tell: (error: Error) => unknown) {
    this.#clock = clock;
    this.#tell = tell;
  }

  readonly report: Report = (error) => {
    const nowMs = this.#clock.now();
    if (!(nowMs - this.#startedAtMs < SECOND_MS)) this.#startAnew(nowMs);
    const code = codeOf(error);
    const kind = this.#kindOf(code);
    kind.count += 1;
    if (kind.count <= MAX_FAULTS_PER_SECOND) {
      reportGuarded(this.#tell, error);
      return;
    }
    if (kind.timer !== undefined) return;
    kind.timer = this.#clock.setTimer(SECOND_MS, () => this.#tellMerged(code, kind));
    // Reports are no reason for a process to live on.
    kind.timer.unref?.();
  };

  /** The channel is over: what was only counted is told now. */
  end(): void {
    for (const [code, kind] of this.#kinds) this.#tellMerged(code, kind);
    this.#kinds.clear();
  }

  #startAnew(nowMs: number): void {
    this.#startedAtMs = nowMs;
    for (const [code, kind] of this.#kinds) if (kind.timer === undefined) this.#kinds.delete(code);
  }

  #kindOf(code: string): Kind {
    let kind = this.#kinds.get(code);
    if (kind === undefined) {
      kind = { count: 0, timer: undefined };
      this.#kinds.set(code, kind);
    }
    return kind;
  }

  #tellMerged(code: string, kind: Kind): void {
    if (kind.timer === undefined) return;
    kind.timer.cancel();
    kind.timer = undefined;
    this.#kinds.delete(code);
    const count = kind.count - MAX_FAULTS_PER_SECOND;
    reportGuarded(this.#tell, new RpcError('faults_merged', { code, count }));
  }
}

/** Codes come from tables of ours or of the platform, so that there are few. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
