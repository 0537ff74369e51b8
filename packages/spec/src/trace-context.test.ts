import { describe, expect, it } from 'vitest';
import { isMetaKey } from './meta-keys.ts';
import { BAGGAGE_META_KEY, TRACEPARENT_META_KEY, TRACESTATE_META_KEY, traceMeta } from './index.ts';
import type { TraceContext } from './index.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const ids = { traceId, spanId };

describe('traces', () => {
  it('W259 are carried under the names of W3C, without a prefix', () => {
    const keys = [TRACEPARENT_META_KEY, TRACESTATE_META_KEY, BAGGAGE_META_KEY];
    expect(keys).toEqual(['traceparent', 'tracestate', 'baggage']);
    expect(keys.every(isMetaKey)).toBe(true);
  });

  it.each<[given: TraceContext, written: object]>([
    [ids, { traceparent: `00-${traceId}-${spanId}-00` }],
    [{ ...ids, sampled: true }, { traceparent: `00-${traceId}-${spanId}-01` }],
    [{ ...ids, state: {}, baggage: {} }, { traceparent: `00-${traceId}-${spanId}-00` }],
    [
      { ...ids, state: { rojo: '00f067', 'fw529a3039@dt': 'a b;c' } },
      { tracestate: 'rojo=00f067,fw529a3039@dt=a b;c' },
    ],
    [
      { ...ids, baggage: { userId: 'alice', note: 'grüße, a=b;"c"', empty: '' } },
      { baggage: 'userId=alice,note=gr%C3%BC%C3%9Fe%2C%20a%3Db%3B%22c%22,empty=' },
    ],
  ])('W259 are written as W3C has them (%#)', (given, written) => {
    expect(traceMeta(given)).toEqual({ traceparent: expect.any(String) as string, ...written });
  });

  const many = (count: number, value = 'v'): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String(at)}`, value]));
  it.each<[what: string, wrong: Partial<TraceContext>]>([
    ['a short id', { traceId: traceId.slice(1) }],
    ['a long id', { traceId: `${traceId}0` }],
    ['capital digits', { traceId: traceId.toUpperCase() }],
    ['no digits', { traceId: 'x'.repeat(32) }],
    ['a zero trace', { traceId: '0'.repeat(32) }],
    ['a zero span', { spanId: '0'.repeat(16) }],
    ['a short span', { spanId: '1' }],
    ['a line break after the id', { spanId: `${spanId.slice(1)}\n` }],
    ['a state whose key has capitals', { state: { Rojo: '1' } }],
    ['a state whose key begins with a digit', { state: { '1x': '1' } }],
    ['a state with a comma', { state: { rojo: 'a,b' } }],
    ['a state with an equals sign', { state: { rojo: 'a=b' } }],
    ['a state with a line break', { state: { rojo: 'a\r\nb' } }],
    ['a state that ends in a blank', { state: { rojo: 'a ' } }],
    ['an empty state', { state: { rojo: '' } }],
    ['a state that is not ASCII', { state: { rojo: 'ü' } }],
    ['a long state', { state: { rojo: 'a'.repeat(257) } }],
    ['too many states', { state: many(33) }],
    ['baggage whose key has a blank', { baggage: { 'a b': '1' } }],
    ['baggage without a key', { baggage: { '': '1' } }],
    ['baggage that is no text', { baggage: { a: '\uD800' } }],
    ['too much baggage', { baggage: many(65) }],
    ['too long baggage', { baggage: { a: 'x'.repeat(8192) } }],
  ])('W259 are never written with %s', (_what, wrong) => {
    expect(() => traceMeta({ ...ids, ...wrong })).toThrow(RangeError);
  });

  it('W259 fill their limits', () => {
    expect(traceMeta({ ...ids, state: many(32), baggage: many(64) }).tracestate?.split(',')).toHaveLength(32);
    expect(traceMeta({ ...ids, state: { a: 'a'.repeat(256) } }).tracestate).toHaveLength(258);
  });
});
