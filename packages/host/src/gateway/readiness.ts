import type { Connections } from '@portico/connections';
import type { ConnectorRecord } from '../ports/stores.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

/** Why a wait for an account ended; `gone` for one that was removed or switched off, `aborted` by its caller. */
export type ReadinessEnd = 'ready' | 'gone' | 'aborted';

/** Waits until accounts can be used again. */
export interface Readiness {
  /** Settles at once where that is known already; however often the connection is opened anew meanwhile. */
  untilReady(connectorId: string, signal: AbortSignal): Promise<ReadinessEnd>;
  /**
   * The same for an account that is connected and was refused a part of what its server offers: waits
   * until nothing more is asked of the person, and the account is connected anew from now on.
   */
  untilGranted(connectorId: string, signal: AbortSignal): Promise<ReadinessEnd>;
}

export interface ReadinessOptions {
  readonly connections: Pick<Connections, 'get' | 'connect' | 'subscribeTo'>;
  readonly registry: Pick<ConnectorRegistry, 'find'>;
  /** Whether the server of an account wants more of the person than it has. */
  readonly wantsMore: (record: ConnectorRecord) => boolean;
}

export function createReadiness({ connections, registry, wantsMore }: ReadinessOptions): Readiness {
  const isOpen = (connectorId: string): boolean => {
    const status = connections.get(connectorId)?.status;
    return status === 'ready' || status === 'degraded';
  };
  const wait = ([connectorId, signal]: Parameters<Readiness['untilReady']>, isReady: () => boolean) =>
    new Promise<ReadinessEnd>((resolve) => {
      const endNow = (): ReadinessEnd | undefined => {
        if (signal.aborted) return 'aborted';
        if (registry.find(connectorId)?.enabled !== true) return 'gone';
        return isReady() ? 'ready' : undefined;
      };
      const look = (): void => {
        const end = endNow();
        if (end === undefined) return;
        unsubscribe();
        signal.removeEventListener('abort', look);
        resolve(end);
      };
      const unsubscribe = connections.subscribeTo(connectorId, look);
      signal.addEventListener('abort', look);
      look();
      // What somebody waits for is used (K32).
      if (connections.get(connectorId)?.status === 'idle') void connections.connect(connectorId);
    });
  return {
    untilReady: (connectorId, signal) => wait([connectorId, signal], () => isOpen(connectorId)),
    untilGranted(connectorId, signal) {
      let isNew = false;
      return wait([connectorId, signal], () => {
        const open = isOpen(connectorId);
        isNew ||= !open;
        const record = registry.find(connectorId);
        return open && isNew && record !== undefined && !wantsMore(record);
      });
    },
  };
}
