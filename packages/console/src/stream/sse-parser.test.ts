import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSseParser } from './sse-parser.ts';

const STREAM =
  'retry: 1000\n\n: alive\n\nid: 7\ndata: {"a":1}\n\nid: 8\r\ndata: one\r\ndata: two\r\n\r\ndata:last\n\nid: 9\n\n';
const MESSAGES = [
  { id: '7', data: '{"a":1}' },
  { id: '8', data: 'one\ntwo' },
  { id: '8', data: 'last' },
];

it('reads the same messages wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 30 }), (cuts) => {
      const places = [0, ...[...cuts].sort((a, b) => a - b), STREAM.length];
      const parser = createSseParser();
      const read = places
        .slice(1)
        .flatMap((end, index) => parser.push(STREAM.slice(places[index] ?? 0, end)));
      expect(read).toEqual(MESSAGES);
    }),
  );
});

it('notices a line or message that grows without end', () => {
  const line = createSseParser(100);
  line.push(`data: ${'x'.repeat(200)}`);
  expect(line.overflowed).toBe(true);
  const lines = createSseParser(100);
  for (let count = 0; count < 40; count++) lines.push('data: xxxxx\n');
  expect(lines.overflowed).toBe(true);
});

it('stays within its bound over many ordinary messages', () => {
  const parser = createSseParser(100);
  for (let count = 0; count < 1000; count++) parser.push(`id: ${count}\ndata: some text\n\n`);
  expect(parser.overflowed).toBe(false);
});
