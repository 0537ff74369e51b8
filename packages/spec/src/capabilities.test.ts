import { describe, expect, it } from 'vitest';
import { isExtensionId, malformedExtensionId } from './extension-ids.ts';
import { mergeCapabilities } from './merge-capabilities.ts';

describe('merging capabilities', () => {
  it('goes to every depth, the later value holds, and neither is changed', () => {
    const base = Object.freeze({
      tools: Object.freeze({ listChanged: true }),
      extensions: Object.freeze({ 'a.example/x': Object.freeze({ one: 1 }) }),
    });
    const added = Object.freeze({
      tools: { listChanged: false },
      prompts: {},
      extensions: { 'a.example/x': { two: 2 }, 'a.example/y': {} },
      logging: undefined,
    });
    const merged = mergeCapabilities(base, added as object);
    expect(merged).toEqual({
      tools: { listChanged: false },
      prompts: {},
      extensions: { 'a.example/x': { one: 1, two: 2 }, 'a.example/y': {} },
    });
    expect(base.extensions['a.example/x']).toEqual({ one: 1 });
  });

  it('takes names of the prototype as plain names', () => {
    const hostile = JSON.parse('{"experimental":{"__proto__":{"polluted":{}}}}') as object;
    const merged = mergeCapabilities({ experimental: { a: {} } }, hostile);
    expect(Object.keys(merged.experimental ?? {})).toEqual(['a', '__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('an extension id', () => {
  it.each([
    ['io.modelcontextprotocol/tasks', true],
    ['com.example/my-extension', true],
    ['example/x', true],
    ['tasks', false],
    ['/x', false],
    ['com.example/', false],
    ['com..example/x', false],
    ['1com/x', false],
    ['com.example/x y', false],
    ['', false],
  ])('has a prefix: %s %s', (id, expected) => {
    expect(isExtensionId(id)).toBe(expected);
    expect(malformedExtensionId({ extensions: { [id]: {} } })).toBe(expected ? undefined : id);
  });
});
