import type { Prompt } from './prompts.ts';
import type { Resource } from './resources.ts';
import type { Tool } from './tools.ts';

/** Gets the list as it is now, or why it could not be read, or neither when it is not to be read. */
export type ListChangedCallback<T> = (error: Error | null, items: T[] | null) => void;

/** How changes of one list are followed. */
export interface ListChangedOptions<T> {
  /** Whether the list is read by itself; true by default. */
  readonly autoRefresh?: boolean;
  /** Milliseconds without a further change that are waited for; 300 by default. */
  readonly debounceMs?: number;
  readonly onChanged: ListChangedCallback<T>;
}

/** Which lists are followed. */
export interface ListChangedHandlers {
  readonly tools?: ListChangedOptions<Tool>;
  readonly prompts?: ListChangedOptions<Prompt>;
  readonly resources?: ListChangedOptions<Resource>;
}
