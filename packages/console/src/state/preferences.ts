import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export const LANGUAGES = ['en', 'de'] as const;
export const THEMES = ['system', 'light', 'dark'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Theme = (typeof THEMES)[number];

export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  /** Single-key shortcuts; those with Ctrl or Cmd always work. */
  readonly shortcuts: boolean;
}

/** The part of web storage that is used; both calls may throw. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Also read by public/first-paint.js. */
const KEY = 'portico.preferences';

/** What this browser remembers of the person's taste; without storage it lasts as long as the page. */
export function createPreferences(storage: TextStorage, languages: readonly string[]): StoreApi<Preferences> {
  const store = createStore<Preferences>(() => ({ ...defaults(languages), ...readSaved(storage) }));
  store.subscribe((preferences) => {
    try {
      storage.setItem(KEY, JSON.stringify(preferences));
    } catch {
      // A full or forbidden storage only means that the choice is not remembered.
    }
  });
  return store;
}

function defaults(languages: readonly string[]): Preferences {
  const wanted = languages.map((tag) => tag.slice(0, 2).toLowerCase());
  const language =
    wanted.find((tag): tag is Language => (LANGUAGES as readonly string[]).includes(tag)) ?? 'en';
  return { language, theme: 'system', shortcuts: true };
}

function readSaved(storage: TextStorage): Partial<Preferences> {
  try {
    const saved = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const language = LANGUAGES.find((known) => known === saved['language']);
    const theme = THEMES.find((known) => known === saved['theme']);
    return {
      ...(language === undefined ? {} : { language }),
      ...(theme === undefined ? {} : { theme }),
      ...(typeof saved['shortcuts'] === 'boolean' ? { shortcuts: saved['shortcuts'] } : {}),
    };
  } catch {
    return {};
  }
}
