import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { fakeTools, textResult } from '../../../testing/fake-tools.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { collect, promptChannel, readUntil, resultOf } from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import { answer, badRequest, call, hold, say, text, toolUse } from '../../../testing/scripted-reply.ts';
import type { ScriptedReply } from '../../../testing/scripted-reply.ts';

const FIGURES = [
  'duration_api_ms',
  'duration_ms',
  'is_error',
  'modelUsage',
  'num_turns',
  'permission_denials',
  'session_id',
  'subtype',
  'total_cost_usd',
  'type',
  'usage',
  'uuid',
];

async function run(script: readonly ScriptedReply[], options: Options = {}) {
  const provider = createScriptedProvider(script);
  const toolSources = [fakeTools({ name: 'mcp__a__t' })];
  const messages = await collect(
    query({
      prompt: 'go',
      options: {
        permissionMode: 'bypassPermissions',
        ...options,
        portico: { provider, toolSources, ...options.portico },
      },
    }),
  );
  return resultOf(messages);
}

describe('the result', () => {
  it('G32 has exactly the figures of its subtype', async () => {
    const success = await run([say('x')]);
    expect(Object.keys(success).sort()).toEqual([...FIGURES, 'result'].sort());
    const failed = await run([badRequest('no')]);
    expect(Object.keys(failed).sort()).toEqual([...FIGURES, 'result'].sort());
    const limited = await run([call('mcp__a__t')], { maxTurns: 1 });
    expect(Object.keys(limited).sort()).toEqual(FIGURES);
    const stopped = await run([call('mcp__a__t')], {
      permissionMode: 'default',
      canUseTool: () => Promise.resolve({ behavior: 'deny', message: '', interrupt: true }),
    });
    expect(stopped.subtype).toBe('error_during_execution');
    expect(Object.keys(stopped).sort()).toEqual(FIGURES);
  });

  it('G33 joins the text blocks of the last answer, and is empty without any', async () => {
    const joined = await run([answer(text('first')), answer(text('a'), text('b'))].slice(1));
    expect(joined).toMatchObject({ result: 'ab' });
    const stopped = await run([call('mcp__a__t')], {
      hooks: { PostToolUse: [{ hooks: [() => Promise.resolve({ continue: false })] }] },
    });
    expect(stopped).toMatchObject({ subtype: 'success', result: '' });
  });

  it('G36 counts the answers of the model', async () => {
    const counts = [
      await run([say('x')]),
      await run([call('mcp__a__t'), say('x')]),
      await run([answer(toolUse('mcp__a__t'), toolUse('mcp__a__t'), text('t')), say('x')]),
      await run([call('mcp__a__t'), call('mcp__a__t')], { maxTurns: 2 }),
      await run([badRequest('no')]),
    ].map((result) => result.num_turns);
    expect(counts).toEqual([1, 2, 2, 2, 0]);
  });

  it('G38 measures whole milliseconds of the turn and of the time inside the provider', async () => {
    const clock = createManualClock();
    const inProvider = hold();
    const inTool = hold();
    const provider = createScriptedProvider([answer(inProvider, toolUse('mcp__a__t')), say('x')]);
    const tools = fakeTools({
      name: 'mcp__a__t',
      run: async () => {
        await inTool.pass();
        return textResult('ok');
      },
    });
    const reading = collect(
      query({
        prompt: 'go',
        options: { permissionMode: 'bypassPermissions', portico: { provider, clock, toolSources: [tools] } },
      }),
    );
    await inProvider.reached;
    await clock.advance(1234);
    inProvider.release();
    await inTool.reached;
    await clock.advance(4321);
    inTool.release();
    expect(resultOf(await reading)).toMatchObject({ duration_ms: 5555, duration_api_ms: 1234 });
  });

  it('G39 sums the last figures of each answer once, with every field present', async () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 7, output_tokens: 20 };
    const result = await run([
      { ...answer(text('a'), text('b'), text('c'), toolUse('mcp__a__t')), usage },
      { ...say('x'), usage: { input_tokens: 1, output_tokens: 2 } },
    ]);
    expect(result.usage).toMatchObject({ input_tokens: 101, output_tokens: 22, cache_read_input_tokens: 7 });
    expect(Object.entries(result.usage).filter(([, value]) => value === null || value === undefined)).toEqual(
      [],
    );
    expect(result.usage).toMatchObject({
      server_tool_use: { web_search_requests: 0 },
      cache_creation: { ephemeral_5m_input_tokens: 0 },
      service_tier: 'standard',
    });
  });

  it('G41 lets cost and model figures grow over the query, and counts usage and turns per turn', async () => {
    const channel = promptChannel();
    const usage = {
      input_tokens: 100,
      output_tokens: 20,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 10,
    };
    const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const provider = createScriptedProvider(() => ({ ...say('x'), usage }));
    const running = query({
      prompt: channel,
      options: {
        model: 'model-a-1',
        portico: { provider, prices: { 'model-a': price, model: { ...price, input: 99 } } },
      },
    });
    for (const turn of [1, 2, 3]) {
      channel.push('go');
      const result = resultOf(await readUntil(running, (message) => message.type === 'result'));
      expect(result.usage.input_tokens).toBe(100);
      expect(result.num_turns).toBe(1);
      expect(result.total_cost_usd).toBeCloseTo(turn * 0.0009375, 10);
      const costs = Object.values(result.modelUsage).map(({ costUSD }) => costUSD);
      expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(result.total_cost_usd);
      expect(result.modelUsage['model-a-1']).toMatchObject({
        inputTokens: turn * 100,
        outputTokens: turn * 20,
      });
    }
    channel.end();
    await collect(running);
  });

  it('costs nothing without a price', async () => {
    expect((await run([say('x')])).total_cost_usd).toBe(0);
  });
});
