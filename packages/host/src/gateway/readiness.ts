import type { Connections } from '@portico/connections';
import type { ConnectorRegistry } from './connector-registry.ts';

/** Why a wait for an account ended; `gone` for one that was removed or switched off, `aborted` by its caller. */
export type ReadinessEnd = 'ready' | 'gone' | 'aborted';

/** Waits until accounts can be used again. */
export interface Readiness {
  /** Settles at once where that is known already; however often the connection is opened anew meanwhile. */
  untilReady(connectorId: string, signal: AbortSignal): Promise<ReadinessEnd>;
}

export interface ReadinessOptions {
  readonly connections: Pick<Connections, 'get' | 'subscribeTo'>;
  readonly registry: Pick<ConnectorRegistry, 'find'>;
}

export function createReadiness({ connections, registry }: ReadinessOptions): Readiness {
  const endOf = (connectorId: string, signal: AbortSignal): ReadinessEnd | undefined => {
    if (signal.aborted) return 'aborted';
    if (registry.find(connectorId)?.enabled !== true) return 'gone';
    const status = connections.get(connectorId)?.status;
    return status === 'ready' || status === 'degraded' ? 'ready' : undefined;
  };
  return {
    untilReady: (connectorId, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          const end = endOf(connectorId, signal);
          if (end === undefined) return;
          unsubscribe();
          signal.removeEventListener('abort', look);
          resolve(end);
        };
        const unsubscribe = connections.subscribeTo(connectorId, look);
        signal.addEventListener('abort', look);
        look();
      }),
  };
}
