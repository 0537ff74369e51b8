import { createLocalLocks } from '@portico/oauth';
import type { Environment, TabChannel, TextStorage } from './environment.ts';

/** What cannot be made here: time, the network and what nobody can guess. */
export type LocalEnvironmentOptions = Pick<Environment, 'clock' | 'fetch' | 'randomId'> &
  Partial<Environment>;

/**
 * An environment for programs without a page, or for one page alone: what is stored lasts as long as the
 * object, and nobody shares it. Each part can be given.
 */
export function createLocalEnvironment(options: LocalEnvironmentOptions): Environment {
  return {
    random: () => Math.random(),
    storage: createMemoryStorage(),
    locks: createLocalLocks(),
    places: createPlaces(),
    carriesMany: () => true,
    openChannel: createChannels(),
    ...options,
  };
}

function createMemoryStorage(): TextStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}

function createPlaces(): Environment['places'] {
  const held = new Set<string>();
  return {
    async tryHold(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      return () => void held.delete(name);
    },
  };
}

/** Ends of channels by name; what is posted comes a turn later, to all ends but its own. */
function createChannels(): Environment['openChannel'] {
  const ends = new Map<string, Set<Set<(message: unknown) => void>>>();
  return (name): TabChannel => {
    const listeners = new Set<(message: unknown) => void>();
    const others = ends.get(name) ?? new Set();
    ends.set(name, others.add(listeners));
    return {
      post(message) {
        for (const end of others) {
          if (end === listeners) continue;
          for (const listener of end) queueMicrotask(() => listener(message));
        }
      },
      listen(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      close: () => void others.delete(listeners),
    };
  };
}
