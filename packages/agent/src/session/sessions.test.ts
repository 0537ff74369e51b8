import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { createMemorySessionStore } from '@portico/agent/session';
import type { SessionEntry, SessionStore } from '@portico/agent/session';
import { fakeTools } from '../../../../testing/fake-tools.ts';
import { collect, kindsOf, resultOf } from '../../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../../testing/scripted-provider.ts';
import { answer, call, say, text, toolUse } from '../../../../testing/scripted-reply.ts';
import type { ScriptedReply } from '../../../../testing/scripted-reply.ts';

async function run(
  store: SessionStore,
  script: readonly ScriptedReply[],
  { prompt = 'go', ...options }: Options & { prompt?: string } = {},
) {
  const provider = createScriptedProvider(script);
  const toolSources = [fakeTools({ name: 'mcp__a__t' })];
  const messages = await collect(
    query({
      prompt,
      options: {
        permissionMode: 'bypassPermissions',
        ...options,
        portico: { provider, toolSources, sessionStore: store, ...options.portico },
      },
    }),
  );
  const sessionId = messages[0]?.session_id ?? '';
  return {
    provider,
    messages,
    sessionId,
    result: resultOf(messages),
    sent: provider.requests.at(-1)?.messages ?? [],
  };
}

describe('sessions', () => {
  it('G162 resumes with the whole earlier conversation and sends none of it to the reader', async () => {
    const store = createMemorySessionStore();
    const first = await run(store, [call('mcp__a__t', { x: 1 }, 't1'), say('one')], {
      model: 'a',
      customSystemPrompt: 'A',
    });
    const second = await run(store, [say('two')], {
      resume: first.sessionId,
      model: 'b',
      customSystemPrompt: 'B',
      prompt: 'next',
    });
    expect(second.sent).toEqual([
      ...first.sent,
      { role: 'assistant', content: [{ type: 'text', text: 'one' }] },
      { role: 'user', content: [{ type: 'text', text: 'next' }] },
    ]);
    expect(second.provider.requests[0]).toMatchObject({ model: 'b', system: 'B' });
    expect(kindsOf(second.messages)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(second.result.usage.input_tokens).toBe(10);
  });

  it('G158 keeps the id on resume, makes a new one for a fork, and leaves the old record as it was', async () => {
    const store = createMemorySessionStore();
    const first = await run(store, [say('one')]);
    expect(first.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    const resumed = await run(store, [say('two')], { resume: first.sessionId });
    expect(resumed.sessionId).toBe(first.sessionId);
    const before = JSON.stringify(await store.load(first.sessionId));
    const forked = await run(store, [say('three')], { resume: first.sessionId, forkSession: true });
    expect(forked.sessionId).not.toBe(first.sessionId);
    expect(JSON.stringify(await store.load(first.sessionId))).toBe(before);
    const again = await run(store, [say('four')], { resume: forked.sessionId });
    expect(again.sent.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    const fresh = await run(store, [say('five')]);
    expect([first.sessionId, forked.sessionId]).not.toContain(fresh.sessionId);
  });

  it('goes on with portico.sessionId when the store knows it, else starts it', async () => {
    const store = createMemorySessionStore();
    const portico = { sessionId: 'conversation-1' };
    const first = await run(store, [say('one')], { portico });
    expect(first.sessionId).toBe('conversation-1');
    const second = await run(store, [say('two')], { portico });
    expect(second.sent).toHaveLength(3);
  });

  it('G165 goes back to an earlier answer, by its message id or its uuid, with the results of its tools', async () => {
    const store = createMemorySessionStore();
    const first = await run(store, [answer(text('a'), toolUse('mcp__a__t', {}, 't1')), say('one')]);
    const uuid = first.messages.find((message) => message.type === 'assistant')?.uuid ?? '';
    for (const resumeSessionAt of ['msg_scripted_0', uuid]) {
      const forked = await run(store, [say('x')], {
        resume: first.sessionId,
        forkSession: true,
        resumeSessionAt,
      });
      expect(forked.sent.map(({ content }) => content.map((block) => block.type))).toEqual([
        ['text'],
        ['text', 'tool_use'],
        ['tool_result', 'text'],
      ]);
    }
    await run(store, [say('y')], { resume: first.sessionId, resumeSessionAt: uuid, prompt: 'other way' });
    const after = await run(store, [say('z')], { resume: first.sessionId });
    expect(JSON.stringify(after.sent)).toContain('other way');
    expect(JSON.stringify(after.sent)).not.toContain('"one"');
  });

  it('answers an unknown session with one result and asks nothing', async () => {
    const store = createMemorySessionStore();
    const known = await run(store, [say('one')]);
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const options of [{ resume: unknown }, { resume: known.sessionId, resumeSessionAt: unknown }]) {
      const lost = await run(store, [say('never')], options);
      expect(kindsOf(lost.messages)).toEqual(['result/error_during_execution']);
      expect(lost.result).toMatchObject({ is_error: true, num_turns: 0 });
      expect(lost.provider.requests).toEqual([]);
    }
  });

  it('resumes no permission', async () => {
    const store = createMemorySessionStore();
    const asked: string[] = [];
    const options: Options = {
      permissionMode: 'default',
      canUseTool: (name, input) => {
        asked.push(name);
        return Promise.resolve({
          behavior: 'allow',
          updatedInput: input,
          updatedPermissions: [
            { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
            { type: 'addRules', rules: [{ toolName: name }], behavior: 'allow', destination: 'session' },
          ],
        });
      },
    };
    const first = await run(store, [call('mcp__a__t'), call('mcp__a__t'), say('one')], options);
    expect(asked).toHaveLength(1);
    const second = await run(store, [call('mcp__a__t'), say('two')], { ...options, resume: first.sessionId });
    expect(asked).toHaveLength(2);
    expect(second.messages[0]).toMatchObject({ permissionMode: 'default' });
  });

  it('has every message in the store before the next request, one append after another', async () => {
    const kept: SessionEntry[] = [];
    let writing = 0;
    const counts: number[] = [];
    const store: SessionStore = {
      load: () => Promise.resolve([]),
      append: async (_id, entries) => {
        writing += 1;
        counts.push(writing);
        await new Promise<void>((resolve) => setImmediate(resolve));
        kept.push(...entries);
        writing -= 1;
      },
    };
    const atRequest: number[] = [];
    const script = [
      answer(...Array.from({ length: 5 }, (_, index) => toolUse('mcp__a__t', {}, `t${index}`))),
      say('one'),
    ];
    const provider = createScriptedProvider((_request, index) => {
      atRequest.push(kept.length);
      return script[index] ?? say('');
    });
    const tools = fakeTools({ name: 'mcp__a__t', annotations: { readOnlyHint: true } });
    const portico = { provider, toolSources: [tools], sessionStore: store };
    await collect(query({ prompt: 'go', options: { permissionMode: 'bypassPermissions', portico } }));
    expect(atRequest).toEqual([1, 7]);
    expect(Math.max(...counts)).toBe(1);
  });

  it('rejects when the store fails', async () => {
    const store: SessionStore = {
      load: () => Promise.resolve([]),
      append: () => Promise.reject(new Error('the disk is full')),
    };
    await expect(run(store, [say('x')])).rejects.toMatchObject({ code: 'session_failed' });
  });
});
