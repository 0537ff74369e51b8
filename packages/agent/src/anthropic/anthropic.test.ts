import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { createAnthropicProvider } from '@portico/agent/anthropic';
import type { AgentError } from '@portico/agent/provider';
import { fakeTools } from '../../../../testing/fake-tools.ts';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import {
  assistantText,
  collect,
  promptChannel,
  readUntil,
  resultOf,
  toolResultsOf,
} from '../../../../testing/query-messages.ts';
import { startScriptedModel } from '../../../../testing/scripted-model.ts';
import type { Script, ScriptedModel } from '../../../../testing/scripted-model.ts';
import {
  answer,
  badRequest,
  call,
  cut,
  hold,
  overloaded,
  rateLimited,
  say,
  streamError,
  text,
  toolUse,
  unauthorized,
} from '../../../../testing/scripted-reply.ts';

const MARKER = 'sk-marker-0123456789';
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function model(script: Script): Promise<ScriptedModel> {
  const started = await startScriptedModel({ script });
  closing.push(() => started.close());
  return started;
}

/** Runs a query against a scripted Messages API over HTTP. */
async function run(script: Script, options: Options = {}) {
  const server = await model(script);
  const errors: AgentError[] = [];
  const clock = createManualClock();
  const running = query({
    prompt: 'go',
    options: {
      permissionMode: 'bypassPermissions',
      ...options,
      portico: {
        provider: createAnthropicProvider({ apiKey: MARKER, baseUrl: server.url }),
        toolSources: [fakeTools({ name: 'mcp__a__t', description: 'A tool.' })],
        maxRetries: 0,
        clock,
        onProviderError: (error: AgentError) => void errors.push(error),
        ...options.portico,
      },
    },
  });
  return { server, errors, clock, running };
}

describe('a query over HTTP', () => {
  it('G181 sends exactly one request for a text prompt, with the key, the tools and the model', async () => {
    const { server, running } = await run([say('Hello')], {
      model: 'some-model',
      customSystemPrompt: 'Be kind.',
    });
    const messages = await collect(running);
    expect(resultOf(messages)).toMatchObject({ result: 'Hello', is_error: false });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers['x-api-key']).toBe(MARKER);
    expect(request?.body).toMatchObject({
      model: 'some-model',
      stream: true,
      max_tokens: 8192,
      system: [{ type: 'text', text: 'Be kind.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
      tools: [{ name: 'mcp__a__t', description: 'A tool.', input_schema: { type: 'object' } }],
    });
  });

  it('G16 opens each turn with an init that shows what it runs with', async () => {
    const channel = promptChannel();
    const server = await model([say('1'), say('2')]);
    const running = query({
      prompt: channel,
      options: {
        model: 'first',
        cwd: '/',
        portico: {
          provider: createAnthropicProvider({ apiKey: MARKER, baseUrl: server.url }),
          toolSources: [
            {
              ...fakeTools({ name: 'mcp__a__t' }),
              servers: () => [{ name: 'a', status: 'connected' }],
            },
          ],
        },
      },
    });
    channel.push('one');
    const [first] = await readUntil(running, (message) => message.type === 'result');
    await running.setModel('second');
    await running.setPermissionMode('plan');
    channel.push('two');
    channel.end();
    const [second] = await collect(running);
    const init = {
      type: 'system',
      subtype: 'init',
      apiKeySource: 'user',
      cwd: '/',
      tools: ['mcp__a__t'],
      mcp_servers: [{ name: 'a', status: 'connected' }],
      model: 'first',
      permissionMode: 'default',
      slash_commands: [],
      output_style: 'default',
    };
    expect(first).toMatchObject(init);
    expect(second).toMatchObject({ ...init, model: 'second', permissionMode: 'plan' });
  });

  it('G21 gives stop reason and final usage to the last block only, and waits 100 ms for them', async () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' } as const;
    const { running } = await run([
      {
        ...answer(thinking, text('a'), toolUse('mcp__a__t'), toolUse('mcp__a__t')),
        usage: { output_tokens: 44 },
      },
      say('done'),
    ]);
    const blocks = (await collect(running)).flatMap((message) =>
      message.type === 'assistant' && message.message.id === 'msg_scripted_0' ? [message.message] : [],
    );
    expect(blocks.map(({ stop_reason }) => stop_reason)).toEqual([null, null, null, 'tool_use']);
    expect(blocks[3]?.usage.output_tokens).toBe(44);
    const stall = hold();
    const stalled = await run([answer(text('early'), stall)]);
    const early = readUntil(stalled.running, (message) => message.type === 'assistant');
    await stall.reached;
    while (stalled.clock.armed < 2) await new Promise<void>((resolve) => setImmediate(resolve));
    await stalled.clock.advance(100);
    expect((await early).at(-1)).toMatchObject({ message: { stop_reason: null } });
    stall.release();
    await collect(stalled.running);
  });

  it('carries a tool round, streaming as it goes', async () => {
    const gate = hold();
    const { server, running } = await run(
      [answer(text('Let me look'), toolUse('mcp__a__t', { q: 'x' }, 't1')), say('It is ', gate, 'fine')],
      { includePartialMessages: true },
    );
    const seen = await readUntil(
      running,
      (message) =>
        message.type === 'stream_event' &&
        message.event.type === 'content_block_delta' &&
        message.event.delta.type === 'text_delta' &&
        message.event.delta.text === 'It is ',
    );
    expect(toolResultsOf(seen)).toEqual([{ id: 't1', text: 'ran mcp__a__t', isError: false }]);
    gate.release();
    expect(resultOf(await collect(running))).toMatchObject({ result: 'It is fine', num_turns: 2 });
    expect(server.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('maps each failure to its code, and keeps the key out of every text', async () => {
    const table: [Script, string, object][] = [
      [
        [unauthorized()],
        'provider_auth',
        { status: 401, type: 'authentication_error', requestId: 'req_scripted' },
      ],
      [[rateLimited(7)], 'provider_rate_limited', { status: 429, retryAfterMs: 7000 }],
      [[overloaded()], 'provider_overloaded', { status: 529 }],
      [[badRequest(`odd ${'x'.repeat(9000)}`)], 'provider_bad_request', { status: 400 }],
      [[say('half', cut())], 'provider_stream_cut', {}],
      [[answer(cut())], 'provider_stream_cut', {}],
      [
        [say('half', streamError('overloaded_error', 'too much'))],
        'provider_overloaded',
        { type: 'overloaded_error' },
      ],
      [[answer(toolUse('mcp__a__t'), streamError('rate_limit_error', 'slow'))], 'provider_rate_limited', {}],
    ];
    for (const [script, code, data] of table) {
      const { errors, running } = await run(script);
      const messages = await collect(running);
      expect(errors.map((error) => error.code)).toEqual([code]);
      expect(errors[0]?.data).toMatchObject(data);
      expect(resultOf(messages)).toMatchObject({ subtype: 'success', is_error: true });
      expect(JSON.stringify([messages, errors[0]?.message, errors[0]?.data])).not.toContain(MARKER);
      expect(errors[0]?.message.length).toBeLessThan(2500);
    }
  });

  it('G35 ends after a synthetic answer and a result with the same text', async () => {
    const failures = [
      badRequest('no'),
      unauthorized(),
      { ...overloaded(), status: 500, errorType: 'api_error' },
    ];
    for (const failure of failures) {
      const { running, clock } = await run(() => failure, { portico: { maxRetries: 2 } });
      const reading = collect(running);
      let done = false;
      void reading.then(() => (done = true));
      while (!done) await clock.advance(1000);
      const messages = await reading;
      const synthetic = messages.at(-2);
      const result = resultOf(messages);
      expect(synthetic).toMatchObject({ type: 'assistant', message: { model: '<synthetic>' } });
      expect(result).toMatchObject({ subtype: 'success', is_error: true, result: assistantText(messages) });
    }
  });

  it('says that nobody answers at an address', async () => {
    const gone = await startScriptedModel({ script: [] });
    await gone.close();
    const errors: AgentError[] = [];
    const provider = createAnthropicProvider({ apiKey: MARKER, baseUrl: gone.url });
    const options = {
      portico: { provider, onProviderError: (error: AgentError) => void errors.push(error) },
    };
    expect(resultOf(await collect(query({ prompt: 'go', options }))).is_error).toBe(true);
    expect(errors).toMatchObject([{ code: 'provider_unreachable' }]);
  });

  it('uses the credentials and the address of options.env, a bearer token included', async () => {
    for (const [env, header, source] of [
      [{ ANTHROPIC_API_KEY: 'k' }, 'x-api-key', 'user'],
      [{ ANTHROPIC_AUTH_TOKEN: 'k' }, 'authorization', 'temporary'],
    ] as const) {
      const server = await model([say('ok')]);
      const options = {
        env: { ...env, ANTHROPIC_BASE_URL: `${server.url}/proxy`, ANTHROPIC_MODEL: 'from-env' },
      };
      const messages = await collect(query({ prompt: 'go', options }));
      expect(messages[0]).toMatchObject({ apiKeySource: source, model: 'from-env' });
      expect(server.requests[0]?.path).toBe('/proxy/v1/messages');
      expect(String(server.requests[0]?.headers[header])).toMatch(/k$/);
    }
  });

  it('G202 marks system prompt, tools and newest message for caching and keeps prefixes equal', async () => {
    const { server, running } = await run([
      ...Array.from({ length: 4 }, () => call('mcp__a__t')),
      say('done'),
    ]);
    await collect(running);
    const bodies = server.requests.map(({ body }) => body);
    for (const body of bodies) expect(JSON.stringify(body).split('"cache_control"').length - 1).toBe(3);
    const plain = (value: unknown): string =>
      JSON.stringify(value, (key, item: unknown) => (key === 'cache_control' ? undefined : item));
    bodies.slice(1).forEach((body, index) => {
      const before = bodies[index];
      expect(JSON.stringify(body.system)).toBe(JSON.stringify(before?.system));
      expect(JSON.stringify(body.tools)).toBe(JSON.stringify(before?.tools));
      expect(plain(body.messages.slice(0, before?.messages.length))).toBe(plain(before?.messages));
    });
  });

  it('G196 asks for thinking within the limits that providers set', async () => {
    const sent: unknown[] = [];
    for (const maxThinkingTokens of [0, 500, 4000, undefined]) {
      const { server, running } = await run(
        [say('x')],
        maxThinkingTokens === undefined ? {} : { maxThinkingTokens },
      );
      await collect(running);
      const body = server.requests[0]?.body;
      sent.push(body?.['thinking']);
      const budget = (body?.['thinking'] as { budget_tokens: number } | undefined)?.budget_tokens ?? 0;
      expect(body?.max_tokens).toBeGreaterThan(budget);
    }
    expect(sent).toEqual([
      undefined,
      { type: 'enabled', budget_tokens: 1024 },
      { type: 'enabled', budget_tokens: 4000 },
      undefined,
    ]);
  });

  it('stops the stream of the provider when it is interrupted', async () => {
    const gate = hold();
    const { running } = await run([say('on and', gate, ' on')], { includePartialMessages: true });
    await readUntil(
      running,
      (message) => message.type === 'stream_event' && message.event.type === 'content_block_delta',
    );
    await running.interrupt();
    gate.release();
    const messages = await collect(running);
    expect(assistantText(messages)).toBe('on and');
    expect(resultOf(messages).subtype).toBe('error_during_execution');
  });
});

describe('endpoints that leave parts out', () => {
  it('G200 works without pings, cache figures and message_start, with unknown events, and with a JSON answer', async () => {
    const event = (fields: Record<string, unknown>): string =>
      `event: ${String(fields['type'])}\ndata: ${JSON.stringify(fields)}\n\n`;
    const block = [
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'mystery_delta', text: 'no' } }),
      event({ type: 'content_block_stop', index: 0 }),
    ];
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [] };
    const start = event({ type: 'message_start', message });
    const delta = event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 3 },
    });
    const stop = event({ type: 'message_stop' });
    const json = JSON.stringify({
      ...message,
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    const bodies: [string, string][] = [
      ['text/event-stream', [start, ...block, delta, stop].join('')],
      ['text/event-stream', [start, event({ type: 'mystery', x: 1 }), ...block, delta, stop].join('')],
      ['text/event-stream', [...block, delta, stop].join('')],
      ['text/event-stream', [start, ...block, delta].join('')],
      ['text/event-stream', [start, ...block, stop].join('').replaceAll('\n', '\r\n')],
      ['application/json', json],
    ];
    for (const [type, body] of bodies) {
      const server = createServer((_request, response) =>
        response.writeHead(200, { 'content-type': type }).end(body),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push(() => new Promise((resolve) => server.close(() => resolve())));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const provider = createAnthropicProvider({ apiKey: 'k', baseUrl });
      const messages = await collect(query({ prompt: 'go', options: { portico: { provider } } }));
      expect(resultOf(messages), body).toMatchObject({ subtype: 'success', result: 'ok', is_error: false });
    }
  });
});
