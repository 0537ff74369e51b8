import type { Kysely } from 'kysely';
import type { HistoryStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { fromJson, toJson } from './stored-json.ts';
import { withinOne } from './within-one.ts';

export function createHistoryStore(db: Kysely<Tables>): HistoryStore {
  return {
    async load(conversationId) {
      const rows = await db
        .selectFrom('history')
        .select('data')
        .where('conversation_id', '=', conversationId)
        .orderBy('position')
        .execute();
      return rows.map((row) => fromJson<unknown>(row.data));
    },
    async append(conversationId, entries) {
      const texts = entries.map(toJson);
      if (texts.length === 0) return;
      await withinOne(db, async (one) => {
        const last = await one
          .selectFrom('history')
          .select((select) => select.fn.max('position').as('position'))
          .where('conversation_id', '=', conversationId)
          .executeTakeFirst();
        let position = last?.position ?? 0;
        for (const data of texts) {
          position += 1;
          await one
            .insertInto('history')
            .values({ conversation_id: conversationId, position, data })
            .execute();
        }
      });
    },
  };
}
