/** Merges the notices that are sent in one tick, for methods that ask for it. */
export class DebouncedNotices {
  readonly #methods: ReadonlySet<string>;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(methods: readonly string[] = []) {
    this.#methods = new Set(methods);
  }

  /** Sends now, or once for all that ask before this tick is over. Notices with params are never merged. */
  send(method: string, hasParams: boolean, send: () => Promise<void>): Promise<void> {
    if (hasParams || !this.#methods.has(method)) return send();
    const waiting = this.#pending.get(method);
    if (waiting !== undefined) return waiting;
    const sending = Promise.resolve().then(() => {
      this.#pending.delete(method);
      return send();
    });
    this.#pending.set(method, sending);
    return sending;
  }
}
