import type { AssistantMessage, HostEvent, Item } from '@portico/api';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore, Stores } from '../ports/stores.ts';
import { problemCard } from './problem-cards.ts';

const PAGE = 500;

export interface RecoveryOptions {
  readonly stores: Pick<Stores, 'conversations' | 'events'>;
  readonly book: ConversationBook;
  readonly clock: Clock;
}

/**
 * Puts right what an abrupt end of the host left behind: growing answers keep what had come, running
 * calls have an unknown outcome and are never repeated, cut turns say so, and approvals wait on (K164).
 */
export async function recoverConversations(options: RecoveryOptions): Promise<void> {
  const { stores, book, clock } = options;
  const unfinished = await stores.conversations.unfinishedItems();
  const growing = unfinished.flatMap(({ item }) => (item.type === 'assistant_message' ? [item] : []));
  const texts = await textsFromEvents(stores.events, growing);
  for (const { conversationId, item } of unfinished) {
    const settled = settle(item, texts, clock.now());
    if (settled !== undefined) await book.putItem(conversationId, settled);
  }
  for (const { id, status, waitingApprovals } of await stores.conversations.list()) {
    if (status !== 'running') continue;
    // Where a call waits, answering it is the way to go on.
    if (waitingApprovals === 0) await book.putItem(id, problemCard('interrupted', clock.now()));
    await book.setStatus(id, 'interrupted');
  }
}

function settle(item: Item, texts: ReadonlyMap<string, string>, nowMs: number): Item | undefined {
  if (item.type === 'assistant_message') {
    return { ...item, text: texts.get(item.id) ?? item.text, streaming: false };
  }
  if (item.type !== 'tool_call' || item.status !== 'running') return undefined;
  const message =
    'Portico was stopped while this call ran: it may have happened. It is not repeated by itself.';
  return { ...item, status: 'unknown', problem: { code: 'interrupted', message }, endedAtMs: nowMs };
}

/** The texts as pages had seen them: the stored ones, and the pieces that came after. */
async function textsFromEvents(
  events: EventStore,
  growing: readonly AssistantMessage[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(growing.map((item) => [item.id, item.text]));
  if (texts.size === 0) return texts;
  let seq = (await events.range()).first - 1;
  for (;;) {
    const page = await events.after(seq, PAGE);
    for (const stored of page) {
      seq = stored.seq;
      const event = JSON.parse(stored.data) as HostEvent;
      if (event.type !== 'item.text') continue;
      const text = texts.get(event.itemId);
      // A piece that does not join on would leave a hole: the stored text is newer then.
      if (text !== undefined && event.offset <= text.length) {
        const joined = text.slice(0, event.offset) + event.text;
        if (joined.length > text.length) texts.set(event.itemId, joined);
      }
    }
    if (page.length < PAGE) return texts;
  }
}
