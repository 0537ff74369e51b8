import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcError } from './errors.ts';
import { type LineReader, createLineReader } from './line-reader.ts';

const encoder = new TextEncoder();

function reading(maxLineBytes?: number): { reader: LineReader; lines: string[]; errors: RpcError[] } {
  const lines: string[] = [];
  const errors: RpcError[] = [];
  const reader = createLineReader({
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    onLine: (line) => lines.push(line),
    onError: (error) => errors.push(error),
  });
  return { reader, lines, errors };
}

describe('createLineReader', () => {
  it('reads many lines from one chunk and takes \\r\\n', () => {
    const { reader, lines } = reading();
    reader.push(encoder.encode('a\nb\r\n\n\r\nc\rd\nrest'));
    expect(lines).toEqual(['a', 'b', 'c\rd']);
    reader.end();
    expect(lines).toEqual(['a', 'b', 'c\rd', 'rest']);
  });

  it('W77 decodes text for every one and two cuts, and reads on after a line of invalid bytes', () => {
    const text = encoder.encode('{"a":"grüße 世界 👍🏽"}\r\n');
    const broken = [0x61, 0xff, 0xf0, 0x9f, 0x0a];
    const bytes = new Uint8Array([...text, ...broken, ...encoder.encode('naïve\n')]);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const { reader, lines, errors } = reading();
        reader.push(bytes.subarray(0, first));
        reader.push(bytes.subarray(first, second));
        reader.push(bytes.subarray(second));
        expect(lines).toEqual(['{"a":"grüße 世界 👍🏽"}', 'naïve']);
        expect(errors).toMatchObject([{ code: 'parse_error' }]);
      }
    }
  });

  it('gives back any text for any cuts', () => {
    const property = fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 8 }),
      fc.array(fc.nat(30), { maxLength: 10 }),
      (texts, sizes) => {
        const expected = texts.map((text) => JSON.stringify(text));
        const bytes = encoder.encode(expected.map((line) => `${line}\n`).join(''));
        const { reader, lines } = reading();
        let at = 0;
        for (const size of sizes) {
          reader.push(bytes.subarray(at, at + size));
          at += size;
        }
        reader.push(bytes.subarray(at));
        expect(lines).toEqual(expected);
        expect(reader.heldBytes).toBe(0);
      },
    );
    fc.assert(property, { seed: 4, numRuns: 200 });
  });

  it('does not depend on the chunk’s buffer after the call', () => {
    const { reader, lines } = reading();
    const buffer = encoder.encode('abc');
    reader.push(buffer);
    buffer.fill(0x7a);
    reader.push(encoder.encode('\n'));
    expect(lines).toEqual(['abc']);
  });

  it('reports a line over the limit once, holds none of it, and reads the next', () => {
    const { reader, lines, errors } = reading(8);
    for (let chunk = 0; chunk < 10; chunk += 1) {
      reader.push(encoder.encode('xxxxx'));
      expect(reader.heldBytes).toBeLessThanOrEqual(8);
    }
    reader.push(encoder.encode('\n12345678\n123456789\nok\n'));
    expect(lines).toEqual(['12345678', 'ok']);
    expect(errors).toMatchObject([
      { code: 'message_too_large', data: { limitBytes: 8 } },
      { code: 'message_too_large' },
    ]);
  });

  it('scans each byte of a 20 MB line at most twice', () => {
    const chunk = new Uint8Array(1024).fill(0x61);
    const { reader, lines } = reading(32 * 1024 * 1024);
    let scanned = 0;
    chunk.indexOf = (value: number, from = 0) => {
      scanned += chunk.length - from;
      return Uint8Array.prototype.indexOf.call(chunk, value, from);
    };
    const chunks = 20 * 1024;
    for (let index = 0; index < chunks; index += 1) reader.push(chunk);
    reader.push(encoder.encode('\n'));
    expect(lines[0]).toHaveLength(chunks * 1024);
    expect(scanned).toBeLessThanOrEqual(2 * chunks * 1024);
  });
});
