import type { ListChangedHandlers } from '@portico/spec';

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
