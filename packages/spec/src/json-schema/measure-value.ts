import type { CanonicalDocument } from './canonical.ts';
import type { JsonSchemaLimits } from './limits.ts';

/** What a check of a value may cost, or why the value is not checked. */
export type Measure =
  | { readonly ok: true; readonly nodes: number; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Comparisons that `uniqueItems` may need: the squares of the lengths of all lists, together. */
const MAX_UNIQUE_PAIRS = 4_000_000;
/** Characters that patterns may read: all patterns times all text. */
const MAX_PATTERN_CHARACTERS = 200_000_000;
const MAX_DEPTH = 1000;

/** Below these sizes no limit can be reached, so nothing needs to be counted in full. */
const SMALL_NODES = 200;
const SMALL_TEXT = 400;
const SMALL_DEPTH = 20;

/** True for plain JSON far below every limit: nearly all values, told in one quick pass. */
function isSmall(value: unknown, totals: { nodes: number }, depth: number): boolean {
  totals.nodes += 1;
  if (typeof value === 'string') return value.length <= SMALL_TEXT;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'boolean') return true;
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  if (totals.nodes > SMALL_NODES || depth > SMALL_DEPTH) return false;
  if (Array.isArray(value)) {
    if (value.length > SMALL_NODES) return false;
    for (const each of value) if (!isSmall(each, totals, depth + 1)) return false;
    return totals.nodes <= SMALL_NODES;
  }
  if ('toJSON' in value) return false;
  for (const key in value) {
    if (key.length > SMALL_TEXT || !isSmall(Reflect.get(value, key), totals, depth + 1)) return false;
  }
  return totals.nodes <= SMALL_NODES;
}

interface Totals {
  nodes: number;
  characters: number;
  pairs: number;
  longestKey: number;
  isJson: boolean;
}

/**
 * Counts what a value consists of and refuses what is over the limits, before any engine sees it.
 * Values that are no JSON yet, such as dates, are taken in the form they will have on the wire.
 */
export function measureValue(input: unknown, document: CanonicalDocument, limits: JsonSchemaLimits): Measure {
  const few = { nodes: 0 };
  if (isSmall(input, few, 0)) return { ok: true, nodes: few.nodes, value: input };
  if (typeof input !== 'object' || input === null) {
    const long = typeof input === 'string' && input.length > limits.maxValueLength;
    if (long) return refused('text', limits.maxValueLength);
    if (input === undefined) return { ok: false, message: 'there is no value' };
    if (typeof input === 'number' ? Number.isFinite(input) : isPlain(input)) {
      return { ok: true, nodes: 1, value: input };
    }
  }
  const totals: Totals = { nodes: 0, characters: 0, pairs: 0, longestKey: 0, isJson: true };
  const refusal = count(input, { totals, limits, depth: 1 });
  if (refusal !== undefined) return refusal;
  if (!totals.isJson) return asJson(input, document, limits);
  if (document.usesUniqueItems && totals.pairs > MAX_UNIQUE_PAIRS) {
    return { ok: false, message: 'its lists are too long to look for equal items' };
  }
  if (totals.longestKey > document.maxKeyLength) return refused('a key', document.maxKeyLength);
  if (document.patternCount * totals.characters > MAX_PATTERN_CHARACTERS) {
    return { ok: false, message: 'it has too much text for so many patterns' };
  }
  return { ok: true, nodes: totals.nodes, value: input };
}

function count(
  value: unknown,
  {
    totals,
    limits,
    depth,
  }: { readonly totals: Totals; readonly limits: JsonSchemaLimits; readonly depth: number },
): (Measure & { ok: false }) | undefined {
  if (++totals.nodes > limits.maxValueNodes) return refused('values', limits.maxValueNodes);
  if (typeof value === 'string') totals.characters += value.length;
  else if (typeof value !== 'object' || value === null) totals.isJson &&= isPlain(value);
  else if (depth > MAX_DEPTH) return refused('levels', MAX_DEPTH);
  else if (Array.isArray(value)) {
    totals.pairs += value.length * value.length;
    for (const each of value) {
      const refusal = count(each, { totals, limits, depth: depth + 1 });
      if (refusal !== undefined) return refusal;
    }
  } else {
    totals.isJson &&= !('toJSON' in value);
    for (const key of Object.keys(value)) {
      totals.characters += key.length;
      if (key.length > totals.longestKey) totals.longestKey = key.length;
      const refusal = count(Reflect.get(value, key), { totals, limits, depth: depth + 1 });
      if (refusal !== undefined) return refusal;
    }
  }
  return totals.characters > limits.maxValueLength ? refused('characters', limits.maxValueLength) : undefined;
}

function isPlain(value: unknown): boolean {
  const type = typeof value;
  return (
    type === 'string' || type === 'boolean' || value === null || (type === 'number' && Number.isFinite(value))
  );
}

function asJson(input: unknown, document: CanonicalDocument, limits: JsonSchemaLimits): Measure {
  let value: unknown;
  try {
    const text: string | undefined = JSON.stringify(input);
    if (text === undefined) return { ok: false, message: 'it is no JSON value' };
    value = JSON.parse(text);
  } catch {
    return { ok: false, message: 'it is no JSON value' };
  }
  return measureValue(value, document, limits);
}

function refused(what: string, limit: number): Measure & { ok: false } {
  return { ok: false, message: `it is too large to be checked: at most ${String(limit)} ${what}` };
}
