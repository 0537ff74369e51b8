import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { CanUseTool, Options, PermissionResult, PermissionUpdate } from '@portico/agent';
import { fakeTools } from '../../../../testing/fake-tools.ts';
import { collect, resultOf, toolResultsOf } from '../../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../../testing/scripted-provider.ts';
import { answer, hold, say, toolUse } from '../../../../testing/scripted-reply.ts';

type Asked = { readonly name: string; readonly input: unknown; readonly suggestions: PermissionUpdate[] };

/** Runs calls of `mcp__fs__read` and the like in one answer, then a text. */
async function run(
  uses: readonly string[],
  options: Options,
  answers: (name: string, count: number) => unknown = () => ({ behavior: 'allow' }),
) {
  const asked: Asked[] = [];
  const names = [...new Set(uses)];
  const source = fakeTools(...names.map((name) => ({ name })));
  const provider = createScriptedProvider([
    answer(...uses.map((name, index) => toolUse(name, { path: `/${index}` }, `t${index}`))),
    say('done'),
  ]);
  const canUseTool: CanUseTool = async (name, input, { suggestions = [] }) => {
    asked.push({ name, input: structuredClone(input), suggestions });
    return await (Promise.resolve(answers(name, asked.length)) as Promise<PermissionResult>);
  };
  const messages = await collect(
    query({
      prompt: 'go',
      options: { canUseTool, ...options, portico: { provider, toolSources: [source] } },
    }),
  );
  return { asked, source, provider, messages, results: toolResultsOf(messages), result: resultOf(messages) };
}

const ran = (outcome: { readonly source: { readonly calls: readonly { name: string }[] } }): string[] =>
  outcome.source.calls.map((call) => call.name);

describe('who decides a call', () => {
  it('asks for every tool of a server in default mode, even one that says it only reads', async () => {
    const outcome = await run(['mcp__fs__read', 'mcp__fs__write'], {});
    expect(outcome.asked.map(({ name }) => name)).toEqual(['mcp__fs__read', 'mcp__fs__write']);
    expect(ran(outcome)).toEqual(['mcp__fs__read', 'mcp__fs__write']);
  });

  it('G62 refuses what must be asked when nobody can be asked, lists it, and goes on', async () => {
    const source = fakeTools({ name: 'mcp__fs__write' });
    const provider = createScriptedProvider([answer(toolUse('mcp__fs__write', { a: 1 }, 't0')), say('done')]);
    const messages = await collect(
      query({ prompt: 'go', options: { portico: { provider, toolSources: [source] } } }),
    );
    expect(toolResultsOf(messages)).toMatchObject([
      { isError: true, text: expect.stringMatching(/^\[denied\]/) as string },
    ]);
    expect(resultOf(messages)).toMatchObject({
      subtype: 'success',
      result: 'done',
      permission_denials: [{ tool_name: 'mcp__fs__write', tool_use_id: 't0', tool_input: { a: 1 } }],
    });
    expect(source.calls).toEqual([]);
  });

  it('lets allowed tools pass unasked by name, by server and by pattern, and no other server', async () => {
    for (const rule of ['mcp__tts__say', 'mcp__tts', 'mcp__tts__*', 'mcp__tts__s*', 'mcp__tts__say(*)']) {
      const outcome = await run(['mcp__tts__say', 'mcp__tts2__say'], { allowedTools: [rule] });
      expect(
        outcome.asked.map(({ name }) => name),
        rule,
      ).toEqual(['mcp__tts2__say']);
    }
    const all = await run(['mcp__tts__say', 'mcp__tts2__say'], { allowedTools: ['mcp__*'] });
    expect(all.asked).toEqual([]);
  });

  it('G74 lets deny beat ask and allow, whatever the order', async () => {
    const rules = { allowedTools: ['mcp__fs__*', 'mcp__fs__delete'], disallowedTools: ['mcp__fs__delete'] };
    for (const permissionMode of ['default', 'bypassPermissions', 'acceptEdits'] as const) {
      const outcome = await run(['mcp__fs__delete', 'mcp__fs__read'], { ...rules, permissionMode });
      expect(ran(outcome)).toEqual(['mcp__fs__read']);
    }
    const ask: PermissionUpdate[] = [
      { type: 'addRules', rules: [{ toolName: 'mcp__fs__read' }], behavior: 'ask', destination: 'session' },
      { type: 'addRules', rules: [{ toolName: 'mcp__fs__read' }], behavior: 'allow', destination: 'session' },
      { type: 'addRules', rules: [{ toolName: 'mcp__fs__write' }], behavior: 'deny', destination: 'session' },
      { type: 'addRules', rules: [{ toolName: 'mcp__fs__write' }], behavior: 'ask', destination: 'session' },
    ];
    const outcome = await run(['mcp__fs__other', 'mcp__fs__read', 'mcp__fs__write'], {}, (_name, count) => ({
      behavior: 'allow',
      ...(count === 1 ? { updatedPermissions: ask } : {}),
    }));
    expect(outcome.asked.map(({ name }) => name)).toEqual(['mcp__fs__other', 'mcp__fs__read']);
    expect(ran(outcome)).toEqual(['mcp__fs__other', 'mcp__fs__read']);
  });

  it('G75 hides a tool that is denied by its bare name', async () => {
    const outcome = await run(['mcp__fs__delete', 'mcp__fs__read'], {
      permissionMode: 'bypassPermissions',
      disallowedTools: ['mcp__fs__delete', 'mcp__fs__read(/etc)'],
    });
    expect(outcome.provider.requests[0]?.tools.map((tool) => tool.name)).toEqual(['mcp__fs__read']);
    expect(outcome.messages[0]).toMatchObject({ tools: ['mcp__fs__read'] });
    expect(outcome.results[0]?.text).toMatch(/^\[unknown_tool\]/);
  });

  it('passes everything in bypassPermissions and asks for changes while planning', async () => {
    const bypassed = await run(['mcp__fs__write'], { permissionMode: 'bypassPermissions' });
    expect(bypassed.asked).toEqual([]);
    const planned = await run(
      ['mcp__fs__write'],
      { permissionMode: 'plan', allowedTools: ['mcp__fs'] },
      () => ({
        behavior: 'deny',
        message: 'not yet',
      }),
    );
    expect(planned.asked).toHaveLength(1);
    expect(ran(planned)).toEqual([]);
    expect(planned.provider.requests.every(({ system }) => system.includes('Planning is on'))).toBe(true);
  });

  it('refuses a deny rule that cannot be read and warns of such an allow rule', async () => {
    await expect(
      run(['mcp__fs__read'], { disallowedTools: ['mcp__fs__read(unclosed'] }),
    ).rejects.toMatchObject({
      code: 'invalid_option',
      data: { option: 'disallowedTools' },
    });
    const warnings: string[] = [];
    await run(['mcp__fs__read'], { allowedTools: ['mcp__fs__read('], stderr: (line) => warnings.push(line) });
    expect(warnings).toEqual([expect.stringContaining('mcp__fs__read(')]);
  });
});

describe('canUseTool', () => {
  it('gets the name that the model knows, the input, a signal and suggestions, once per call that asks', async () => {
    const outcome = await run(['mcp__fs__a', 'mcp__fs__b'], { allowedTools: ['mcp__fs__b'] });
    expect(outcome.asked).toEqual([
      {
        name: 'mcp__fs__a',
        input: { path: '/0' },
        suggestions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'mcp__fs__a' }],
            behavior: 'allow',
            destination: 'session',
          },
        ],
      },
    ]);
  });

  it('runs the tool with the changed input and tells the model', async () => {
    const outcome = await run(['mcp__fs__a'], {}, () => ({
      behavior: 'allow',
      updatedInput: { path: '/safe' },
    }));
    expect(outcome.source.calls[0]?.input).toEqual({ path: '/safe' });
    expect(outcome.results[0]?.text).toContain('"/safe"');
  });

  it('G91 gives the model the reason, and stops the turn when told to', async () => {
    const denied = await run(['mcp__fs__a'], {}, () => ({ behavior: 'deny', message: 'use the other file' }));
    expect(denied.results[0]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/declined.*use the other file/) as string,
    });
    expect(denied.result).toMatchObject({ subtype: 'success', result: 'done' });
    expect(denied.provider.requests).toHaveLength(2);
    const stopped = await run(['mcp__fs__a', 'mcp__fs__b'], {}, () => ({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
    }));
    expect(stopped.result.subtype).toBe('error_during_execution');
    expect(stopped.provider.requests).toHaveLength(1);
    expect(stopped.asked).toHaveLength(1);
    expect(stopped.results.map(({ text }) => text.split(' ')[0])).toEqual(['[denied]', '[interrupted]']);
  });

  it('G92 refuses a call when the callback throws or answers nonsense, and goes on', async () => {
    const bad = [undefined, 'yes', { behavior: 'maybe' }, { behavior: 'allow', updatedInput: 'text' }];
    for (const answerOf of bad) {
      const outcome = await run(['mcp__fs__a'], {}, () => answerOf);
      expect(outcome.results[0]?.text).toMatch(/^\[denied\]/);
      expect(outcome.result).toMatchObject({ subtype: 'success', result: 'done' });
      expect(ran(outcome)).toEqual([]);
    }
    const thrown = await run(['mcp__fs__a'], {}, () => Promise.reject(new Error('the window closed')));
    expect(thrown.results[0]?.text).toMatch(/^\[denied\].*the window closed/);
    expect(thrown.result).toMatchObject({ subtype: 'success', result: 'done' });
  });

  it('G94 asks one question at a time, and an "always" in the first answer saves the others', async () => {
    const outcome = await run(['mcp__fs__a', 'mcp__fs__a', 'mcp__fs__a'], {}, () => ({
      behavior: 'allow',
      updatedPermissions: [
        { type: 'addRules', rules: [{ toolName: 'mcp__fs__a' }], behavior: 'allow', destination: 'session' },
      ],
    }));
    expect(outcome.asked).toHaveLength(1);
    expect(ran(outcome)).toHaveLength(3);
    let open = 0;
    let most = 0;
    const gate = hold();
    await run(['mcp__fs__a', 'mcp__fs__b', 'mcp__fs__c'], {}, async () => {
      open += 1;
      most = Math.max(most, open);
      gate.release();
      await gate.pass();
      open -= 1;
      return { behavior: 'allow' };
    });
    expect(most).toBe(1);
  });

  it('G71 asks anew for each call', async () => {
    expect((await run(['mcp__fs__a', 'mcp__fs__a'], {})).asked).toHaveLength(2);
  });

  it('G96 applies updates of rules before the next check, and none when one is malformed', async () => {
    const rules = [{ toolName: 'mcp__fs__b' }];
    const session = { destination: 'session' } as const;
    const cases: [PermissionUpdate[], 'asked' | 'ran' | 'refused'][] = [
      [[{ type: 'addRules', behavior: 'allow', rules, ...session }], 'ran'],
      [[{ type: 'addRules', behavior: 'deny', rules, ...session }], 'refused'],
      [[{ type: 'addRules', behavior: 'ask', rules, ...session }], 'asked'],
      [
        [
          { type: 'addRules', behavior: 'allow', rules, ...session },
          { type: 'removeRules', behavior: 'allow', rules, ...session },
        ],
        'asked',
      ],
      [
        [
          { type: 'addRules', behavior: 'deny', rules, ...session },
          { type: 'replaceRules', behavior: 'deny', rules: [], ...session },
          { type: 'replaceRules', behavior: 'allow', rules, ...session },
        ],
        'ran',
      ],
    ];
    for (const [updatedPermissions, expected] of cases) {
      const outcome = await run(['mcp__fs__a', 'mcp__fs__b'], {}, (_name, count) => ({
        behavior: 'allow',
        ...(count === 1 ? { updatedPermissions } : {}),
      }));
      const asked = outcome.asked.length === 2;
      const executed = ran(outcome).includes('mcp__fs__b');
      expect(asked ? 'asked' : executed ? 'ran' : 'refused').toBe(expected);
    }
    const broken = await run(['mcp__fs__a', 'mcp__fs__b'], {}, (_name, count) => ({
      behavior: 'allow',
      ...(count === 1
        ? {
            updatedPermissions: [
              { type: 'addRules', behavior: 'allow', rules, ...session },
              { type: 'addRules' },
            ],
          }
        : {}),
    }));
    expect(broken.results[0]?.text).toMatch(/^\[denied\]/);
    expect(broken.asked).toHaveLength(2);
  });

  it('changes the mode by an update, before the next check', async () => {
    const outcome = await run(['mcp__fs__a', 'mcp__fs__b'], {}, () => ({
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
    }));
    expect(outcome.asked).toHaveLength(1);
    expect(ran(outcome)).toHaveLength(2);
  });
});
