import type { Clock, Timer } from './clock.ts';

/** A moment at which something runs unless it is cancelled first. */
export interface Deadline {
  cancel(): void;
  /** Starts the same time anew, from now. */
  restart(): void;
}

/** Many deadlines over few timers. */
export interface Deadlines {
  /** Runs `expire` once after `delayMs` milliseconds. */
  add(delayMs: number, expire: () => void): Deadline;
  /** Forgets every deadline and disarms every timer. */
  clear(): void;
}

class Entry implements Deadline {
  previous: Entry | undefined;
  next: Entry | undefined;
  dueMs = 0;
  listed = false;
  readonly expire: () => void;
  readonly #lane: Lane;

  constructor(lane: Lane, expire: () => void) {
    this.#lane = lane;
    this.expire = expire;
  }

  cancel(): void {
    if (this.listed) this.#lane.remove(this);
  }

  restart(): void {
    if (!this.listed) return;
    this.#lane.unlink(this);
    this.#lane.append(this);
  }
}

/**
 * Deadlines of one length. Each new one is due last, so the list is always in order and only its
 * head needs a timer. A timer that finds its head not yet due is armed again for the rest.
 */
class Lane {
  readonly #clock: Clock;
  readonly #delayMs: number;
  #head: Entry | undefined;
  #tail: Entry | undefined;
  #timer: Timer | undefined;
  #armedForMs = 0;

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  get isEmpty(): boolean {
    return this.#head === undefined;
  }

  append(entry: Entry): void {
    entry.dueMs = this.#clock.now() + this.#delayMs;
    entry.listed = true;
    entry.next = undefined;
    entry.previous = this.#tail;
    if (this.#tail === undefined) this.#head = entry;
    else this.#tail.next = entry;
    this.#tail = entry;
    if (this.#timer === undefined) this.#arm(entry.dueMs, this.#delayMs);
    else if (this.#head === entry) this.#timer.ref?.();
  }

  unlink(entry: Entry): void {
    entry.listed = false;
    if (entry.previous === undefined) this.#head = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next === undefined) this.#tail = entry.previous;
    else entry.next.previous = entry.previous;
    entry.previous = undefined;
    entry.next = undefined;
  }

  remove(entry: Entry): void {
    this.unlink(entry);
    if (this.#head === undefined) this.#rest();
  }

  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (let entry = this.#head; entry !== undefined; entry = this.#head) this.unlink(entry);
  }

  /** Nothing is due: a timer that can let the process end stays armed for the next deadline. */
  #rest(): void {
    if (this.#timer === undefined) return;
    if (this.#timer.unref !== undefined) {
      this.#timer.unref();
      return;
    }
    this.#timer.cancel();
    this.#timer = undefined;
  }

  #arm(dueMs: number, delayMs: number): void {
    this.#armedForMs = dueMs;
    this.#timer = this.#clock.setTimer(delayMs, () => this.#run());
  }

  #run(): void {
    this.#timer = undefined;
    // The timer is right even when the wall clock was set back meanwhile.
    const now = Math.max(this.#clock.now(), this.#armedForMs);
    for (let head = this.#head; head !== undefined && head.dueMs <= now; head = this.#head) {
      this.unlink(head);
      head.expire();
    }
    // An expired deadline may have added one, which armed the timer already.
    if (this.#head !== undefined && this.#timer === undefined) {
      this.#arm(this.#head.dueMs, this.#head.dueMs - now);
    }
  }
}

/** Above this many lengths, lanes without deadlines are dropped. */
const LANES_BEFORE_SWEEP = 64;

/**
 * Deadlines that share one timer per length. Peers use few lengths, so that a thousand open calls
 * cost one armed timer.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const lanes = new Map<number, Lane>();
  let sweepAt = LANES_BEFORE_SWEEP;

  function sweep(): void {
    for (const [delayMs, lane] of lanes) {
      if (!lane.isEmpty) continue;
      lane.clear();
      lanes.delete(delayMs);
    }
    sweepAt = Math.max(LANES_BEFORE_SWEEP, lanes.size * 2);
  }

  function laneFor(delayMs: number): Lane {
    let lane = lanes.get(delayMs);
    if (lane === undefined) {
      if (lanes.size >= sweepAt) sweep();
      lane = new Lane(clock, delayMs);
      lanes.set(delayMs, lane);
    }
    return lane;
  }

  return {
    add(delayMs, expire) {
      const lane = laneFor(delayMs);
      const entry = new Entry(lane, expire);
      lane.append(entry);
      return entry;
    },
    clear() {
      for (const lane of lanes.values()) lane.clear();
      lanes.clear();
    },
  };
}
