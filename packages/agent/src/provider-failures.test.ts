import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options, RetryNotice } from '@portico/agent';
import type { AgentError } from '@portico/agent/provider';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { assistantText, collect, resultOf, toolResultsOf } from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import {
  answer,
  badRequest,
  cut,
  hold,
  overloaded,
  rateLimited,
  say,
  text,
  toolUse,
  unauthorized,
} from '../../../testing/scripted-reply.ts';
import type { ScriptedReply } from '../../../testing/scripted-reply.ts';

/** Plays a script with a clock that runs through every wait. */
async function run(script: readonly ScriptedReply[], options: Options = {}) {
  const clock = createManualClock();
  const errors: AgentError[] = [];
  const retries: RetryNotice[] = [];
  const provider = createScriptedProvider(script);
  const portico = {
    provider,
    clock,
    onProviderError: (error: AgentError) => errors.push(error),
    onRetry: (notice: RetryNotice) => retries.push(notice),
    ...options.portico,
  };
  const reading = collect(query({ prompt: 'go', options: { ...options, portico } }));
  for (let round = 0; round < 10; round++) await clock.advance(31_000);
  const messages = await reading;
  return { provider, errors, retries, messages, result: resultOf(messages) };
}

describe('a provider that fails', () => {
  it('ends in a synthetic answer, an error for the host and a result with is_error', async () => {
    const table = [
      [unauthorized('the key is wrong'), 'provider_auth'],
      [badRequest('the prompt is odd'), 'provider_bad_request'],
    ] as const;
    for (const [reply, code] of table) {
      const { messages, errors, result, provider } = await run([reply]);
      expect(provider.requests).toHaveLength(1);
      expect(errors.map((error) => error.code)).toEqual([code]);
      expect(messages.at(-2)).toMatchObject({ type: 'assistant', message: { model: '<synthetic>' } });
      expect(result).toMatchObject({
        subtype: 'success',
        is_error: true,
        num_turns: 0,
        result: reply.message,
      });
      expect(assistantText(messages)).toBe(reply.message);
    }
  });

  it('is asked again three times after 429 and server errors, with growing waits', async () => {
    for (const reply of [rateLimited(), overloaded()]) {
      const { provider, retries, errors, result } = await run([reply, reply, reply, reply, say('too late')]);
      expect(provider.requests).toHaveLength(4);
      expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      retries.forEach(({ waitMs, attempt }) => {
        expect(waitMs).toBeGreaterThanOrEqual(1000 * 2 ** (attempt - 1));
        expect(waitMs).toBeLessThanOrEqual(30_000);
      });
      expect(errors).toHaveLength(1);
      expect(result).toMatchObject({ subtype: 'success', is_error: true });
    }
  });

  it('waits as long as the provider asks, and gives up when that is more than a minute', async () => {
    const patient = await run([rateLimited(17), say('ok')]);
    expect(patient.retries.map(({ waitMs }) => waitMs)).toEqual([17_000]);
    expect(patient.result).toMatchObject({ result: 'ok', is_error: false, num_turns: 1 });
    const impatient = await run([rateLimited(61), say('never')]);
    expect(impatient.provider.requests).toHaveLength(1);
    expect(impatient.errors).toMatchObject([
      { code: 'provider_rate_limited', data: { retryAfterMs: 61_000 } },
    ]);
  });

  it('ends a wait at once when it is interrupted', async () => {
    const waiting = hold();
    const clock = createManualClock();
    const provider = createScriptedProvider([rateLimited(), say('never')]);
    const running = query({
      prompt: 'go',
      options: { portico: { provider, clock, onRetry: () => void waiting.pass() } },
    });
    const reading = collect(running);
    await waiting.reached;
    await running.interrupt();
    expect(resultOf(await reading).subtype).toBe('error_during_execution');
    expect(provider.requests).toHaveLength(1);
  });

  it('keeps text of a stream that is cut, drops half a tool use, and asks nothing again', async () => {
    const half = { type: 'tool_use', name: 'mcp__a__t', parts: ['{"a":', cut()] } as const;
    const { provider, errors, messages, result } = await run([answer(text('so far'), half)]);
    expect(provider.requests).toHaveLength(1);
    expect(errors.map((error) => error.code)).toEqual(['provider_stream_cut']);
    expect(messages[1]).toMatchObject({ message: { content: [{ text: 'so far' }] } });
    expect(toolResultsOf(messages)).toEqual([]);
    expect(result).toMatchObject({ is_error: true, num_turns: 1 });
  });

  it('answers a tool use that was whole when the stream broke', async () => {
    const { messages } = await run([answer(toolUse('mcp__a__t', {}, 't1'), cut())]);
    expect(toolResultsOf(messages)).toMatchObject([{ id: 't1', isError: true }]);
  });

  it('counts as broken when it is silent for a minute', async () => {
    const { errors, result } = await run([say('one', hold(), 'two')]);
    expect(errors.map((error) => error.code)).toEqual(['provider_stream_cut']);
    expect(result.is_error).toBe(true);
  });

  it('G180 hands over to the fallback model after three overload answers, for one turn', async () => {
    const warnings: string[] = [];
    const clock = createManualClock();
    const provider = createScriptedProvider([overloaded(), overloaded(), overloaded(), say('b'), say('a')]);
    async function* prompts() {
      const message = { role: 'user', content: 'go' } as const;
      yield await Promise.resolve({
        type: 'user',
        session_id: '',
        parent_tool_use_id: null,
        message,
      } as const);
      await first.reached;
      yield await Promise.resolve({
        type: 'user',
        session_id: '',
        parent_tool_use_id: null,
        message,
      } as const);
    }
    const first = hold();
    const running = query({
      prompt: prompts(),
      options: {
        model: 'main',
        fallbackModel: 'spare',
        stderr: (line) => warnings.push(line),
        portico: { provider, clock },
      },
    });
    const reading = (async () => {
      const results = [];
      for await (const message of running) {
        if (message.type !== 'result') continue;
        results.push(message);
        void first.pass();
      }
      return results;
    })();
    for (let round = 0; round < 5; round++) await clock.advance(31_000);
    const results = await reading;
    expect(provider.requests.map(({ model }) => model)).toEqual(['main', 'main', 'main', 'spare', 'main']);
    expect(Object.keys(results[1]?.modelUsage ?? {})).toEqual(['spare', 'main']);
    expect(warnings).toHaveLength(1);
    const equal = query({ prompt: 'go', options: { model: 'x', fallbackModel: 'x', portico: { provider } } });
    await expect(equal.next()).rejects.toMatchObject({ code: 'invalid_option' });
  });

  it('treats whatever else a provider throws as unreachable', async () => {
    const errors: AgentError[] = [];
    const provider = {
      name: 'odd',
      defaultModel: 'm',
      stream: () => {
        throw new TypeError('fetch failed');
      },
    };
    const options = {
      portico: { provider, onProviderError: (error: AgentError) => void errors.push(error) },
    };
    expect(resultOf(await collect(query({ prompt: 'go', options }))).is_error).toBe(true);
    expect(errors.map(({ code }) => code)).toEqual(['provider_unreachable']);
  });

  it('says which settings are missing when there is no provider and no credentials', async () => {
    const messages = await collect(query({ prompt: 'go' }));
    expect(resultOf(messages)).toMatchObject({ is_error: true, num_turns: 0 });
    expect(assistantText(messages)).toContain('ANTHROPIC_API_KEY');
  });
});

describe('answers that stop early', () => {
  it('G44 continues an answer at the token limit three times and drops a tool use that was cut', async () => {
    const limited = (words: string) => ({ ...say(words), stopReason: 'max_tokens' });
    const once = await run([limited('one '), say('two')]);
    expect(once.provider.requests).toHaveLength(2);
    expect(once.result).toMatchObject({ result: 'two', is_error: false });
    expect(once.messages.some((message) => message.type === 'user' && message.isSynthetic === true)).toBe(
      true,
    );
    const endless = await run(Array.from({ length: 6 }, () => limited('more')));
    expect(endless.provider.requests).toHaveLength(4);
    expect(endless.result).toMatchObject({ subtype: 'success', is_error: true });
    const half = { type: 'tool_use', name: 'mcp__a__t', parts: ['{"a":'] } as const;
    const dropped = await run([{ ...answer(text('x'), half), stopReason: 'max_tokens' }, say('y')]);
    expect(JSON.stringify(dropped.messages)).not.toContain('"type":"tool_use"');
    expect(dropped.result).toMatchObject({ result: 'y', is_error: false });
  });

  it('G45 ends at a refusal without asking again and sends a paused turn back as it is', async () => {
    const refused = await run([{ ...answer(), stopReason: 'refusal' }, say('never')]);
    expect(refused.provider.requests).toHaveLength(1);
    expect(refused.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: expect.stringContaining('declined') as string,
    });
    const paused = await run([{ ...say('so far'), stopReason: 'pause_turn' }, say('done')]);
    expect(paused.provider.requests[1]?.messages.at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'so far' }],
    });
    expect(paused.result).toMatchObject({ result: 'done', is_error: false });
  });
});
