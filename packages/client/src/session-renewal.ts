import { SdkError } from './errors.ts';

/** What a renewal needs. */
export interface RenewalPort {
  /** The session in force. */
  sessionId(): string | undefined;
  /** Shakes hands again. */
  renew(): Promise<void>;
}

function isSessionLost(error: unknown): boolean {
  return error instanceof SdkError && error.code === 'CLIENT_HTTP_SESSION_LOST';
}

/**
 * Makes lost sessions invisible: a request that the server refuses because it no longer knows the
 * session is sent once more in a new one. Requests that fail together share one renewal; a refusal
 * that belongs to an older session starts none.
 */
export class SessionRenewal {
  readonly #port: RenewalPort;
  #running: Promise<void> | undefined;

  constructor(port: RenewalPort) {
    this.#port = port;
  }

  /** @throws whatever the second try or the renewal throws */
  async run<T>(send: () => Promise<T>): Promise<T> {
    // Until the new handshake is over nothing else may be sent; if it fails, this request finds out.
    if (this.#running !== undefined) await this.#running.catch(() => undefined);
    const before = this.#port.sessionId();
    try {
      return await send();
    } catch (error) {
      if (!isSessionLost(error)) throw error;
      await this.#renewFrom(before);
      return send();
    }
  }

  #renewFrom(lost: string | undefined): Promise<void> {
    if (this.#running !== undefined) return this.#running;
    if (this.#port.sessionId() !== lost) return Promise.resolve();
    const running = this.#port.renew().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
