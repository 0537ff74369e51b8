/** Lets one at a time do something, among all who use the same name. */
export interface Locks {
  /** Runs when nobody else runs under the name; passes on what the work gives or throws. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Locks among the users of this one object. */
export function createLocalLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const before = tails.get(name) ?? Promise.resolve();
      // A failure belongs to whose work it was, not to those behind it.
      const result = before.then(work, work);
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(name, tail);
      void tail.then(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
      return result;
    },
  };
}

/** The part of the Web Locks API that is used. */
export interface LockManagerLike {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Locks among all tabs of an origin: give it `navigator.locks`. */
export function createWebLocks(manager: LockManagerLike): Locks {
  return { run: (name, work) => manager.request(`portico-oauth ${name}`, work) };
}
