'use client';
import type { Places } from '@portico/connections/manager';
import { webLocks } from './web-locks.ts';

/** Places among all tabs by Web Locks, which a tab that goes gives back; without them, among this page's own. */
export function createBrowserPlaces(): Places {
  const locks = webLocks();
  return locks === undefined ? createPagePlaces() : createWebPlaces(locks);
}

function createWebPlaces(locks: LockManager): Places {
  return {
    tryHold: (name) =>
      new Promise((resolve, reject) => {
        const asked = locks.request(`portico-place ${name}`, { ifAvailable: true }, (lock) => {
          if (lock === null) return resolve(undefined);
          // Held for as long as what is returned here is pending.
          return new Promise<void>((giveBack) => resolve(() => giveBack()));
        });
        asked.catch(reject);
      }),
  };
}

function createPagePlaces(): Places {
  const held = new Set<string>();
  return {
    tryHold(name) {
      if (held.has(name)) return Promise.resolve(undefined);
      held.add(name);
      return Promise.resolve(() => void held.delete(name));
    },
  };
}
