/**
 * What is open, by key. A Map alone would do, but for this: one that thousands of short calls a second go
 * through is rebuilt all the time, and engines let each table that it leaves lead to the next. What was in
 * the old ones then stays reachable until a full collection. So entries are held in a place of their own,
 * which is emptied when they leave.
 */
export class OpenTable<Key, Value> {
  readonly #places = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#places.size;
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value;
  }

  /** Takes the place of what the key had. */
  set(key: Key, value: Value): void {
    this.#places.set(key, { value });
  }

  /** @returns whether there was such an entry */
  delete(key: Key): boolean {
    const place = this.#places.get(key);
    if (place !== undefined) place.value = undefined;
    return this.#places.delete(key);
  }

  /** What is open now, oldest first. */
  values(): Value[] {
    return Array.from(this.#places.values(), ({ value }) => value as Value);
  }

  /** Takes everything out. @returns what was open, oldest first */
  drain(): Value[] {
    const values = this.values();
    this.#places.clear();
    return values;
  }
}
