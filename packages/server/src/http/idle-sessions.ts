import type { Clock, Timer } from '@portico/rpc';

interface Entry<Session> {
  readonly session: Session;
  dueMs: number;
}

/**
 * Sessions by their id, the one that was used longest ago first. One timer looks after all of them,
 * so that an idle session costs its entry here and nothing else.
 */
export class IdleSessions<Session> {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #expire: (session: Session) => boolean;
  readonly #entries = new Map<string, Entry<Session>>();
  #timer: Timer | undefined;

  /** @param expire called for a session that was not used for `idleMs`; false keeps it as used now */
  constructor(clock: Clock, idleMs: number, expire: (session: Session) => boolean) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#expire = expire;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): Session | undefined {
    return this.#entries.get(id)?.session;
  }

  all(): Session[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  add(id: string, session: Session): void {
    this.#entries.set(id, { session, dueMs: this.#clock.now() + this.#idleMs });
    if (this.#timer === undefined) this.#arm(this.#idleMs);
  }

  /** Starts a session's idle time anew. */
  touch(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.dueMs = this.#clock.now() + this.#idleMs;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  /** Whether it was there. */
  delete(id: string): boolean {
    const had = this.#entries.delete(id);
    if (this.#entries.size === 0) {
      this.#timer?.cancel();
      this.#timer = undefined;
    }
    return had;
  }

  #arm(delayMs: number): void {
    this.#timer = this.#clock.setTimer(delayMs, () => this.#sweep());
    this.#timer.unref?.();
  }

  #sweep(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.now();
    // Kept sessions move to the end, with a later time.
    for (const [id, { session, dueMs }] of this.#entries) {
      if (dueMs > nowMs) break;
      if (this.#expire(session)) this.#entries.delete(id);
      else this.touch(id);
    }
    for (const { dueMs } of this.#entries.values()) {
      if (this.#timer === undefined) this.#arm(Math.max(0, dueMs - nowMs));
      break;
    }
  }
}
