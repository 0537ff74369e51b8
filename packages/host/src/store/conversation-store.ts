import type { Conversation, Item } from '@portico/api';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ConversationStore } from '../ports/stores.ts';
import type { Tables } from './schema.ts';
import { fromJson, toJson } from './stored-json.ts';

export function createConversationStore(db: Kysely<Tables>): ConversationStore {
  return { ...conversations(db), ...items(db) };
}

type ConversationPart = Pick<ConversationStore, 'list' | 'get' | 'put' | 'remove'>;
type ItemPart = Omit<ConversationStore, keyof ConversationPart>;

function conversations(db: Kysely<Tables>): ConversationPart {
  return {
    async list() {
      const rows = await db
        .selectFrom('conversations')
        .select('data')
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map((row) => fromJson<Conversation>(row.data));
    },
    async get(id) {
      const row = await db.selectFrom('conversations').select('data').where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : fromJson<Conversation>(row.data);
    },
    async put(conversation) {
      const changes = { created_at_ms: conversation.createdAtMs, data: toJson(conversation) };
      await db
        .insertInto('conversations')
        .values({ id: conversation.id, ...changes })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
        .execute();
    },
    async remove(id) {
      await db.deleteFrom('conversations').where('id', '=', id).execute();
    },
  };
}

function items(db: Kysely<Tables>): ItemPart {
  return {
    async items(conversationId) {
      const rows = await db
        .selectFrom('items')
        .select('data')
        .where('conversation_id', '=', conversationId)
        .orderBy('position')
        .execute();
      return rows.map((row) => fromJson<Item>(row.data));
    },
    async item(conversationId, itemId) {
      const row = await db
        .selectFrom('items')
        .select('data')
        .where('conversation_id', '=', conversationId)
        .where('id', '=', itemId)
        .executeTakeFirst();
      return row === undefined ? undefined : fromJson<Item>(row.data);
    },
    async putItem(conversationId, item) {
      const changes = { unfinished: isUnfinished(item) ? 1 : 0, data: toJson(item) };
      await db
        .insertInto('items')
        .values({
          conversation_id: conversationId,
          id: item.id,
          position: sql<number>`(SELECT coalesce(max(position), 0) + 1 FROM items WHERE conversation_id = ${conversationId})`,
          ...changes,
        })
        .onConflict((conflict) => conflict.columns(['conversation_id', 'id']).doUpdateSet(changes))
        .execute();
    },
    async unfinishedItems() {
      const rows = await db
        .selectFrom('items')
        .select(['conversation_id', 'data'])
        .where('unfinished', '=', 1)
        .orderBy('conversation_id')
        .orderBy('position')
        .execute();
      return rows.map((row) => ({ conversationId: row.conversation_id, item: fromJson<Item>(row.data) }));
    },
  };
}

function isUnfinished(item: Item): boolean {
  switch (item.type) {
    case 'assistant_message':
      return item.streaming;
    case 'tool_call':
      return item.status === 'running';
    case 'user_message':
    case 'problem':
      return false;
  }
}
