import { describe, expect, it } from 'vitest';
import { samplingMessagesFault } from './sampling-messages.ts';
import type { SamplingMessage } from './sampling.ts';

const words = { type: 'text' as const, text: 'hi' };
const use = (id: string) => ({ type: 'tool_use' as const, id, name: 't', input: {} });
const result = (toolUseId: string) => ({ type: 'tool_result' as const, toolUseId, content: [] });
const user = (...content: SamplingMessage['content'][]): SamplingMessage => ({
  role: 'user',
  content: content.flat(),
});
const assistant = (...content: SamplingMessage['content'][]): SamplingMessage => ({
  role: 'assistant',
  content: content.flat(),
});

describe('a conversation for a model', () => {
  it.each<[string, SamplingMessage[]]>([
    ['nothing', []],
    ['single blocks', [{ role: 'user', content: words }, assistant(words)]],
    ['a use and its result', [user(words), assistant(words, use('1')), user(result('1'))]],
    [
      'two uses, results in any order',
      [assistant(use('1'), use('2')), user(result('2'), result('1')), user(words)],
    ],
  ])('keeps the rules with %s', (_name, messages) => {
    expect(samplingMessagesFault(messages)).toBeUndefined();
  });

  it.each<[string, SamplingMessage[]]>([
    ['a use without result', [user(words), assistant(use('1'))]],
    ['a use whose result comes late', [assistant(use('1')), user(words), user(result('1'))]],
    ['a result without use', [user(result('1'))]],
    ['a result of another use', [assistant(use('1')), user(result('2'))]],
    ['one of two results', [assistant(use('1'), use('2')), user(result('1'))]],
    ['a result beside words', [assistant(use('1')), user(result('1'), words)]],
    ['a result by the assistant', [assistant(use('1')), assistant(result('1'))]],
    ['a use by the user', [user(use('1')), user(result('1'))]],
  ])('breaks them with %s', (_name, messages) => {
    expect(samplingMessagesFault(messages)).toEqual(expect.any(String));
  });
});
