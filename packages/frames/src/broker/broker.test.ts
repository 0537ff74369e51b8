import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import { createClaudeRoot } from '../kernel/claude-root.ts';
import type { ClaudeRoot } from '../kernel/claude-root.ts';
import { createBroker } from './broker.ts';
import type { Broker, BrokerOptions } from './broker.ts';
import { createConsent } from './consent.ts';
import type { ConsentDecision } from './consent.ts';
import type { FrameGateway, GatewayCall, GatewayOutcome } from './gateway.ts';

const MANIFEST = {
  mcp: {
    servers: [
      { name: 'Acme: EU', tools: ['list', 'add'] },
      { name: 'Other', tools: ['get'] },
    ],
  },
};

interface World {
  readonly clock: ManualClock;
  readonly claude: ClaudeRoot;
  readonly mcp: NonNullable<ClaudeRoot['mcp']>;
  readonly broker: Broker;
  /** The page's end of the channel, for messages that no kernel would send. */
  readonly pagePort: MessagePort;
  readonly calls: GatewayCall[];
  readonly asked: (readonly string[])[];
}

interface WorldOptions {
  readonly granted?: readonly string[];
  readonly answer?: FrameGateway['callTool'];
  readonly decide?: (servers: readonly string[]) => Promise<Record<string, ConsentDecision>>;
  readonly listTools?: FrameGateway['listTools'];
  readonly broker?: Partial<BrokerOptions>;
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
});

const connected =
  (servers: readonly string[]): FrameGateway['listTools'] =>
  () =>
    Promise.resolve({
      servers: servers.map((server) => ({ server, authStatus: 'connected' as const, tools: [] })),
    });
const ok = (result: unknown): Promise<GatewayOutcome> => Promise.resolve({ ok: true, result });

async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = createManualClock();
  const { port1, port2 } = new MessageChannel();
  const calls: GatewayCall[] = [];
  const asked: (readonly string[])[] = [];
  const answer = options.answer ?? (() => ok({ content: [] }));
  const claude = createClaudeRoot({
    mcp: true,
    clock: {
      now: () => clock.now(),
      setTimer(delayMs, run) {
        const timer = clock.setTimer(delayMs, run);
        return () => timer.cancel();
      },
    },
    port: {
      post: (text) => port2.postMessage(text),
      receive(receive) {
        port2.onmessage = (event) => receive(event.data);
      },
    },
  });
  const broker = await createBroker({
    port: port1,
    clock,
    manifest: MANIFEST,
    consent: createConsent({
      servers: MANIFEST.mcp.servers.map((server) => server.name),
      granted: options.granted ?? ['Acme: EU', 'Other'],
      ask: (servers) => {
        asked.push(servers);
        return options.decide?.(servers) ?? Promise.resolve({});
      },
    }),
    gateway: {
      callTool: (call, rest) => {
        calls.push(call);
        return answer(call, rest);
      },
      listTools: options.listTools ?? connected(['Acme: EU', 'Other']),
    },
    ...options.broker,
  });
  open.push(broker, port2);
  if (claude.mcp === undefined) throw new Error('unreachable: the world declares connectors');
  return { clock, claude, mcp: claude.mcp, broker, pagePort: port2, calls, asked };
}

const failureOf = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await promise;
  } catch (error) {
    return { ...(error as object) };
  }
  throw new Error('expected a rejection');
};

describe('a call through kernel and broker', () => {
  it('reaches the gateway with its input and comes back with its payload', async () => {
    const { mcp, calls } = await createWorld({
      answer: () => ok({ content: [{ type: 'text', text: '[1]' }] }),
    });
    const input: unknown = JSON.parse('{"__proto__":{"x":1},"a":[null,1.5,"é"]}');
    const result = await mcp.callTool('Acme: EU', 'list', input);
    expect(result).toEqual({ content: [{ type: 'text', text: '[1]' }], payload: [1] });
    expect(calls).toHaveLength(1);
    expect(JSON.stringify(calls[0]?.input)).toBe('{"__proto__":{"x":1},"a":[null,1.5,"é"]}');
  });

  it.each([
    ['Acme: EU', 'remove'],
    ['Nobody', 'list'],
    ['acme: eu', 'list'],
    ['Acme: EU ', 'list'],
    ['Acme:\u00a0EU', 'list'],
    ['c0ffee00-0000-4000-8000-000000000000', 'list'],
  ])('F42 finds no published tool for %j %j, without prompt or gateway', async (server, tool) => {
    const { mcp, calls, asked } = await createWorld({ granted: [] });
    expect(await failureOf(mcp.callTool(server, tool))).toMatchObject({ code: 'not_in_manifest', server });
    expect([calls, asked]).toEqual([[], []]);
  });

  it('passes a failure of the gateway on, with the stamp its producer gave it', async () => {
    const error = {
      code: 'server_unavailable',
      message: 'Down.',
      server: 'internal-7',
      retryable: true,
      retryAfterMs: 7000,
    } as const;
    const { mcp } = await createWorld({ answer: () => Promise.resolve({ ok: false, error }) });
    expect(await failureOf(mcp.callTool('Other', 'get'))).toEqual({
      name: 'McpError',
      code: 'server_unavailable',
      message: 'Down.',
      server: 'Other',
      retryable: true,
      retryAfterMs: 7000,
    });
  });

  it('F32 makes one execution of one call whatever its failure', async () => {
    const answers: readonly (() => Promise<GatewayOutcome>)[] = [
      () =>
        Promise.resolve({ ok: false, error: { code: 'server_unavailable', message: 'm', retryable: true } }),
      () =>
        Promise.resolve({
          ok: false,
          error: { code: 'rate_limited', message: 'm', retryable: true, retryAfterMs: 1 },
        }),
      () => Promise.reject(new Error('broken')),
      () => ok({ content: [], isError: true }),
    ];
    for (const answer of answers) {
      const { mcp, calls, clock } = await createWorld({ answer });
      await failureOf(mcp.callTool('Other', 'get'));
      await clock.advance(600_000);
      expect(calls).toHaveLength(1);
    }
  });

  it('says nothing of a gateway that throws', async () => {
    const { mcp } = await createWorld({ answer: () => Promise.reject(new Error('secret at 10.0.0.1')) });
    const failure = await failureOf(mcp.callTool('Other', 'get'));
    expect(failure).toMatchObject({ code: 'upstream_error', server: 'Other' });
    expect(JSON.stringify(failure)).not.toContain('10.0.0.1');
  });

  it.each([null, 5, {}, { content: 'x' }])(
    'makes upstream_error of the malformed result %j',
    async (result) => {
      const { mcp } = await createWorld({ answer: () => ok(result) });
      expect(await failureOf(mcp.callTool('Other', 'get'))).toMatchObject({ code: 'upstream_error' });
    },
  );

  it('takes a forged cache marker out of results and of failures, and leaves deeper ones alone', async () => {
    const forged = {
      content: [{ type: 'text', text: '{}', cache: 1 }],
      cache: { storedAt: 1, revalidating: false },
    };
    const good = await createWorld({ answer: () => ok(forged) });
    expect(await good.mcp.callTool('Other', 'get')).toEqual({ content: forged.content, payload: {} });
    const bad = await createWorld({ answer: () => ok({ ...forged, isError: true }) });
    expect(await failureOf(bad.mcp.callTool('Other', 'get'))).toMatchObject({
      result: { content: forged.content, isError: true },
    });
  });

  it('ends a result above the limit as upstream_error', async () => {
    const { mcp } = await createWorld({
      answer: () => ok({ content: [{ type: 'text', text: 'x'.repeat(2_000) }] }),
      broker: { limits: { maxResultLength: 1_000 } },
    });
    expect(await failureOf(mcp.callTool('Other', 'get'))).toMatchObject({ code: 'upstream_error' });
  });

  it('hands the abort of the page to the gateway', async () => {
    let signal: AbortSignal | undefined;
    const { mcp, clock } = await createWorld({
      answer: (_call, options) => {
        signal = options.signal;
        return new Promise(() => undefined);
      },
    });
    const controller = new AbortController();
    const call = mcp.callTool('Other', 'get', {}, { signal: controller.signal });
    call.catch(() => undefined);
    await clock.advance(0);
    expect(signal?.aborted).toBe(false);
    controller.abort();
    await clock.advance(0);
    expect(signal?.aborted).toBe(true);
  });

  it('ends open calls and later ones when the session is closed', async () => {
    let signal: AbortSignal | undefined;
    const { mcp, broker, clock } = await createWorld({
      answer: (_call, options) => {
        signal = options.signal;
        return new Promise(() => undefined);
      },
    });
    const call = failureOf(mcp.callTool('Other', 'get'));
    await clock.advance(0);
    expect(broker.openCalls).toBe(1);
    await broker.close();
    expect(await call).toMatchObject({ code: 'not_granted' });
    expect(signal?.aborted).toBe(true);
    expect(await failureOf(mcp.listTools())).toMatchObject({ code: 'not_granted' });
  });
});

describe('consent', () => {
  const allow = (servers: readonly string[]): Promise<Record<string, ConsentDecision>> =>
    Promise.resolve(Object.fromEntries(servers.map((server) => [server, 'allow' as const])));

  it('F57 asks once for simultaneous first calls and lets them all proceed', async () => {
    let decide: (decisions: Record<string, ConsentDecision>) => void = () => undefined;
    const { mcp, asked, calls, clock, claude } = await createWorld({
      granted: [],
      decide: () => new Promise((resolve) => (decide = resolve)),
    });
    const results = Array.from({ length: 5 }, () => mcp.callTool('Other', 'get'));
    await clock.advance(200_000);
    expect(asked).toEqual([['Other']]);
    expect(calls).toEqual([]);
    expect(await claude.permissions.state('mcp:Other')).toBe('prompt');
    decide({ Other: 'allow' });
    expect(await Promise.all(results)).toHaveLength(5);
    expect(calls).toHaveLength(5);
    expect(asked).toHaveLength(1);
  });

  it('F58 holds a refusal for the page load', async () => {
    const { mcp, asked, calls } = await createWorld({ granted: [] });
    for (let count = 0; count < 3; count++) {
      expect(await failureOf(mcp.callTool('Other', 'get'))).toMatchObject({
        code: 'not_in_manifest',
        server: 'Other',
      });
    }
    expect(asked).toHaveLength(1);
    expect(calls).toEqual([]);
  });

  it('asks for each connector by itself, one dialog after another', async () => {
    const dialogs: ((decisions: Record<string, ConsentDecision>) => void)[] = [];
    const { mcp, asked, clock } = await createWorld({
      granted: [],
      decide: () => new Promise((resolve) => dialogs.push(resolve)),
    });
    const first = mcp.callTool('Other', 'get');
    const second = failureOf(mcp.callTool('Acme: EU', 'list'));
    await clock.advance(0);
    expect(asked).toEqual([['Other']]);
    dialogs[0]?.({ Other: 'allow' });
    await clock.advance(0);
    expect(asked).toEqual([['Other'], ['Acme: EU']]);
    dialogs[1]?.({ Other: 'allow', 'Acme: EU': 'deny' });
    await first;
    expect(await second).toMatchObject({ code: 'not_in_manifest' });
  });

  it('asks nobody about a connector that is not there', async () => {
    const { mcp, asked } = await createWorld({ granted: [], listTools: connected([]) });
    expect(await failureOf(mcp.callTool('Other', 'get'))).toMatchObject({
      code: 'server_not_connected',
      server: 'Other',
    });
    expect(asked).toEqual([]);
  });

  it('F53 splits permission names at the first colon', async () => {
    const { claude } = await createWorld({ granted: ['Acme: EU'] });
    expect(await claude.permissions.state('mcp:Acme: EU')).toBe('granted');
    expect(await claude.permissions.state('mcp:Acme')).toBe('unavailable');
    expect(await claude.permissions.state('Acme: EU')).toBe('unavailable');
  });

  it('F55 reads bare mcp as granted only when every server is', async () => {
    const truth = [
      [[], 'prompt'],
      [['Other'], 'prompt'],
      [['Other', 'Acme: EU'], 'granted'],
    ] as const;
    for (const [granted, expected] of truth) {
      const { claude, asked } = await createWorld({ granted });
      expect(await claude.permissions.state('mcp')).toBe(expected);
      expect(asked).toEqual([]);
    }
  });

  it('F56 asks for what was named, and for everything open under the bare name', async () => {
    const one = await createWorld({ granted: [], decide: allow });
    expect(await one.claude.permissions.request(['mcp:Other'])).toEqual({ 'mcp:Other': 'granted' });
    expect(one.asked).toEqual([['Other']]);
    expect(await one.claude.permissions.request(['mcp'])).toEqual({ mcp: 'granted' });
    expect(one.asked).toEqual([['Other'], ['Acme: EU']]);
    const all = await createWorld({ granted: [], decide: allow });
    await all.claude.permissions.request(['mcp', 'mcp:Nobody']);
    expect(all.asked).toEqual([['Acme: EU', 'Other']]);
  });

  it('runs no call that was aborted while the viewer decided', async () => {
    let decide: (decisions: Record<string, ConsentDecision>) => void = () => undefined;
    const { mcp, calls, clock } = await createWorld({
      granted: [],
      decide: () => new Promise((resolve) => (decide = resolve)),
    });
    const controller = new AbortController();
    const call = failureOf(mcp.callTool('Other', 'get', {}, { signal: controller.signal }));
    await clock.advance(0);
    controller.abort();
    await clock.advance(0);
    decide({ Other: 'allow' });
    await clock.advance(0);
    expect(await call).toMatchObject({ code: 'cancelled' });
    expect(calls).toEqual([]);
  });
});

describe('listTools', () => {
  const tool = (name: string, extra: object = {}) => ({ name, description: `does ${name}`, ...extra });
  const list = async (servers: readonly unknown[]): Promise<unknown> => {
    const { mcp, asked, calls } = await createWorld({
      granted: [],
      listTools: () => Promise.resolve({ servers } as never),
    });
    const listing = await mcp.listTools();
    expect([asked, calls]).toEqual([[], []]);
    return listing;
  };

  it('F88 F89 F90 F95 shows published tools of connected servers and no other field', async () => {
    const listing = await list([
      {
        server: 'Acme: EU',
        authStatus: 'connected',
        tools: [tool('list', { icon: 'x', _meta: {} }), tool('remove')],
        id: 'c1',
        icon: 'http://x',
      },
      { server: 'Secret', authStatus: 'connected', tools: [tool('list')] },
    ]);
    expect(listing).toEqual({
      servers: [
        { server: 'Acme: EU', authStatus: 'connected', tools: [{ name: 'list', description: 'does list' }] },
      ],
    });
  });

  it('F91 passes on explicit boolean hints only, and always a description', async () => {
    const listing = await list([
      {
        server: 'Acme: EU',
        authStatus: 'connected',
        tools: [
          tool('list', { annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true } }),
          { name: 'add', annotations: { readOnlyHint: 'true' } },
        ],
      },
    ]);
    expect(listing).toMatchObject({
      servers: [
        {
          tools: [
            { name: 'list', annotations: { readOnlyHint: true, destructiveHint: false } },
            { name: 'add', description: '' },
          ],
        },
      ],
    });
    expect(JSON.stringify(listing)).not.toMatch(/idempotent|"true"/);
  });

  it.each([
    ['connected', 'connected'],
    ['needs_reauth', 'needs_reauth'],
    ['weird_state', 'unknown'],
    [undefined, 'unknown'],
  ])('shows the state %j as %j', async (authStatus, expected) => {
    expect(await list([{ server: 'Other', authStatus, tools: [] }])).toEqual({
      servers: [{ server: 'Other', authStatus: expected, tools: [] }],
    });
  });
});
