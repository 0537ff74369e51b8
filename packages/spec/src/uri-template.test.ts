import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UriTemplate } from './uri-template.ts';

describe('URI templates', () => {
  it('W159 match what they describe and decode the values', () => {
    const rows: readonly [template: string, uri: string, variables: object | null][] = [
      ['test://{id}', 'test://42', { id: '42' }],
      ['test://{id}', 'test://a%20b', { id: 'a b' }],
      ['test://{id}', 'test://a/b', null],
      ['test://{id}', 'test://', null],
      ['test://{id}.json', 'test://a.json', { id: 'a' }],
      ['test://{id}.json', 'test://a.json.json', { id: 'a.json' }],
      ['test://{id}.json', 'test://a/b.json', null],
      ['test://{id}.json', 'test://a.json/x.json', null],
      ['test://{a}/{b}', 'test://1/2', { a: '1', b: '2' }],
      ['test://{a}-{b}', 'test://1-2-3', { a: '1', b: '2-3' }],
      ['test://{a}/{b}', 'test://1/2/3', null],
      ['test://x{.a}', 'test://x.1/2', null],
      ['test://x{;a}', 'test://x;a=1/2', null],
      ['test://{a,b}', 'test://1,2/3', null],
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

  it('W159 hand dots and encoded slashes over as data', () => {
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

  it('W159 are refused when they are broken or too large', () => {
    for (const template of ['{', '{}', '{a', '{+}', '{a,}', 'x'.repeat(1_000_001), '{a}'.repeat(10_001)]) {
      expect(() => new UriTemplate(template)).toThrow(
        expect.objectContaining({ code: 'INVALID_URI_TEMPLATE' }),
      );
    }
  });

  it('W159 take a million characters and ten thousand expressions, and match no longer URI', () => {
    const widest = new UriTemplate('{a}'.repeat(10_000));
    expect(widest.variableNames).toHaveLength(10_000);
    const longest = new UriTemplate(`t://${'x'.repeat(999_993)}{a}`);
    expect(longest.match(`t://${'x'.repeat(999_993)}abc`)).toEqual({ a: 'abc' });
    expect(longest.match(`t://${'x'.repeat(999_993)}abcd`)).toBeNull();
    expect(() => new UriTemplate('{a}').expand({ a: 'x'.repeat(1_000_001) })).toThrow(
      expect.objectContaining({ code: 'INVALID_URI_TEMPLATE' }),
    );
  });

  it('W159 read back what they were filled in with, for any values', () => {
    const value = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    const rows = [
      't://{a}/x/{b}',
      't://x{/a}{/b}',
      't://x{?a,b}',
      't://x{;a,b}',
      't://{a}.end{&b}',
      't://{a}/{b}.end',
      't://{a,b}',
      't://{a}{?b}',
    ].map((text) => new UriTemplate(text));
    fc.assert(
      fc.property(value, value, (a, b) => {
        for (const template of rows) {
          const found = template.match(template.expand({ a, b }));
          expect([String(template), found]).toEqual([String(template), { a, b }]);
        }
      }),
      { seed: 159, numRuns: 300 },
    );
  });

  /** A template, or undefined where the text is refused as broken; anything else that is thrown is a fault. */
  const templateOf = (text: string): UriTemplate | undefined => {
    try {
      return new UriTemplate(text);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'INVALID_URI_TEMPLATE') return undefined;
      throw error;
    }
  };

  it('W159 are refused, filled in and matched without a fault for random text', () => {
    const piece = fc.constantFrom(
      '{a}',
      '{+b}',
      '{#c}',
      '{.d}',
      '{/e*}',
      '{;f}',
      '{?g,h*}',
      '{&i}',
      '{',
      '}',
    );
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 });
    const uri = fc.array(
      fc.oneof(fc.constantFrom('/', '?', '#', '&g=', ';f=', '.', '%zz', '%2F'), fc.string()),
    );
    fc.assert(
      fc.property(text, uri, fc.string({ unit: 'binary' }), (parts, pieces, value) => {
        const template = templateOf(parts.join(''));
        if (template === undefined) return;
        const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
        const variables = Object.fromEntries(names.map((name) => [name, value]));
        template.match(template.expand(variables));
        const found = template.match(pieces.join(''));
        const strange = Object.keys(found ?? {}).filter((name) => !template.variableNames.includes(name));
        expect(strange).toEqual([]);
      }),
      { seed: 159, numRuns: 2_000 },
    );
  });

  it('name their variables', () => {
    expect(new UriTemplate('t://{a}/{b,c*}{?d:3}').variableNames).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the work of a match', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Characters and values that one match looks at or copies, as far as methods of strings and lists do it. */
  function workOf(template: UriTemplate, uri: string): number {
    let work = 0;
    const text = String.prototype;
    // oxlint-disable-next-line typescript/unbound-method -- they are called on the text at hand
    const { indexOf, charCodeAt, startsWith, endsWith, slice, split } = text;
    const spies = [
      vi.spyOn(text, 'indexOf').mockImplementation(function (this: string, needle, from = 0) {
        const found = indexOf.call(this, needle, from);
        work += (found === -1 ? this.length : found) - from + needle.length;
        return found;
      }),
      vi.spyOn(text, 'charCodeAt').mockImplementation(function (this: string, at) {
        work += 1;
        return charCodeAt.call(this, at);
      }),
      vi.spyOn(text, 'startsWith').mockImplementation(function (this: string, needle, from) {
        work += needle.length;
        return startsWith.call(this, needle, from);
      }),
      vi.spyOn(text, 'endsWith').mockImplementation(function (this: string, needle) {
        work += needle.length;
        return endsWith.call(this, needle);
      }),
      vi.spyOn(text, 'slice').mockImplementation(function (this: string, from, to) {
        const piece = slice.call(this, from, to);
        work += piece.length;
        return piece;
      }),
      vi.spyOn(text, 'split').mockImplementation(function (this: string, separator: unknown) {
        work += this.length;
        return (split as (separator: unknown) => string[]).call(this, separator);
      }),
      vi.spyOn(Array.prototype, 'find').mockImplementation(function (this: unknown[], fits) {
        work += this.length;
        return this.filter(fits)[0];
      }),
    ];
    // Lists that are copied are walked.
    const { values } = Array.prototype;
    const own = { configurable: true, writable: true };
    Object.defineProperty(Array.prototype, Symbol.iterator, {
      ...own,
      value(this: unknown[]) {
        work += this.length;
        return values.call(this);
      },
    });
    template.match(uri);
    Object.defineProperty(Array.prototype, Symbol.iterator, { ...own, value: values });
    for (const spy of spies) spy.mockRestore();
    return work;
  }

  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const rows: readonly [what: string, make: (size: number) => readonly [template: string, uri: string]][] = [
    ['no stop in a long text', (size) => ['{a}-'.repeat(size), 'v-'.repeat(size) + 'x'.repeat(10 * size)]],
    ['absent queries', (size) => [`t://x${'{&a}'.repeat(size)}`, `t://x${'y'.repeat(10 * size)}`]],
    ['optional paths', (size) => [`t://x${'{/a}'.repeat(size)}`, `t://x${'/y'.repeat(size)}`]],
    [
      'a literal that nearly fits everywhere',
      (size) => [`{a}b${'a'.repeat(size)}{c}`, 'a'.repeat(10 * size)],
    ],
    ['greedy values', (size) => ['{+a}/'.repeat(size), '/'.repeat(10 * size)]],
    ['one repeated pair', (size) => ['t://x{?q*}', `t://x?${'q=1&'.repeat(size)}`]],
    [
      'many names and pairs',
      (size) => [
        `t://x{?${range(size)
          .map((n) => `n${String(n)}`)
          .join(',')}}`,
        `t://x?${range(size)
          .map((n) => `n${String(size - n)}=1`)
          .join('&')}`,
      ],
    ],
    [
      'stops beyond the end',
      (size) => [`${'{a}x'.repeat(size)}{b}`, `${'yx'.repeat(size)}/${'z'.repeat(10 * size)}?#`],
    ],
  ];

  it.each(rows)('W159 grows with template and URI alone: %s', (_what, make) => {
    for (const size of [500, 1_000, 4_000]) {
      const [text, uri] = make(size);
      const template = new UriTemplate(text);
      expect(workOf(template, uri)).toBeLessThan(12 * (text.length + uri.length));
    }
  });
});
