import type { TextStorage } from './preferences.ts';

/** Unsent text of each conversation; survives a reload where the browser stores anything. */
export interface Drafts {
  read(conversationId: string): string;
  write(conversationId: string, text: string): void;
}

const keyOf = (conversationId: string): string => `portico.draft.${conversationId}`;

export function createDrafts(storage: TextStorage): Drafts {
  const memory = new Map<string, string>();
  return {
    read(conversationId) {
      const kept = memory.get(conversationId);
      if (kept !== undefined) return kept;
      try {
        return storage.getItem(keyOf(conversationId)) ?? '';
      } catch {
        return '';
      }
    },
    write(conversationId, text) {
      memory.set(conversationId, text);
      try {
        if (text === '') storage.removeItem(keyOf(conversationId));
        else storage.setItem(keyOf(conversationId), text);
      } catch {
        // Memory still holds it for as long as the page lives.
      }
    },
  };
}
