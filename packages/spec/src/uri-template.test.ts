import { describe, expect, it } from 'vitest';
import { UriTemplate } from './uri-template.ts';

describe('URI templates', () => {
  it('match what they describe and decode the values', () => {
    const rows: readonly [template: string, uri: string, variables: object | null][] = [
      ['test://{id}', 'test://42', { id: '42' }],
      ['test://{id}', 'test://a%20b', { id: 'a b' }],
      ['test://{id}', 'test://a/b', null],
      ['test://{id}', 'test://', null],
      ['test://{id}.json', 'test://a.json', { id: 'a' }],
      ['test://{a}/{b}', 'test://1/2', { a: '1', b: '2' }],
      ['test://{a}-{b}', 'test://1-2-3', { a: '1', b: '2-3' }],
      ['test://{+path}', 'test://a/b/c', { path: 'a/b/c' }],
      ['test://{+path}.txt', 'test://a.txt/b.txt', { path: 'a.txt/b' }],
      ['test://x{/name}', 'test://x/n', { name: 'n' }],
      ['test://x{/name*}', 'test://x/a/b', { name: ['a', 'b'] }],
      ['test://x{.ext}', 'test://x.md', { ext: 'md' }],
      ['test://x{#part}', 'test://x#top', { part: 'top' }],
      ['test://x{?q,n}', 'test://x?n=2&q=a%26b', { q: 'a&b', n: '2' }],
      ['test://x{?q}', 'test://x', {}],
      ['test://x{?q*}', 'test://x?q=1&q=2', { q: ['1', '2'] }],
      ['test://x{?q}{&r}', 'test://x?q=1&r=2', { q: '1', r: '2' }],
      ['test://{a,b}', 'test://1,2', { a: '1', b: '2' }],
      ['test://{bad}', 'test://%zz', { bad: '%zz' }],
      ['test://{id}/x', 'test://1/y', null],
    ];
    for (const [template, uri, variables] of rows) {
      expect([template, uri, new UriTemplate(template).match(uri)]).toEqual([template, uri, variables]);
    }
  });

  it('hand dots and encoded slashes over as data', () => {
    expect(new UriTemplate('file:///{name}').match('file:///..%2F..%2Fetc')).toEqual({ name: '../../etc' });
    expect(new UriTemplate('file:///{name}').match('file:///__proto__')).toEqual({ name: '__proto__' });
    expect(Object.keys(new UriTemplate('t://{__proto__}').match('t://x') ?? {})).toEqual(['__proto__']);
  });

  it('expand by the rules of each operator', () => {
    const variables = { a: 'x y', b: ['1', '2'], path: 'p/q' };
    const rows: readonly [string, string][] = [
      ['{a}', 'x%20y'],
      ['{+path}', 'p/q'],
      ['{path}', 'p%2Fq'],
      ['{#path}', '#p/q'],
      ['{/a,b*}', '/x%20y/1/2'],
      ['{?a,b*}', '?a=x%20y&b=1&b=2'],
      ['{&a}', '&a=x%20y'],
      ['{;b}', ';b=1,2'],
      ['{none}{?none}', ''],
    ];
    for (const [template, expanded] of rows) {
      expect([template, new UriTemplate(template).expand(variables)]).toEqual([template, expanded]);
    }
  });

  it('are refused when they are broken or too large', () => {
    for (const template of ['{', '{}', '{a', '{+}', '{a,}', 'x'.repeat(1_000_001), '{a}'.repeat(10_001)]) {
      expect(() => new UriTemplate(template)).toThrow(
        expect.objectContaining({ code: 'INVALID_URI_TEMPLATE' }),
      );
    }
  });

  it('name their variables', () => {
    expect(new UriTemplate('t://{a}/{b,c*}{?d:3}').variableNames).toEqual(['a', 'b', 'c', 'd']);
  });
});
