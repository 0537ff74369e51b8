import type { Connections } from '@portico/connections';
import type { Clock } from '../ports/clock.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

/** A list that others stand in goes on without a server that takes longer to start, in milliseconds. */
export const FIRST_LIST_WAIT_MS = 10_000;
/** A call waits for as long as a program may take to start, in milliseconds. */
const FIRST_CALL_WAIT_MS = 60_000;

/** How long somebody waits for a start. */
export interface FirstUsePatience {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 60,000 by default. */
  readonly limitMs?: number;
}

/** Starts connectors that wait for their first use, each once however many want it (K32). */
export interface FirstUse {
  /**
   * Settles when the connector has been started, well or not, or nobody waits any longer: the start itself
   * goes on then. Never rejects, and settles at once for every connector that waits for no use.
   */
  begin(connectorId: string, patience?: FirstUsePatience): Promise<void>;
  /** The same for all of them at once. */
  beginAll(patience?: FirstUsePatience): Promise<void>;
}

export interface FirstUseOptions {
  readonly connections: Pick<Connections, 'get' | 'connect' | 'subscribeTo'>;
  readonly registry: Pick<ConnectorRegistry, 'find' | 'records'>;
  readonly clock: Clock;
}

export function createFirstUse({ connections, registry, clock }: FirstUseOptions): FirstUse {
  const statusOf = (connectorId: string) => connections.get(connectorId)?.status;
  const begin: FirstUse['begin'] = (connectorId, { signal, limitMs = FIRST_CALL_WAIT_MS } = {}) => {
    if (registry.find(connectorId)?.starts !== 'at_first_use') return Promise.resolve();
    if (statusOf(connectorId) === 'idle') void connections.connect(connectorId);
    return new Promise((resolve) => {
      const end = (): void => {
        unsubscribe();
        timer.cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const look = (): void => {
        // One that comes back after trouble was used before.
        const state = connections.get(connectorId);
        if (state?.status !== 'connecting' || state.retryAtMs !== undefined) end();
      };
      const unsubscribe = connections.subscribeTo(connectorId, look);
      const timer = clock.setTimer(limitMs, end);
      signal?.addEventListener('abort', end);
      if (signal?.aborted === true) end();
      else look();
    });
  };
  return {
    begin,
    async beginAll(patience) {
      await Promise.all(registry.records().map(({ id }) => begin(id, patience)));
    },
  };
}
