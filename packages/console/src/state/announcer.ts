import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** The last few of each; an added entry is spoken, those before it are not repeated. */
export interface Announcements {
  readonly polite: readonly Announcement[];
  readonly assertive: readonly Announcement[];
}

const KEPT_ANNOUNCEMENTS = 4;

/** The one way to speak to screen readers, so that nothing is said twice. */
export interface Announcer {
  readonly store: StoreApi<Announcements>;
  say(text: string, urgency?: 'polite' | 'assertive'): void;
}

export function createAnnouncer(): Announcer {
  let nextId = 1;
  const store = createStore<Announcements>(() => ({ polite: [], assertive: [] }));
  return {
    store,
    say: (text, urgency = 'polite') => {
      if (text.trim() === '') return;
      const entry = { id: nextId++, text };
      store.setState((said) => ({ [urgency]: [...said[urgency], entry].slice(-KEPT_ANNOUNCEMENTS) }));
    },
  };
}

/**
 * The whole sentences of a growing text after `from`, and where the next ones begin. While text is
 * still coming an unfinished sentence waits; at the end it is spoken as it is.
 */
export function completeSentences(
  text: string,
  { from, finished }: { readonly from: number; readonly finished: boolean },
): { readonly sentences: string; readonly next: number } {
  if (finished) return { sentences: text.slice(from).trim(), next: text.length };
  const fresh = text.slice(from);
  const end = Math.max(...[...fresh.matchAll(/[.!?…:](?=\s)|\n/g)].map((match) => match.index + 1), 0);
  return { sentences: fresh.slice(0, end).trim(), next: from + end };
}
