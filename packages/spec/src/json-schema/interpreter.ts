import { type Schema, validate } from '@cfworker/json-schema';
import { type EngineCheck, complaintAt } from './bounded-validator.ts';
import { allSchemas } from './canonical-walk.ts';
import type { CanonicalDocument } from './canonical.ts';
import { formatsOf } from './formats.ts';
import { StepBudget, stepsOf } from './step-budget.ts';

/** Beyond this, collecting every fault costs more than it tells. */
const MAX_NODES_FOR_ALL_FAULTS = 1000;

/** Checks by walking through schema and value, without generating code. */
export function interpret(
  document: CanonicalDocument,
  { maxSteps, shortcircuit = false }: { readonly maxSteps: number; readonly shortcircuit?: boolean },
): EngineCheck {
  const budget = new StepBudget(maxSteps);
  const lookup: Record<string, Schema> = {};
  const defs = (document.root['$defs'] ?? {}) as Record<string, Schema>;
  for (const name of Object.keys(defs)) lookup[`#/$defs/${name}`] = defs[name] as Schema;
  for (const schema of allSchemas(document)) {
    if (formatsOf(schema) === undefined) delete schema['format'];
    countLooks(schema, budget);
  }
  return (value, nodes) => {
    budget.restart();
    const brief = shortcircuit || nodes > MAX_NODES_FOR_ALL_FAULTS;
    const { valid, errors } = validate(value, document.root as Schema, '2020-12', lookup, brief);
    if (valid) return undefined;
    return errors
      .filter(({ keyword }) => !SUMMARIES.has(keyword))
      .map(({ instanceLocation, error }) => complaintAt(instanceLocation, error));
  };
}

/** Faults that only say that there are faults below. */
const SUMMARIES: ReadonlySet<string> = new Set([
  '$ref',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
]);

/** The engine reads `$ref` once each time it looks at a schema, so that is where looks are counted. */
function countLooks(schema: Record<string, unknown>, budget: StepBudget): void {
  const { $ref } = schema;
  const steps = stepsOf(schema);
  Object.defineProperty(schema, '$ref', {
    enumerable: false,
    get: () => {
      budget.spend(steps);
      return $ref;
    },
  });
}
