import { JsonSchemaError, shown } from './errors.ts';
import type { JsonSchemaType } from './validator.ts';

/** The dialects that are read. Draft 6 is read as draft 7, which only added to it. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft-06/schema', 'draft-07'],
]);

/**
 * The dialect a schema declares; none means 2020-12.
 * @throws JsonSchemaError `UNSUPPORTED_DIALECT`
 */
export function dialectOf(schema: JsonSchemaType): Dialect {
  const declared = typeof schema === 'object' ? schema['$schema'] : undefined;
  if (declared === undefined) return '2020-12';
  const name = typeof declared === 'string' ? declared : JSON.stringify(declared);
  const dialect = DIALECTS.get(name.replace(/^https?:\/\//, '').replace(/#$/, ''));
  if (dialect !== undefined) return dialect;
  throw new JsonSchemaError('UNSUPPORTED_DIALECT', {
    message: `unsupported dialect "${shown(name)}"; 2020-12, 2019-09, draft-07 and draft-06 are supported`,
    data: { dialect: shown(name) },
  });
}
