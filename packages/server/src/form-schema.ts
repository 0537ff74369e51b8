import { type ElicitRequestFormParams, isRecord } from '@portico/spec';
import { ServerError } from './errors.ts';
import { convertedSchema } from './schema/convert-schema.ts';
import { isStandardSchema, type StandardSchema } from './schema/standard-schema.ts';

type FormSchema = ElicitRequestFormParams['requestedSchema'];

const FORMATS: ReadonlySet<unknown> = new Set([undefined, 'email', 'uri', 'date', 'date-time']);

/** Keywords that could make a field more than one plain value. */
const NESTING = ['properties', '$ref', 'allOf', 'not', 'if', 'patternProperties', 'prefixItems', 'const'];

/** What a field of a form may say; the rest of a library's schema is checked when the answer comes. */
const FIELD_KEYWORDS = new Set(
  (
    'type title description default minLength maxLength format minimum maximum enum enumNames oneOf ' +
    'minItems maxItems items'
  ).split(' '),
);

/**
 * The schema of a form: a flat object of text, numbers, yes or no, and choices.
 * @throws ServerError `INVALID_INPUT_REQUEST` for anything that a form cannot show
 */
export function formSchema(requested: FormSchema | StandardSchema): FormSchema {
  const fromLibrary = isStandardSchema(requested);
  const json: unknown = fromLibrary ? converted(requested) : requested;
  if (!isRecord(json) || json['type'] !== 'object' || !isRecord(json['properties'])) {
    throw refused('a form needs an object schema with fields');
  }
  const { properties, required } = json;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    if (!isSimpleField(field)) throw refused(`the form field ${name} is not a simple value`);
    const kept = Object.entries(field).filter(([key]) => FIELD_KEYWORDS.has(key));
    fields[name] = fromLibrary ? Object.fromEntries(kept) : field;
  }
  if (!fromLibrary) return requested;
  return {
    type: 'object',
    properties: fields as FormSchema['properties'],
    ...(Array.isArray(required) ? { required: required.map(String) } : {}),
  };
}

function converted(schema: StandardSchema): unknown {
  try {
    return convertedSchema(schema, 'input');
  } catch (cause) {
    throw refused(cause instanceof Error ? cause.message : String(cause));
  }
}

function isSimpleField(field: unknown): field is Readonly<Record<string, unknown>> {
  if (!isRecord(field) || NESTING.some((key) => key in field)) return false;
  const { type, items, anyOf, format, oneOf } = field;
  switch (type) {
    case 'string':
      return (
        FORMATS.has(format) &&
        anyOf === undefined &&
        (oneOf === undefined || isTitledList(oneOf)) &&
        isEnum(field)
      );
    case 'number':
    case 'integer':
    case 'boolean':
      return anyOf === undefined && oneOf === undefined && !('enum' in field);
    case 'array':
      if (!isRecord(items)) return false;
      return isTitledList(items['anyOf']) || (items['type'] === 'string' && 'enum' in items && isEnum(items));
    default:
      return false;
  }
}

function isEnum({ enum: values }: Readonly<Record<string, unknown>>): boolean {
  return (
    values === undefined || (Array.isArray(values) && values.every((value) => typeof value === 'string'))
  );
}

function isTitledList(choices: unknown): boolean {
  return (
    Array.isArray(choices) &&
    choices.every(
      (choice) =>
        isRecord(choice) && typeof choice['const'] === 'string' && typeof choice['title'] === 'string',
    )
  );
}

function refused(message: string): ServerError {
  return new ServerError('INVALID_INPUT_REQUEST', { message });
}
