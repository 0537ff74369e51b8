/** Bounds on schemas and values of strangers. */
export interface JsonSchemaLimits {
  /** Characters of a schema written as JSON. Default 65 536. */
  readonly maxSchemaLength: number;
  /** Levels of a schema. Default 100. */
  readonly maxSchemaDepth: number;
  /** Schemas within a schema. Default 2000. */
  readonly maxSubschemas: number;
  /** Characters of one pattern. Default 1000. */
  readonly maxPatternLength: number;
  /** Characters of all keys and texts of a value. Default 1 048 576. */
  readonly maxValueLength: number;
  /** Values within a value. Default 100 000. */
  readonly maxValueNodes: number;
  /** Comparisons of one part of a schema with one part of a value, per check. Default 250 000. */
  readonly maxSteps: number;
}

export const JSON_SCHEMA_LIMITS: JsonSchemaLimits = {
  maxSchemaLength: 65_536,
  maxSchemaDepth: 100,
  maxSubschemas: 2000,
  maxPatternLength: 1000,
  maxValueLength: 1_048_576,
  maxValueNodes: 100_000,
  maxSteps: 250_000,
};
