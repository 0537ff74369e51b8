import type { Kysely } from 'kysely';
import type { SettingStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';

export function createSettingStore(db: Kysely<Tables>): SettingStore {
  return {
    async get(key) {
      const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
      return row?.value;
    },
    async put(key, value) {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
  };
}
