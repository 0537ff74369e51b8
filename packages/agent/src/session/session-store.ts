import type { BetaMessage } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources';

/** Why a user entry is in the history. */
export type UserEntryOrigin =
  | 'prompt'
  /** The result of one tool call. */
  | 'tool_result'
  /** Written by the loop: notes, continuations, feedback of hooks. */
  | 'synthetic';

/** One line of a session's history: plain JSON, never altered once appended. */
export type SessionEntry =
  | {
      readonly type: 'user';
      readonly uuid: string;
      readonly origin: UserEntryOrigin;
      readonly content: readonly ContentBlockParam[];
    }
  | {
      readonly type: 'assistant';
      /** The uuids of the messages that delivered this answer, one a block. */
      readonly uuids: readonly string[];
      /** The provider's id of the answer. */
      readonly messageId: string;
      readonly model: string;
      readonly content: readonly ContentBlockParam[];
      readonly stopReason: BetaMessage['stop_reason'];
    }
  /** From here on the history goes on from an earlier answer: what came after it is forgotten. */
  | { readonly type: 'rewind'; readonly to: string };

/**
 * Keeps the histories of sessions. A query appends entries in order, never two calls at once, and
 * waits for each before it asks the model again; a rejection ends the query with `session_failed`.
 */
export interface SessionStore {
  /** All entries in the order of writing; none when the session is not known. */
  load(sessionId: string): Promise<readonly SessionEntry[]>;
  append(sessionId: string, entries: readonly SessionEntry[]): Promise<void>;
}

/** Keeps sessions as long as the object lives. */
export function createMemorySessionStore(): SessionStore {
  const sessions = new Map<string, SessionEntry[]>();
  return {
    load: (sessionId) => Promise.resolve([...(sessions.get(sessionId) ?? [])]),
    append: (sessionId, entries) => {
      sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), ...entries]);
      return Promise.resolve();
    },
  };
}
