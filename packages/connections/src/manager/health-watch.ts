import type { Timer } from '@portico/rpc';
import type { Environment } from './environment.ts';

/** Longest time that one HEAD, or one question in its place, may take, milliseconds. */
export const HEAD_LIMIT_MS = 5_000;
/** A timer that comes later than this, milliseconds, comes after a sleep. */
const SLEPT_MS = 5_000;
/** Statuses that mean that the server has no such thing as HEAD. */
const UNSUPPORTED: ReadonlySet<number> = new Set([404, 405, 501]);

/** How often is looked, and how long nothing may be heard, milliseconds. */
export interface HealthSettings {
  /** False looks never. */
  readonly everyMs: number | false;
  readonly limitMs: number;
}

export interface HealthPort {
  readonly environment: Pick<Environment, 'clock' | 'page'>;
  settings(): HealthSettings;
  /** Sends one HEAD. @returns its status. Rejects when there is none. */
  head(signal: AbortSignal): Promise<number>;
  /** When the server was last heard of, epoch milliseconds. */
  heardMs(): number;
  /** Whether the server answers a question. Never rejects. */
  isAlive(): Promise<boolean>;
  /** Nothing was heard for too long, and the server does not answer. */
  lost(): void;
}

/**
 * Looks whether a server is still there while nobody talks to it: one HEAD at a time. Before anything is
 * ended the server is asked over the protocol itself, since what answers HEAD may be something else.
 * Source: R33–R37.
 */
export class HealthWatch {
  readonly #port: HealthPort;
  #running = false;
  /** This connection's server knows no HEAD. */
  #unsupported = false;
  #asking = false;
  #missed = false;
  #heardMs = 0;
  #check: Timer | undefined;
  #deadline: Timer | undefined;
  #abort = new AbortController();
  #stopListening: (() => void) | undefined;

  constructor(port: HealthPort) {
    this.#port = port;
  }

  /** A connection is in service from now on. */
  start(): void {
    this.stop();
    this.#running = true;
    this.#unsupported = false;
    this.#abort = new AbortController();
    const { page } = this.#port.environment;
    this.#stopListening = page?.onChange(() => this.#pageChanged());
    this.#succeeded();
    this.#checkLater();
  }

  stop(): void {
    this.#running = false;
    this.#missed = false;
    this.#abort.abort();
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#cancel();
  }

  /** The settings are others now. */
  renew(): void {
    if (!this.#running) return;
    this.#cancel();
    this.#succeeded();
    this.#checkLater();
  }

  get #isPaused(): boolean {
    const { page } = this.#port.environment;
    return page !== undefined && (page.isHidden || !page.isOnline);
  }

  #cancel(): void {
    this.#check?.cancel();
    this.#deadline?.cancel();
    this.#check = undefined;
    this.#deadline = undefined;
  }

  #pageChanged(): void {
    if (this.#isPaused) return this.#cancel();
    if (this.#check !== undefined || this.#unsupported) return;
    this.#afterSleep();
  }

  /** Time that was slept through says nothing of the server: it is looked first. */
  #afterSleep(): void {
    this.#cancel();
    this.#succeeded();
    void this.#look();
    this.#checkLater();
  }

  #checkLater(): void {
    const { everyMs } = this.#port.settings();
    if (everyMs === false || this.#unsupported || this.#isPaused) return;
    const { clock } = this.#port.environment;
    const dueMs = clock.now() + everyMs;
    this.#check = clock.setTimer(everyMs, () => {
      this.#check = undefined;
      if (clock.now() - dueMs > SLEPT_MS) return this.#afterSleep();
      void this.#look();
      this.#checkLater();
    });
  }

  async #look(): Promise<void> {
    if (this.#asking || this.#unsupported) return;
    this.#asking = true;
    const outcome = await this.#headWithin();
    this.#asking = false;
    if (!this.#running || outcome === 'stopped') return;
    if (outcome === 'unsupported') {
      this.#unsupported = true;
      this.#cancel();
    } else if (outcome === 'answered') this.#succeeded();
    else this.#missed = true;
  }

  async #headWithin(): Promise<'answered' | 'unsupported' | 'missed' | 'stopped'> {
    const { clock } = this.#port.environment;
    const { signal: stopped } = this.#abort;
    const limit = new AbortController();
    const end = (): void => limit.abort();
    stopped.addEventListener('abort', end, { once: true });
    const timer = clock.setTimer(HEAD_LIMIT_MS, end);
    try {
      const status = await this.#port.head(limit.signal);
      if (UNSUPPORTED.has(status)) return 'unsupported';
      return status < 500 ? 'answered' : 'missed';
    } catch {
      return stopped.aborted ? 'stopped' : 'missed';
    } finally {
      timer.cancel();
      stopped.removeEventListener('abort', end);
    }
  }

  #succeeded(): void {
    this.#missed = false;
    this.#heardMs = this.#port.environment.clock.now();
    this.#deadlineIn(this.#port.settings().limitMs);
  }

  #deadlineIn(leftMs: number): void {
    this.#deadline?.cancel();
    this.#deadline = undefined;
    if (this.#port.settings().everyMs === false || this.#unsupported || this.#isPaused) return;
    const { clock } = this.#port.environment;
    const dueMs = clock.now() + leftMs;
    this.#deadline = clock.setTimer(leftMs, () => {
      this.#deadline = undefined;
      if (clock.now() - dueMs > SLEPT_MS) return this.#afterSleep();
      void this.#overdue();
    });
  }

  async #overdue(): Promise<void> {
    const { clock } = this.#port.environment;
    const { limitMs } = this.#port.settings();
    const leftMs = Math.max(this.#heardMs, this.#port.heardMs()) + limitMs - clock.now();
    if (leftMs > 0) return this.#deadlineIn(leftMs);
    // No look has failed yet: the first one decides.
    if (!this.#missed && !this.#asking) return this.#deadlineIn(limitMs);
    const { signal } = this.#abort;
    const alive = await this.#port.isAlive();
    if (signal.aborted || !this.#running) return;
    if (alive) return this.#succeeded();
    this.stop();
    this.#port.lost();
  }
}
