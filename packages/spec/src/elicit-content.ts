import type { ElicitRequestFormParams, ElicitResult, PrimitiveSchemaDefinition } from './elicitation.ts';
import { isArrayOf, isNumber, isString } from './guards.ts';

type FormSchema = ElicitRequestFormParams['requestedSchema'];
type FormContent = NonNullable<ElicitResult['content']>;
type FormValue = FormContent[string];

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** A day that the calendar has; dates such as 30 February are moved on by `Date`, which shows. */
function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => text.length <= 320 && EMAIL.test(text),
  uri: (text) => SCHEME.test(text) && URL.canParse(text),
  date: isCalendarDate,
  'date-time': (text) => DATE_TIME.test(text) && isCalendarDate(text.slice(0, 10)),
};

function outside(value: number, least: number | undefined, most: number | undefined): boolean {
  return (least !== undefined && value < least) || (most !== undefined && value > most);
}

function choicesOf(schema: PrimitiveSchemaDefinition): readonly string[] | undefined {
  if ('enum' in schema) return schema.enum;
  return 'oneOf' in schema ? schema.oneOf.map((choice) => choice.const) : undefined;
}

function textFault(schema: PrimitiveSchemaDefinition, value: unknown): string | undefined {
  if (!isString(value)) return 'must be text';
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.includes(value) ? undefined : 'is none of the choices';
  const { minLength, maxLength, format } = schema as {
    minLength?: number;
    maxLength?: number;
    format?: string;
  };
  // Characters, not UTF-16 units, are what JSON Schema counts.
  if (outside(Array.from(value).length, minLength, maxLength)) return 'is too short or too long';
  if (format === undefined || !Object.hasOwn(FORMATS, format)) return undefined;
  return FORMATS[format]?.(value) === true ? undefined : `is no ${format}`;
}

function listFault(
  schema: Extract<PrimitiveSchemaDefinition, { type: 'array' }>,
  value: unknown,
): string | undefined {
  if (!isArrayOf(value, isString)) return 'must be a list of texts';
  const chosen = value as string[];
  if (outside(chosen.length, schema.minItems, schema.maxItems)) return 'has too few or too many choices';
  const { items } = schema;
  const choices = 'enum' in items ? items.enum : items.anyOf.map((choice) => choice.const);
  return chosen.every((choice) => choices.includes(choice)) ? undefined : 'has a choice that is not offered';
}

function valueFault(schema: PrimitiveSchemaDefinition, value: unknown): string | undefined {
  switch (schema.type) {
    case 'string':
      return textFault(schema, value);
    case 'number':
    case 'integer':
      if (!isNumber(value)) return 'must be a number';
      if (schema.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
      return outside(value, schema.minimum, schema.maximum) ? 'is too small or too large' : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return listFault(schema, value);
  }
}

/**
 * Why what a person entered does not fit the form that was asked for; undefined when it fits. Members
 * the form does not have are let through.
 */
export function elicitContentFault(schema: FormSchema, content: FormContent): string | undefined {
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(content, name)) return `${name} is missing`;
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(content, name)) continue;
    const fault = valueFault(field, content[name]);
    if (fault !== undefined) return `${name} ${fault}`;
  }
  return undefined;
}

/** The content with the form's default where nothing was entered; the content itself stays as it is. */
export function withElicitDefaults(schema: FormSchema, content: FormContent): FormContent {
  const missing: [string, FormValue][] = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    if (field.default !== undefined && !Object.hasOwn(content, name)) missing.push([name, field.default]);
  }
  return missing.length === 0 ? content : { ...content, ...Object.fromEntries(missing) };
}
