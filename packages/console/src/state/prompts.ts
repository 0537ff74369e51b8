import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

/** A question that the page around a view or artifact asks the person. */
export type PromptRequest =
  | { readonly kind: 'link'; readonly url: URL; readonly from: string }
  | { readonly kind: 'message'; readonly text: string; readonly from: string }
  | {
      readonly kind: 'consent';
      readonly artifact: string;
      readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
    };

export type PromptAnswer = Readonly<Record<string, 'allow' | 'deny'>>;

export interface Prompt {
  readonly id: number;
  readonly request: PromptRequest;
  readonly answer: (answer: PromptAnswer) => void;
}

/** Most questions that wait; a view that asks more is refused without bothering anybody. */
const MAX_WAITING_PROMPTS = 8;

/** Questions one at a time, in the order they came. */
export interface Prompts {
  readonly store: StoreApi<readonly Prompt[]>;
  /** Resolves with an empty answer when it was dismissed, withdrawn or one too many. Never rejects. */
  ask(request: PromptRequest, signal?: AbortSignal): Promise<PromptAnswer>;
}

export function createPrompts(): Prompts {
  let nextId = 1;
  const store = createStore<readonly Prompt[]>(() => []);
  return {
    store,
    ask: (request, signal) =>
      new Promise((resolve) => {
        if (store.getState().length >= MAX_WAITING_PROMPTS || signal?.aborted === true) return resolve({});
        const id = nextId++;
        const answer = (given: PromptAnswer): void => {
          store.setState((prompts) => prompts.filter((prompt) => prompt.id !== id), true);
          resolve(given);
        };
        signal?.addEventListener('abort', () => answer({}), { once: true });
        store.setState((prompts) => [...prompts, { id, request, answer }], true);
      }),
  };
}
