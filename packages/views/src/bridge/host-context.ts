import type { McpUiHostContext } from '@portico/spec';

/** The host context as a view was told it, and what has changed since. */
export interface HostContextStore {
  readonly current: McpUiHostContext;
  /** Merges new values in; a member set to undefined is left as it was. */
  update(change: McpUiHostContext): void;
  /** The changed members since the last call, and forgets them; undefined when there are none. */
  takeChanges(): McpUiHostContext | undefined;
}

export function createHostContextStore(initial: McpUiHostContext): HostContextStore {
  const current: McpUiHostContext = { ...initial };
  let changed: McpUiHostContext = {};
  return {
    current,
    update(change) {
      for (const [key, value] of Object.entries(change)) {
        if (value === undefined || JSON.stringify(current[key]) === JSON.stringify(value)) continue;
        current[key] = value;
        changed[key] = value;
      }
    },
    takeChanges() {
      const changes = changed;
      changed = {};
      return Object.keys(changes).length === 0 ? undefined : changes;
    },
  };
}
