import type { SessionEntry, SessionStore } from '@portico/agent';
import type { HistoryStore } from '../ports/stores.ts';

/** Our own line in a history: the question before it is asked again and must not stand twice. */
const ASKED_AGAIN = { type: 'portico_asked_again' } as const;

/** The agent's sessions on the host's store; a conversation is a session. */
export interface SessionHistory extends SessionStore {
  /** Whether the newest question has got no answer at all, so that it can simply be asked again. */
  isUnanswered(conversationId: string): Promise<boolean>;
  /** Takes the newest question back, because it is about to be asked again. */
  takeBackQuestion(conversationId: string): Promise<void>;
}

export function createSessionHistory(store: HistoryStore): SessionHistory {
  const load = async (conversationId: string): Promise<readonly SessionEntry[]> => {
    const entries: SessionEntry[] = [];
    for (const line of await store.load(conversationId)) {
      if (isAskedAgain(line)) {
        if (isQuestion(entries.at(-1))) entries.pop();
      } else entries.push(line as SessionEntry);
    }
    return entries;
  };
  return {
    load,
    append: (conversationId, entries) => store.append(conversationId, entries),
    isUnanswered: async (conversationId) => isQuestion((await load(conversationId)).at(-1)),
    takeBackQuestion: (conversationId) => store.append(conversationId, [ASKED_AGAIN]),
  };
}

function isAskedAgain(line: unknown): boolean {
  return typeof line === 'object' && line !== null && 'type' in line && line.type === ASKED_AGAIN.type;
}

function isQuestion(entry: SessionEntry | undefined): boolean {
  return entry?.type === 'user' && entry.origin === 'prompt';
}
