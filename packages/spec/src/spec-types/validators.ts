import { isRecord } from '../guards.ts';
import type { StandardSchemaResult, StandardSchemaV1Sync } from '../standard-schema.ts';
import { ShapeChecks } from './check-shape.ts';
import { SPEC_TYPE_NAMES } from './names.ts';
import type { SpecTypeName, SpecTypes } from './spec-types.ts';

type Guards = { readonly [Name in SpecTypeName]: (value: unknown) => value is SpecTypes[Name] };
type Schemas = { readonly [Name in SpecTypeName]: StandardSchemaV1Sync<SpecTypes[Name]> };

function createGuards(): Guards {
  const checks = new ShapeChecks();
  const guards = SPEC_TYPE_NAMES.map((name) => [name, (value: unknown) => checks.for(name)(value)]);
  return Object.freeze(Object.fromEntries(guards) as Guards);
}

function createSchemas(): Schemas {
  const checks = new ShapeChecks();
  const schemas = SPEC_TYPE_NAMES.map((name) => {
    const validate = (value: unknown): StandardSchemaResult<unknown> =>
      checks.for(name)(value)
        ? { value: completed(name, value) }
        : { issues: [{ message: `the value is no ${name}` }] };
    return [name, { '~standard': { version: 1, vendor: 'portico', validate } }];
  });
  return Object.freeze(Object.fromEntries(schemas) as Schemas);
}

/** Missing tool content is read as none. */
function completed(name: SpecTypeName, value: unknown): unknown {
  const isIncomplete = name === 'CallToolResult' && isRecord(value) && value['content'] === undefined;
  return isIncomplete ? { ...value, content: [] } : value;
}

/** Whether a value is of a type of the specification, by the type's name. */
export const isSpecType: Guards = /* @__PURE__ */ createGuards();

/** A schema for each type of the specification, by the type's name; it answers at once. */
export const specTypeSchemas: Schemas = /* @__PURE__ */ createSchemas();

/**
 * Gets every check ready that would otherwise be made at its first use, for places that bill the
 * time of requests but not that of starting.
 */
export function preloadSchemas(): void {
  for (const name of SPEC_TYPE_NAMES) {
    isSpecType[name](undefined);
    void specTypeSchemas[name]['~standard'].validate(undefined);
  }
}
