import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, query } from '@portico/agent';
import type { HookCallback, HookEvent, HookInput, Options } from '@portico/agent';
import { createMemorySessionStore } from '@portico/agent/session';
import { fakeTools, textResult } from '../../../../testing/fake-tools.ts';
import { before, hook, runHooked as run } from '../../../../testing/hooked-query.ts';
import { kindsOf, readUntil } from '../../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../../testing/scripted-provider.ts';
import { answer, call, hold, say, toolUse, unauthorized } from '../../../../testing/scripted-reply.ts';

describe('the other events', () => {
  it('runs hooks one after another in the order of registration, each event with its fields', async () => {
    const seen: string[] = [];
    const inputs: HookInput[] = [];
    const ids: (string | undefined)[] = [];
    const all = Object.fromEntries(
      HOOK_EVENTS.map((event: HookEvent) => [
        event,
        ['1', '2'].map((number) => ({
          hooks: [
            (async (input, id) => {
              seen.push(`${event} ${number} begins`);
              await Promise.resolve();
              seen.push(`${event} ${number} ends`);
              inputs.push(input);
              ids.push(id);
              return {};
            }) as HookCallback,
          ],
        })),
      ]),
    );
    const outcome = await run({ hooks: all, cwd: '/' });
    const order = [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'Notification',
      'PostToolUse',
      'Stop',
      'SessionEnd',
    ];
    expect(seen).toEqual(
      order.flatMap((event) =>
        ['1', '2'].flatMap((number) => [`${event} ${number} begins`, `${event} ${number} ends`]),
      ),
    );
    const base = {
      session_id: outcome.messages[0]?.session_id,
      transcript_path: '',
      cwd: '/',
      permission_mode: 'default',
    };
    expect(inputs.filter((_input, index) => index % 2 === 0)).toEqual([
      { ...base, hook_event_name: 'SessionStart', source: 'startup' },
      { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'go' },
      { ...base, hook_event_name: 'PreToolUse', tool_name: 'mcp__a__t', tool_input: { cmd: 'ls' } },
      { ...base, hook_event_name: 'Notification', message: expect.any(String) as string },
      {
        ...base,
        hook_event_name: 'PostToolUse',
        tool_name: 'mcp__a__t',
        tool_input: { cmd: 'ls' },
        tool_response: textResult('ran mcp__a__t'),
      },
      { ...base, hook_event_name: 'Stop', stop_hook_active: false },
      { ...base, hook_event_name: 'SessionEnd', reason: 'other' },
    ]);
    expect(ids.filter((_id, index) => index % 2 === 0)).toEqual([
      undefined,
      undefined,
      't1',
      undefined,
      't1',
      undefined,
      undefined,
    ]);
  });

  it('G107 adds context to a prompt, or holds it back without a request', async () => {
    const added = await run(
      {
        hooks: {
          UserPromptSubmit: [
            {
              hooks: [
                hook({
                  hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It rains.' },
                }),
              ],
            },
          ],
        },
      },
      [say('x')],
    );
    expect(added.provider.requests[0]?.messages[0]?.content).toEqual([
      { type: 'text', text: 'go' },
      { type: 'text', text: 'It rains.' },
    ]);
    for (const output of [
      { decision: 'block', reason: 'not this' },
      { continue: false, stopReason: 'not this' },
    ] as const) {
      const store = createMemorySessionStore();
      const blocked = await run(
        {
          hooks: { UserPromptSubmit: [{ hooks: [hook(output)] }] },
          portico: { sessionStore: store, sessionId: 's' },
        },
        [],
      );
      expect(kindsOf(blocked.messages)).toEqual(['system/init', 'result/success']);
      expect(blocked.result).toMatchObject({ num_turns: 0, result: 'not this' });
      expect(blocked.provider.requests).toEqual([]);
      expect(await store.load('s')).toEqual([]);
    }
  });

  it('G105 tells PostToolUse of every call that ran, also of a failed one, before its message', async () => {
    const told: unknown[] = [];
    const source = fakeTools(
      { name: 'mcp__a__ok' },
      { name: 'mcp__a__bad', run: () => ({ ...textResult('bad'), isError: true }) },
      { name: 'mcp__a__throws', run: () => Promise.reject(new Error('no line')) },
    );
    const uses = answer(
      toolUse('mcp__a__ok'),
      toolUse('mcp__a__bad'),
      toolUse('mcp__a__throws'),
      toolUse('mcp__a__refused'),
    );
    const provider = createScriptedProvider([uses, say('x')]);
    let reported = 0;
    const reportedAtHook: number[] = [];
    const running = query({
      prompt: 'go',
      options: {
        permissionMode: 'bypassPermissions',
        disallowedTools: ['mcp__a__refused'],
        hooks: {
          PostToolUse: [
            {
              hooks: [
                hook((input) => {
                  told.push((input as { tool_response: unknown }).tool_response);
                  reportedAtHook.push(reported);
                  return undefined;
                }),
              ],
            },
          ],
        },
        portico: { provider, toolSources: [source] },
      },
    });
    await readUntil(running, (message) => {
      if (message.type === 'user') reported += 1;
      return message.type === 'result';
    });
    expect(told).toEqual([
      textResult('ran mcp__a__ok'),
      { ...textResult('bad'), isError: true },
      { ...textResult('[mcp_error] no line'), isError: true },
    ]);
    expect(reportedAtHook.every((count, index) => count <= index + 1)).toBe(true);
  });

  it('G110 lets a Stop hook send the model on, at most 20 times in a row', async () => {
    const active: boolean[] = [];
    const once: HookCallback = hook((input) => {
      const { stop_hook_active } = input as { stop_hook_active: boolean };
      active.push(stop_hook_active);
      return stop_hook_active ? {} : { decision: 'block', reason: 'and the tests?' };
    });
    const outcome = await run({ hooks: { Stop: [{ hooks: [once] }] } }, [say('done'), say('really done')]);
    expect(active).toEqual([false, true]);
    expect(outcome.result).toMatchObject({ result: 'really done', num_turns: 2 });
    expect(outcome.provider.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'and the tests?' }],
    });
    expect(outcome.messages.some((message) => message.type === 'user' && message.isSynthetic === true)).toBe(
      true,
    );
    const always = hook({ decision: 'block', reason: 'more' });
    const endless = await run(
      { hooks: { Stop: [{ hooks: [always] }] } },
      Array.from({ length: 30 }, () => say('x')),
    );
    expect(endless.provider.requests).toHaveLength(21);
    expect(endless.warnings).toHaveLength(1);
    const never: string[] = [];
    const note = { Stop: [{ hooks: [hook(() => void never.push('ran'))] }] };
    await run({ hooks: note, maxTurns: 1, permissionMode: 'bypassPermissions' }, [call('mcp__a__t')]);
    await run({ hooks: note }, [unauthorized()]);
    await run({
      hooks: note,
      canUseTool: () => Promise.resolve({ behavior: 'deny', message: '', interrupt: true }),
    });
    expect(never).toEqual([]);
  });

  it('runs SessionEnd exactly once after an end, an error, an abort and return()', async () => {
    const reasons: string[] = [];
    const hooks: Options['hooks'] = {
      SessionEnd: [{ hooks: [hook((input) => void reasons.push((input as { reason: string }).reason))] }],
    };
    await run({ hooks }, [say('x')]);
    await run({ hooks }, [unauthorized()]);
    const gate = hold();
    const abortController = new AbortController();
    const aborted = run({ hooks, abortController }, [say('x', gate)]);
    await gate.reached;
    abortController.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    const left = query({
      prompt: 'go',
      options: { hooks, portico: { provider: createScriptedProvider([say('x', hold())]) } },
    });
    await left.next();
    await left.return();
    expect(reasons).toEqual(['other', 'other', 'other', 'other']);
  });

  it('ends the turn after the round when a hook says continue: false', async () => {
    const outcome = await run(before(hook({ continue: false, stopReason: 'enough' })));
    expect(outcome.inputs).toEqual([]);
    expect(outcome.provider.requests).toHaveLength(1);
    expect(outcome.results[0]).toMatchObject({ isError: true });
    expect(outcome.result).toMatchObject({ subtype: 'success', result: 'enough', is_error: false });
  });

  it('G116 goes on at once when a hook answers that it is asynchronous', async () => {
    const outcome = await run(before(hook({ async: true, asyncTimeout: 5 })));
    expect([outcome.inputs, outcome.asked]).toEqual([[{ cmd: 'ls' }], [{ cmd: 'ls' }]]);
  });

  it('shows a systemMessage to the person and never to the model', async () => {
    const outcome = await run(before(hook({ systemMessage: 'Mind the gap' })));
    expect(outcome.warnings).toEqual(['Mind the gap']);
    expect(JSON.stringify(outcome.provider.requests)).not.toContain('Mind the gap');
  });
});
