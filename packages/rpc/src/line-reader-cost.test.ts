import { describe, expect, it } from 'vitest';
import { ReadBuffer, deserializeMessage, serializeLine } from './framing.ts';
import type { RpcError } from './errors.ts';
import { createLineReader } from './line-reader.ts';
import { createSseParser } from './sse-parser.ts';

const MEGABYTE = 1_000_000;
const encoder = new TextEncoder();
const typedArrays = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

/** Bytes that are copied and looked through while `run` goes on, whichever arrays have a part in it. */
function bytesMoved(run: () => void): { copied: number; scanned: number } {
  // oxlint-disable-next-line typescript/unbound-method -- called on the array at hand below
  const { slice, set, indexOf, lastIndexOf } = typedArrays;
  const moved = { copied: 0, scanned: 0 };
  typedArrays.slice = function counted(start, end) {
    const copy = slice.call(this, start, end);
    moved.copied += copy.length;
    return copy;
  };
  typedArrays.set = function counted(this: Uint8Array, from: ArrayLike<number>, at?: number) {
    moved.copied += from.length;
    set.call(this, from, at);
  };
  typedArrays.indexOf = function counted(value, from = 0) {
    const found = indexOf.call(this, value, from);
    moved.scanned += (found < 0 ? this.length : found + 1) - from;
    return found;
  };
  typedArrays.lastIndexOf = function counted(
    this: Uint8Array,
    value: number,
    from: number = this.length - 1,
  ) {
    const found = lastIndexOf.call(this, value, from);
    moved.scanned += from + 1 - Math.max(found, 0);
    return found;
  };
  try {
    run();
  } finally {
    Object.assign(typedArrays, { slice, set, indexOf, lastIndexOf });
  }
  return moved;
}

const READERS: readonly [string, (onLength: (length: number) => void) => (chunk: Uint8Array) => void][] = [
  [
    'lines',
    (onLength) => {
      const reader = createLineReader({
        maxLineBytes: 32 * MEGABYTE,
        onLine: (line) => onLength(line.length),
        onError: (error) => {
          throw error;
        },
      });
      return (chunk) => reader.push(chunk);
    },
  ],
  [
    'messages',
    (onLength) => {
      const buffer = new ReadBuffer({ maxBufferSize: 32 * MEGABYTE });
      return (chunk) => {
        buffer.append(chunk);
        if (buffer.readMessage() !== null) onLength(0);
      };
    },
  ],
  [
    'events',
    (onLength) => {
      const parser = createSseParser({
        maxEventBytes: 32 * MEGABYTE,
        onEvent: ({ data }) => onLength(data.length),
        onError: (error) => {
          throw error;
        },
      });
      parser.push(encoder.encode('data: '));
      return (chunk) => parser.push(chunk);
    },
  ],
];

describe.each(READERS)('a reader of %s', (_name, make) => {
  it('W79 field-D3 copies and looks through each byte a fixed number of times, 10 MB or 20 MB, in 1 KB chunks', () => {
    const perByte = [10, 20].map((megabytes) => {
      const push = make(() => undefined);
      const chunk = new Uint8Array(1000).fill(0x61);
      const total = megabytes * MEGABYTE;
      const { copied, scanned } = bytesMoved(() => {
        for (let sent = 0; sent < total; sent += chunk.length) push(chunk);
        push(encoder.encode('\n\n'));
      });
      return { copied: copied / total, scanned: scanned / total };
    });
    for (const { copied, scanned } of perByte) {
      expect(copied).toBeLessThan(2.1);
      expect(scanned).toBeLessThan(3.1);
    }
    // Twice the bytes cost twice as much.
    expect(perByte[1]?.copied).toBeCloseTo(perByte[0]?.copied ?? 0, 1);
    expect(perByte[1]?.scanned).toBeCloseTo(perByte[0]?.scanned ?? 0, 1);
  });
});

describe('a message of many megabytes', () => {
  it('is read when it fits the limit of lines', () => {
    const message = { jsonrpc: '2.0', method: 'm', params: { text: 'x'.repeat(8 * MEGABYTE) } } as const;
    const buffer = new ReadBuffer();
    buffer.append(encoder.encode(serializeLine(message)));
    expect(buffer.readMessage()).toEqual(message);
    expect(deserializeMessage(JSON.stringify(message))).toEqual(message);
  });
});

describe('a line without an end', () => {
  it('W79 field-D3 is reported once within 64 MiB, and never more than the limit of it is held', () => {
    const errors: RpcError[] = [];
    const reader = createLineReader({ onLine: () => undefined, onError: (error) => errors.push(error) });
    const chunk = new Uint8Array(65_536).fill(0x61);
    let most = 0;
    for (let sent = 0; sent < 64 * 1_048_576; sent += chunk.length) {
      reader.push(chunk);
      most = Math.max(most, reader.heldBytes);
    }
    expect(most).toBeLessThanOrEqual(10 * 1_048_576);
    expect(reader.heldBytes).toBe(0);
    expect(errors).toMatchObject([{ code: 'message_too_large', data: { limitBytes: 10 * 1_048_576 } }]);
  });
});
