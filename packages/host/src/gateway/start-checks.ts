import type { CommandPreview } from '@portico/api';
import { HostError } from '../errors.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import type { ConnectorTransports } from './connector-transports.ts';

/** Decides whether a connector may run at all, and remembers why not. */
export interface StartChecks {
  /** Switched on, its command found, and approved exactly as it would run now (K19, K20). */
  mayStart(record: ConnectorRecord): boolean;
  /** The command that waits for the person. */
  pendingApproval(record: ConnectorRecord): CommandPreview | undefined;
  /** What was wrong before any connection was tried. */
  startError(connectorId: string): unknown;
  forget(connectorId: string): void;
}

export function createStartChecks(transports: Pick<ConnectorTransports, 'preview'>): StartChecks {
  const errors = new Map<string, unknown>();
  const waiting = new Set<string>();
  const forget = (connectorId: string): void => {
    errors.delete(connectorId);
    waiting.delete(connectorId);
  };
  return {
    mayStart(record) {
      forget(record.id);
      if (!record.enabled) return false;
      try {
        const command = transports.preview(record);
        if (command === undefined) return true;
        if (command.resolvedPath === null) {
          throw new HostError('command_not_found', { data: { command: command.command } });
        }
        if (command.hash === record.approvedHash) return true;
        waiting.add(record.id);
      } catch (error) {
        errors.set(record.id, error);
      }
      return false;
    },
    pendingApproval: (record) => (waiting.has(record.id) ? transports.preview(record) : undefined),
    startError: (connectorId) => errors.get(connectorId),
    forget,
  };
}
