import type { ConnectorRecord } from '../packages/host/src/ports/stores.ts';

/** Text as peers may send it. */
export const SENT_BY_PEERS = 'plain ä 漢字 🙂 \u0000 \ud800 \u2028 "quoted" \\ ';

export function connectorRecord(id: string, createdAtMs: number, name: string = id): ConnectorRecord {
  return {
    id,
    name,
    label: '',
    groupId: id,
    transport: { kind: 'stdio', command: 'node', args: ['a b', SENT_BY_PEERS], env: { KEY: 'sealed' } },
    enabled: true,
    starts: 'with_portico',
    approvedHash: null,
    createdAtMs,
  };
}
