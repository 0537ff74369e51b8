import type { SignInAttempt } from '@portico/api';
import type { Kysely } from 'kysely';
import type { SignInStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { fromJson, toJson } from './stored-json.ts';

export function createSignInStore(db: Kysely<Tables>): SignInStore {
  return {
    async list(connectorId) {
      const rows = await db
        .selectFrom('sign_ins')
        .select('data')
        .where('connector_id', '=', connectorId)
        .orderBy('started_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => fromJson<SignInAttempt>(row.data));
    },
    async put(attempt) {
      const data = toJson(attempt);
      const { id, connectorId, startedAtMs } = attempt;
      await db
        .insertInto('sign_ins')
        .values({ id, connector_id: connectorId, started_at_ms: startedAtMs, data })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ data }))
        .execute();
    },
    async prune(connectorId, { beforeMs, keep }) {
      const kept = db
        .selectFrom('sign_ins')
        .select('id')
        .where('connector_id', '=', connectorId)
        .where('started_at_ms', '>=', beforeMs)
        .orderBy('started_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(keep);
      await db
        .deleteFrom('sign_ins')
        .where('connector_id', '=', connectorId)
        .where('id', 'not in', kept)
        .execute();
    },
  };
}
