import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, createKernelHarness } from '../../../../testing/frame-kernel.ts';
import { inputText } from './plain-json.ts';

const cycle: Record<string, unknown> = {};
cycle['self'] = { back: cycle };
const deep = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
};
const holes: unknown[] = [];
holes[1] = 2;
class Box {
  value = 1;
}

describe('the input of a call', () => {
  it('carries any plain JSON object unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (input) => {
        expect(JSON.parse(inputText(input) as string)).toEqual(JSON.parse(JSON.stringify(input)));
      }),
    );
  });

  it.each([undefined, null, {}])('sends an empty object for %j', (input) => {
    expect(inputText(input)).toBe('{}');
  });

  it.each([
    ['a Map', new Map()],
    ['a Set', new Set()],
    ['a Date', new Date()],
    ['a typed array', new Uint8Array(1)],
    ['an ArrayBuffer', new ArrayBuffer(1)],
    ['a Blob', new Blob([])],
    ['a BigInt', 1n],
  ])('F66 refuses %s at any depth', (_name, value) => {
    expect(inputText(value)).toHaveProperty('refused');
    expect(inputText({ a: [{ b: value }] })).toHaveProperty('refused');
  });

  it.each([
    ['a function', () => undefined],
    ['a symbol', Symbol('x')],
    ['a class instance', new Box()],
    ['a boxed string', Object('x')],
    ['a RegExp', /x/],
    ['an Error', new Error('x')],
    ['a Proxy', new Proxy({}, {})],
    [
      'a revoked Proxy',
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
    ['an own toJSON', { toJSON: () => 1 }],
    [
      'a throwing accessor',
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
    ],
  ])('refuses %s wherever it stands', (_name, value) => {
    expect(inputText({ x: value })).toHaveProperty('refused');
    expect(inputText({ x: [[value]] })).toHaveProperty('refused');
  });

  it('F68 refuses cycles and accepts a value that is merely used twice', () => {
    expect(inputText(cycle)).toHaveProperty('refused');
    const leaf = { n: 1 };
    expect(inputText({ a: leaf, b: [leaf, leaf] })).toBe('{"a":{"n":1},"b":[{"n":1},{"n":1}]}');
  });

  it('F69 refuses nesting beyond 64 levels, also where cloning itself gives up', () => {
    expect(typeof inputText(deep(64))).toBe('string');
    expect(inputText(deep(65))).toHaveProperty('refused');
    expect(inputText(deep(20_000))).toHaveProperty('refused');
  });

  it('leaves out members whose value is undefined', () => {
    expect(inputText({ a: 1, b: undefined })).toBe('{"a":1}');
  });

  it.each([
    ['NaN', { a: Number.NaN }],
    ['Infinity', { a: Infinity }],
    ['a hole', { a: holes }],
    ['an undefined item', { a: [undefined] }],
    ['a top-level list', [1]],
    ['a top-level string', 'x'],
    ['a top-level number', 1],
    ['a top-level boolean', true],
  ])('F71 refuses %s', (_name, value) => {
    expect(inputText(value)).toHaveProperty('refused');
  });

  it('is captured at the moment of the call', () => {
    const harness = createKernelHarness();
    const input = { list: [1] };
    harness.mcp.callTool('A', 't', input).catch(() => undefined);
    input.list.push(2);
    harness.init();
    expect(harness.sent[0]?.params['input']).toEqual({ list: [1] });
  });

  it('is refused above 1 MiB of JSON, quickly also where sharing would multiply it', () => {
    expect(typeof inputText({ a: 'x'.repeat(1_048_576 - 8) })).toBe('string');
    expect(inputText({ a: 'x'.repeat(1_048_577) })).toHaveProperty('refused');
    let shared: unknown = 'leaf';
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(inputText({ shared })).toHaveProperty('refused');
  });

  it('carries keys that name prototype members as data', () => {
    const input: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3}');
    expect(inputText(input)).toBe('{"__proto__":{"x":1},"constructor":2,"toString":3}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe('names and options of a call', () => {
  it.each([1, null, undefined, Symbol('x'), Object('x'), 'x'.repeat(257)])(
    'F46 refuses %s as a name',
    async (name) => {
      const harness = createKernelHarness();
      harness.init();
      expect(await codeOf(harness.mcp.callTool(name, 't'))).toBe('bad_request');
      expect(await codeOf(harness.mcp.callTool('A', name))).toBe('bad_request');
      expect(harness.sent).toEqual([]);
    },
  );

  it('F63 returns a promise whatever it is given', async () => {
    const harness = createKernelHarness();
    harness.init();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = {
      get cache(): unknown {
        throw new Error('no');
      },
    };
    const odd: unknown[] = [undefined, Symbol('x'), proxy, throwing];
    for (const value of odd) {
      const { callTool, invalidate, listTools } = harness.mcp as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >;
      const promises = [
        callTool?.(value, value, value, value),
        callTool?.('A', 't', value),
        callTool?.('A', 't', {}, value),
        invalidate?.(value, value, value),
        invalidate?.('A', 't', value),
        listTools?.(value),
      ];
      for (const promise of promises) {
        expect(promise).toBeInstanceOf(Promise);
        promise?.catch(() => undefined);
      }
    }
    expect(await codeOf(harness.mcp.callTool('A', 't', {}, throwing))).toBe('bad_request');
  });

  it.each([
    ['cache', true],
    ['cache', 'x'],
    ['cache', []],
    ['cache', { staleTime: Number.NaN }],
    ['cache', { gcTime: '5' }],
    ['cache', { refresh: 1 }],
    ['signal', {}],
    ['signal', 'x'],
    ['signal', null],
  ])('F75 refuses %s: %j', async (key, value) => {
    const harness = createKernelHarness();
    harness.init();
    expect(await codeOf(harness.mcp.callTool('A', 't', {}, { [key]: value }))).toBe('bad_request');
  });

  it.each([
    [{ cache: false }, false],
    [{ cache: {} }, {}],
    [{ cache: { staleTime: Infinity, gcTime: 1e9 } }, { staleTime: 300_000, gcTime: 86_400_000 }],
    [{ cache: { staleTime: -1, gcTime: -1, refresh: true } }, { staleTime: 0, gcTime: 0, refresh: true }],
    [{ timeoutMs: 1, other: () => undefined }, undefined],
    [null, undefined],
  ])('F75 sends the options %j as %j', (options, cache) => {
    const harness = createKernelHarness();
    harness.init();
    harness.mcp.callTool('A', 't', {}, options).catch(() => undefined);
    expect(harness.sent[0]?.params['cache']).toEqual(cache);
  });

  it.each([[[undefined, 't']], [[undefined, undefined, {}]], [['A', undefined, {}]], [[5]], [['A', 5]]])(
    'refuses invalidate%j',
    async (args) => {
      const harness = createKernelHarness();
      harness.init();
      expect(await codeOf(harness.mcp.invalidate(...(args as [])))).toBe('bad_request');
      expect(harness.sent).toEqual([]);
    },
  );
});
