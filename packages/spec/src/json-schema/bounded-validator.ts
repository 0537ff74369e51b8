import { assertNoLoops } from './canonical-walk.ts';
import { type CanonicalDocument, canonicalSchema } from './canonical.ts';
import type { JsonSchemaLimits } from './limits.ts';
import { measureValue } from './measure-value.ts';
import { TOO_MANY_STEPS } from './step-budget.ts';
import type { JsonSchemaType, JsonSchemaValidator } from './validator.ts';

/** The engine's part: the complaints about one value of that many parts, or undefined when it fits. */
export type EngineCheck = (value: unknown, nodes: number) => readonly string[] | undefined;

/** How many complaints one message names; the rest would only repeat the same cause. */
const MAX_NAMED = 5;

/**
 * A validator on any engine: the schema is checked and rewritten before the engine compiles it, and
 * each value measured before the engine sees it.
 *
 * @throws JsonSchemaError with any code
 */
export function boundedValidator<Value>(
  schema: JsonSchemaType,
  limits: JsonSchemaLimits,
  compile: (document: CanonicalDocument) => EngineCheck,
): JsonSchemaValidator<Value> {
  const document = canonicalSchema(schema, limits);
  assertNoLoops(document);
  const check = compile(document);
  return (input) => {
    const measure = measureValue(input, document, limits);
    if (!measure.ok) return invalid(measure.message);
    let complaints: readonly string[] | undefined;
    try {
      complaints = check(measure.value, measure.nodes);
    } catch {
      // Only the budget, or the stack below it, ends a check of a schema that has compiled.
      return invalid(TOO_MANY_STEPS);
    }
    if (complaints !== undefined) return invalid(complaints.slice(0, MAX_NAMED).join('; '));
    return { valid: true, data: input as Value, errorMessage: undefined };
  };
}

function invalid(message: string): { valid: false; data: undefined; errorMessage: string } {
  const errorMessage = message === '' ? 'The value does not fit its schema.' : message;
  return { valid: false, data: undefined, errorMessage };
}

/** A complaint with the place it is about, in dots. */
export function complaintAt(pointer: string, message: string): string {
  const path = pointer
    .replace(/^#?\/?/, '')
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
  return path === '' ? message : `${path}: ${message}`;
}
