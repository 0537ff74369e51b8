import { isJsonObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';

const MAX_PATTERN = 256;
/** A repeated group that itself repeats or chooses, and references back: both can take exponential time. */
const REPEATED_GROUP = /\((?:[^()\\]|\\.)*[*+}|](?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,?\d*\})/;
const BACK_REFERENCE = /\\[1-9k]/;
/** Two neighbouring unbounded repeats can take quadratic time on long text. */
const MANY_REPEATS = /(?:[*+]|\{\d+,\}).*(?:[*+]|\{\d+,\}).*(?:[*+]|\{\d+,\})/;

/** Whether a pattern from outside may run in the page; the host has the last word anyway. */
export function isSafePattern(pattern: string): boolean {
  return (
    pattern.length <= MAX_PATTERN &&
    !REPEATED_GROUP.test(pattern) &&
    !BACK_REFERENCE.test(pattern) &&
    !MANY_REPEATS.test(pattern) &&
    !/\(\(|\(\?[=!<]/.test(pattern)
  );
}

/** The schema without patterns that could block the page. */
export function withoutUnsafePatterns(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutUnsafePatterns);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([key, value]) => !(key === 'pattern' && typeof value === 'string' && !isSafePattern(value)))
    .map(([key, value]): [string, JsonValue] => [
      key,
      key === 'patternProperties' && isJsonObject(value)
        ? onlySafeNames(value)
        : withoutUnsafePatterns(value),
    ]);
  return Object.fromEntries(entries);
}

function onlySafeNames(patterns: Readonly<Record<string, JsonValue>>): JsonValue {
  return Object.fromEntries(
    Object.entries(patterns)
      .filter(([pattern]) => isSafePattern(pattern))
      .map(([pattern, schema]): [string, JsonValue] => [pattern, withoutUnsafePatterns(schema)]),
  );
}
