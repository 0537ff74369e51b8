import { Client, type RequestObservation, type RequestObserver } from '@portico/client';
import { type Clock, systemClock } from '@portico/rpc';
import { McpServer, Server, inputRequired } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../../testing/manual-clock.ts';
import { listenForUnhandled } from '../../testing/unhandled-rejections.ts';
import { modern, openWire } from '../../testing/mcp-wire.ts';
import { createScriptedServer } from '../../testing/scripted-server.ts';
import { LOGGED_ROUTES, type OpenedClient } from './logged-routes.ts';
import { until } from './test-server.ts';

const SECRET = 'a secret';
const FORM = { message: SECRET, requestedSchema: { type: 'object' as const, properties: {} } };

const unhandled = listenForUnhandled();

/** Goes on by itself as little as possible: only work moves it. */
function workedClock(): Clock & { work(ms: number): void } {
  let nowMs = 1_000;
  return {
    now: () => nowMs,
    setTimer: (delayMs, run) => systemClock.setTimer(delayMs, run),
    work: (ms) => void (nowMs += ms),
  };
}

const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
});

interface Observed {
  readonly seen: RequestObservation[];
  readonly reported: Error[];
}

interface Session extends OpenedClient {
  readonly clientSide: Observed;
  readonly serverSide: Observed;
}

type MakeObserver = (seen: RequestObservation[]) => RequestObserver | undefined;
const noting: MakeObserver = (seen) => (observation) => void seen.push(observation);

/** Connects, works a while, and closes. */
async function session(
  route: (typeof LOGGED_ROUTES)[number],
  observerOf: MakeObserver = noting,
): Promise<Session> {
  const clock = workedClock();
  const clientSide: Observed = { seen: [], reported: [] };
  const serverSide: Observed = { seen: [], reported: [] };
  const observer = observerOf(serverSide.seen);
  const make = (): McpServer => {
    const server = new McpServer({ name: 's', version: '1' }, { clock, ...(observer && { observer }) });
    server.server.onerror = (error) => serverSide.reported.push(error);
    server.registerTool('echo', { inputSchema: z.object({ value: z.string() }) }, ({ value }) => {
      clock.work(250);
      return text(value);
    });
    server.registerTool('fail', {}, () => {
      throw new TypeError(SECRET);
    });
    server.registerTool('ask', {}, ({ mcpReq }) =>
      mcpReq.inputResponses === undefined
        ? inputRequired({ inputRequests: { q: inputRequired.elicit(FORM) } })
        : text('asked'),
    );
    server.registerTool('wait', {}, async ({ mcpReq }) => {
      const { signal } = mcpReq;
      mcpReq.progress({ progress: 1 });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return text('too late');
    });
    return server;
  };
  const clientObserver = observerOf(clientSide.seen);
  const opened = await route.open(make, {
    clock,
    capabilities: { elicitation: {} },
    ...(clientObserver && { observer: clientObserver }),
    prepare(client) {
      client.onerror = (error) => clientSide.reported.push(error);
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    },
  });
  const { client } = opened;
  await client.listTools();
  await client.callTool({ name: 'echo', arguments: { value: SECRET } });
  await client.callTool({ name: 'fail' });
  await client.callTool({ name: 'ask' });
  await client.callTool({ name: 'nothing', arguments: { value: SECRET } }).catch(() => undefined);
  await giveUp(client);
  await opened.close();
  return { ...opened, clientSide, serverSide };
}

async function giveUp(client: Client): Promise<void> {
  const controller = new AbortController();
  const onprogress = (): void => controller.abort();
  const call = client.callTool({ name: 'wait' }, { signal: controller.signal, onprogress });
  await expect(call).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
}

type Line = readonly [method: string, target: unknown, outcome: unknown, durationMs: number];

const OPENING: Readonly<Record<string, readonly Line[]>> = {
  legacy: [['initialize', undefined, 'ok', 0]],
  modern: [['server/discover', undefined, 'ok', 0]],
};
const WORK: readonly Line[] = [
  ['tools/list', undefined, 'ok', 0],
  ['tools/call', 'echo', 'ok', 250],
  ['tools/call', 'fail', 'tool_error', 0],
];
const ASKING: Readonly<Record<string, readonly Line[]>> = {
  legacy: [['tools/call', 'ask', 'ok', 0]],
  modern: [
    ['tools/call', 'ask', 'input_required', 0],
    ['tools/call', 'ask', 'ok', 0],
  ],
};
const END: readonly Line[] = [
  ['tools/call', 'nothing', -32_602, 0],
  ['tools/call', 'wait', 'REQUEST_ABORTED', 0],
];
const QUESTION: Line = ['elicitation/create', undefined, 'ok', 0];

const lines = (seen: readonly RequestObservation[], direction: string): Line[] =>
  seen
    .filter((each) => each.direction === direction)
    .map(({ method, target, outcome, durationMs }) => [method, target, outcome, durationMs]);

describe.each(LOGGED_ROUTES)('over $name', (route) => {
  const { era, transport } = route;

  it('W260 observers hear of each request of either side once, and how it ended', async () => {
    const { clientSide, serverSide } = await session(route);
    const asked = era === 'legacy' ? [QUESTION] : [];
    const work = [...(OPENING[era] ?? []), ...WORK, ...(ASKING[era] ?? []), ...END];
    expect(lines(clientSide.seen, 'outgoing')).toEqual(work);
    expect(lines(clientSide.seen, 'incoming')).toEqual(asked);
    await until(() => lines(serverSide.seen, 'incoming').length === work.length, 'the last of the server');
    expect(lines(serverSide.seen, 'incoming')).toEqual(work);
    expect(lines(serverSide.seen, 'outgoing')).toEqual(asked);
    const eras = [...clientSide.seen, ...serverSide.seen].map((each) => each.era);
    expect(new Set(eras)).toEqual(new Set([era]));
    expect([...clientSide.reported, ...serverSide.reported].map(String)).not.toContain('callback_failed');
  });

  it('W260 observers learn sizes where there is a wire, and never what was said', async () => {
    const { clientSide, serverSide, log } = await session(route);
    for (const { seen } of [clientSide, serverSide]) {
      expect(JSON.stringify(seen)).not.toContain(SECRET);
      const allowed = ['direction', 'method', 'target', 'era', 'startedAtMs', 'durationMs', 'outcome'];
      const sizes = ['requestBytes', 'responseBytes'];
      const members = new Set(seen.flatMap((each) => Object.keys(each)));
      expect([...members].filter((name) => !allowed.includes(name) && !sizes.includes(name))).toEqual([]);
      expect(sizes.some((name) => members.has(name))).toBe(transport !== 'memory');
    }
    if (transport === 'memory') return;
    const bytes = (message: object): number => Buffer.byteLength(JSON.stringify(message));
    const echo = log.find(
      ({ message }) => (message['params'] as { name?: string } | undefined)?.name === 'echo',
    );
    const answer = log.find(
      ({ from, message }) => from === 'server' && message['id'] === echo?.message['id'],
    );
    const sized = { requestBytes: bytes(echo?.message ?? {}), responseBytes: bytes(answer?.message ?? {}) };
    for (const { seen } of [clientSide, serverSide]) {
      expect(seen.find(({ target }) => target === 'echo')).toMatchObject(sized);
    }
    const given = clientSide.seen.find(({ target }) => target === 'wait');
    expect(given?.responseBytes).toBeUndefined();
  });

  it('W260 observers that throw, reject or never settle change nothing', async () => {
    const plain = await session(route, () => undefined);
    const troubles: readonly (() => unknown)[] = [
      () => {
        throw new RangeError('observer');
      },
      () => Promise.reject(new RangeError('observer')),
      () => new Promise(() => undefined),
    ];
    for (const [at, trouble] of troubles.entries()) {
      const troubled = await session(route, (seen) => (observation) => {
        seen.push(observation);
        return trouble();
      });
      expect([troubled.log, unhandled()]).toEqual([plain.log, []]);
      for (const { seen, reported } of [troubled.clientSide, troubled.serverSide]) {
        expect(seen.length).toBeGreaterThan(6);
        const failed = reported.filter((error) => 'code' in error && error.code === 'callback_failed');
        expect(failed.length > 0).toBe(at < 2);
      }
    }
  });
});

describe('an observer', () => {
  it('W260 hears of requests that get no answer, with the reason', async () => {
    const clock = createManualClock();
    const seen: RequestObservation[] = [];
    const never = (): Promise<never> => new Promise(() => undefined);
    const server = await createScriptedServer({ clock, answers: { 'tools/call': never } });
    const observer = (observation: RequestObservation): void => void seen.push(observation);
    const client = new Client({ name: 'c', version: '1' }, { clock, observer });
    await client.connect(server.transport);
    const late = client.callTool({ name: 'late' }, { timeout: 5_000 }).catch(() => undefined);
    await clock.advance(5_000);
    await late;
    const open = client.callTool({ name: 'open' }).catch(() => undefined);
    await client.close();
    await open;
    expect(seen.slice(-2)).toMatchObject([
      { target: 'late', outcome: 'REQUEST_TIMEOUT', durationMs: 5_000 },
      { target: 'open', outcome: 'CONNECTION_CLOSED', durationMs: 0 },
    ]);
  });

  it('W260 is told after the answer went on its way', async () => {
    let received: readonly unknown[] = [];
    const answersThen: number[] = [];
    const observer = (): unknown => answersThen.push(received.length);
    const server = new Server({ name: 's', version: '1' }, { observer });
    const wire = await openWire((transport) => server.connect(transport));
    ({ received } = wire);
    await wire.result('server/discover', modern());
    await until(() => answersThen.length > 0, 'the observer');
    expect(answersThen).toEqual([1]);
    await wire.close();
  });
});
