import { runGuarded, systemClock } from '@portico/rpc';
import type { Clock, Timer, Transport } from '@portico/rpc';
import type { StdioClientTransport } from './stdio-transport.ts';

/** How a server that ended by itself is started again. */
export interface RestartPolicy {
  /** Wait before the first restart, milliseconds; each further one is twice as long. 1,000 by default. */
  readonly initialDelayMs?: number;
  /** Longest wait, milliseconds; a connection that lasted as long starts the waits anew. 30,000 by default. */
  readonly maxDelayMs?: number;
  readonly clock?: Clock;
  /** Told after each connection, the first included: subscriptions ended with the one before. */
  readonly onconnected?: () => unknown;
  /** Told why a restart failed; another follows. */
  readonly onerror?: (error: Error) => unknown;
}

/** A connection that outlives its server. */
export interface KeptConnection {
  /** Ends the restarts, then the connection. */
  stop(): Promise<void>;
}

const INITIAL_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/**
 * Connects a client to a child process, and again whenever the child has ended or hung up by itself.
 * Calls that are open at that moment fail and are not repeated, since they may have had an effect.
 * A close of the connection from this side ends it for good.
 *
 * @throws what the first `connect` throws
 */
export async function keepConnected(
  client: { connect(transport: Transport): Promise<void> },
  transport: StdioClientTransport,
  policy: RestartPolicy = {},
): Promise<KeptConnection> {
  const keeper = new Keeper(client, transport, policy);
  await keeper.connect();
  return keeper;
}

class Keeper implements KeptConnection {
  readonly #client: { connect(transport: Transport): Promise<void> };
  readonly #transport: StdioClientTransport;
  readonly #policy: RestartPolicy;
  readonly #clock: Clock;
  #delayMs: number;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(
    client: { connect(transport: Transport): Promise<void> },
    transport: StdioClientTransport,
    policy: RestartPolicy,
  ) {
    this.#client = client;
    this.#transport = transport;
    this.#policy = policy;
    this.#clock = policy.clock ?? systemClock;
    this.#delayMs = policy.initialDelayMs ?? INITIAL_DELAY_MS;
  }

  async connect(): Promise<void> {
    await this.#client.connect(this.#transport);
    const sinceMs = this.#clock.now();
    void this.#transport.ended.then((how) => {
      if (how === 'lost') this.#lost(this.#clock.now() - sinceMs);
    });
    const { onconnected } = this.#policy;
    runGuarded(
      'onconnected',
      () => onconnected?.(),
      (error) => this.#report(error),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#transport.close();
  }

  #lost(lastedMs: number): void {
    const { initialDelayMs = INITIAL_DELAY_MS, maxDelayMs = MAX_DELAY_MS } = this.#policy;
    if (lastedMs >= maxDelayMs) this.#delayMs = initialDelayMs;
    this.#wait();
  }

  #wait(): void {
    if (this.#stopped) return;
    const { maxDelayMs = MAX_DELAY_MS } = this.#policy;
    const delayMs = Math.min(this.#delayMs, maxDelayMs);
    this.#delayMs = Math.min(delayMs * 2, maxDelayMs);
    this.#timer = this.#clock.setTimer(delayMs, () => void this.#again());
  }

  async #again(): Promise<void> {
    try {
      // What the last child left behind is gone before the next one begins.
      await this.#transport.close();
      if (this.#stopped) return;
      await this.connect();
      if (this.#stopped) await this.#transport.close();
    } catch (error) {
      this.#report(error instanceof Error ? error : new TypeError(String(error)));
      this.#wait();
    }
  }

  #report(error: Error): void {
    const { onerror } = this.#policy;
    runGuarded(
      'onerror',
      () => onerror?.(error),
      () => undefined,
    );
  }
}
