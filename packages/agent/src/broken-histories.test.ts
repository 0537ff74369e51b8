import { expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { createMemorySessionStore } from '@portico/agent/session';
import type { SessionStore } from '@portico/agent/session';
import { fakeTools, textResult } from '../../../testing/fake-tools.ts';
import { collect, promptChannel, readUntil, resultOf } from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import { answer, cut, hold, say, toolUse } from '../../../testing/scripted-reply.ts';
import type { ScriptedReply } from '../../../testing/scripted-reply.ts';

const TWO_CALLS = answer(toolUse('mcp__a__done', {}, 't1'), toolUse('mcp__a__runs', {}, 't2'));
const reading = { annotations: { readOnlyHint: true } } as const;

/** A turn whose first call is done while the second one waits at a gate. */
function begin(store: SessionStore, script: readonly ScriptedReply[], options: Options = {}) {
  const gate = hold();
  const channel = promptChannel();
  const tools = fakeTools(
    {
      name: 'mcp__a__done',
      ...reading,
      run: () => ({ content: [...textResult('a').content, ...textResult('b').content] }),
    },
    {
      name: 'mcp__a__runs',
      ...reading,
      run: async () => {
        await gate.pass();
        throw new Error('the protocol broke');
      },
    },
  );
  const provider = createScriptedProvider(script);
  const running = query({
    prompt: channel,
    options: {
      permissionMode: 'bypassPermissions',
      ...options,
      portico: { provider, toolSources: [tools], sessionStore: store, sessionId: 's' },
    },
  });
  channel.push('go');
  return { channel, gate, provider, running };
}

/** What the provider says to the next turn of the same session. */
async function goesOn(store: SessionStore): Promise<boolean> {
  const provider = createScriptedProvider([say('fine')]);
  const messages = await collect(
    query({ prompt: 'next', options: { portico: { provider, sessionStore: store, sessionId: 's' } } }),
  );
  const result = resultOf(messages);
  return result.subtype === 'success' && !result.is_error && result.result === 'fine';
}

it('field-D33 keeps every history one that the provider accepts, whatever ended the turn', async () => {
  const interrupted = createMemorySessionStore();
  const first = begin(interrupted, [TWO_CALLS]);
  const reader = readUntil(first.running, (message) => message.type === 'result');
  await first.gate.reached;
  await first.running.interrupt();
  expect(resultOf(await reader).subtype).toBe('error_during_execution');
  await first.running.return();
  expect(await goesOn(interrupted)).toBe(true);

  const aborted = createMemorySessionStore();
  const abortController = new AbortController();
  const second = begin(aborted, [TWO_CALLS], { abortController });
  const failing = collect(second.running);
  await second.gate.reached;
  abortController.abort();
  await expect(failing).rejects.toMatchObject({ name: 'AbortError' });
  expect(await goesOn(aborted)).toBe(true);

  const killed = createMemorySessionStore();
  const third = begin(killed, [TWO_CALLS]);
  await readUntil(third.running, (message) => message.type === 'user');
  await third.gate.reached;
  const leftBehind = createMemorySessionStore();
  await leftBehind.append('s', await killed.load('s'));
  expect((await leftBehind.load('s')).map(({ type }) => type)).toEqual(['user', 'assistant', 'user']);
  expect(await goesOn(leftBehind)).toBe(true);
  await third.running.return();

  const broken = createMemorySessionStore();
  const half = { type: 'tool_use', name: 'mcp__a__runs', id: 't2', parts: ['{"half":', cut()] } as const;
  const fourth = begin(broken, [answer(toolUse('mcp__a__done', {}, 't1'), half)]);
  fourth.channel.end();
  expect(resultOf(await collect(fourth.running)).is_error).toBe(true);
  expect(JSON.stringify(await broken.load('s'))).not.toContain('"t2"');
  expect(await goesOn(broken)).toBe(true);

  const joined = createMemorySessionStore();
  const fifth = begin(joined, [TWO_CALLS, say('ok')]);
  const rest = collect(fifth.running);
  await fifth.gate.reached;
  fifth.channel.push('and another thing');
  fifth.channel.end();
  fifth.gate.release();
  expect(resultOf(await rest)).toMatchObject({ subtype: 'success', result: 'ok' });
  const [results] = fifth.provider.requests.slice(1);
  expect(results?.messages.at(-1)?.content).toMatchObject([
    { tool_use_id: 't1', content: [{ text: 'a' }, { text: 'b' }] },
    {
      tool_use_id: 't2',
      is_error: true,
      content: [{ text: expect.stringContaining('the protocol broke') as string }],
    },
    { type: 'text', text: 'and another thing' },
  ]);
  expect(await goesOn(joined)).toBe(true);
});
