import { describe, expect, it } from 'vitest';
import { boundedResult } from './bounded-result.ts';

const text = (length: number) => ({ type: 'text' as const, text: 'x'.repeat(length) });

describe('boundedResult', () => {
  it('keeps a result that fits as it is', () => {
    const result = { content: [text(10)], structuredContent: { a: 1 }, isError: true, _meta: { trace: 1 } };
    expect(boundedResult(result)).toEqual(result);
  });

  it('cuts text and leaves out what does not fit, with a note, and stays within the bound', () => {
    const image = { type: 'image' as const, data: 'A'.repeat(50_000), mimeType: 'image/png' };
    const bounded = boundedResult({ content: [text(100), image, text(30_000)] }, 20_000);
    expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(20_000);
    expect(bounded.content.map(({ type }) => type)).toEqual(['text', 'text', 'text']);
    expect(bounded.content[0]).toEqual(text(100));
    expect(bounded.content.at(-1)).toMatchObject({ text: expect.stringContaining('2 of 3 parts') });
  });

  it('counts escapes, which make JSON longer than text', () => {
    const bounded = boundedResult({ content: [{ type: 'text', text: '\u0001'.repeat(20_000) }] }, 20_000);
    expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(20_000);
  });

  it('leaves structured content out when the rest needs the room', () => {
    const bounded = boundedResult({ content: [], structuredContent: { big: 'x'.repeat(50_000) } }, 20_000);
    expect(bounded.structuredContent).toBeUndefined();
    expect(bounded.content.length).toBe(1);
  });
});
