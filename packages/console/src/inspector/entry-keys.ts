/** Entries come without a name, and the oldest leave: each is numbered when it is first seen. */
export function createEntryKeys(): (entry: object) => number {
  const known = new WeakMap<object, number>();
  let last = 0;
  return (entry) => {
    const key = known.get(entry) ?? (last += 1);
    known.set(entry, key);
    return key;
  };
}
