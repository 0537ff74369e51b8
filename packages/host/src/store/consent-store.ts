import type { Kysely } from 'kysely';
import type { ConsentRecord, ConsentStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { fromJson, toJson } from './stored-json.ts';

export function createConsentStore(db: Kysely<Tables>): ConsentStore {
  return {
    async list(artifactId) {
      const rows = await db
        .selectFrom('consents')
        .select('data')
        .where('artifact_id', '=', artifactId)
        .orderBy('server')
        .execute();
      return rows.map((row) => fromJson<ConsentRecord>(row.data));
    },
    async put(record) {
      const data = toJson(record);
      await db
        .insertInto('consents')
        .values({ artifact_id: record.artifactId, server: record.server, data })
        .onConflict((conflict) => conflict.columns(['artifact_id', 'server']).doUpdateSet({ data }))
        .execute();
    },
    async remove(artifactId, server) {
      await db
        .deleteFrom('consents')
        .where('artifact_id', '=', artifactId)
        .where('server', '=', server)
        .execute();
    },
  };
}
