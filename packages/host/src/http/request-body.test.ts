import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerError } from './answer-errors.ts';
import { readBody } from './request-body.ts';
import { createQuietLog } from '../../../../testing/quiet-log.ts';

const app = new Hono();
const log = createQuietLog();
app.onError((error, context) => answerError(error, context, log));
app.post('/', async (context) =>
  context.json(await readBody(context, z.looseObject({ n: z.number().optional() }), 10_000)),
);

const send = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') => {
  const response = await app.request('/', { method: 'POST', body, headers: { 'content-type': type } });
  const answer = (await response.json()) as { error?: { code: string; issues?: string[] } };
  return { status: response.status, answer };
};

describe('readBody', () => {
  it.each(['{"n": 1}', '', '  ', '{"a": "}}]]\\\\\\"[["}', `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`])(
    'takes %j',
    async (body) => {
      expect((await send(body)).status).toBe(200);
    },
  );

  it.each([
    ['no JSON', '{', [400, 'bad_request']],
    ['a list where an object belongs', '[]', [400, 'bad_request']],
    ['a value of the wrong type', '{"n": "1"}', [400, 'bad_request']],
    ['deep nesting', `${'['.repeat(65)}${']'.repeat(65)}`, [400, 'bad_request']],
    ['nesting that would overflow a stack', '['.repeat(9000), [400, 'bad_request']],
    ['nesting behind a string', `{"a\\\\": ${'['.repeat(80)}`, [400, 'bad_request']],
    ['a body over the limit', `{"a": "${'x'.repeat(10_000)}"}`, [413, 'too_large']],
  ])('refuses %s', async (_case, body, [status, code]) => {
    expect(await send(body)).toMatchObject({ status, answer: { error: { code } } });
  });

  it('says which field is wrong', async () => {
    expect((await send('{"n": "1"}')).answer.error?.issues).toEqual([expect.stringMatching(/^n: /)]);
  });

  it('refuses bytes that are no UTF-8', async () => {
    expect(await send(Uint8Array.of(0x7b, 0xff, 0x7d))).toMatchObject({ status: 400 });
  });

  it('refuses a body that breaks off, and does not take it for a fault of its own', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{'));
        controller.error(new Error('aborted'));
      },
    });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' }, duplex: 'half' };
    const before = log.lines.length;
    const response = await app.request('/', init as RequestInit);
    expect([response.status, log.lines.length]).toEqual([400, before]);
  });

  it.each(['text/plain', 'application/json5', 'application/x-www-form-urlencoded', ''])(
    'refuses the type %j',
    async (type) => {
      expect(await send('{}', type)).toMatchObject({ status: 415, answer: { error: { code: 'not_json' } } });
    },
  );

  it('takes the type with a charset and in any case', async () => {
    expect((await send('{}', 'Application/JSON; charset=utf-8')).status).toBe(200);
  });

  it('an unexpected failure tells the page nothing of itself', async () => {
    const failing = new Hono();
    failing.onError((error, context) => answerError(error, context, log));
    failing.get('/', () => {
      throw new Error('secret detail');
    });
    const response = await failing.request('/');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret detail');
    expect(JSON.stringify(log.lines)).toContain('secret detail');
  });
});
