import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type SampledSchema,
  type SchemaFile,
  definitionsOf,
  mutationsOf,
  samplesOf,
} from '../../../testing/schema-samples.ts';
import * as spec from './index.ts';
import { Ajv, AjvJsonSchemaValidator } from './json-schema/ajv.ts';

type Guard = (value: unknown) => boolean;

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
const FOLDER = join(import.meta.dirname, '../../../testing/specification');
const TYPES = spec.isSpecType as unknown as Readonly<Record<string, Guard>>;
const GUARDS = spec as unknown as Readonly<Record<string, unknown>>;
/** The whole samples of each type are changed down to this depth; what lies deeper has a name of its own. */
const MUTATED_DEPTH = 2;

/** Valid by a schema, and refused by a guard of ours. */
const STRICTER: readonly (readonly [RegExp, string])[] = [
  [/^isSpecType\.(EmptyResult|ClientResult)$/, 'nothing is allowed in an empty result'],
  [/^isSpecType\.JSONRPCMessage$/, 'arrays of one revision are read before, and give single messages'],
  [/^isResourceContents$/, 'contents must be text or bytes, as each place that holds them says'],
  [/^isInputRequiredResult$/, 'a question must ask or keep something, which only the prose says'],
];

/** Refused by a schema, and let pass by a guard of ours. */
const LAXER: readonly (readonly [RegExp, string])[] = [
  [/ (\.params)?(\._meta\b.*)?$/, 'the codec of the newest revision reads what `_meta` must hold there'],
  [/ (\.result)?\.(ttlMs|cacheScope|resultType)$/, 'one revision alone has them, and its codec reads them'],
  [/\.io\.modelcontextprotocol\/serverInfo\b/, 'who the server is, is told and never relied upon'],
  [/ \.(jsonrpc|id)$/, 'these guards judge messages with and without their frame'],
  [/^isListToolsResult \.tools\[\]|^isSpecType\.ListToolsResult/, 'one bad tool must not cost the page'],
  [/CallToolResult \.content$/, 'missing tool content is read as none'],
  [/(CallToolResult|ToolResultContent) \.structuredContent$/, 'any JSON since the newest revision'],
  [/Notification(Params)? (\.params)?\.requestId$/, 'one revision lets a cancelled task stand here'],
  [/Tool \.(in|out)putSchema\./, 'schemas of tools are read by who validates with them'],
  [/^isTool \.(annotations|execution)\./, 'a hint that is none must not cost the tool'],
  [/\.enumNames(\[\])?$/, 'the other kinds of choices have no names, and let further members pass'],
  [/\.task(\.ttl)?$/, 'tasks inside params are words of one revision that nothing acts on'],
  [/Capabilities \.tasks\./, 'the same'],
  [/Capabilities \.\w+\.free$/, 'what is inside is up to each capability'],
  [/(\.params)?\.elicitationId$/, 'the newest revision has none'],
  [/\.requestedSchema\.\$schema$/, 'the dialect of a form is fixed'],
  [/^isCreateMessageRequestParams \./, 'preferences and tools are looked at by the sampling itself'],
  [/CreateMessageRequestParams \.metadata\./, 'a bag that providers read'],
  [/JSON(Array|Object|Value) /, 'the published schema forgets null among the values of JSON'],
];

function readSchemas(revision: string): SchemaFile {
  return JSON.parse(readFileSync(join(FOLDER, `schema-${revision}.json`), 'utf8')) as SchemaFile;
}

/** Our guards for a name of the specification. */
function guardsFor(name: string): [string, Guard][] {
  const own = GUARDS[`is${name}`];
  const typed = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  return [
    ...(typed === undefined ? [] : [[`isSpecType.${name}`, typed] as [string, Guard]]),
    ...(typeof own === 'function' ? [[`is${name}`, own as Guard] as [string, Guard]] : []),
  ];
}

/** What a published file says of a value, by the name of its type; draft 7 has all it is written with. */
function judgesOf({ $schema: _dialect, ...file }: SchemaFile): (name: string) => Guard {
  const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(file, 'file');
  const place = '$defs' in file ? '$defs' : 'definitions';
  const engine = new AjvJsonSchemaValidator(ajv);
  return (name) => {
    const validate = engine.getValidator({ $ref: `file#/${place}/${name}` });
    return (value) => validate(value).valid;
  };
}

const guarded = (file: SchemaFile): [string, SampledSchema][] =>
  Object.entries(definitionsOf(file)).filter(([name]) => guardsFor(name).length > 0);
const isListed = (list: typeof LAXER, what: string): boolean => list.some(([fits]) => fits.test(what));

describe('guards beside the published schemas', () => {
  const used = new Set<RegExp>();
  const note = (list: typeof LAXER, what: string): void => {
    for (const [fits] of list) if (fits.test(what)) used.add(fits);
  };

  it.each(REVISIONS)(
    '%s: accept every valid value, and refuse what the schema refuses',
    (revision) => {
      const file = readSchemas(revision);
      const judges = judgesOf(file);
      const unlisted = new Set<string>();
      let refused = 0;
      for (const [name, schema] of guarded(file)) {
        const judge = judges(name);
        const samples = samplesOf(file, schema);
        for (const sample of samples) {
          if (!judge(sample)) unlisted.add(`no valid ${name}: ${JSON.stringify(sample)}`);
          for (const [title, guard] of guardsFor(name)) {
            if (guard(sample)) continue;
            note(STRICTER, title);
            if (!isListed(STRICTER, title)) unlisted.add(`${title} refuses ${JSON.stringify(sample)}`);
          }
        }
        for (const { path, kind, value } of samples
          .slice(0, 2)
          .flatMap((sample) => [...mutationsOf(sample, MUTATED_DEPTH)])) {
          if (judge(value)) continue;
          for (const [title, guard] of guardsFor(name)) {
            if (!guard(value)) {
              refused += 1;
              continue;
            }
            note(LAXER, `${title} ${path}`);
            if (!isListed(LAXER, `${title} ${path}`)) unlisted.add(`${title} ${path}: ${kind} passes`);
          }
        }
      }
      expect([...unlisted]).toEqual([]);
      expect(refused).toBeGreaterThan(500);
    },
    120_000,
  );

  it('differ from them only where a reason is given, and no reason is given in vain', () => {
    const idle = [...STRICTER, ...LAXER].filter(([fits]) => !used.has(fits)).map(([, reason]) => reason);
    expect(idle).toEqual([]);
  });
});
