import { describe, expect, it } from 'vitest';
import { AbortError, query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { createMemorySessionStore } from '@portico/agent/session';
import { fakeTools, textResult } from '../../../testing/fake-tools.ts';
import {
  assistantText,
  collect,
  promptChannel,
  readUntil,
  resultOf,
  toolResultsOf,
} from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import type { ScriptedProvider } from '../../../testing/scripted-provider.ts';
import { answer, call, hold, say, text, toolUse } from '../../../testing/scripted-reply.ts';

const never = (): Promise<never> => new Promise(() => {});

function bypass(provider: ScriptedProvider, options: Options = {}): Options {
  return {
    permissionMode: 'bypassPermissions',
    ...options,
    portico: { provider, ...options.portico },
  };
}

describe('interrupt()', () => {
  it('keeps text received so far and goes on in the next turn', async () => {
    const gate = hold();
    const channel = promptChannel();
    const provider = createScriptedProvider([say('Once upon', gate, ' a time'), say('fresh')]);
    const running = query({ prompt: channel, options: bypass(provider) });
    channel.push('tell');
    const read = readUntil(running, (message) => message.type === 'result');
    await gate.reached;
    await running.interrupt();
    const messages = await read;
    expect(assistantText(messages)).toBe('Once upon');
    expect(resultOf(messages)).toMatchObject({ subtype: 'error_during_execution', is_error: true });
    const note = messages.at(-2);
    expect(note).toMatchObject({ type: 'user', isSynthetic: true });
    channel.push('again');
    channel.end();
    expect(resultOf(await collect(running))).toMatchObject({ subtype: 'success', result: 'fresh' });
    expect(provider.requests[1]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('answers a call that is done and one that runs, and the history stays valid', async () => {
    const channel = promptChannel();
    const running2 = hold();
    const tools = fakeTools(
      { name: 'mcp__a__done', annotations: { readOnlyHint: true } },
      {
        name: 'mcp__a__runs',
        annotations: { readOnlyHint: true },
        run: async () => {
          await running2.pass();
          return textResult('too late');
        },
      },
    );
    const provider = createScriptedProvider([
      answer(toolUse('mcp__a__done', {}, 't1'), toolUse('mcp__a__runs', {}, 't2')),
      say('fresh'),
    ]);
    const running = query({
      prompt: channel,
      options: bypass(provider, { portico: { toolSources: [tools] } }),
    });
    channel.push('go');
    const first = await readUntil(running, (message) => message.type === 'user');
    await running2.reached;
    await running.interrupt();
    const messages = [...first, ...(await readUntil(running, (message) => message.type === 'result'))];
    expect(toolResultsOf(messages)).toMatchObject([
      { id: 't1', isError: false, text: 'ran mcp__a__done' },
      { id: 't2', isError: true, text: expect.stringMatching(/^\[interrupted\]/) as string },
    ]);
    expect(tools.calls[1]?.options.signal.aborted).toBe(true);
    channel.push('again');
    channel.end();
    expect(resultOf(await collect(running))).toMatchObject({ subtype: 'success', result: 'fresh' });
  });

  it('changes nothing between turns and after the end', async () => {
    const channel = promptChannel();
    const provider = createScriptedProvider([say('1'), say('2')]);
    const running = query({ prompt: channel, options: bypass(provider) });
    await running.interrupt();
    channel.push('a');
    await readUntil(running, (message) => message.type === 'result');
    await running.interrupt();
    channel.push('b');
    channel.end();
    expect(resultOf(await collect(running))).toMatchObject({ subtype: 'success', result: '2' });
    await running.interrupt();
  });

  it('works for a text prompt, also when the reader awaits it inside its own loop', async () => {
    const provider = createScriptedProvider([answer(text('x'), toolUse('mcp__a__t', {}, 't1'))]);
    const tools = fakeTools({ name: 'mcp__a__t', run: never });
    const running = query({ prompt: 'go', options: bypass(provider, { portico: { toolSources: [tools] } }) });
    const messages = [];
    for await (const message of running) {
      messages.push(message);
      if (message.type === 'assistant' && message.message.stop_reason === 'tool_use')
        await running.interrupt();
    }
    expect(resultOf(messages).subtype).toBe('error_during_execution');
  });

  it('G52 leaves a history that the provider accepts, whenever it comes', async () => {
    const script = [
      answer(
        { type: 'thinking', thinking: 'hm', signature: 's' },
        text('one', ' two'),
        toolUse('mcp__a__t', { a: 1 }, 't1'),
        { type: 'tool_use', name: 'mcp__a__t', id: 't2', parts: ['{"b":', '2}'] },
      ),
      say('after the tools'),
      say('fresh'),
    ];
    for (let at = 0; at < 24; at++) {
      const channel = promptChannel();
      const tools = fakeTools({ name: 'mcp__a__t' });
      let done = 0;
      const provider = createScriptedProvider((_request, index) => script[index + done] ?? say('fresh'));
      const running = query({
        prompt: channel,
        options: bypass(provider, { includePartialMessages: true, portico: { toolSources: [tools] } }),
      });
      channel.push('go');
      let seen = 0;
      await readUntil(running, (message) => {
        if (seen++ === at) void running.interrupt();
        return message.type === 'result';
      });
      done = 2;
      channel.push('and now');
      channel.end();
      const result = resultOf(await collect(running));
      expect(result, `interrupted at message ${at}`).toMatchObject({ subtype: 'success', is_error: false });
    }
  });
});

describe('abort and early leave', () => {
  it('rejects with AbortError, asks nothing more, and keeps a valid history', async () => {
    const store = createMemorySessionStore();
    const abortController = new AbortController();
    const gate = hold();
    const tools = fakeTools({
      name: 'mcp__a__t',
      run: async () => {
        await gate.pass();
        return textResult('late');
      },
    });
    const provider = createScriptedProvider([call('mcp__a__t', {}, 't1')]);
    const running = query({
      prompt: 'go',
      options: bypass(provider, {
        abortController,
        portico: { toolSources: [tools], sessionStore: store, sessionId: 's' },
      }),
    });
    const reading = collect(running);
    await gate.reached;
    abortController.abort();
    await expect(reading).rejects.toBeInstanceOf(AbortError);
    await expect(running.next()).resolves.toEqual({ done: true, value: undefined });
    expect(provider.requests).toHaveLength(1);
    const next = createScriptedProvider([say('fine')]);
    const resumed = await collect(
      query({ prompt: 'again', options: bypass(next, { portico: { sessionStore: store, sessionId: 's' } }) }),
    );
    expect(resultOf(resumed)).toMatchObject({ result: 'fine', is_error: false });
  });

  it('G6 throws AbortError, an Error of that name, before any request when aborted beforehand', async () => {
    const abortController = new AbortController();
    abortController.abort();
    const provider = createScriptedProvider([say('x')]);
    const running = query({ prompt: 'go', options: bypass(provider, { abortController }) });
    const error: unknown = await running.next().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(provider.requests).toEqual([]);
  });

  it('G93 aborts the signal of a permission question and ignores its late answer', async () => {
    const signals: AbortSignal[] = [];
    const provider = createScriptedProvider([call('mcp__a__t', {}, 't1')]);
    const tools = fakeTools({ name: 'mcp__a__t' });
    const asked = hold();
    const late = hold();
    const running = query({
      prompt: 'go',
      options: {
        canUseTool: async (_name, input, { signal }) => {
          signals.push(signal);
          void asked.pass();
          await late.pass();
          return { behavior: 'allow', updatedInput: input };
        },
        portico: { provider, toolSources: [tools] },
      },
    });
    const reading = collect(running);
    await asked.reached;
    await running.interrupt();
    late.release();
    expect(resultOf(await reading).subtype).toBe('error_during_execution');
    expect(signals[0]?.aborted).toBe(true);
    expect(tools.calls).toEqual([]);
  });

  it('G31 ends the run when the reader leaves the loop', async () => {
    const gate = hold();
    const provider = createScriptedProvider([say('one', gate), say('two')]);
    const running = query({ prompt: 'go', options: bypass(provider, { includePartialMessages: true }) });
    for await (const message of running) if (message.type === 'stream_event') break;
    gate.release();
    await expect(running.next()).resolves.toEqual({ done: true, value: undefined });
    expect(provider.requests).toHaveLength(1);
    const tools = fakeTools({ name: 'mcp__a__t', run: never });
    const second = query({
      prompt: 'go',
      options: bypass(createScriptedProvider([call('mcp__a__t')]), { portico: { toolSources: [tools] } }),
    });
    await readUntil(second, (message) => message.type === 'assistant');
    await expect(second.return()).resolves.toEqual({ done: true, value: undefined });
    expect(tools.calls.every(({ options }) => options.signal.aborted)).toBe(true);
  });
});
