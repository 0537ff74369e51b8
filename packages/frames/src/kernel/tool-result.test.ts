import { describe, expect, it } from 'vitest';
import { createKernelHarness, outcomeOf } from '../../../../testing/frame-kernel.ts';

const deliver = async (result: unknown): Promise<{ value?: unknown; error?: Record<string, unknown> }> => {
  const harness = createKernelHarness();
  harness.init();
  const call = harness.mcp.callTool('Acme', 't');
  harness.reply(harness.sent[0]?.id, result);
  return (await outcomeOf(call)) as { value?: unknown; error?: Record<string, unknown> };
};
const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };

describe('a result for the page', () => {
  it('F76 keeps the order and fields of blocks, of unknown kinds too', async () => {
    const content = [text('a'), image, { type: 'hologram', depth: 3 }];
    expect(await deliver({ content })).toEqual({ value: { content, payload: 'a' } });
  });

  it.each([{ a: 1 }, 0, false, null, ''])(
    'F77 takes the structured output %j as payload',
    async (structuredContent) => {
      const { value } = await deliver({ content: [text('"text"')], structuredContent });
      expect(value).toHaveProperty('payload', structuredContent);
    },
  );

  it.each([
    [[text('{"a":1}')], { a: 1 }],
    [[text('42')], 42],
    [[text('null')], null],
    [[text('hello')], 'hello'],
    [[text('')], ''],
    [[image, text('[1]'), text('2')], [1]],
  ])('F78 decodes the first text of %j', async (content, payload) => {
    expect((await deliver({ content })).value).toHaveProperty('payload', payload);
    expect('payload' in ((await deliver({ content: [image] })).value as object)).toBe(false);
    expect('payload' in ((await deliver({ content: [] })).value as object)).toBe(false);
  });

  it('F79 computes payload itself and adds nothing to blocks', async () => {
    const { value } = await deliver({ content: [text('{"a":1}')], payload: 'forged' });
    expect(value).toEqual({ content: [text('{"a":1}')], payload: { a: 1 } });
  });

  it.each([true, { storedAt: 'x', revalidating: true }, { storedAt: 1 }, null])(
    'drops the marker %j',
    async (cache) => {
      expect('cache' in ((await deliver({ content: [], cache })).value as object)).toBe(false);
    },
  );

  it('F45 rejects with tool_error, its text and the whole envelope', async () => {
    const envelope = { content: [image, text('Disk full')], isError: true, _meta: { x: 1 } };
    const { error } = await deliver(envelope);
    expect({ ...error }).toEqual({
      name: 'McpError',
      message: 'Disk full',
      code: 'tool_error',
      server: 'Acme',
      result: envelope,
    });
    const silent = await deliver({ content: [], isError: true });
    expect(silent.error?.['message']).toMatch(/./);
    expect('isError' in ((await deliver({ content: [], isError: false })).value as object)).toBe(false);
  });

  it.each([['a bare string'], [['a', 'list']]])('delivers %j unchanged', async (result) => {
    expect(await deliver(result)).toEqual({ value: result });
  });

  it('lets no key of a result reach a prototype', async () => {
    const { value } = await deliver(JSON.parse('{"content":[],"__proto__":{"polluted":1}}'));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
  });

  it('survives answers that are no messages', async () => {
    const harness = createKernelHarness();
    harness.init();
    const call = harness.mcp.callTool('Acme', 't');
    for (const message of [
      null,
      5,
      'x',
      [],
      {},
      { id: {} },
      { method: 'frame/unknown' },
      { method: 'frame/hold' },
    ]) {
      harness.post(message);
    }
    expect(await outcomeOf(call)).toBe('pending');
  });
});
