type Plain = Readonly<Record<string, unknown>>;

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Names that have a value: one that holds undefined is as good as missing. */
function givenNames(value: Plain): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/** Pairs that are being compared further up; meeting one again adds nothing. */
type Open = Map<unknown, unknown>;

function sameMembers(a: Plain, b: Plain, open: Open): boolean {
  const names = givenNames(a);
  if (names.length !== givenNames(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name], open));
}

function same(a: unknown, b: unknown, open: Open): boolean {
  if (Object.is(a, b)) return true;
  const areLists = Array.isArray(a) && Array.isArray(b);
  if (!areLists && !(isPlain(a) && isPlain(b))) return false;
  if (open.get(a) === b) return true;
  open.set(a, b);
  if (!areLists) return sameMembers(a as Plain, b as Plain, open);
  return a.length === b.length && a.every((item, index) => same(item, b[index], open));
}

/**
 * Whether two settings say the same: lists and plain objects by what they hold, whatever the order of
 * names, and everything else, functions and instances of classes among it, by identity.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  return same(a, b, new Map());
}
