import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ArtifactRecord, ArtifactStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { fromJson, toJson } from './stored-json.ts';
import { withinOne } from './within-one.ts';

export function createArtifactStore(db: Kysely<Tables>): ArtifactStore {
  return {
    async list() {
      const rows = await db
        .selectFrom('artifact_versions as one')
        .select('one.data')
        .where(
          'one.version',
          '=',
          sql<number>`(SELECT max(version) FROM artifact_versions WHERE artifact_id = one.artifact_id)`,
        )
        .orderBy('one.created_at_ms')
        .orderBy('one.artifact_id')
        .execute();
      return rows.map((row) => fromJson<ArtifactRecord>(row.data));
    },
    async get(id) {
      const row = await db
        .selectFrom('artifact_versions')
        .select('data')
        .where('artifact_id', '=', id)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : fromJson<ArtifactRecord>(row.data);
    },
    async page(id, version) {
      const row = await db
        .selectFrom('artifact_versions')
        .select('page')
        .where('artifact_id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst();
      return row === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(row.page);
    },
    async addVersion(record, html) {
      await withinOne(db, async (one) => {
        await one
          .insertInto('artifacts')
          .values({ id: record.id })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await one
          .insertInto('artifact_versions')
          .values({
            artifact_id: record.id,
            version: record.version,
            created_at_ms: record.createdAtMs,
            data: toJson(record),
            page: new TextEncoder().encode(html),
          })
          .execute();
      });
    },
    async remove(id) {
      await db.deleteFrom('artifacts').where('id', '=', id).execute();
    },
  };
}
