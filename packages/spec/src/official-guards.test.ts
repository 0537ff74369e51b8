import { isSpecType } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isContentBlock, isImplementation, isRecord, isResource } from './guards.ts';
import { isCallToolRequestParams, isElicitRequestParams } from './param-guards.ts';
import * as answers from './client-result-guards.ts';
import * as results from './result-guards.ts';

type Guard = (value: unknown) => boolean;

const official = isSpecType as unknown as Readonly<Record<string, Guard>>;

const text = { type: 'text', text: 'hi', annotations: { audience: ['user'], priority: 1 } };
const image = { type: 'image', data: 'AA==', mimeType: 'image/png', _meta: { a: 1 } };
const link = { type: 'resource_link', uri: 'a:b', name: 'n', title: 't', size: 1 };
const embedded = { type: 'resource', resource: { uri: 'a:b', text: 'x', mimeType: 'x/y' } };
const tool = {
  name: 't',
  title: 'T',
  description: 'd',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  icons: [{ src: 'https://a.example/i.png', sizes: ['any'] }],
};

/** Our guard, the official type's name, and well formed values to damage. */
const CASES: readonly [string, Guard, readonly object[]][] = [
  ['ContentBlock', isContentBlock, [text, image, link, embedded]],
  ['Implementation', isImplementation, [{ name: 'n', version: '1', websiteUrl: 'https://a.example' }]],
  ['Resource', isResource, [{ uri: 'a:b', name: 'n', mimeType: 'x/y' }]],
  ['Tool', results.isTool, [tool]],
  ['CallToolResult', results.isCallToolResult, [{ content: [text, link], isError: false }]],
  ['ReadResourceResult', results.isReadResourceResult, [{ contents: [embedded.resource] }]],
  [
    'GetPromptResult',
    results.isGetPromptResult,
    [{ description: 'd', messages: [{ role: 'user', content: image }] }],
  ],
  ['CompleteResult', results.isCompleteResult, [{ completion: { values: ['a'], hasMore: true } }]],
  ['ListRootsResult', answers.isListRootsResult, [{ roots: [{ uri: 'file:///a', name: 'a' }] }]],
  ['ElicitResult', answers.isElicitResult, [{ action: 'accept', content: { a: 'b', c: ['d'] } }]],
  ['CallToolRequestParams', isCallToolRequestParams, [{ name: 't', arguments: { a: 1 } }]],
  [
    'ElicitRequestParams',
    isElicitRequestParams,
    [{ message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } }],
  ],
];

/** The official schema reads a tool result without content as an empty one; the text requires it. */
function isLenientCase(name: string, value: unknown): boolean {
  return name === 'CallToolResult' && isRecord(value) && value['content'] === undefined;
}

/** The value with one member, at any depth, taken away. */
function* withoutOneMember(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    }
    for (const changed of withoutOneMember(member)) {
      yield Array.isArray(value)
        ? value.map((item: unknown, index) => (String(index) === key ? changed : item))
        : { ...value, [key]: changed };
    }
  }
}

describe('guards beside the official schemas', () => {
  it.each(CASES)('%s: well formed values pass both', (name, guard, samples) => {
    for (const sample of samples) {
      expect([sample, guard(sample), official[name]?.(sample)]).toEqual([sample, true, true]);
    }
  });

  it.each(CASES)('%s: agree on every value that lacks a member', (name, guard, samples) => {
    let compared = 0;
    for (const damaged of samples.flatMap((sample) => [...withoutOneMember(sample)])) {
      if (isLenientCase(name, damaged)) continue;
      compared += 1;
      expect([damaged, guard(damaged)]).toEqual([damaged, official[name]?.(damaged)]);
    }
    expect(compared).toBeGreaterThan(0);
  });

  it.each(CASES)('%s: refuse foreign values as the official guard does', (name, guard) => {
    const property = fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      fc.pre(!isLenientCase(name, value));
      expect(guard(value)).toBe(official[name]?.(value));
    });
    fc.assert(property, { seed: 7, numRuns: 200 });
  });
});
