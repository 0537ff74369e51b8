import type {
  AssistantMessage,
  Conversation,
  ConversationDetail,
  ConversationStatus,
  Item,
} from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import type { EventHub } from '../events/event-hub.ts';
import { createKeyedQueue } from '../gateway/keyed-queue.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationStore } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import { createLiveText } from './live-text.ts';
import type { LiveText } from './live-text.ts';

/** Longest title made from a first message, in characters. */
const MAX_TITLE = 60;

export interface ConversationBookOptions {
  readonly store: ConversationStore;
  readonly hub: Pick<EventHub, 'publish' | 'lastSeq'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The one place that changes conversations: everything is stored first and then told to every page,
 * and changes of one conversation happen one after another.
 */
export interface ConversationBook {
  /** Counts what waits in stored conversations; call it once, before anything else. */
  load(): Promise<void>;
  list(): Promise<Conversation[]>;
  /** @throws ApiRefusal not_found */
  get(id: string): Promise<Conversation>;
  detail(id: string): Promise<ConversationDetail>;
  item(id: string, itemId: string): Promise<Item | undefined>;
  items(id: string): Promise<readonly Item[]>;
  create(title?: string): Promise<Conversation>;
  rename(id: string, title: string): Promise<Conversation>;
  remove(id: string): Promise<void>;
  /** Adds or replaces an item; a removed conversation swallows it. */
  putItem(id: string, item: Item): Promise<void>;
  setStatus(id: string, status: ConversationStatus): Promise<void>;
  /** Gives a conversation without a title this one, shortened. */
  suggestTitle(id: string, text: string): Promise<void>;
  /** Begins an answer that grows: pages get its pieces, joined to at most 30 a second. */
  openText(id: string, item: AssistantMessage): Promise<LiveText>;
}

export function createConversationBook(options: ConversationBookOptions): ConversationBook {
  const { store, hub, clock, log } = options;
  const queue = createKeyedQueue();
  /** Conversation → calls that wait for the person. */
  const waiting = new Map<string, Set<string>>();
  /** Answers that are growing, with the text that pages know. */
  const growing = new Map<string, AssistantMessage>();

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
  const change = (id: string, part: (now: Conversation) => Partial<Conversation>): Promise<Conversation> =>
    queue.run(id, async () => {
      const now = await get(id);
      const next = { ...now, ...part(now) };
      return same(now, next) ? now : await save({ ...next, updatedAtMs: clock.now() });
    });
  const noteWaiting = (id: string, item: Item): number => {
    const calls = waiting.get(id) ?? new Set();
    waiting.set(id, calls);
    if (item.type === 'tool_call') {
      if (item.status === 'waiting_approval') calls.add(item.id);
      else calls.delete(item.id);
    }
    return calls.size;
  };
  const writeItem = async (id: string, item: Item): Promise<void> => {
    const conversation = await store.get(id);
    if (conversation === undefined) return;
    await store.putItem(id, item);
    hub.publish({ type: 'item.changed', conversationId: id, item });
    const waitingApprovals = noteWaiting(id, item);
    if (item.type === 'assistant_message' && item.streaming) return;
    await save({ ...conversation, waitingApprovals, updatedAtMs: clock.now() });
  };
  const withGrowing = (item: Item): Item => growing.get(item.id) ?? item;

  return {
    async load() {
      for (const { conversationId, item } of await store.unfinishedItems()) noteWaiting(conversationId, item);
    },
    list: async () => [...(await store.list())],
    get,
    async detail(id) {
      // The number is read first: events that the answer includes already may come again, harmlessly.
      const seq = hub.lastSeq;
      const conversation = await get(id);
      return { conversation, items: (await store.items(id)).map(withGrowing), seq };
    },
    item: (id, itemId) => store.item(id, itemId),
    items: (id) => store.items(id),
    async create(title = '') {
      const nowMs = clock.now();
      const id = newId('conversation');
      return await save({
        id,
        title,
        status: 'idle',
        waitingApprovals: 0,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      });
    },
    rename: (id, title) => change(id, () => ({ title })),
    remove: (id) =>
      queue.run(id, async () => {
        await get(id);
        await store.remove(id);
        waiting.delete(id);
        hub.publish({ type: 'conversation.removed', conversationId: id });
      }),
    putItem: (id, item) => queue.run(id, () => writeItem(id, item)),
    setStatus: async (id, status) => void (await change(id, () => ({ status }))),
    suggestTitle: async (id, text) =>
      void (await change(id, (now) => (now.title === '' ? { title: shortTitle(text) } : {}))),
    async openText(id, item) {
      growing.set(item.id, item);
      await queue.run(id, () => writeItem(id, item));
      return createLiveText(item, {
        clock,
        onShown(shown, update) {
          growing.set(item.id, shown);
          hub.publish({ type: 'item.text', conversationId: id, ...update });
        },
        onSave(shown) {
          queue
            .run(id, async () => {
              if (growing.has(shown.id) && (await store.get(id)) !== undefined)
                await store.putItem(id, shown);
            })
            .catch((error: unknown) => log.error('a growing answer was not saved', { error: String(error) }));
        },
        async onEnd(last) {
          growing.delete(item.id);
          await queue.run(id, () => writeItem(id, last));
        },
      });
    },
  };
}

function same(left: Conversation, right: Conversation): boolean {
  return left.title === right.title && left.status === right.status;
}

/** The first line, cut at a word where that is near. */
function shortTitle(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  if (line.length <= MAX_TITLE) return line;
  const cut = line.slice(0, MAX_TITLE);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
