import type { Client } from '@portico/client';
import { toCallError } from './call-error.ts';
import { ConnectionsError } from './errors.ts';
import type { Health } from './health.ts';
import { linkFailure } from './link-failure.ts';
import type { ConnectionEvent } from './model.ts';
import type { ConnectionState } from './state.ts';

/** The opening that calls go over. */
interface CallLine {
  readonly generation: number;
  readonly link: { readonly client: Client };
  readonly health: Pick<Health, 'callBegins' | 'check'>;
}

/** What calls need of their connection. */
interface CallPort {
  state(): ConnectionState;
  /** Undefined while there is none. */
  line(): CallLine | undefined;
  dispatch(event: ConnectionEvent): void;
  /**
   * The state that the opening under way ends with, or the present one when its time is over.
   *
   * @throws ConnectionsError `cancelled`
   */
  settledSoon(signal: AbortSignal | undefined): Promise<ConnectionState>;
}

/** Calls over one connection, and what their fate says of it. */
export class EntryCalls {
  readonly #port: CallPort;

  constructor(port: CallPort) {
    this.#port = port;
  }

  /** As {@link ConnectionEntry.call}. */
  async call<T>(run: (client: Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const line = await this.#usable(signal);
    try {
      return await this.#run(line, run);
    } catch (error) {
      const failure = linkFailure(error);
      if (failure.step === 'sign_in' && !failure.retryable && failure.partial !== true) {
        this.#port.dispatch({ type: 'refused', generation: line.generation, failure });
      }
      throw toCallError(this.#port.state().id, error);
    }
  }

  /** As {@link ConnectionEntry.callNow}. */
  async callNow<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const state = this.#port.state();
    const line = this.#port.line();
    if (line === undefined || !isUsable(state)) throw notReady(state);
    return this.#run(line, run);
  }

  async #run<T>({ generation, link, health }: CallLine, run: (client: Client) => Promise<T>): Promise<T> {
    const callEnds = health.callBegins();
    try {
      const result = await run(link.client);
      this.#port.dispatch({ type: 'answered', generation });
      return result;
    } catch (error) {
      const failure = linkFailure(error);
      // The line may be gone, but other calls may still be fine: look before anything is closed.
      if (failure.step !== 'sign_in' && failure.retryable && failure.step !== 'timeout') {
        void health.check();
      }
      throw error;
    } finally {
      callEnds();
    }
  }

  async #usable(signal: AbortSignal | undefined): Promise<CallLine> {
    const port = this.#port;
    if (port.state().status === 'idle') port.dispatch({ type: 'connect' });
    const state = port.state().status === 'connecting' ? await port.settledSoon(signal) : port.state();
    const line = port.line();
    if (line === undefined || !isUsable(state)) throw notReady(state);
    return line;
  }
}

/** Why nothing can be asked of a connection now. */
export function notReady({ id, status, error }: ConnectionState): ConnectionsError {
  if (status === 'needs_sign_in') return new ConnectionsError('needs_sign_in', { id });
  const message = error === undefined ? {} : { message: `the connection is not ready: ${error.message}` };
  return new ConnectionsError('not_ready', { id, status }, message);
}

function isUsable({ status }: ConnectionState): boolean {
  return status === 'ready' || status === 'degraded';
}
