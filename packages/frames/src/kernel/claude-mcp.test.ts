import { describe, expect, it } from 'vitest';
import { codeOf, createKernelHarness, outcomeOf } from '../../../../testing/frame-kernel.ts';
import { MCP_ERRORS } from '../errors.ts';

const calls = (harness: ReturnType<typeof createKernelHarness>) =>
  harness.sent.filter((message) => message.method === 'callTool');

describe('window.claude.mcp', () => {
  it('F4 exposes exactly four functions and is no thenable', async () => {
    const { mcp } = createKernelHarness();
    expect(new Set(Reflect.ownKeys(mcp))).toEqual(
      new Set(['callTool', 'watchTool', 'invalidate', 'listTools']),
    );
    for (const member of Object.values(mcp)) expect(typeof member).toBe('function');
    expect(await (mcp as unknown as Promise<unknown>)).toBe(mcp);
  });

  it('F5 is read without a throw, a message or a question', async () => {
    const harness = createKernelHarness();
    const read = (): boolean[] => Array.from({ length: 100 }, () => harness.claude.mcp !== undefined);
    const seen = read();
    harness.init();
    seen.push(...read());
    harness.init({ granted: false });
    seen.push(...read());
    await harness.clock.advance(0);
    expect(new Set(seen)).toEqual(new Set([true]));
    expect(harness.sent).toEqual([]);
  });

  it('cannot be changed at any level', () => {
    const { claude, mcp } = createKernelHarness();
    for (const target of [claude, claude.permissions, mcp, ...Object.values(mcp)]) {
      expect(Object.isFrozen(target)).toBe(true);
    }
  });

  it('F9 holds calls until the shell has said what the view may do, then settles each', async () => {
    const harness = createKernelHarness();
    const first = harness.mcp.callTool('A', 't', { n: 1 });
    const second = harness.mcp.callTool('A', 't', { n: 2 });
    await harness.clock.advance(3_000);
    expect(await outcomeOf(first)).toBe('pending');
    expect(harness.sent).toEqual([]);
    harness.init();
    expect(calls(harness).map(({ params }) => params['input'])).toEqual([{ n: 1 }, { n: 2 }]);
    harness.reply(calls(harness)[1]?.id, { content: [] });
    harness.reply(calls(harness)[0]?.id, { content: [] });
    expect(await outcomeOf(first)).toEqual({ value: { content: [] } });
    expect(await outcomeOf(second)).toEqual({ value: { content: [] } });
  });

  it('F14 tells the page not_granted when nobody serves the frame for 10 s', async () => {
    const harness = createKernelHarness();
    const call = harness.mcp.callTool('A', 't');
    const events: unknown[] = [];
    harness.mcp.watchTool('A', 't', null, (event: unknown) => events.push(event));
    await harness.clock.advance(9_900);
    expect(await outcomeOf(call)).toBe('pending');
    expect(events).toEqual([]);
    await harness.clock.advance(200);
    expect(await codeOf(call)).toBe('not_granted');
    expect(events).toMatchObject([{ type: 'error', error: { code: 'not_granted' } }]);
    expect(await codeOf(harness.mcp.listTools())).toBe('not_granted');
  });

  it('F15 leaves settled calls settled when the shell comes late, and serves the next ones', async () => {
    const harness = createKernelHarness();
    const early = harness.mcp.callTool('A', 't');
    early.catch(() => undefined);
    await harness.clock.advance(15_000);
    expect(await codeOf(early)).toBe('not_granted');
    harness.init();
    expect(calls(harness)).toEqual([]);
    const late = harness.mcp.callTool('A', 't');
    harness.reply(calls(harness)[0]?.id, { content: [] });
    expect(await outcomeOf(late)).toEqual({ value: { content: [] } });
    expect(await codeOf(early)).toBe('not_granted');
  });

  it('F13 settles calls in flight when the shell takes the grant back, and follows the new state', async () => {
    const harness = createKernelHarness();
    harness.init();
    const call = harness.mcp.callTool('A', 't');
    harness.init({ granted: false });
    expect(await codeOf(call)).toBe('not_granted');
    expect(await codeOf(harness.mcp.callTool('A', 't'))).toBe('not_granted');
    harness.init();
    harness.mcp.callTool('A', 't').catch(() => undefined);
    expect(calls(harness)).toHaveLength(2);
  });

  it('F16 reports not_granted from all four methods, without server or result, and sends nothing', async () => {
    const harness = createKernelHarness();
    harness.init({ granted: false });
    const errors: unknown[] = [];
    harness.mcp.watchTool('A', 't', null, (event: { error?: unknown }) => errors.push(event.error));
    for (const call of [
      harness.mcp.callTool('A', 't'),
      harness.mcp.listTools(),
      harness.mcp.invalidate('A'),
    ]) {
      errors.push(((await outcomeOf(call)) as { error: unknown }).error);
    }
    expect(errors).toHaveLength(4);
    for (const error of errors) {
      expect(Object.keys(error as object).sort()).toEqual(['code', 'message', 'name']);
      expect(error).toMatchObject({ code: 'not_granted', message: expect.stringMatching(/./) as string });
    }
    expect(harness.sent).toEqual([]);
  });

  it('reports capability_disabled when the shell has no bridge', async () => {
    const harness = createKernelHarness();
    harness.init({ bridge: false });
    expect(await codeOf(harness.mcp.callTool('A', 't'))).toBe('capability_disabled');
  });

  it('F18 reports a method that this runtime lacks as capability_removed', async () => {
    const harness = createKernelHarness();
    harness.init({ methods: ['callTool'] });
    expect(await codeOf(harness.mcp.invalidate())).toBe('capability_removed');
    expect(await codeOf(harness.mcp.listTools())).toBe('capability_removed');
    const events: unknown[] = [];
    harness.mcp.watchTool('A', 't', {}, (event: unknown) => events.push(event));
    expect(events).toEqual([]);
    await harness.clock.advance(0);
    expect(events).toMatchObject([{ type: 'error', error: { code: 'capability_removed' } }]);
  });

  it('F128 throws a TypeError for a watch without a handler in every state of the view', () => {
    for (const params of [undefined, {}, { granted: false }, { bridge: false }]) {
      const harness = createKernelHarness();
      if (params !== undefined) harness.init(params);
      for (const handler of [undefined, null, {}, 'x']) {
        expect(() => harness.mcp.watchTool('A', 't', null, handler)).toThrow(TypeError);
      }
      expect(harness.sent).toEqual([]);
    }
  });

  it('F129 makes an error event of whatever else is wrong with a watch', async () => {
    const harness = createKernelHarness();
    harness.init();
    const events: unknown[] = [];
    const handler = (event: unknown): number => events.push(event);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = {
      get cache(): unknown {
        throw new Error('no');
      },
    };
    const hostile: readonly (readonly unknown[])[] = [
      [Symbol('x'), 't', null],
      ['A', null, null],
      ['A', 't', proxy],
      ['A', 't', 5n],
      ['A', 't', {}, throwing],
      ['A', 't', {}, proxy],
      ['A', 't', {}, 'options'],
      ['A', 't', {}, { cache: 7 }],
    ];
    for (const [server, tool, input, options] of hostile)
      harness.mcp.watchTool(server, tool, input, handler, options);
    await harness.clock.advance(0);
    expect(events).toHaveLength(hostile.length);
    for (const event of events)
      expect(event).toMatchObject({ type: 'error', error: { code: 'bad_request' } });
  });

  it('calls no handler after its unsubscribe, nor within the registration', async () => {
    const harness = createKernelHarness();
    harness.init({ granted: false });
    const events: unknown[] = [];
    const unsubscribe = harness.mcp.watchTool('A', 't', null, (event: unknown) => events.push(event));
    unsubscribe();
    unsubscribe();
    await harness.clock.advance(0);
    expect(events).toEqual([]);
  });
});

describe('the reply budget', () => {
  it('F20 ends a call that an established shell never answers after 130 s, without a retry stamp', async () => {
    const harness = createKernelHarness();
    harness.init();
    const call = harness.mcp.callTool('A', 't');
    await harness.clock.advance(129_000);
    expect(await outcomeOf(call)).toBe('pending');
    await harness.clock.advance(2_000);
    const { error } = (await outcomeOf(call)) as { error: object };
    expect(error).toMatchObject({ code: 'upstream_error', server: 'A' });
    expect('retryable' in error).toBe(false);
  });

  it.each([
    [20_000, 20_000],
    [300_000, 300_000],
    [1, 1_000],
    [-5, 1_000],
    [1e12, 600_000],
    ['soon', 130_000],
    [null, 130_000],
  ])('F21 takes an announced budget of %s as %d ms', async (replyBudgetMs, expectedMs) => {
    const harness = createKernelHarness();
    harness.init({ replyBudgetMs });
    const call = harness.mcp.callTool('A', 't');
    await harness.clock.advance(expectedMs - 1);
    expect(await outcomeOf(call)).toBe('pending');
    await harness.clock.advance(1);
    expect(await codeOf(call)).toBe('upstream_error');
  });

  it('F22 ignores a reply that comes after its call was given up', async () => {
    const harness = createKernelHarness();
    harness.init();
    const call = harness.mcp.callTool('A', 't');
    call.catch(() => undefined);
    await harness.clock.advance(131_000);
    expect(await codeOf(call)).toBe('upstream_error');
    harness.reply(calls(harness)[0]?.id, { content: [{ type: 'text', text: 'late' }] });
    expect(await codeOf(call)).toBe('upstream_error');
  });

  it('F23 stands still while the viewer decides', async () => {
    const harness = createKernelHarness();
    harness.init();
    const call = harness.mcp.callTool('A', 't');
    const id = calls(harness)[0]?.id;
    await harness.clock.advance(100_000);
    harness.post({ jsonrpc: '2.0', method: 'frame/hold', params: { id } });
    await harness.clock.advance(200_000);
    expect(await outcomeOf(call)).toBe('pending');
    harness.post({ jsonrpc: '2.0', method: 'frame/resume', params: { id } });
    await harness.clock.advance(29_000);
    harness.reply(id, { content: [] });
    expect(await outcomeOf(call)).toEqual({ value: { content: [] } });
  });
});

describe('cancellation', () => {
  it('F158 F159 rejects at once although the shell never reacts, and sends nothing for a fired signal', async () => {
    const harness = createKernelHarness();
    harness.init();
    expect(await codeOf(harness.mcp.callTool('A', 't', {}, { signal: AbortSignal.abort() }))).toBe(
      'cancelled',
    );
    expect(harness.sent).toEqual([]);
    const controller = new AbortController();
    const call = harness.mcp.callTool('A', 't', {}, { signal: controller.signal });
    controller.abort();
    let code: unknown;
    call.catch((error: { code: unknown }) => (code = error.code));
    await Promise.resolve();
    expect(code).toBe('cancelled');
    expect(harness.sent.map(({ method, params }) => [method, params['requestId']])).toEqual([
      ['callTool', undefined],
      ['frame/cancel', harness.sent[0]?.id],
    ]);
  });

  it('never sends a call that was aborted while it waited', async () => {
    const harness = createKernelHarness();
    const controller = new AbortController();
    const call = harness.mcp.callTool('A', 't', {}, { signal: controller.signal });
    controller.abort();
    expect(await codeOf(call)).toBe('cancelled');
    harness.init();
    expect(harness.sent).toEqual([]);
  });

  it('does nothing when it comes after the answer', async () => {
    const harness = createKernelHarness();
    harness.init();
    const controller = new AbortController();
    const call = harness.mcp.callTool('A', 't', {}, { signal: controller.signal });
    harness.reply(harness.sent[0]?.id, { content: [] });
    await outcomeOf(call);
    controller.abort();
    expect(harness.sent).toHaveLength(1);
    expect(await outcomeOf(call)).toEqual({ value: { content: [] } });
  });
});

describe('failures', () => {
  const failWith = async (data: unknown): Promise<Record<string, unknown>> => {
    const harness = createKernelHarness();
    harness.init();
    const call = harness.mcp.callTool('Acme', 't');
    harness.fail(harness.sent[0]?.id, data);
    return ((await outcomeOf(call)) as { error: Record<string, unknown> }).error;
  };

  it.each(Object.keys(MCP_ERRORS))(
    'F31 passes %s on with a text, and stamps it only where it may',
    async (code) => {
      const error = await failWith({
        code,
        message: '',
        server: 'other',
        retryable: true,
        retryAfterMs: 5,
        result: { content: [] },
      });
      expect(error['code']).toBe(code);
      expect(error['message']).toMatch(/./);
      expect(error['server']).toBe('Acme');
      const stamped = ['server_unavailable', 'rate_limited', 'upstream_error'].includes(code);
      expect('retryable' in error).toBe(stamped);
      expect(error['retryable']).toBe(stamped ? true : undefined);
      expect('result' in error).toBe(code === 'tool_error');
      expect(error['result']).toEqual(code === 'tool_error' ? { content: [] } : undefined);
    },
  );

  it.each([false, 'true', 1, null])('drops the retry stamp %j', async (retryable) => {
    const error = await failWith({ code: 'server_unavailable', message: 'm', retryable });
    expect('retryable' in error).toBe(false);
    const kept = await failWith({ code: 'server_unavailable', message: 'm', retryable: true });
    expect(kept['retryable']).toBe(true);
    const wrong = await failWith({ code: 'needs_reauth', message: 'm', retryable: true });
    expect('retryable' in wrong).toBe(false);
  });

  it('F29 shows a code from the future as upstream_error with everything else intact', async () => {
    const error = await failWith({
      code: 'brand_new',
      message: 'New.',
      server: 'Acme',
      retryable: true,
      retryAfterMs: 5,
    });
    expect({ ...error }).toEqual({
      name: 'McpError',
      message: 'New.',
      code: 'upstream_error',
      server: 'Acme',
      retryable: true,
      retryAfterMs: 5,
    });
  });

  it.each([
    [7, 7],
    [0, 0],
    [3_600_000, 60_000],
    [-1, undefined],
    ['7', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [null, undefined],
  ])('F30 makes of the hint %j the wait %j', async (retryAfterMs, expected) => {
    const error = await failWith({ code: 'server_unavailable', message: 'm', retryAfterMs });
    expect(error['retryAfterMs']).toBe(expected);
    expect('retryAfterMs' in error).toBe(expected !== undefined);
  });

  it.each([undefined, null, 'text', 5, [], { code: 7 }, { code: '__proto__' }, { code: 'toString' }])(
    'makes upstream_error of the shapeless error %j',
    async (data) => {
      expect((await failWith(data))['code']).toBe('upstream_error');
    },
  );

  it('puts a failure into a watch with the code a promise would have', async () => {
    const harness = createKernelHarness();
    harness.init({ methods: [] });
    const events: { error?: { code?: string } }[] = [];
    const handler = (event: { error?: { code?: string } }): number => events.push(event);
    harness.mcp.watchTool(5, 't', null, handler);
    harness.mcp.watchTool('A', 't', [1], handler);
    harness.mcp.watchTool('A', 't', null, handler);
    await harness.clock.advance(0);
    const codes = [
      harness.mcp.callTool(5, 't'),
      harness.mcp.callTool('A', 't', [1]),
      harness.mcp.callTool('A', 't'),
    ];
    expect(events.map((event) => event.error?.code)).toEqual(await Promise.all(codes.map(codeOf)));
  });
});
