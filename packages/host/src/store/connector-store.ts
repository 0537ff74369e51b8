import type { Kysely } from 'kysely';
import type { ConnectorRecord, ConnectorStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { fromJson, toJson } from './stored-json.ts';

export function createConnectorStore(db: Kysely<Tables>): ConnectorStore {
  return {
    async list() {
      const rows = await db
        .selectFrom('connectors')
        .select('data')
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(({ data }) => recordOf(data));
    },
    async get(id) {
      const row = await db.selectFrom('connectors').select('data').where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : recordOf(row.data);
    },
    async put(record) {
      const changes = { created_at_ms: record.createdAtMs, data: toJson(record) };
      await db
        .insertInto('connectors')
        .values({ id: record.id, ...changes })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
        .execute();
    },
    async remove(id) {
      await db.deleteFrom('connectors').where('id', '=', id).execute();
    },
  };
}

/**
 * Records that were stored before connectors could have several accounts are the only one of theirs, and
 * those from before there was a choice start as everything did.
 */
function recordOf(data: string): ConnectorRecord {
  type Later = 'label' | 'groupId' | 'starts';
  const stored = fromJson<Omit<ConnectorRecord, Later> & Partial<ConnectorRecord>>(data);
  return { label: '', groupId: stored.id, starts: 'with_portico', ...stored };
}
