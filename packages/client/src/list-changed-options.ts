import type { Prompt, Resource, Tool } from '@portico/spec';

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

/** A list whose changes can be followed. */
export type ListKind = keyof ListChangedHandlers;

export const LIST_KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/** @throws TypeError, RangeError when the options cannot be worked with */
export function requireUsable(handlers: ListChangedHandlers): void {
  for (const kind of LIST_KINDS) {
    const options = handlers[kind];
    if (options === undefined) continue;
    if (typeof options.onChanged !== 'function') throw new TypeError(`listChanged.${kind} has no onChanged`);
    const { debounceMs = 0 } = options;
    if (!(debounceMs >= 0 && Number.isFinite(debounceMs))) {
      throw new RangeError(`listChanged.${kind}.debounceMs is no time`);
    }
  }
}
