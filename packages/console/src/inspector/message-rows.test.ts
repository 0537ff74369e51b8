import { describe, expect, it } from 'vitest';
import { filterRows, toMessageRows, toNdjson } from './message-rows.ts';

type Entry = Parameters<typeof toMessageRows>[0][number];

let second = 0;
const entry = (direction: Entry['direction'], message: object): Entry => ({
  serverId: 'a',
  direction,
  time: new Date(1_700_000_000_000 + 1_000 * second++).toISOString(),
  message: { jsonrpc: '2.0', ...message } as Entry['message'],
});

const call = entry('sent', { id: 1, method: 'tools/call', params: { name: 'echo' } });
const listing = entry('sent', { id: 2, method: 'tools/list' });
const progress = entry('received', {
  method: 'notifications/progress',
  params: { progress: 1, total: 4, message: 'first' },
});
const log = entry('received', {
  method: 'notifications/message',
  params: { level: 'error', logger: 'disk', data: { free: 0 } },
});
const listed = entry('received', { id: 2, result: { tools: [{}, {}] } });
const answer = entry('received', { id: 1, result: { content: [{}], isError: true } });
const asks = entry('received', { id: 1, method: 'sampling/createMessage', params: {} });
const refusal = entry('sent', { id: 1, error: { code: -32601, message: 'no' } });
const stray = entry('received', { id: 99, result: {} });
const ENTRIES = [call, listing, progress, log, listed, answer, asks, refusal, stray];

describe('messages as rows', () => {
  it('tell of an answer what it answers and how long that took, each side with numbers of its own', () => {
    const rows = toMessageRows(ENTRIES).map(({ kind, method, id, tookMs }) => [kind, method, id, tookMs]);
    expect(rows).toEqual([
      ['request', 'tools/call', '1', undefined],
      ['request', 'tools/list', '2', undefined],
      ['notification', 'notifications/progress', undefined, undefined],
      ['notification', 'notifications/message', undefined, undefined],
      ['result', 'tools/list', '2', 3_000],
      ['result', 'tools/call', '1', 5_000],
      ['request', 'sampling/createMessage', '1', undefined],
      ['error', 'sampling/createMessage', '1', 1_000],
      ['result', undefined, '99', undefined],
    ]);
  });

  it('say in a few words what is in them', () => {
    const rows = toMessageRows(ENTRIES);
    expect(rows.map(({ gist }) => gist)).toEqual([
      'echo',
      '',
      '1 / 4 first',
      'disk: {"free":0}',
      'tools: 2',
      'isError',
      '',
      '-32601 no',
      '',
    ]);
    expect(rows[3]?.level).toBe('error');
  });

  it('hold what a peer makes up: wrong types, huge texts, no members at all', () => {
    const odd = [
      entry('received', { method: 'notifications/message', params: { level: 7, data: 'x'.repeat(10_000) } }),
      entry('received', { id: {}, result: null }),
      entry('received', { id: 1, error: 'no object' }),
      entry('received', { method: 'notifications/progress' }),
    ];
    const rows = toMessageRows(odd);
    expect(rows.map(({ gist }) => gist.length <= 201)).toEqual([true, true, true, true]);
    expect(rows[0]).not.toHaveProperty('level');
  });
});

describe('what is looked for', () => {
  const rows = toMessageRows(ENTRIES);
  const found = (text: string, direction: 'all' | 'sent' | 'received' = 'all') =>
    filterRows(rows, { text, direction }).map((row) => row.entry);

  it('is found in methods, of answers too, and anywhere inside', () => {
    expect(found('TOOLS/LIST')).toEqual([listing, listed]);
    expect(found('disk')).toEqual([log]);
    expect(found('')).toHaveLength(ENTRIES.length);
    expect(found('nowhere')).toEqual([]);
  });

  it('is narrowed by direction', () => {
    expect(found('', 'sent')).toEqual([call, listing, refusal]);
    expect(found('tools', 'received')).toEqual([listed, answer]);
  });
});

describe('messages to take away', () => {
  it('are one JSON object a line, with time and direction', () => {
    const lines = toNdjson([call, log]).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: call.time, direction: 'sent', message: call.message },
      { time: log.time, direction: 'received', message: log.message },
    ]);
  });
});
