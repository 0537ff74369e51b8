import { ServerError } from '../errors.ts';
import type { JsonSchema } from './standard-schema.ts';

/** The verdict on one value. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** How many complaints one message names; the rest would only repeat the same cause. */
const MAX_NAMED_ISSUES = 5;

type Draft = '4' | '7' | '2019-09' | '2020-12';

const DIALECTS: readonly (readonly [fragment: string, draft: Draft])[] = [
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', '7'],
  ['json-schema.org/draft-06/schema', '7'],
];

function draftOf(schema: JsonSchema): Draft {
  const declared = schema['$schema'];
  if (declared === undefined) return '2020-12';
  const known = DIALECTS.find(
    ([fragment]) => typeof declared === 'string' && declared.replace(/#$/, '').endsWith(fragment),
  );
  if (known === undefined) {
    throw new ServerError('INVALID_SCHEMA', {
      message: `unsupported dialect ${JSON.stringify(declared)}`,
      data: { reason: 'unsupported_dialect' },
    });
  }
  return known[1];
}

/**
 * Compiles a JSON Schema to a validating function. The validator is loaded at the first compile, so
 * servers that use only Standard Schemas never pay for it. It uses no code generation and fetches
 * no references.
 *
 * @throws ServerError `INVALID_SCHEMA` for an unknown dialect or a schema the validator refuses
 */
export async function compileJsonSchema(schema: JsonSchema): Promise<(value: unknown) => Validation> {
  const draft = draftOf(schema);
  const { Validator } = await import('@cfworker/json-schema');
  const validator = refusing(() => new Validator({ ...schema }, draft, false));
  return (value) => {
    const outcome = refusing(() => validator.validate(value));
    if (outcome.valid) return { ok: true, value };
    const named = outcome.errors
      .filter((error) => !error.error.includes('does not match schema'))
      .slice(-MAX_NAMED_ISSUES)
      .map((error) => describe(error.instanceLocation, error.error));
    return { ok: false, message: named.join('; ') || 'The value does not match its schema.' };
  };
}

function refusing<Outcome>(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (cause) {
    throw new ServerError('INVALID_SCHEMA', {
      message: `the schema cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  }
}

function describe(location: string, message: string): string {
  const path = location.replace(/^#\/?/, '').replaceAll('/', '.');
  return path === '' ? message : `${path}: ${message}`;
}
