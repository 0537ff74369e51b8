import type { CanonicalDocument } from './canonical.ts';
import { JsonSchemaError } from './errors.ts';
import { keywordOf } from './keywords.ts';
import { stepsOf } from './step-budget.ts';

type SchemaObject = Record<string, unknown>;

/** Every reference of the canonical form begins so. */
const REFERENCE_PREFIX = '#/$defs/';

/** The schemas directly within one of the canonical form, with whether they look at the same value. */
function* subschemas(
  schema: SchemaObject,
): Generator<{ readonly schema: SchemaObject; readonly same: boolean }> {
  for (const key of Object.keys(schema)) {
    const known = keywordOf(key, '2020-12');
    if (known === undefined || known.reach === 'none') continue;
    const value = schema[key];
    const same = known.reach === 'same';
    const found = known.kind === 'schema' ? [value] : Object.values(value as object);
    for (const each of found as unknown[]) {
      if (typeof each === 'object' && each !== null) yield { schema: each as SchemaObject, same };
    }
  }
}

/** Every schema of a document, those under `$defs` included. */
export function* allSchemas({ root }: CanonicalDocument): Generator<SchemaObject> {
  const open: SchemaObject[] = [root];
  for (const each of Object.values((root['$defs'] ?? {}) as object)) {
    if (typeof each === 'object' && each !== null) open.push(each as SchemaObject);
  }
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    yield schema;
    for (const { schema: inner } of subschemas(schema)) open.push(inner);
  }
}

/** Steps that one look at a value takes at most, or Infinity where a schema contains itself. */
export function stepsAPart(document: CanonicalDocument): number {
  const done = new Map<SchemaObject, number>();
  const stepsFrom = (schema: SchemaObject): number => {
    const known = done.get(schema);
    if (known !== undefined) return known;
    done.set(schema, Infinity);
    let steps = stepsOf(schema);
    for (const inner of within(schema, document)) steps += stepsFrom(inner.schema);
    done.set(schema, steps);
    return steps;
  };
  return stepsFrom(document.root);
}

/**
 * Refuses schemas that come back to themselves with the same value, which no engine would ever leave.
 * @throws JsonSchemaError `REFERENCE_LOOP`
 */
export function assertNoLoops(document: CanonicalDocument): void {
  const done = new Set<SchemaObject>();
  const open = new Set<SchemaObject>();
  const visit = (schema: SchemaObject): void => {
    if (done.has(schema)) return;
    if (open.has(schema)) throw new JsonSchemaError('REFERENCE_LOOP');
    open.add(schema);
    for (const inner of within(schema, document)) if (inner.same) visit(inner.schema);
    open.delete(schema);
    done.add(schema);
  };
  for (const schema of allSchemas(document)) visit(schema);
}

/** As `subschemas`, and what the schema refers to. */
function* within(schema: SchemaObject, { root }: CanonicalDocument): ReturnType<typeof subschemas> {
  yield* subschemas(schema);
  const { $ref } = schema;
  if (typeof $ref !== 'string') return;
  const target: unknown = Reflect.get(root['$defs'] as object, $ref.slice(REFERENCE_PREFIX.length));
  if (typeof target === 'object') yield { schema: target as SchemaObject, same: true };
}
