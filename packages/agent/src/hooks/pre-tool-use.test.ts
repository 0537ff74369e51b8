import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { CanUseTool, HookCallback } from '@portico/agent';
import { fakeTools } from '../../../../testing/fake-tools.ts';
import { before, hook, pre, runHooked as run } from '../../../../testing/hooked-query.ts';
import type { PreOutput } from '../../../../testing/hooked-query.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { collect } from '../../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../../testing/scripted-provider.ts';
import { answer, call, hold, say, toolUse } from '../../../../testing/scripted-reply.ts';

describe('PreToolUse', () => {
  it('field-D34 G103 joins decisions as deny over ask over allow, keeps the last input, and fails closed', async () => {
    const allow = pre({ permissionDecision: 'allow', updatedInput: { cmd: 'ls -1' } });
    const silent = hook({});
    for (const order of [
      [allow, silent],
      [silent, allow],
    ]) {
      const outcome = await run(before(...order));
      expect([outcome.inputs, outcome.asked]).toEqual([[{ cmd: 'ls -1' }], []]);
    }
    const deny = pre({ permissionDecision: 'deny', permissionDecisionReason: 'not today' });
    for (const order of [
      [deny, allow],
      [allow, deny],
    ]) {
      const outcome = await run(before(...order));
      expect([outcome.inputs, outcome.asked]).toEqual([[], []]);
      expect(outcome.results[0]?.text).toContain('not today');
    }
    const ask = pre({ permissionDecision: 'ask' });
    expect((await run(before(allow, ask))).asked).toEqual([{ cmd: 'ls -1' }]);
    const chained = await run(
      before(
        pre({ permissionDecision: 'allow', updatedInput: { cmd: 'ls', a: 1 } }),
        hook((input) => {
          const seen = (input as { tool_input: Record<string, unknown> }).tool_input;
          return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...seen, b: 2 } } };
        }),
      ),
    );
    expect(chained.inputs).toEqual([{ cmd: 'ls', a: 1, b: 2 }]);
    const throws = await run(before(() => Promise.reject(new Error('broken')), allow));
    expect([throws.inputs, throws.warnings]).toEqual([[], [expect.stringContaining('broken')]]);
    const clock = createManualClock();
    const hanging = run({ ...before(() => new Promise(() => {})), portico: { clock } });
    await clock.advance(60_000);
    expect((await hanging).inputs).toEqual([]);
    const after: string[] = [];
    const note: HookCallback = hook((input) => void after.push(input.hook_event_name));
    await run({
      ...before(allow),
      hooks: { PreToolUse: [{ hooks: [allow] }], PostToolUse: [{ hooks: [note] }] },
    });
    await run({ hooks: { PreToolUse: [{ hooks: [deny] }], PostToolUse: [{ hooks: [note] }] } });
    expect(after).toEqual(['PostToolUse']);
  });

  it('G58 lets deny and ask rules hold against an allow of a hook', async () => {
    const hooks = { PreToolUse: [{ hooks: [pre({ permissionDecision: 'allow' })] }] };
    const refusing: CanUseTool = () => Promise.resolve({ behavior: 'deny', message: 'no' });
    expect((await run({ hooks, canUseTool: refusing })).inputs).toHaveLength(1);
    const denied = await run({ hooks, disallowedTools: ['mcp__a__t'] });
    expect(denied.inputs).toEqual([]);
    const counted: string[] = [];
    const twice = await run(
      {
        hooks: { PreToolUse: [{ matcher: 'mcp__a__t', hooks: [pre({ permissionDecision: 'allow' })] }] },
        canUseTool: (name, input) => {
          counted.push(name);
          const rules = [{ toolName: 'mcp__a__t' }];
          return Promise.resolve({
            behavior: 'allow',
            updatedInput: input,
            updatedPermissions: [{ type: 'addRules', rules, behavior: 'ask', destination: 'session' }],
          });
        },
      },
      [call('mcp__a__u'), call('mcp__a__t'), say('done')],
    );
    expect(counted).toEqual(['mcp__a__u', 'mcp__a__t']);
    expect(twice.inputs).toHaveLength(2);
  });

  it('G59 makes a deny final in every mode and tells the model why', async () => {
    for (const permissionMode of [
      'default',
      'acceptEdits',
      'bypassPermissions',
      'plan',
      'sandboxBashMode',
    ] as const) {
      const outcome = await run({
        permissionMode,
        ...before(pre({ permissionDecision: 'deny', permissionDecisionReason: 'house rule' })),
      });
      expect(outcome.inputs).toEqual([]);
      expect(outcome.results[0]).toMatchObject({
        isError: true,
        text: expect.stringContaining('house rule') as string,
      });
      expect(outcome.result.permission_denials).toHaveLength(1);
    }
  });

  it('G89 shows canUseTool the name that the model knows and the input after hooks, only when it must ask', async () => {
    const long = `mcp__a__${'long.'.repeat(20)}`;
    const source = fakeTools({ name: long });
    const seen: unknown[] = [];
    const provider = createScriptedProvider((request, index) =>
      index === 0 ? call(request.tools[0]?.name ?? '', { a: 1 }) : say('x'),
    );
    await collect(
      query({
        prompt: 'go',
        options: {
          ...before(pre({ updatedInput: { a: 2 } })),
          canUseTool: (name, input, { signal, suggestions }) => {
            seen.push(name, structuredClone(input), signal.aborted, suggestions);
            return Promise.resolve({ behavior: 'allow', updatedInput: input });
          },
          portico: { provider, toolSources: [source] },
        },
      }),
    );
    const name = provider.requests[0]?.tools[0]?.name;
    expect(seen).toEqual([
      name,
      { a: 2 },
      false,
      [{ type: 'addRules', rules: [{ toolName: name }], behavior: 'allow', destination: 'session' }],
    ]);
    expect((await run({ allowedTools: ['mcp__a__t'] })).asked).toEqual([]);
    expect((await run(before(pre({ permissionDecision: 'deny' })))).asked).toEqual([]);
  });

  it('G102 runs each hook after the one before, also after a deny, with the input as changed so far', async () => {
    const steps: string[] = [];
    const step =
      (name: string, output: PreOutput): HookCallback =>
      async (input) => {
        steps.push(`${name} begins with ${JSON.stringify((input as { tool_input: unknown }).tool_input)}`);
        await new Promise<void>((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
        return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } };
      };
    const first = step('first', { permissionDecision: 'deny', updatedInput: { a: 1 } });
    const second = step('second', { permissionDecision: 'allow', updatedInput: { a: 1, b: 2 } });
    const third = step('third', {});
    await run({ hooks: { PreToolUse: [{ hooks: [first, second] }, { hooks: [third] }] } });
    expect(steps).toEqual([
      'first begins with {"cmd":"ls"}',
      'first ends',
      'second begins with {"a":1}',
      'second ends',
      'third begins with {"a":1,"b":2}',
      'third ends',
    ]);
  });

  it('G115 reports a hook that throws, answers nonsense or takes too long, and fails closed where it decides', async () => {
    const signals: AbortSignal[] = [];
    const clock = createManualClock();
    const failing: [string, HookCallback][] = [
      [
        'throws',
        (_input, _id, { signal }) => {
          signals.push(signal);
          return Promise.reject(new Error('broken'));
        },
      ],
      [
        'answers nonsense',
        (_input, _id, { signal }) => {
          signals.push(signal);
          return Promise.resolve('yes' as never);
        },
      ],
      [
        'hangs',
        (_input, _id, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      ],
    ];
    for (const [name, failed] of failing) {
      for (const event of [
        'PreToolUse',
        'UserPromptSubmit',
        'PostToolUse',
        'Stop',
        'SessionStart',
      ] as const) {
        const running = run({
          hooks: { [event]: [{ hooks: [failed] }] },
          portico: { clock, hookTimeoutMs: 5000 },
        });
        await clock.advance(5000);
        const outcome = await running;
        expect(outcome.warnings, `${event} ${name}`).toEqual([expect.stringContaining(event)]);
        expect(outcome.inputs).toHaveLength(event === 'PreToolUse' || event === 'UserPromptSubmit' ? 0 : 1);
        expect(outcome.provider.requests).toHaveLength(event === 'UserPromptSubmit' ? 0 : 2);
        expect(signals.at(-1)?.aborted).toBe(true);
      }
    }
    const limited = run({
      hooks: { PreToolUse: [{ timeout: 2, hooks: [() => new Promise(() => {})] }] },
      portico: { clock },
    });
    await clock.advance(2000);
    expect((await limited).inputs).toEqual([]);
    const late = hold();
    const slow = run({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async () => {
                await late.pass();
                return { decision: 'approve' };
              },
            ],
          },
        ],
      },
      portico: { clock },
    });
    await clock.advance(59_999);
    await late.reached;
    await clock.advance(1);
    late.release();
    expect((await slow).inputs).toEqual([]);
  });

  it('takes the older form of a decision', async () => {
    expect((await run(before(hook({ decision: 'approve' })))).asked).toEqual([]);
    expect((await run(before(hook({ decision: 'block', reason: 'old no' })))).results[0]?.text).toContain(
      'old no',
    );
  });

  it('matches by exact names, by server, by expression, and everything without a matcher', async () => {
    const matches = async (matcher: string | undefined): Promise<string[]> => {
      const names: string[] = [];
      const hooks = [hook((input) => void names.push((input as { tool_name: string }).tool_name))];
      const uses = answer(toolUse('mcp__a__t'), toolUse('mcp__a__u'), toolUse('mcp__ab__t'));
      await run({ hooks: { PreToolUse: [matcher === undefined ? { hooks } : { matcher, hooks }] } }, [
        uses,
        say('x'),
      ]);
      return names.map((name) => name.replace('mcp__', ''));
    };
    const table: [string | undefined, string[]][] = [
      [undefined, ['a__t', 'a__u', 'ab__t']],
      ['', ['a__t', 'a__u', 'ab__t']],
      ['*', ['a__t', 'a__u', 'ab__t']],
      ['mcp__a__t', ['a__t']],
      ['mcp__a__t|mcp__ab__t', ['a__t', 'ab__t']],
      ['mcp__a__t, mcp__a__u', ['a__t', 'a__u']],
      ['mcp__a', ['a__t', 'a__u']],
      ['mcp__a__*', ['a__t', 'a__u']],
      ['mcp__a__', []],
      ['b__t$', ['ab__t']],
      ['MCP.*', []],
      ['mcp__.*__t', ['a__t', 'ab__t']],
    ];
    for (const [matcher, expected] of table)
      expect(await matches(matcher), String(matcher)).toEqual(expected);
    await expect(run({ hooks: { Stop: [{ matcher: '(', hooks: [] }] } })).rejects.toMatchObject({
      code: 'invalid_option',
    });
    const sources: string[] = [];
    const startOf = (matcher: string) => ({ matcher, hooks: [hook(() => void sources.push(matcher))] });
    await run({
      hooks: {
        SessionStart: [startOf('startup'), startOf('resume')],
        SessionEnd: [startOf('other'), startOf('clear')],
      },
    });
    await run({ hooks: { Stop: [startOf('whatever')] } });
    expect(sources).toEqual(['startup', 'other', 'whatever']);
  });
});
