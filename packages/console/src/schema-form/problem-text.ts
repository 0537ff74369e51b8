import type { TFunction } from 'i18next';
import type { FieldProblem } from './check-form.ts';

const KNOWN = [
  'required',
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'not',
] as const;

/** One problem in the person's words. */
export function problemText(t: TFunction, problem: FieldProblem): string {
  const keyword = KNOWN.find((known) => known === problem.keyword) ?? 'other';
  return t(`form.problem.${keyword}`, { limit: problem.limit });
}
