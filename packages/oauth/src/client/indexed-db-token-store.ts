import { openTable } from './indexed-db.ts';
import type { TokenStore } from './token-store.ts';

/** A store that holds a database open from its first use on. */
export interface ClosableTokenStore extends TokenStore {
  /** Gives the database back after what has begun; whoever uses the store again opens it again. */
  close(): void;
}

/**
 * A store that all tabs of an origin share. What one of them has set, all others read from then on: local
 * storage does not promise that to tabs of different processes, and one that renews by a token which
 * another one has used up loses the grant.
 *
 * @param factory give it `indexedDB`
 */
export function createIndexedDbTokenStore(factory: IDBFactory): ClosableTokenStore {
  const table = openTable(factory, 'values');
  return {
    get: (name) =>
      table.inOneStep<unknown>('readonly', (values, done) => {
        const reading: IDBRequest<unknown> = values.get(name);
        reading.onsuccess = () => done(reading.result);
      }),
    async set(name, value) {
      await table.inOneStep('readwrite', (values) => void values.put(value, name));
    },
    async delete(name) {
      await table.inOneStep('readwrite', (values) => void values.delete(name));
    },
    async names() {
      const found = await table.inOneStep<readonly string[]>('readonly', (values, done) => {
        const reading = values.getAllKeys();
        reading.onsuccess = () => done(reading.result.filter((key) => typeof key === 'string'));
      });
      return found ?? [];
    },
    close: () => table.close(),
  };
}
