import type { Kysely } from 'kysely';
import type { SessionStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';

export function createSessionStore(db: Kysely<Tables>): SessionStore {
  return {
    async get(tokenHash) {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        tokenHash: row.token_hash,
        createdAtMs: row.created_at_ms,
        lastSeenAtMs: row.last_seen_at_ms,
      };
    },
    async put(record) {
      const changes = { created_at_ms: record.createdAtMs, last_seen_at_ms: record.lastSeenAtMs };
      await db
        .insertInto('sessions')
        .values({ token_hash: record.tokenHash, ...changes })
        .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(changes))
        .execute();
    },
    async remove(tokenHash) {
      await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
    },
    async prune({ createdBeforeMs, seenBeforeMs }) {
      await db
        .deleteFrom('sessions')
        .where((row) =>
          row.or([row('created_at_ms', '<', createdBeforeMs), row('last_seen_at_ms', '<', seenBeforeMs)]),
        )
        .execute();
    },
  };
}
