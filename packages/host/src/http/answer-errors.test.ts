import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createQuietLog } from '../../../../testing/quiet-log.ts';
import { HostError } from '../errors.ts';
import type { HostErrorCode } from '../errors.ts';
import { answerError } from './answer-errors.ts';

const answerOf = async (error: Error): Promise<{ status: number; text: string }> => {
  const app = new Hono();
  const log = createQuietLog();
  app.onError((thrown, context) => answerError(thrown, context, log));
  app.get('/', () => {
    throw error;
  });
  const response = await app.request('/');
  expect(log.lines).toHaveLength(response.status >= 500 ? 1 : 0);
  return { status: response.status, text: await response.text() };
};

describe('answerError', () => {
  it.each<[HostErrorCode, number, string]>([
    ['database_full', 500, 'The disk is full'],
    ['database_busy', 500, 'Another program holds the database'],
    ['database_corrupt', 500, 'The database is damaged'],
    ['database_unusable', 500, 'The database cannot be written'],
    ['database_closed', 500, 'Portico is ending'],
    ['unsupported_value', 400, 'cannot be stored'],
    ['database_failed', 500, 'Its log says what'],
  ])('says what %s means to the person, without a detail', async (code, status, sentence) => {
    const { status: given, text } = await answerOf(new HostError(code, { message: 'secret /data/path' }));
    expect([given, text]).toEqual([status, expect.stringContaining(sentence)]);
    expect(text).not.toContain('secret');
  });
});
