import type { Conversation, Item } from '@portico/api';
import { waitsForPerson } from './waiting.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { EventHub } from '../events/event-hub.ts';
import { createKeyedQueue } from '../gateway/keyed-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';

export interface ConversationWriterOptions {
  readonly stores: Pick<Stores, 'conversations' | 'transaction'>;
  readonly hub: Pick<EventHub, 'publish'>;
  readonly clock: Clock;
}

/** Stores changes of conversations, one after another for each, and then tells every page. */
export interface ConversationWriter {
  /** Counts the calls that wait in stored conversations; before anything else. */
  load(): Promise<void>;
  /** @throws ApiRefusal not_found */
  get(id: string): Promise<Conversation>;
  add(conversation: Conversation): Promise<Conversation>;
  /** @throws ApiRefusal not_found */
  change(id: string, part: (now: Conversation) => Partial<Conversation>): Promise<Conversation>;
  /** Adds or replaces an item; a removed conversation swallows it. */
  putItem(id: string, item: Item): Promise<void>;
  /** Stores an item that pages know already. */
  keepItem(id: string, item: Item): Promise<void>;
  /** @throws ApiRefusal not_found */
  remove(id: string): Promise<void>;
}

export function createConversationWriter(options: ConversationWriterOptions): ConversationWriter {
  const { stores, hub, clock } = options;
  const store = stores.conversations;
  const queue = createKeyedQueue();
  /** Conversation → calls that wait for the person. */
  const waiting = new Map<string, Set<string>>();

  const get = async (id: string): Promise<Conversation> => {
    const conversation = await store.get(id);
    if (conversation === undefined) throw new ApiRefusal('not_found', 'There is no such conversation.');
    return conversation;
  };
  const save = async (conversation: Conversation): Promise<Conversation> => {
    await store.put(conversation);
    hub.publish({ type: 'conversation.changed', conversation });
    return conversation;
  };
  const noteWaiting = (id: string, item: Item): number => {
    const calls = waiting.get(id) ?? new Set();
    waiting.set(id, calls);
    if (waitsForPerson(item)) calls.add(item.id);
    else calls.delete(item.id);
    return calls.size;
  };
  const putItem = async (id: string, item: Item): Promise<void> => {
    const conversation = await store.get(id);
    if (conversation === undefined) return;
    const next = { ...conversation, waitingApprovals: noteWaiting(id, item), updatedAtMs: clock.now() };
    // Together, so that a count of waiting calls never outlives a crash without its call, or the other way.
    await stores.transaction(async ({ conversations }) => {
      await conversations.putItem(id, item);
      await conversations.put(next);
    });
    hub.publish({ type: 'item.changed', conversationId: id, item });
    hub.publish({ type: 'conversation.changed', conversation: next });
  };

  return {
    async load() {
      const withCalls = (await store.list()).filter(({ waitingApprovals }) => waitingApprovals > 0);
      for (const { id } of withCalls) for (const item of await store.items(id)) noteWaiting(id, item);
    },
    get,
    add: save,
    change: (id, part) =>
      queue.run(id, async () => {
        const now = await get(id);
        const next = { ...now, ...part(now) };
        return isSame(now, next) ? now : await save({ ...next, updatedAtMs: clock.now() });
      }),
    putItem: (id, item) => queue.run(id, () => putItem(id, item)),
    keepItem: (id, item) =>
      queue.run(id, async () => {
        if ((await store.get(id)) !== undefined) await store.putItem(id, item);
      }),
    remove: (id) =>
      queue.run(id, async () => {
        await get(id);
        await store.remove(id);
        waiting.delete(id);
        hub.publish({ type: 'conversation.removed', conversationId: id });
      }),
  };
}

function isSame(left: Conversation, right: Conversation): boolean {
  return left.title === right.title && left.status === right.status;
}
