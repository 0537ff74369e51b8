import { describe, expect, it } from 'vitest';
import { readInspected, tabOf } from './inspected.ts';

describe("the address of a connector's page", () => {
  it.each([
    [{}, {}, 'tools'],
    [{ tab: 'messages' }, { tab: 'messages' }, 'messages'],
    [{ tab: 'weather', other: 1 }, {}, 'tools'],
    [{ resource: 'file:///a' }, { resource: 'file:///a' }, 'resources'],
    [{ template: 'a://{b}' }, { template: 'a://{b}' }, 'resources'],
    [{ prompt: 'p' }, { prompt: 'p' }, 'prompts'],
    [{ prompt: 'p', tab: 'messages' }, { prompt: 'p', tab: 'messages' }, 'messages'],
    [{ resource: 'a', prompt: 'p' }, { resource: 'a' }, 'resources'],
    [{ resource: '', prompt: 7 }, {}, 'tools'],
  ])('%j names %j and opens %s', (search, inspected, tab) => {
    expect(readInspected(search)).toEqual(inspected);
    expect(tabOf(readInspected(search))).toBe(tab);
  });
});
