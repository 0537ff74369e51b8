import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcError } from './errors.ts';
import { type SseEvent, type SseParser, createSseParser } from './sse-parser.ts';

const encoder = new TextEncoder();

interface Reading {
  parser: SseParser;
  events: SseEvent[];
  errors: RpcError[];
  retries: number[];
  ids: string[];
}

function reading(maxEventBytes?: number): Reading {
  const events: SseEvent[] = [];
  const errors: RpcError[] = [];
  const retries: number[] = [];
  const ids: string[] = [];
  const parser = createSseParser({
    ...(maxEventBytes === undefined ? {} : { maxEventBytes }),
    onEvent: (event) => events.push(event),
    onError: (error) => errors.push(error),
    onRetry: (delayMs) => retries.push(delayMs),
    onId: (id) => ids.push(id),
  });
  return { parser, events, errors, retries, ids };
}

function eventsOf(text: string): SseEvent[] {
  const { parser, events } = reading();
  parser.push(encoder.encode(text));
  parser.end();
  return events;
}

const message = (data: string, id?: string): SseEvent => ({ event: 'message', data, id });

describe('createSseParser', () => {
  it.each([
    ['data: a\n\n', [message('a')]],
    ['data:a\n\n', [message('a')]],
    ['data:  a\n\n', [message(' a')]],
    ['data: a\ndata: b\n\n', [message('a\nb')]],
    ['data\n\n', [message('')]],
    ['data: a\r\n\r\ndata: b\r\rdata: c\n\n', [message('a'), message('b'), message('c')]],
    [': comment\n\n:\n\ndata: a\n\n', [message('a')]],
    ['event: ping\n\ndata: a\n\n', [message('a')]],
    ['event: x\ndata: a\n\ndata: b\n\n', [{ event: 'x', data: 'a', id: undefined }, message('b')]],
    [
      'id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n',
      [message('a', '1'), message('b', '1'), message('c', '')],
    ],
    ['id: a\0b\ndata: a\n\n', [message('a')]],
    ['unknown: x\ndata: a\n\n', [message('a')]],
    ['data: a\n', []],
    ['data: a', []],
    ['\ufeffdata: a\n\n', [message('a')]],
    ['\n\ufeffdata: a\n\n', []],
  ])('reads %j', (text, expected) => {
    expect(eventsOf(text)).toEqual(expected);
  });

  it('tells ids and retry times as they come', () => {
    const { parser, retries, ids, events } = reading();
    parser.push(encoder.encode('id: 7\nretry: 1500\n\nretry: soon\nretry: -1\nretry:\n\n'));
    expect(ids).toEqual(['7']);
    expect(retries).toEqual([1500]);
    expect(events).toEqual([]);
    expect(parser.lastEventId).toBe('7');
  });

  it('gives the same events for every one and two cuts', () => {
    const text = '\ufeffid: 1\r\ndata: 世界 👍\r\ndata: b\r\n\r\n: c\rdata: d\r\revent: e\ndata: f\n\n';
    const bytes = encoder.encode(text);
    const expected = eventsOf(text);
    expect(expected).toHaveLength(3);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const { parser, events } = reading();
        for (const part of [bytes.subarray(0, first), bytes.subarray(first, second)]) {
          parser.push(part);
        }
        parser.push(bytes.subarray(second));
        expect(events).toEqual(expected);
      }
    }
  });

  it('skips an event over the limit as a whole and reads the next', () => {
    const { parser, events, errors } = reading(10);
    parser.push(encoder.encode(`data: 12345\ndata: 123456\ndata: x\n\ndata: 1234567890\n\n`));
    parser.push(encoder.encode(`data: ${'x'.repeat(50)}\ndata: y\n\ndata: ok\n\n`));
    expect(events.map(({ data }) => data)).toEqual(['1234567890', 'ok']);
    expect(errors).toMatchObject([
      { code: 'message_too_large', data: { limitBytes: 10 } },
      { code: 'message_too_large' },
    ]);
  });

  it('scans each byte of a 20 MB event once for each line end', () => {
    const chunk = new Uint8Array(1024).fill(0x61);
    let scanned = 0;
    chunk.indexOf = (value: number, from = 0) => {
      scanned += chunk.length - from;
      return Uint8Array.prototype.indexOf.call(chunk, value, from);
    };
    const { parser, events } = reading(32 * 1024 * 1024);
    parser.push(encoder.encode('data: '));
    const chunks = 20 * 1024;
    for (let index = 0; index < chunks; index += 1) parser.push(chunk);
    parser.push(encoder.encode('\n\n'));
    expect(events[0]?.data).toHaveLength(chunks * 1024);
    expect(scanned).toBe(2 * chunks * 1024);
  });

  it('never throws on any bytes', () => {
    const property = fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), (chunks) => {
      const { parser } = reading(20);
      for (const chunk of chunks) parser.push(chunk);
      parser.end();
    });
    fc.assert(property, { seed: 5, numRuns: 500 });
  });
});
