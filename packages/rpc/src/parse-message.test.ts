import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRpcError } from './errors.ts';
import { exceedsBytes, parseMessage, parseMessages, toErrorResponse, utf8Length } from './parse-message.ts';
import type { RpcErrorCode } from './errors.ts';

function codeOf(run: () => unknown): RpcErrorCode | 'none' | 'foreign' {
  try {
    run();
    return 'none';
  } catch (error) {
    return isRpcError(error) ? error.code : 'foreign';
  }
}

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** A request whose params nest so that the whole message has `levels` levels. */
function nested(levels: number): string {
  const arrays = levels - 2;
  return `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":${'['.repeat(arrays)}${']'.repeat(arrays)}}}`;
}

describe('parseMessage', () => {
  it('reads a message', () => {
    const text = '{"jsonrpc":"2.0","id":"1","method":"m","params":{"a":1}}';
    expect(parseMessage(text)).toEqual({ jsonrpc: '2.0', id: '1', method: 'm', params: { a: 1 } });
  });

  it.each([
    ['', 'parse_error'],
    ['{', 'parse_error'],
    ['{"jsonrpc":"2.0"} x', 'parse_error'],
    ['null', 'invalid_message'],
    ['{"jsonrpc":"2.0","id":1}', 'invalid_message'],
    ['{"jsonrpc":"2.0","id":null,"method":"m"}', 'invalid_message'],
    ['[{"jsonrpc":"2.0","method":"m"}]', 'batch_refused'],
    ['[]', 'batch_refused'],
  ])('refuses %s as %s', (text, code) => {
    expect(codeOf(() => parseMessage(text))).toBe(code);
  });

  it('takes messages up to the depth limit and refuses deeper ones with their id', () => {
    expect(codeOf(() => parseMessage(nested(512)))).toBe('none');
    const error = caught(() => parseMessage(nested(513)));
    expect(error).toMatchObject({ code: 'too_deep', data: { limit: 512, id: 7 } });
    expect(codeOf(() => parseMessage(nested(64), { maxDepth: 64 }))).toBe('none');
    expect(codeOf(() => parseMessage(nested(65), { maxDepth: 64 }))).toBe('too_deep');
  });

  it('survives a million levels', () => {
    expect(codeOf(() => parseMessage(nested(1_000_000)))).toBe('too_deep');
  });

  it('counts the limit in bytes of UTF-8', () => {
    const text = '{"jsonrpc":"2.0","method":"éé"}';
    expect(codeOf(() => parseMessage(text, { maxMessageBytes: text.length + 2 }))).toBe('none');
    expect(codeOf(() => parseMessage(text, { maxMessageBytes: text.length + 1 }))).toBe('message_too_large');
  });

  it.each([
    ['{"jsonrpc":"2.0","id":7,"error":"boom"}', { answerTo: 7 }],
    ['{"jsonrpc":"2.0","id":"a","result":{},"error":{}}', { answerTo: 'a' }],
    [`{"jsonrpc":"2.0","id":7,"result":${'['.repeat(520)}${']'.repeat(520)}}`, { answerTo: 7 }],
    [`{"jsonrpc":"2.0","id":7,"method":"m","params":${'['.repeat(520)}${']'.repeat(520)}}`, { id: 7 }],
  ])('names the request that the broken message %j belongs to', (text, ids) => {
    expect(() => parseMessage(text)).toThrow(expect.objectContaining({ data: expect.objectContaining(ids) }));
  });

  it('keeps a key called __proto__ as data', () => {
    const message = parseMessage('{"jsonrpc":"2.0","method":"m","params":{"__proto__":{"x":1}}}');
    expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('parseMessages', () => {
  const note = '{"jsonrpc":"2.0","method":"m"}';

  it('takes an array only when asked to', () => {
    expect(parseMessages(note)).toHaveLength(1);
    expect(parseMessages(`[${note},${note}]`, { allowBatch: true })).toHaveLength(2);
    expect(codeOf(() => parseMessages(`[${note}]`))).toBe('batch_refused');
  });

  it('refuses empty arrays, arrays with one bad element, and too long ones', () => {
    const batch = { allowBatch: true, limits: { maxBatch: 2 } };
    expect(codeOf(() => parseMessages('[]', batch))).toBe('invalid_message');
    expect(codeOf(() => parseMessages(`[${note},{}]`, batch))).toBe('invalid_message');
    expect(codeOf(() => parseMessages(`[${note},[${note}]]`, batch))).toBe('invalid_message');
    expect(codeOf(() => parseMessages(`[${note},${note},${note}]`, batch))).toBe('batch_refused');
  });
});

describe('toErrorResponse', () => {
  it.each([
    ['{', { jsonrpc: '2.0', error: { code: -32700 } }],
    ['{"jsonrpc":"1.0","id":5,"method":"m"}', { jsonrpc: '2.0', id: 5, error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":"","params":{}}', { jsonrpc: '2.0', id: '', error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":1.5,"method":"m"}', { jsonrpc: '2.0', error: { code: -32600 } }],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', { jsonrpc: '2.0', error: { code: -32600 } }],
    ['[]', { jsonrpc: '2.0', error: { code: -32600 } }],
  ])('answers %s', (text, answer) => {
    const response = toErrorResponse(caught(() => parseMessage(text)));
    expect(response).toMatchObject(answer);
    expect(response !== undefined && 'id' in response).toBe('id' in answer);
  });

  it('has no answer for other errors', () => {
    expect(toErrorResponse(new TypeError('x'))).toBeUndefined();
  });
});

describe('byte counting', () => {
  it('agrees with the encoder on any text, lone surrogates included', () => {
    const encoder = new TextEncoder();
    const property = fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, limit) => {
      const bytes = encoder.encode(text).length;
      expect(utf8Length(text)).toBe(bytes);
      expect(exceedsBytes(text, limit)).toBe(bytes > limit);
    });
    fc.assert(property, { seed: 1, numRuns: 300 });
    expect(utf8Length('\ud800a\udc00')).toBe(encoder.encode('\ud800a\udc00').length);
  });
});

describe('fuzz', () => {
  it('gives a message or a typed error for any text', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => json.slice(0, -1)),
    );
    const property = fc.property(texts, (text) => {
      expect(codeOf(() => parseMessage(text, { maxDepth: 4, maxMessageBytes: 200 }))).not.toBe('foreign');
    });
    fc.assert(property, { seed: 2, numRuns: 2000 });
  });
});
