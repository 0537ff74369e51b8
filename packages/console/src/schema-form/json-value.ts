export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One step of a path: a property name or a list index. */
export type Step = string | number;

/** JSON pointer of a path; the root is the empty string. */
export function pointerOf(path: readonly Step[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value with the one at `path` replaced, or removed when it is undefined; nothing is changed in place. */
export function setAt(
  root: JsonValue | undefined,
  path: readonly Step[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(root) ? [...root] : [];
    const inner = setAt(list[step], rest, value);
    if (inner === undefined) list.splice(step, 1);
    else list[step] = inner;
    return list;
  }
  const record = isJsonObject(root) ? root : {};
  const inner = setAt(Object.hasOwn(record, step) ? record[step] : undefined, rest, value);
  const entries = Object.entries(record).filter(([name]) => name !== step || inner !== undefined);
  const index = entries.findIndex(([name]) => name === step);
  if (inner === undefined) return Object.fromEntries(entries);
  if (index === -1) entries.push([step, inner]);
  else entries[index] = [step, inner];
  return Object.fromEntries(entries);
}

export function getAt(root: JsonValue | undefined, path: readonly Step[]): JsonValue | undefined {
  let value = root;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** Equality of JSON values; the order of properties does not matter. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((entry, index) => sameJson(entry, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}
