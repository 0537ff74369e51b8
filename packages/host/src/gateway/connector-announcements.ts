import type { Connector, HostEvent } from '@portico/api';

/** Tells pages about connectors, each time only when what they see has changed. */
export interface ConnectorAnnouncements {
  announce(connector: Connector): void;
  /** Tells that it is gone. */
  removed(connectorId: string): void;
}

export function createConnectorAnnouncements(publish: (event: HostEvent) => void): ConnectorAnnouncements {
  /** Connector → what pages know of it, as JSON. */
  const shown = new Map<string, string>();
  return {
    announce(connector) {
      const text = JSON.stringify(connector);
      if (shown.get(connector.id) === text) return;
      shown.set(connector.id, text);
      publish({ type: 'connector.changed', connector });
    },
    removed(connectorId) {
      shown.delete(connectorId);
      publish({ type: 'connector.removed', connectorId });
    },
  };
}
