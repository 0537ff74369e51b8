import type { StandardSchemaWithJSON } from '../standard-schema.ts';
import type { JsonSchemaValidator } from './validator.ts';

/**
 * Gives a JSON Schema the face of a Standard Schema.
 *
 * @param compile makes the check, at the first value; what it throws surfaces there
 */
export function standardSchemaOf<Value>(
  schema: Readonly<Record<string, unknown>>,
  compile: () => JsonSchemaValidator<unknown>,
): StandardSchemaWithJSON<Value> {
  let check: JsonSchemaValidator<unknown> | undefined;
  const document = (): Record<string, unknown> => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: (value) => {
        check ??= compile();
        const verdict = check(value);
        return verdict.valid ? { value: value as Value } : { issues: [{ message: verdict.errorMessage }] };
      },
      jsonSchema: { input: document, output: document },
    },
  };
}
