/** Why a schema cannot be used. */
export const JSON_SCHEMA_ERRORS = {
  INVALID_KEYWORD: 'A keyword of the schema has a value it cannot have.',
  REFERENCE_LOOP: 'The schema refers to itself without looking deeper into the value.',
  SCHEMA_TOO_LARGE: 'The schema is larger than allowed.',
  UNRESOLVED_REFERENCE: 'The schema refers to something that is not in it; nothing is ever fetched.',
  UNSAFE_PATTERN: 'A pattern of the schema could take too long and is not run.',
  UNSUPPORTED_DIALECT: 'unsupported dialect',
} as const;

export type JsonSchemaErrorCode = keyof typeof JSON_SCHEMA_ERRORS;

/** A schema was refused. Only what uses that schema is affected. */
export class JsonSchemaError extends Error {
  readonly code: JsonSchemaErrorCode;
  /** `keyword`, `reference`, `pattern`, `dialect` or `limit`, as the code says; values are cut. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: JsonSchemaErrorCode,
    options: {
      readonly message?: string;
      readonly data?: Readonly<Record<string, unknown>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(options.message ?? JSON_SCHEMA_ERRORS[code], { cause: options.cause });
    this.name = 'JsonSchemaError';
    this.code = code;
    this.data = options.data;
  }
}

/** Text of a stranger, short enough for a message. */
export function shown(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`;
}
