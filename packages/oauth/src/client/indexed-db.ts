/** Database of everything that the tabs of an origin share here. */
const DATABASE = 'portico-oauth';
const TABLES = ['leases', 'values'] as const;

/** What is done to a table in one step that no other tab comes in between. */
export type TableStep<T> = (table: IDBObjectStore, done: (result: T) => void) => void;

/** One table of the database. */
export interface Table {
  /**
   * Resolves with what the step was done with, once it is written; with undefined when it was not. Rejects
   * with what the database fails with, as where storage is blocked.
   */
  inOneStep<T>(mode: 'readonly' | 'readwrite', step: TableStep<T>): Promise<T | undefined>;
  /** Gives the database back after the steps that have begun; the next step opens it again. */
  close(): void;
}

/** Opens the database at its first use, and anew when it was closed by the browser. */
export function openTable(factory: IDBFactory, name: (typeof TABLES)[number]): Table {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = (): void => {
    opened = undefined;
  };
  const database = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(factory, forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    return opened;
  };
  return {
    async inOneStep<T>(mode: 'readonly' | 'readwrite', step: TableStep<T>): Promise<T | undefined> {
      const transaction = (await database()).transaction(name, mode, { durability: 'strict' });
      return await new Promise<T | undefined>((resolve, reject) => {
        let outcome: T | undefined;
        transaction.oncomplete = () => resolve(outcome);
        transaction.onabort = () => reject(transaction.error ?? unusable());
        step(transaction.objectStore(name), (result) => (outcome = result));
      });
    },
    close() {
      const closing = opened;
      forget();
      void closing?.then(
        (open) => open.close(),
        () => undefined,
      );
    },
  };
}

function openDatabase(factory: IDBFactory, closed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      for (const name of TABLES) request.result.createObjectStore(name);
    };
    request.onerror = () => reject(request.error ?? unusable());
    request.onblocked = () => reject(unusable());
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = closed;
      // Whoever wants to remove it must not wait for this tab.
      database.onversionchange = () => {
        database.close();
        closed();
      };
      resolve(database);
    };
  });
}

function unusable(): DOMException {
  return new DOMException('the database cannot be used', 'InvalidStateError');
}
