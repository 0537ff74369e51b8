import { JsonSchemaError } from './errors.ts';
import type { JsonSchemaLimits } from './limits.ts';
import type { JsonSchemaType } from './validator.ts';

/**
 * Refuses schemas over the limits before anything else looks at them. Goes without recursion, so
 * that no depth can exhaust the stack.
 * @throws JsonSchemaError `SCHEMA_TOO_LARGE`
 */
export function assertSchemaSize(schema: JsonSchemaType, limits: JsonSchemaLimits): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 1 }];
  // One schema within another is up to three levels of JSON: keyword, name or place, schema.
  const maxLevels = 3 * limits.maxSchemaDepth;
  let length = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxLevels) throw tooLarge('depth', limits.maxSchemaDepth);
    if (typeof value === 'string') length += value.length + 2;
    else if (typeof value !== 'object' || value === null) length += String(value).length;
    else {
      const keys = Object.keys(value);
      length += 2 + keys.length;
      for (const key of keys) {
        if (!Array.isArray(value)) length += key.length + 3;
        open.push({ value: Reflect.get(value, key), depth: depth + 1 });
      }
    }
    if (length > limits.maxSchemaLength) throw tooLarge('characters', limits.maxSchemaLength);
  }
}

export function tooLarge(what: string, limit: number): JsonSchemaError {
  return new JsonSchemaError('SCHEMA_TOO_LARGE', {
    message: `the schema is too large: at most ${String(limit)} ${what}`,
    data: { limit: what },
  });
}
