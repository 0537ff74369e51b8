import * as official from '@modelcontextprotocol/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { isSpecType, specTypeSchemas } from '../spec-types/validators.ts';
import * as ours from './index.ts';

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
/** The example files of the specification (Apache-2.0), by type and name. */
const EXAMPLES = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../../testing/specification/examples-2026-07-28.json'),
    'utf8',
  ),
) as Examples;
const OURS = ours as unknown as Readonly<Record<string, ZodType>>;
const OFFICIAL = official as unknown as Readonly<Record<string, ZodType>>;
const NAMES = Object.keys(OFFICIAL);

/** Every value within the value, each once. */
function* parts(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* parts(member);
}

/** The value with one member left out or of another type, for every member at every depth. */
function* mutations(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of mutations(item)) yield value.with(index, changed);
    }
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const { [key]: _left, ...rest } = value as Record<string, unknown>;
    yield rest;
    for (const other of [7.5, 'text', true, null, [], {}]) {
      if (typeof other !== typeof member || Array.isArray(other) !== Array.isArray(member))
        yield { ...rest, [key]: other };
    }
    for (const changed of mutations(member)) yield { ...rest, [key]: changed };
  }
}

/** Every example and everything within one, each once. */
const PARTS: readonly unknown[] = [
  ...new Set(
    Object.values(EXAMPLES).flatMap((examples) => [...parts(examples)].map((value) => JSON.stringify(value))),
  ),
].map((text) => JSON.parse(text) as unknown);
/** Where the official schemas stay behind the newest revision: a page to open needs no id any more. */
const WIDER: ReadonlySet<string> = new Set([
  'ElicitRequestURLParamsSchema',
  'ElicitRequestParamsSchema',
  'ElicitRequestSchema',
]);
/** Answers with tools have a schema of their own, as in the official package. */
const OF_EXAMPLE: Readonly<Record<string, string>> = {
  CreateMessageResult: 'CreateMessageResultWithToolsSchema',
};

const fits = (schema: ZodType | undefined, value: unknown): boolean =>
  schema?.safeParse(value).success === true;
const shown = (value: unknown): string => JSON.stringify(value).slice(-300);

describe('the zod schemas', () => {
  it('have the official names and no other', () => {
    expect(Object.keys(OURS).sort()).toEqual(NAMES.toSorted());
  });

  it.each(Object.entries(EXAMPLES))('W242 %s: accept the examples of the specification', (type, examples) => {
    const schema = OURS[OF_EXAMPLE[type] ?? `${type}Schema`];
    if (schema === undefined) return;
    for (const [name, value] of Object.entries(examples))
      expect(schema.safeParse(value), name).toMatchObject({ success: true });
  });

  it.each(NAMES)(
    '%s: judge every example, its parts and its broken forms as the official schema does',
    (name) => {
      const type = name.slice(0, -'Schema'.length);
      const broken = Object.values(EXAMPLES[type] ?? {}).flatMap((value) => [...mutations(value)]);
      const differing = [...PARTS, ...broken].filter((value) => {
        const accepted = fits(OFFICIAL[name], value);
        return fits(OURS[name], value) !== accepted && (accepted || !WIDER.has(name));
      });
      expect(differing.map(shown).slice(0, 5)).toEqual([]);
    },
  );
});

describe('guards by the name of the type', () => {
  const guards: Readonly<Record<string, (value: unknown) => boolean>> = isSpecType;
  const schemas = specTypeSchemas as unknown as Readonly<
    Record<string, { '~standard': { validate(value: unknown): object } }>
  >;

  it.each(Object.keys(isSpecType))(
    'W242 %s: judge every example, its parts and its broken forms as the zod schema does',
    (type) => {
      const broken = Object.values(EXAMPLES[type] ?? {}).flatMap((value) => [...mutations(value)]);
      const differing = [...PARTS, ...broken].filter((value) => {
        const accepted = guards[type]?.(value) === true;
        const checked = schemas[type]?.['~standard'].validate(value) ?? {};
        return accepted !== fits(OURS[`${type}Schema`], value) || accepted !== 'value' in checked;
      });
      expect(differing.map(shown).slice(0, 5)).toEqual([]);
    },
  );
});
