import type { Kysely } from 'kysely';
import type { GrantStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';

export function createGrantStore(db: Kysely<Tables>): GrantStore {
  return {
    async get(connectorId, name) {
      const row = await db
        .selectFrom('grants')
        .select('sealed')
        .where('connector_id', '=', connectorId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row?.sealed;
    },
    async put({ connectorId, name, sealed }) {
      await db
        .insertInto('grants')
        .values({ connector_id: connectorId, name, sealed })
        .onConflict((conflict) => conflict.columns(['connector_id', 'name']).doUpdateSet({ sealed }))
        .execute();
    },
    async remove(connectorId, name) {
      await db
        .deleteFrom('grants')
        .where('connector_id', '=', connectorId)
        .where('name', '=', name)
        .execute();
    },
    async list(connectorId) {
      const all = db.selectFrom('grants').selectAll().orderBy('connector_id').orderBy('name');
      const rows = await (
        connectorId === undefined ? all : all.where('connector_id', '=', connectorId)
      ).execute();
      return rows.map((row) => ({ connectorId: row.connector_id, name: row.name, sealed: row.sealed }));
    },
  };
}
