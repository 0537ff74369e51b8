import type { Clock } from '@portico/rpc';

/** Values that end by themselves; the oldest gives way when there are too many. */
export interface ExpiringMap<Value> {
  /** Undefined for a value that is unknown or over. */
  get(key: string): Value | undefined;
  /** @param endsAtMs milliseconds since 1970 */
  set(key: string, value: Value, endsAtMs: number): void;
  delete(key: string): void;
  /** Entries that are kept, those that are over included. */
  readonly size: number;
}

/** @param maxEntries kept at once */
export function createExpiringMap<Value>(clock: Clock, maxEntries: number): ExpiringMap<Value> {
  const entries = new Map<string, { readonly value: Value; readonly endsAtMs: number }>();
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.endsAtMs > clock.now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, endsAtMs) {
      entries.delete(key);
      if (entries.size >= maxEntries) {
        for (const [name, { endsAtMs: end }] of entries) if (end <= clock.now()) entries.delete(name);
      }
      const [oldest] = entries.keys();
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, endsAtMs });
    },
    delete: (key) => void entries.delete(key),
  };
}
