/**
 * Where a client keeps what it is trusted with: small JSON values by name. One store belongs to one
 * account at one server; {@link accountStore} makes many of one.
 */
export interface TokenStore {
  /** What was set last, by whoever shares the store: a value from before may be void. */
  get(name: string): Promise<unknown>;
  /** Kept when it resolves: the value before may be void from then on. Rejects when it cannot be kept. */
  set(name: string, value: unknown): Promise<void>;
  /** Does nothing when there is no such value. */
  delete(name: string): Promise<void>;
  /** Names of everything in it. */
  names(): Promise<readonly string[]>;
}

/** A store in memory, which forgets everything with the process. */
export function createMemoryTokenStore(): TokenStore {
  const values = new Map<string, unknown>();
  return {
    get: (name) => Promise.resolve(values.get(name)),
    set: (name, value) => Promise.resolve(void values.set(name, value)),
    delete: (name) => Promise.resolve(void values.delete(name)),
    names: () => Promise.resolve([...values.keys()]),
  };
}

/** The part of a store that belongs to one account at one server. */
export function accountStore(store: TokenStore, serverUrl: string | URL, account = ''): TokenStore {
  const prefix = `${encodeURIComponent(String(serverUrl))} ${encodeURIComponent(account)} `;
  return {
    get: (name) => store.get(prefix + name),
    set: (name, value) => store.set(prefix + name, value),
    delete: (name) => store.delete(prefix + name),
    names: async () =>
      (await store.names())
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length)),
  };
}
