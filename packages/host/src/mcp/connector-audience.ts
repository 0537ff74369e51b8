import type { IncomingNotification } from '@portico/client';

/** Hears what a connector's server says of its own accord. Must not throw. */
export type ConnectorListener = (notification: IncomingNotification) => void;

/** Whoever listens to connectors. */
export interface ConnectorAudience {
  /** The answer ends it. */
  listen(connectorId: string, listener: ConnectorListener): () => void;
  tell(connectorId: string, notification: IncomingNotification): void;
}

export function createConnectorAudience(): ConnectorAudience {
  const listeners = new Map<string, Set<ConnectorListener>>();
  return {
    listen(connectorId, listener) {
      const own = listeners.get(connectorId) ?? new Set();
      listeners.set(connectorId, own);
      own.add(listener);
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(connectorId) === own) listeners.delete(connectorId);
      };
    },
    tell(connectorId, notification) {
      for (const listener of listeners.get(connectorId) ?? []) listener(notification);
    },
  };
}
