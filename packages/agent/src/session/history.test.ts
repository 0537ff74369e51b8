import type { ContentBlockParam } from '@anthropic-ai/sdk/resources';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestProblem } from '../../../../testing/scripted-model-checks.ts';
import { validHistory } from './history.ts';
import type { SessionEntry } from './session-store.ts';

const user = (...content: ContentBlockParam[]): SessionEntry => ({
  type: 'user',
  uuid: 'u',
  origin: 'prompt',
  content,
});
const assistant = (...content: ContentBlockParam[]): SessionEntry => ({
  type: 'assistant',
  uuids: [],
  messageId: 'm',
  model: 'x',
  content,
  stopReason: null,
});
const words = (text: string): ContentBlockParam => ({ type: 'text', text });
const use = (id: string): ContentBlockParam => ({ type: 'tool_use', id, name: 't', input: {} });
const result = (id: string, content = 'ok'): ContentBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

const block = fc.oneof(
  fc.constantFrom('', ' ', 'a', 'b').map(words),
  fc.constantFrom('1', '2', '3').map(use),
  fc.constantFrom('1', '2', '3').map((id) => result(id)),
);
const userBlock = block.filter((item) => item.type !== 'tool_use');
const assistantBlock = block.filter((item) => item.type !== 'tool_result');
const entry = fc.oneof(
  fc.array(userBlock, { maxLength: 4 }).map((content) => user(...content)),
  fc.array(assistantBlock, { maxLength: 4 }).map((content) => assistant(...content)),
);

describe('validHistory', () => {
  it('G166 makes any record one that the provider accepts', () => {
    expect(
      validHistory([
        user(words('go')),
        assistant(words('let me see'), use('1'), use('2')),
        user(words('meanwhile')),
        user(result('2'), result('9')),
        user(words('')),
        assistant(use('3')),
      ]),
    ).toEqual([
      { role: 'user', content: [words('go')] },
      { role: 'assistant', content: [words('let me see'), use('1'), use('2')] },
      {
        role: 'user',
        content: [
          expect.objectContaining({
            tool_use_id: '1',
            is_error: true,
            content: [words(expect.stringMatching(/^\[interrupted\]/) as string)],
          }),
          result('2'),
          words('meanwhile'),
        ],
      },
      { role: 'assistant', content: [use('3')] },
      { role: 'user', content: [expect.objectContaining({ tool_use_id: '3', is_error: true })] },
    ]);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
        const messages = validHistory([...entries, user(words('now'))]);
        expect(requestProblem({ model: 'm', max_tokens: 1, messages })).toBe(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps each result that was given, once', () => {
    fc.assert(
      fc.property(fc.subarray(['1', '2', '3']), (answered) => {
        const entries = [
          user(words('go')),
          assistant(use('1'), use('2'), use('3')),
          ...answered.toReversed().map((id) => user(result(id, `r${id}`))),
        ];
        const content = validHistory(entries)[2]?.content ?? [];
        expect(content.map((item) => item.type === 'tool_result' && item.tool_use_id)).toEqual([
          '1',
          '2',
          '3',
        ]);
        const kept = content.filter((item) => item.type === 'tool_result' && item.is_error !== true);
        expect(kept).toHaveLength(answered.length);
      }),
    );
  });
});
