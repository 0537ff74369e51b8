import type { jsonSchemaValidator } from '@portico/spec/json-schema';
import type { CompileSchema } from './tool-catalogue.ts';

/**
 * Compiles output schemas with the validator that was given, else with the platform's: Ajv on Node, an
 * interpreter elsewhere. That one is loaded with the first schema, since most programs never need it.
 */
export function compileWith(given: jsonSchemaValidator | undefined): CompileSchema {
  let loading: Promise<jsonSchemaValidator> | undefined;
  return async (schema) => {
    loading ??= given === undefined ? loadDefault() : Promise.resolve(given);
    const validate = (await loading).getValidator(schema as { readonly [keyword: string]: unknown });
    return (value) => {
      const outcome = validate(value);
      return outcome.valid ? undefined : outcome.errorMessage;
    };
  };
}

async function loadDefault(): Promise<jsonSchemaValidator> {
  const { DefaultJsonSchemaValidator } = await import('@portico/spec/json-schema/default');
  return new DefaultJsonSchemaValidator();
}
