import type { Connector, HostEvent } from '@portico/api';

/** Tells pages about connectors, each time only when what they see has changed. */
export interface ConnectorAnnouncements {
  announce(connector: Connector): void;
  /** Tells nothing of a connector while the work goes on; whoever asks for it announces afterwards. */
  quietly(connectorId: string, work: () => Promise<void>): Promise<void>;
  /** Tells that it is gone. */
  removed(connectorId: string): void;
}

export function createConnectorAnnouncements(publish: (event: HostEvent) => void): ConnectorAnnouncements {
  /** Connector → what pages know of it, as JSON. */
  const shown = new Map<string, string>();
  const quiet = new Set<string>();
  return {
    announce(connector) {
      const text = JSON.stringify(connector);
      if (quiet.has(connector.id) || shown.get(connector.id) === text) return;
      shown.set(connector.id, text);
      publish({ type: 'connector.changed', connector });
    },
    async quietly(connectorId, work) {
      quiet.add(connectorId);
      try {
        await work();
      } finally {
        quiet.delete(connectorId);
      }
    },
    removed(connectorId) {
      shown.delete(connectorId);
      publish({ type: 'connector.removed', connectorId });
    },
  };
}
