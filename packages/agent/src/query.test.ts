import { describe, expect, it } from 'vitest';
import * as agent from '@portico/agent';
import { query } from '@portico/agent';
import type { Options, SDKMessage } from '@portico/agent';
import { fakeTools, textResult } from '../../../testing/fake-tools.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import {
  assistantText,
  collect,
  kindsOf,
  promptChannel,
  readUntil,
  resultOf,
  resultsOf,
  toolResultsOf,
} from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import type { ScriptedProvider } from '../../../testing/scripted-provider.ts';
import { answer, call, hold, say, text, toolUse } from '../../../testing/scripted-reply.ts';

const bypass = (provider: ScriptedProvider, options: Options = {}): Options => ({
  permissionMode: 'bypassPermissions',
  ...options,
  portico: { provider, ...options.portico },
});

describe('the message stream', () => {
  it('G1 has exactly six runtime exports', () => {
    expect(Object.keys(agent).sort()).toEqual(
      ['AbortError', 'EXIT_REASONS', 'HOOK_EVENTS', 'createSdkMcpServer', 'query', 'tool'].sort(),
    );
  });

  it('G7 returns at once an async generator with the control methods', () => {
    const running = query({ prompt: 'hi', options: bypass(createScriptedProvider([])) });
    expect(running[Symbol.asyncIterator]()).toBe(running);
    const methods = [
      'next',
      'return',
      'throw',
      'interrupt',
      'setPermissionMode',
      'setModel',
      'supportedCommands',
      'supportedModels',
      'mcpServerStatus',
    ] as const;
    expect(methods.filter((name) => typeof running[name] !== 'function')).toEqual([]);
    expect('then' in running).toBe(false);
  });

  it('G46 gives init, the answer and one result for a text prompt, then ends', async () => {
    const provider = createScriptedProvider([say('Hello')]);
    const messages = await collect(query({ prompt: 'hi', options: bypass(provider) }));
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(resultOf(messages)).toMatchObject({ result: 'Hello', is_error: false, num_turns: 1 });
    expect(provider.requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('G15 gives every message an id of its own and the same session', async () => {
    const tools = fakeTools({ name: 'mcp__a__t' });
    const provider = createScriptedProvider([call('mcp__a__t'), say('done')]);
    const options = bypass(provider, { includePartialMessages: true, portico: { toolSources: [tools] } });
    const messages = await collect(query({ prompt: 'hi', options }));
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(messages.filter((message) => !version4.test(message.uuid ?? ''))).toEqual([]);
    expect(new Set(messages.map((message) => message.uuid)).size).toBe(messages.length);
    expect(new Set(messages.map((message) => message.session_id)).size).toBe(1);
  });

  it('G20 makes each content block a message of its own with the id of the answer', async () => {
    const tools = fakeTools({ name: 'mcp__a__t' });
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' } as const;
    const provider = createScriptedProvider([
      answer(thinking, text('one'), toolUse('mcp__a__t', {}, 't1'), toolUse('mcp__a__t', {}, 't2')),
      say('done'),
    ]);
    const messages = await collect(
      query({ prompt: 'hi', options: bypass(provider, { portico: { toolSources: [tools] } }) }),
    );
    const first = messages.flatMap((message) =>
      message.type === 'assistant' && message.message.id === 'msg_scripted_0' ? [message] : [],
    );
    expect(first.map(({ message }) => message.content.map((block) => block.type))).toEqual([
      ['thinking'],
      ['text'],
      ['tool_use'],
      ['tool_use'],
    ]);
    expect(first.map(({ message }) => message.stop_reason)).toEqual([null, null, null, 'tool_use']);
    expect(first.map(({ parent_tool_use_id }) => parent_tool_use_id)).toEqual([null, null, null, null]);
    expect(new Set(first.map(({ message }) => `${message.model} ${message.role}`)).size).toBe(1);
    expect(provider.requests[1]?.messages[1]?.content[0]).toEqual(thinking);
  });

  it('delivers a finished block after 100 ms when the provider stalls', async () => {
    const gate = hold();
    const clock = createManualClock();
    const provider = createScriptedProvider([answer(text('one'), gate)]);
    const running = query({ prompt: 'hi', options: bypass(provider, { portico: { clock } }) });
    const read = readUntil(running, (message) => message.type === 'assistant');
    await gate.reached;
    await clock.advance(100);
    const [, assistant] = await read;
    expect(assistant).toMatchObject({ message: { content: [{ text: 'one' }], stop_reason: null } });
    gate.release();
    expect(resultOf(await collect(running)).subtype).toBe('success');
  });

  it('G26 passes raw events on in order only when asked to', async () => {
    const script = [answer(text('one ', 'two'), toolUse('mcp__a__t')), say('done')];
    const portico = { toolSources: [fakeTools({ name: 'mcp__a__t' })] };
    const without = await collect(
      query({ prompt: 'hi', options: bypass(createScriptedProvider(script), { portico }) }),
    );
    expect(without.filter((message) => message.type === 'stream_event')).toEqual([]);
    const messages = await collect(
      query({
        prompt: 'hi',
        options: bypass(createScriptedProvider(script), { includePartialMessages: true, portico }),
      }),
    );
    const events = messages.flatMap((message) => (message.type === 'stream_event' ? [message.event] : []));
    expect(events.some((event) => (event.type as string) === 'ping')).toBe(false);
    const deltas = events.map((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
    );
    expect(deltas.join('')).toBe(assistantText(messages));
    const afterBlocks = messages.flatMap((message, index) =>
      message.type === 'assistant' ? [messages[index + 1]] : [],
    );
    expect(afterBlocks.map((message) => message?.type === 'stream_event' && message.event.type)).toEqual([
      'content_block_stop',
      'content_block_stop',
      'content_block_stop',
    ]);
    expect(
      messages
        .flatMap((m) => (m.type === 'stream_event' ? [m.parent_tool_use_id] : []))
        .every((id) => id === null),
    ).toBe(true);
  });

  it('G29 delivers messages that survive JSON and are never altered later', async () => {
    const freeze = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const tools = fakeTools({ name: 'mcp__a__t' });
    const provider = createScriptedProvider([call('mcp__a__t', { deep: { list: [1] } }), say('done')]);
    const running = query({ prompt: 'hi', options: bypass(provider, { portico: { toolSources: [tools] } }) });
    const kept: { message: SDKMessage; json: string }[] = [];
    for await (const message of running) kept.push({ message, json: JSON.stringify(freeze(message)) });
    expect(kept.map(({ message }) => JSON.stringify(message))).toEqual(kept.map(({ json }) => json));
    expect(kept.map(({ json }) => JSON.parse(json) as unknown)).toEqual(kept.map(({ message }) => message));
  });

  it('G5 fixes the events and the reasons of an end', () => {
    expect(agent.HOOK_EVENTS).toEqual([
      'PreToolUse',
      'PostToolUse',
      'Notification',
      'UserPromptSubmit',
      'SessionStart',
      'SessionEnd',
      'Stop',
      'SubagentStop',
      'PreCompact',
    ]);
    expect(agent.EXIT_REASONS).toEqual(
      expect.arrayContaining(['clear', 'logout', 'prompt_input_exit', 'other']),
    );
    expect(() => (agent.HOOK_EVENTS as unknown as string[]).push('x')).toThrow(TypeError);
    expect(() => agent.EXIT_REASONS.push('x')).toThrow(TypeError);
  });
});

describe('turns of a streamed prompt', () => {
  it('G47 makes each message a turn, in order, and ends after the last', async () => {
    const channel = promptChannel();
    const provider = createScriptedProvider([say('1'), say('2'), say('3')]);
    const running = query({ prompt: channel, options: bypass(provider) });
    const messages: SDKMessage[] = [];
    for (const prompt of ['a', 'b', 'c']) {
      channel.push(prompt);
      messages.push(...(await readUntil(running, (message) => message.type === 'result')));
    }
    channel.end();
    messages.push(...(await collect(running)));
    expect(resultsOf(messages).map((result) => result.subtype === 'success' && result.result)).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(provider.requests[2]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('G47 waits for a tool that still runs after the prompts have ended', async () => {
    const channel = promptChannel();
    const gate = hold();
    const tools = fakeTools({
      name: 'mcp__a__t',
      run: async () => {
        channel.end();
        await gate.pass();
        return textResult('late but here');
      },
    });
    channel.push('go');
    const provider = createScriptedProvider([call('mcp__a__t'), say('done')]);
    const reading = collect(
      query({ prompt: channel, options: bypass(provider, { portico: { toolSources: [tools] } }) }),
    );
    await gate.reached;
    gate.release();
    const messages = await reading;
    expect(toolResultsOf(messages)[0]?.text).toBe('late but here');
    expect(resultOf(messages)).toMatchObject({ subtype: 'success', result: 'done' });
  });

  it('G49 adds a message that arrives during a tool to the next request', async () => {
    const channel = promptChannel();
    const tools = fakeTools({
      name: 'mcp__a__t',
      run: async () => {
        channel.push('one more thing');
        channel.end();
        return await Promise.resolve(textResult('ok'));
      },
    });
    const provider = createScriptedProvider([call('mcp__a__t', {}, 't1'), say('done')]);
    channel.push('go');
    const messages = await collect(
      query({ prompt: channel, options: bypass(provider, { portico: { toolSources: [tools] } }) }),
    );
    expect(resultsOf(messages)).toHaveLength(1);
    expect(provider.requests[1]?.messages.at(-1)?.content.map((block) => block.type)).toEqual([
      'tool_result',
      'text',
    ]);
    expect(provider.requests[1]?.messages.at(-1)?.content[1]).toMatchObject({ text: 'one more thing' });
  });

  it('G50 stops the turn and rejects with what the iterable threw', async () => {
    const channel = promptChannel();
    const lost = new Error('the line is down');
    const tools = fakeTools({
      name: 'mcp__a__t',
      run: async () => {
        channel.fail(lost);
        return await new Promise(() => {});
      },
    });
    channel.push('go');
    const provider = createScriptedProvider([call('mcp__a__t', {}, 't1')]);
    const running = query({
      prompt: channel,
      options: bypass(provider, { portico: { toolSources: [tools] } }),
    });
    const messages = await readUntil(running, (message) => message.type === 'result');
    expect(resultOf(messages).subtype).toBe('error_during_execution');
    expect(toolResultsOf(messages)[0]?.text).toMatch(/^\[interrupted\]/);
    await expect(running.next()).rejects.toBe(lost);
    const idle = promptChannel();
    const second = query({ prompt: idle, options: bypass(createScriptedProvider([])) });
    const pending = second.next();
    idle.fail(lost);
    await expect(pending).rejects.toBe(lost);
  });

  it('rejects a prompt that is no user message and says where it stands', async () => {
    async function* prompts() {
      yield await Promise.resolve({ type: 'assistant' } as never);
    }
    const running = query({ prompt: prompts(), options: bypass(createScriptedProvider([])) });
    await expect(running.next()).rejects.toMatchObject({ code: 'invalid_prompt', data: { position: 0 } });
  });

  it('G54 G55 takes a new mode and a new model from the next check and request on', async () => {
    const channel = promptChannel();
    const tools = fakeTools({ name: 'mcp__a__t' });
    const provider = createScriptedProvider([
      call('mcp__a__t'),
      say('1'),
      call('mcp__a__t'),
      say('2'),
      say('3'),
    ]);
    const running = query({
      prompt: channel,
      options: { model: 'first', portico: { provider, toolSources: [tools] } },
    });
    channel.push('a');
    await readUntil(running, (message) => message.type === 'result');
    expect(tools.calls).toHaveLength(0);
    await running.setPermissionMode('bypassPermissions');
    await running.setModel('second');
    channel.push('b');
    const messages = await readUntil(running, (message) => message.type === 'result');
    expect(messages[0]).toMatchObject({ model: 'second', permissionMode: 'bypassPermissions' });
    expect(tools.calls).toHaveLength(1);
    await running.setModel();
    channel.push('c');
    await readUntil(running, (message) => message.type === 'result');
    expect(provider.requests.map((request) => request.model)).toEqual([
      'first',
      'first',
      'second',
      'second',
      'first',
    ]);
    await expect(running.setPermissionMode('nonsense' as never)).rejects.toMatchObject({
      code: 'unknown_mode',
    });
    channel.end();
    await collect(running);
    await expect(running.setModel('third')).rejects.toMatchObject({ code: 'query_ended' });
    await expect(running.setPermissionMode('plan')).rejects.toMatchObject({ code: 'query_ended' });
  });
});
