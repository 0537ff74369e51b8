import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { fakeTools, textResult } from '../../../testing/fake-tools.ts';
import type { FakeTool } from '../../../testing/fake-tools.ts';
import { collect, resultOf, toolResultsOf } from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import type { ScriptedProvider } from '../../../testing/scripted-provider.ts';
import { answer, call, hold, say, text, toolUse } from '../../../testing/scripted-reply.ts';

const reading = { annotations: { readOnlyHint: true } } as const;

function run(provider: ScriptedProvider, tools: readonly FakeTool[], options: Options = {}) {
  const source = fakeTools(...tools);
  const running = query({
    prompt: 'go',
    options: {
      permissionMode: 'bypassPermissions',
      ...options,
      portico: { provider, toolSources: [source], ...options.portico },
    },
  });
  return { source, running };
}

describe('a round of tool calls', () => {
  it('G22 reports each call as soon as it ends', async () => {
    const slow = hold();
    const provider = createScriptedProvider([
      answer(toolUse('mcp__a__slow', {}, 't1'), toolUse('mcp__a__fast', {}, 't2')),
      say('done'),
    ]);
    const { running } = run(provider, [
      {
        name: 'mcp__a__slow',
        ...reading,
        run: async () => {
          await slow.pass();
          return textResult('slow');
        },
      },
      { name: 'mcp__a__fast', ...reading },
    ]);
    const seen: string[] = [];
    for await (const message of running) {
      for (const result of toolResultsOf([message])) {
        seen.push(result.id);
        slow.release();
      }
    }
    expect(seen).toEqual(['t2', 't1']);
  });

  it('G23 sends all results in one message, in the order of the uses, ahead of any text', async () => {
    const slow = hold();
    const provider = createScriptedProvider([
      answer(toolUse('mcp__a__slow', {}, 't1'), toolUse('mcp__a__fast', {}, 't2')),
      say('done'),
    ]);
    const { running } = run(
      provider,
      [
        {
          name: 'mcp__a__slow',
          ...reading,
          run: async () => {
            await slow.pass();
            return textResult('slow');
          },
        },
        {
          name: 'mcp__a__fast',
          ...reading,
          run: () => {
            slow.release();
            return textResult('fast');
          },
        },
      ],
      {
        hooks: {
          PostToolUse: [
            {
              hooks: [
                () =>
                  Promise.resolve({
                    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'note' },
                  }),
              ],
            },
          ],
        },
      },
    );
    await collect(running);
    const content = provider.requests[1]?.messages.at(-1)?.content ?? [];
    expect(content.map((block) => (block.type === 'tool_result' ? block.tool_use_id : block.type))).toEqual([
      't1',
      't2',
      'text',
      'text',
    ]);
  });

  it('runs calls that only read side by side, at most ten, and any other call alone', async () => {
    let running = 0;
    let most = 0;
    const alone: boolean[] = [];
    const track = (isAlone: boolean) => async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (isAlone) alone.push(running === 1);
      running -= 1;
      return textResult('ok');
    };
    const uses = [
      ...Array.from({ length: 15 }, () => toolUse('mcp__a__read')),
      toolUse('mcp__a__write'),
      ...Array.from({ length: 5 }, () => toolUse('mcp__a__read')),
    ];
    const provider = createScriptedProvider([answer(...uses), say('done')]);
    const { running: reader } = run(provider, [
      { name: 'mcp__a__read', ...reading, run: track(false) },
      { name: 'mcp__a__write', run: track(true) },
    ]);
    expect(toolResultsOf(await collect(reader))).toHaveLength(21);
    expect(most).toBe(10);
    expect(alone).toEqual([true]);
  });

  it('G27 answers a call of a tool that is not offered and goes on', async () => {
    const provider = createScriptedProvider([call('mcp__a__nothing'), say('ok')]);
    const messages = await collect(run(provider, []).running);
    expect(toolResultsOf(messages)).toMatchObject([
      { isError: true, text: expect.stringMatching(/^\[unknown_tool\]/) as string },
    ]);
    expect(resultOf(messages)).toMatchObject({ result: 'ok', permission_denials: [] });
  });

  it('turns a failing call into an error result and goes on', async () => {
    const provider = createScriptedProvider([
      answer(toolUse('mcp__a__throws'), toolUse('mcp__a__late'), toolUse('mcp__a__error')),
      say('ok'),
    ]);
    const messages = await collect(
      run(provider, [
        { name: 'mcp__a__throws', run: () => Promise.reject(new TypeError('no line')) },
        {
          name: 'mcp__a__late',
          run: () => Promise.reject(Object.assign(new Error('too slow'), { code: 'timeout' })),
        },
        { name: 'mcp__a__error', run: () => ({ ...textResult('bad day'), isError: true }) },
      ]).running,
    );
    expect(toolResultsOf(messages).map(({ text: words, isError }) => `${isError} ${words}`)).toEqual([
      'true [mcp_error] no line',
      'true [mcp_timeout] too slow',
      'true bad day',
    ]);
    expect(resultOf(messages)).toMatchObject({ subtype: 'success', result: 'ok' });
  });

  it('answers input that is no JSON object without calling the tool', async () => {
    const broken = { type: 'tool_use', name: 'mcp__a__t', parts: ['{"half": '] } as const;
    const provider = createScriptedProvider([answer(broken), say('ok')]);
    const { running, source } = run(provider, [{ name: 'mcp__a__t' }]);
    expect(toolResultsOf(await collect(running))[0]?.text).toMatch(/^\[invalid_input\]/);
    expect(source.calls).toEqual([]);
  });

  it('gives a source its own tool name, the input, a signal and the id of the use', async () => {
    const name = `mcp__srv__${'long.name.'.repeat(8)}`;
    const provider = createScriptedProvider((request, index) =>
      index === 0 ? call(request.tools[0]?.name ?? '', { a: 1 }, 't1') : say('ok'),
    );
    const { running, source } = run(provider, [{ name }]);
    await collect(running);
    expect(provider.requests[0]?.tools[0]?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(source.calls).toMatchObject([{ name, input: { a: 1 }, options: { toolUseId: 't1' } }]);
    expect(source.calls[0]?.options.signal).toBeInstanceOf(AbortSignal);
  });

  it('leaves a tool with a bad schema out with one warning and keeps the others', async () => {
    const warnings: string[] = [];
    const provider = createScriptedProvider([call('mcp__a__good'), say('ok')]);
    const { running } = run(
      provider,
      [
        { name: 'mcp__a__good' },
        { name: 'mcp__a__list', inputSchema: { type: 'array' } },
        { name: 'mcp__a__good', description: 'again' },
        { name: 'mcp__a__text', inputSchema: 'schema' },
      ],
      { stderr: (line) => warnings.push(line) },
    );
    expect(resultOf(await collect(running)).subtype).toBe('success');
    expect(provider.requests[0]?.tools.map((tool) => tool.name)).toEqual(['mcp__a__good']);
    expect(warnings).toHaveLength(3);
  });

  it('drops a tool that the provider refuses and asks again', async () => {
    const warnings: string[] = [];
    const provider = createScriptedProvider((request) =>
      request.tools.some((tool) => tool.name === 'mcp__a__odd')
        ? { type: 'failure', status: 400, errorType: 'invalid_request_error', message: 'tools.1.custom: odd' }
        : say('ok'),
    );
    const { running } = run(provider, [{ name: 'mcp__a__good' }, { name: 'mcp__a__odd' }], {
      stderr: (line) => warnings.push(line),
    });
    expect(resultOf(await collect(running))).toMatchObject({ result: 'ok', is_error: false });
    expect(provider.requests.map((request) => request.tools.length)).toEqual([2, 1]);
    expect(warnings).toEqual([expect.stringContaining('mcp__a__odd')]);
  });

  it('G37 runs the tools of the last allowed answer and ends with error_max_turns', async () => {
    for (const maxTurns of [1, 2, 3]) {
      const provider = createScriptedProvider(() => answer(text('again'), toolUse('mcp__a__t')));
      const { running, source } = run(provider, [{ name: 'mcp__a__t' }], { maxTurns });
      const messages = await collect(running);
      expect(resultOf(messages)).toMatchObject({
        subtype: 'error_max_turns',
        is_error: true,
        num_turns: maxTurns,
      });
      expect(source.calls).toHaveLength(maxTurns);
      expect(toolResultsOf(messages)).toHaveLength(maxTurns);
      expect(provider.requests).toHaveLength(maxTurns);
    }
    const provider = createScriptedProvider([call('mcp__a__t'), say('done')]);
    const { running } = run(provider, [{ name: 'mcp__a__t' }], { maxTurns: 2 });
    expect(resultOf(await collect(running))).toMatchObject({ subtype: 'success', num_turns: 2 });
  });
});
