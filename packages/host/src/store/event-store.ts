import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { EventStore, StoredEvent } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { withinOne } from './within-one.ts';

export function createEventStore(db: Kysely<Tables>): EventStore {
  return {
    async append(events) {
      if (events.length === 0) return [];
      return await withinOne(db, async (one) => {
        const stored: StoredEvent[] = [];
        for (const { data, atMs } of events) {
          const { seq } = await one
            .insertInto('events')
            .values({ at_ms: atMs, data })
            .returning('seq')
            .executeTakeFirstOrThrow();
          stored.push({ seq, data, atMs });
        }
        return stored;
      });
    },
    async after(seq, limit) {
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ seq: row.seq, data: row.data, atMs: row.at_ms }));
    },
    range: () => range(db),
    async prune({ beforeMs, keep }) {
      await withinOne(db, async (one) => {
        const { last } = await range(one);
        const young = await one
          .selectFrom('events')
          .select('seq')
          .where('at_ms', '>=', beforeMs)
          .orderBy('seq')
          .limit(1)
          .executeTakeFirst();
        const firstKept = Math.max(young?.seq ?? last + 1, last - keep + 1);
        await one.deleteFrom('events').where('seq', '<', firstKept).execute();
      });
    },
  };
}

async function range(db: Kysely<Tables>): Promise<{ first: number; last: number }> {
  const kept = await db
    .selectFrom('events')
    .select((select) => [select.fn.min('seq').as('first'), select.fn.max('seq').as('last')])
    .executeTakeFirst();
  // Of no rows, min and max are null, whatever kysely's types say.
  if (typeof kept?.first === 'number' && typeof kept.last === 'number') {
    return { first: kept.first, last: kept.last };
  }
  const given = await sql<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'events'`.execute(db);
  const last = given.rows[0]?.seq ?? 0;
  return { first: last === 0 ? 0 : last + 1, last };
}
