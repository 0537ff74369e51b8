// oxlint-disable vitest/no-conditional-expect -- what can be seen of a rule differs from route to route
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '@portico/client';
import {
  CLIENT_ROUTES,
  type ScriptedEnd,
  type ScriptedOptions,
  idOf,
  progressFor,
  resultFor,
  tokenOf,
} from './client-routes.ts';
import type { Seen } from './server-routes.ts';
import { until } from './test-server.ts';

const open: ScriptedEnd[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((end) => end.close()));
});

const toolCalled = (name: string) => (message: Seen) =>
  message['method'] === 'tools/call' && (message['params'] as Seen)['name'] === name;
const isCancel = ({ method }: Seen): boolean => method === 'notifications/cancelled';
/** What a call ended with, when it failed. */
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const textOf = (result: unknown): unknown => (result as { content?: { text?: string }[] }).content?.[0]?.text;

describe.each(CLIENT_ROUTES)('a client over $name', (route) => {
  const byStream = route.transport === 'http' && route.era === 'modern';

  async function start(options?: ScriptedOptions): Promise<ScriptedEnd> {
    const end = await route.open(options);
    open.push(end);
    return end;
  }

  /** A call that is answered as it should: the connection is whole. */
  async function works(end: ScriptedEnd, name: string): Promise<void> {
    const call = end.client.callTool({ name });
    const request = await end.next(toolCalled(name));
    end.say(request['id'], resultFor(request['id'], name));
    expect(textOf(await call)).toBe(name);
  }

  it('W6 gives each of a thousand mixed requests an id of its own, and none the id null', async () => {
    const interim = { resultType: 'input_required', requestState: 's', inputRequests: {} };
    const texts: Readonly<Record<string, object>> = {
      'tools/list': { tools: [] },
      'prompts/get': { messages: [] },
      'resources/read': { contents: [] },
      'completion/complete': { completion: { values: [] } },
      ping: {},
    };
    const complete = (result: object): object => ({ resultType: 'complete', ttlMs: 0, ...result });
    const answers: Record<string, (request: Seen) => object | undefined> = Object.fromEntries(
      Object.entries(texts).map(([method, result]) => [method, () => complete(result)]),
    );
    answers['tools/call'] = (request) => {
      const params = request['params'] as Seen;
      // Some go through a second round, some are never answered.
      if (params['name'] === 'held') return undefined;
      const again = route.era === 'modern' && params['name'] === 'rounds' && params['requestState'] !== 's';
      return again ? interim : complete({ content: [] });
    };
    const end = await start({ answers });
    const { client } = end;
    const kinds: readonly ((client: Client) => Promise<unknown>)[] = [
      () => client.listTools(),
      () => client.callTool({ name: 'plain' }, { onprogress: () => 0 }),
      () => client.callTool({ name: 'rounds' }),
      () => client.getPrompt({ name: 'p' }),
      () => client.readResource({ uri: 'x:y' }),
      () => client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }),
      () => client.request({ method: 'tools/list' }),
      () => {
        const abort = new AbortController();
        const held = failure(client.callTool({ name: 'held' }, { signal: abort.signal }));
        abort.abort();
        return held;
      },
      () =>
        route.era === 'legacy'
          ? client.ping()
          : failure(client.listen({ toolsListChanged: true }, { signal: AbortSignal.timeout(0) })),
      () => client.notification({ method: 'com.example/note' }),
    ];
    const before = end.sent.length;
    for (let round = 0; round < 100; round += 1) {
      const calls = Promise.all(kinds.map((call) => call(client)));
      // Rounds that ask for nothing are spaced.
      if (route.era === 'modern') {
        await until(() => end.sent.filter(toolCalled('rounds')).length > 2 * round, 'the first round');
        for (let more = 0; more < 3; more += 1) await end.clock.advance(250);
      }
      await calls;
    }
    const requests = end.sent.filter(({ id }) => id !== undefined);
    expect(end.sent.length - before).toBeGreaterThanOrEqual(1_000);
    const ids = requests.map(({ id }) => id);
    expect(ids.filter((id) => typeof id !== 'number' && typeof id !== 'string')).toEqual([]);
    expect(new Set(ids).size).toBe(requests.length);
  });

  it('W11 takes errors without an id and with null alike: told, and no call ends by them', async () => {
    const end = await start();
    const error = { code: -32_600, message: 'whose?' };
    const call = end.client.callTool({ name: 'open' });
    const { id } = await end.next(toolCalled('open'));
    end.say(id, { jsonrpc: '2.0', error }, { jsonrpc: '2.0', id: null, error });
    await until(() => end.errors.length > 1, 'two reports');
    end.say(id, resultFor(id, 'mine'));
    expect(textOf(await call)).toBe('mine');
    const [without, withNull] = end.errors as (Error & { code?: unknown })[];
    expect(end.errors).toHaveLength(2);
    expect(withNull?.code).toBe(without?.code);
  });

  it('W14 drops late answers without a word, tells an answer to nothing once, and works on', async () => {
    const end = await start();
    const abort = new AbortController();
    const cancelled = failure(end.client.callTool({ name: 'cancelled' }, { signal: abort.signal }));
    const timedOut = failure(end.client.callTool({ name: 'late' }, { timeout: 1_000 }));
    const first = idOf(await end.next(toolCalled('cancelled')));
    const second = idOf(await end.next(toolCalled('late')));
    abort.abort('enough');
    await end.clock.advance(1_000);
    expect(await cancelled).toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(await timedOut).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    end.say(first, resultFor(first, 'late'));
    end.say(second, { jsonrpc: '2.0', id: second, error: { code: -32_603, message: 'late' } });
    await works(end, 'after the late ones');
    expect(end.errors).toEqual([]);

    const call = end.client.callTool({ name: 'beside' });
    const { id } = await end.next(toolCalled('beside'));
    end.say(id, resultFor(987_654, 'to nothing'));
    await until(() => end.errors.length > 0, 'a report');
    end.say(id, resultFor(id, 'beside'));
    expect(textOf(await call)).toBe('beside');
    await works(end, 'after the unknown one');
    expect(end.errors).toHaveLength(1);
  });

  it('W61 ends a call at its limit, a minute unless it is said, with an error of this side', async () => {
    const end = await start();
    for (const [options, limitMs] of [
      [undefined, 60_000],
      [{ timeout: 500 }, 500],
      [{ timeout: 90_000 }, 90_000],
    ] as const) {
      let ended: unknown;
      const name = `silent for ${String(limitMs)}`;
      const call = failure(end.client.callTool({ name }, options)).then((error) => (ended = error));
      await end.next(toolCalled(name));
      await end.clock.advance(limitMs - 1);
      expect(ended).toBeUndefined();
      await end.clock.advance(1);
      await call;
      expect(ended).toMatchObject({ name: 'SdkError', code: 'REQUEST_TIMEOUT', data: { timeout: limitMs } });
      expect((ended as Error).message).not.toMatch(/-\d{5}/);
    }
    await works(end, 'after silence');
  });

  it('W62 begins the limit anew with progress, up to the maximum or ten times the limit, over all rounds', async () => {
    // The first round in the modern era asks for another; all of it is one flow.
    const end = await start({ client: { inputRequired: { maxRounds: 1_000 } } });
    for (const [maxTotalTimeout, totalMs] of [
      [100_000, 100_000],
      [undefined, 400_000],
    ] as const) {
      const name = `until ${String(totalMs)}`;
      let reports = 0;
      let ended: unknown;
      const onprogress = (): void => void (reports += 1);
      const limits = { timeout: 40_000, maxTotalTimeout, resetTimeoutOnProgress: true, onprogress };
      const call = failure(end.client.callTool({ name }, limits)).then((error) => (ended = error));
      const startMs = end.clock.now();
      await end.next(toolCalled(name));
      const endMs = startMs + totalMs;
      for (let round = 0; ended === undefined && end.clock.now() < endMs; round += 1) {
        const request = end.sent.findLast(toolCalled(name)) as Seen;
        const before = reports;
        const messages: object[] = [progressFor(tokenOf(request), { progress: round })];
        const rounds = end.sent.filter(toolCalled(name)).length;
        const asksAgain = route.era === 'modern' && round % 3 === 2;
        if (asksAgain) {
          const result = { resultType: 'input_required', requestState: String(round) };
          messages.push({ jsonrpc: '2.0', id: request['id'], result });
        }
        end.say(request['id'], ...messages);
        await until(() => reports > before, 'the report');
        await end.clock.advance(Math.min(30_000, endMs - end.clock.now() - 1));
        if (asksAgain) {
          await until(() => end.sent.filter(toolCalled(name)).length > rounds, 'the next round');
        }
        expect(ended).toBeUndefined();
        if (end.clock.now() === endMs - 1) await end.clock.advance(1);
      }
      await call;
      expect(end.clock.now()).toBe(endMs);
      expect(ended).toMatchObject({ code: 'REQUEST_TIMEOUT', data: { timeout: expect.any(Number) } });
    }
    let ended: unknown;
    const plain = { timeout: 40_000, onprogress: () => undefined };
    const call = failure(end.client.callTool({ name: 'plain' }, plain)).then((error) => (ended = error));
    const request = await end.next(toolCalled('plain'));
    await end.clock.advance(30_000);
    end.say(request['id'], progressFor(tokenOf(request), { progress: 1 }));
    await end.clock.advance(10_000);
    await call;
    expect(ended).toMatchObject({ code: 'REQUEST_TIMEOUT', data: { timeout: 40_000 } });
  });

  it('W71 adds a token to what _meta holds, another one for each open call', async () => {
    const end = await start();
    const calls = Array.from({ length: 20 }, (_, index) => {
      const _meta = { 'com.example/own': index, nested: { deep: [index] } };
      return end.client.callTool({ name: 'many', _meta }, { onprogress: () => undefined });
    });
    await until(() => end.sent.filter(toolCalled('many')).length === 20, 'twenty calls');
    const requests = end.sent.filter(toolCalled('many'));
    const metas = requests.map(({ params }) => (params as Seen)['_meta'] as Seen);
    const numbers = metas.map((meta) => meta['com.example/own'] as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index));
    for (const meta of metas) expect(meta['nested']).toEqual({ deep: [meta['com.example/own']] });
    const tokens = requests.map(tokenOf);
    expect(new Set(tokens).size).toBe(20);
    for (const token of tokens) expect(typeof token === 'string' || Number.isInteger(token)).toBe(true);
    for (const { id } of requests) end.say(id, resultFor(id, 'done'));
    await Promise.all(calls);

    const plain = end.client.callTool({ name: 'plain', _meta: { own: 1 } });
    const request = await end.next(toolCalled('plain'));
    expect(tokenOf(request)).toBeUndefined();
    end.say(request['id'], resultFor(request['id'], 'plain'));
    await plain;
  });

  it('W72 hands on progress in order before the call resolves, all of it in one chunk', async () => {
    const end = await start();
    const seen: unknown[] = [];
    const call = end.client
      .callTool({ name: 'x' }, { onprogress: (progress) => seen.push(progress) })
      .then(() => seen.push('resolved'));
    const request = await end.next(toolCalled('x'));
    const reports = [
      { progress: 1, total: 3, message: 'one' },
      { progress: 2.5, total: 3, message: 'two ü' },
      { progress: 3, total: 3, message: 'three' },
    ];
    const token = tokenOf(request);
    end.say(
      request['id'],
      ...reports.map((report) => progressFor(token, report)),
      resultFor(request['id'], 'x'),
    );
    await call;
    expect(seen).toEqual([...reports, 'resolved']);
    expect(end.errors).toEqual([]);
  });

  it('field-D10 takes no answer whose id has another type: told once, and hinted at when time is up', async () => {
    const end = await start();
    const call = failure(end.client.callTool({ name: 'typed' }, { timeout: 5_000 }));
    const { id } = await end.next(toolCalled('typed'));
    expect(typeof id).toBe('number');
    end.say(id, resultFor(String(id), 'of another type'));
    await until(() => end.errors.length > 0, 'a report');
    await end.clock.advance(5_000);
    const error = await call;
    const data = { timeout: 5_000, answeredAs: String(id) };
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', data });
    expect((error as Error).message).toContain(JSON.stringify(String(id)));
    expect(end.errors).toHaveLength(1);
    await works(end, 'after the odd one');
  });

  it('field-D11 lets progress and answers that cross the end of their call pass without harm', async () => {
    const end = await start();
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
    const call = end.client.callTool({ name: 'c' }, { onprogress });
    const request = await end.next(toolCalled('c'));
    const token = tokenOf(request);
    end.say(request['id'], resultFor(request['id'], 'c'), progressFor(token, { progress: 9 }));
    expect(textOf(await call)).toBe('c');
    const late = failure(end.client.callTool({ name: 'd' }, { timeout: 100, onprogress }));
    const { id } = await end.next(toolCalled('d'));
    await end.clock.advance(100);
    await late;
    end.say(id, resultFor(id, 'd'));
    await works(end, 'still there');
    expect([seen, end.errors]).toEqual([[], []]);
    const open5 = end.client.callTool({ name: 'e' });
    const last = await end.next(toolCalled('e'));
    end.say(last['id'], progressFor('invented', { progress: 1 }), resultFor(last['id'], 'e'));
    expect(textOf(await open5)).toBe('e');
    expect(end.errors.length).toBeLessThanOrEqual(1);
  });

  // Where a call has a stream of its own, closing that is all there is to tell.
  if (byStream) return;

  it('W64 tells the server once that a call was given up, with id and reason', async () => {
    const end = await start();
    const early = AbortSignal.abort('too early');
    expect(await failure(end.client.callTool({ name: 'early' }, { signal: early }))).toMatchObject({
      code: 'REQUEST_ABORTED',
    });
    const abort = new AbortController();
    const aborted = failure(end.client.callTool({ name: 'aborted' }, { signal: abort.signal }));
    const first = await end.next(toolCalled('aborted'));
    abort.abort('changed my mind');
    expect(await aborted).toMatchObject({ code: 'REQUEST_ABORTED', cause: 'changed my mind' });
    abort.abort('again');
    const timedOut = failure(end.client.callTool({ name: 'slow' }, { timeout: 700 }));
    const second = await end.next(toolCalled('slow'));
    await end.clock.advance(700);
    expect(await timedOut).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    const done = new AbortController();
    const finished = end.client.callTool({ name: 'done' }, { signal: done.signal });
    const third = await end.next(toolCalled('done'));
    end.say(third['id'], resultFor(third['id'], 'done'));
    await finished;
    done.abort('too late');
    await end.clock.advance(100_000);
    await works(end, 'after all that');
    expect(end.sent.filter(isCancel).map(({ params }) => params)).toMatchObject([
      { requestId: first['id'], reason: 'changed my mind' },
      { requestId: second['id'], reason: expect.any(String) },
    ]);
    expect(end.sent.filter(toolCalled('early'))).toEqual([]);
    expect(end.errors).toEqual([]);
  });

  it('W64 never cancels the opening on the wire, aborted or timed out', async () => {
    const hello = route.era === 'legacy' ? 'initialize' : 'server/discover';
    const silent = { [hello]: () => undefined };
    for (const how of ['abort', 'timeout'] as const) {
      const abort = new AbortController();
      const end = await start({ answers: silent, connect: { signal: abort.signal, timeout: 900 } });
      await end.next(({ method }) => method === hello);
      if (how === 'abort') abort.abort('not now');
      else await end.clock.advance(900);
      await expect(end.connected).rejects.toMatchObject({ code: expect.any(String) });
      await end.clock.advance(1_000);
      expect(end.sent.filter(isCancel)).toEqual([]);
      expect(end.sent).toHaveLength(1);
    }
  });
});
