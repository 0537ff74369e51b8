import type {
  AssistantMessage,
  Conversation,
  ConversationDetail,
  ConversationStatus,
  Item,
} from '@portico/api';
import type { EventHub } from '../events/event-hub.ts';
import type { Log } from '../host-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { Stores } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import { createConversationWriter } from './conversation-writer.ts';
import { createLiveText } from './live-text.ts';
import type { LiveText } from './live-text.ts';

/** Longest title made from a first message, in characters. */
const MAX_TITLE = 60;

export interface ConversationBookOptions {
  readonly stores: Pick<Stores, 'conversations' | 'transaction'>;
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
  /** Everything in a conversation, growing answers as far as pages know them. */
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
  const { stores, hub, clock, log } = options;
  const store = stores.conversations;
  const writer = createConversationWriter({ stores, hub, clock });
  /** Answers that are growing, with the text that pages know. */
  const growing = new Map<string, AssistantMessage>();

  const openText = async (id: string, item: AssistantMessage): Promise<LiveText> => {
    growing.set(item.id, item);
    await writer.putItem(id, item);
    return createLiveText(item, {
      clock,
      onShown(shown, update) {
        growing.set(item.id, shown);
        hub.publish({ type: 'item.text', conversationId: id, ...update });
      },
      onSave(shown) {
        writer
          .keepItem(id, shown)
          .catch((error: unknown) => log.error('a growing answer was not saved', { error: String(error) }));
      },
      async onEnd(last) {
        await writer.putItem(id, last);
        growing.delete(item.id);
      },
    });
  };

  return {
    load: () => writer.load(),
    list: async () => [...(await store.list())],
    get: (id) => writer.get(id),
    async detail(id) {
      // The number is read first: events that the answer includes already may come again, harmlessly.
      const seq = hub.lastSeq;
      const conversation = await writer.get(id);
      const items = (await store.items(id)).map((item) => growing.get(item.id) ?? item);
      return { conversation, items, seq };
    },
    item: (id, itemId) => store.item(id, itemId),
    items: (id) => store.items(id),
    async create(title = '') {
      const nowMs = clock.now();
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      return await writer.add({
        id: newId('conversation'),
        title,
        status: 'idle',
        waitingApprovals: 0,
        ...times,
      });
    },
    rename: (id, title) => writer.change(id, () => ({ title })),
    remove: (id) => writer.remove(id),
    putItem: (id, item) => writer.putItem(id, item),
    setStatus: async (id, status) => void (await writer.change(id, () => ({ status }))),
    suggestTitle: async (id, text) =>
      void (await writer.change(id, (now) => (now.title === '' ? { title: shortTitle(text) } : {}))),
    openText,
  };
}

/** The first line, cut at a word where that is near. */
function shortTitle(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  if (line.length <= MAX_TITLE) return line;
  const cut = line.slice(0, MAX_TITLE);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
