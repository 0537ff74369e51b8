import { ProtocolError } from '@portico/rpc';
import type { JSONRPCRequest } from '@portico/rpc';
import type { TaskState } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, discovered, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedAnswer, ScriptedServer } from '../../../testing/scripted-server.ts';
import { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';

const INFO = { name: 'test', version: '1' };
const EXTENSION = { 'io.modelcontextprotocol/tasks': {} };
const STATE = {
  taskId: 't1',
  createdAt: '2026-07-28T10:00:00Z',
  lastUpdatedAt: '2026-07-28T10:00:00Z',
  ttlMs: null,
};
const HANDLE = { resultType: 'task', ...STATE, status: 'working' };
const WORKING = { ...STATE, status: 'working' };
const DONE = { ...STATE, status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };

interface World {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly sent: (method: string) => JSONRPCRequest[];
}

async function open(
  answers: Readonly<Record<string, ScriptedAnswer>>,
  options: ClientOptions = {},
): Promise<World> {
  const clock = createManualClock();
  const server = await createScriptedServer({
    clock,
    answers: {
      'server/discover': () => discovered({ tools: {}, resources: {}, prompts: {}, extensions: EXTENSION }),
      'tools/call': () => HANDLE,
      'tasks/update': () => ({ resultType: 'complete' }),
      'tasks/cancel': () => ({ resultType: 'complete' }),
      ...answers,
    },
  });
  const client = new Client(INFO, {
    clock,
    capabilities: { extensions: EXTENSION, roots: {} },
    versionNegotiation: { mode: 'auto' },
    ...options,
  });
  await client.connect(server.transport);
  const sent = (method: string): JSONRPCRequest[] =>
    server.messages.filter((message) => message.method === method);
  return { client, server, clock, sent };
}

const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('tool calls that become tasks', () => {
  it('W196 are taken where the extension is declared, and are no answer to anything else', async () => {
    const { client, clock } = await open({
      'tasks/get': () => DONE,
      'prompts/get': () => HANDLE,
      'resources/read': () => HANDLE,
      'tools/list': () => HANDLE,
    });
    const call = client.callTool({ name: 'n' });
    await clock.advance(1_000);
    expect(await call).toEqual(DONE.result);
    const { client: direct } = await open({ 'tools/call': () => ({ content: [] }) });
    expect(await direct.callTool({ name: 'n' })).toEqual({ content: [] });
    for (const other of [
      () => client.getPrompt({ name: 'n' }),
      () => client.readResource({ uri: 'x:y' }),
      () => client.listTools(),
    ]) {
      await expect(other()).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    }
    const broken = await open({ 'tools/call': () => ({ ...HANDLE, taskId: '' }) });
    await expect(broken.client.callTool({ name: 'n' })).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    const plain = await open({ 'tasks/get': () => DONE }, { capabilities: {} });
    await expect(plain.client.callTool({ name: 'n' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_RESULT_TYPE',
      data: { resultType: 'task' },
    });
    expect(plain.sent('tasks/get')).toEqual([]);
  });

  it('W199 are looked at as often as the server wishes, until they end', async () => {
    const states: object[] = [
      WORKING,
      { ...WORKING, pollIntervalMs: 5_000 },
      { ...WORKING, pollIntervalMs: 1 },
      { ...WORKING },
      DONE,
    ];
    const seen: TaskState[] = [];
    const { client, clock, sent } = await open({ 'tasks/get': () => states.shift() });
    const startMs = clock.now();
    const call = client.callTool({ name: 'n' }, { ontask: (task) => seen.push(task) });
    const looks = (): number => sent('tasks/get').length;
    for (const [atMs, count] of [
      [999, 0],
      [1_000, 1],
      [1_999, 1],
      [2_000, 2],
      [6_999, 2],
      [7_000, 3],
      [7_249, 3],
      [7_250, 4],
      [8_249, 4],
      [8_250, 5],
    ] as const) {
      await clock.advance(atMs - (clock.now() - startMs));
      expect([atMs, looks()]).toEqual([atMs, count]);
    }
    expect(await call).toEqual(DONE.result);
    expect(seen.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'working'),
      'completed',
    ]);
    expect(seen[0]?.taskId).toBe('t1');
    expect(clock.armed).toBe(0);
  });

  it('W199 end with what they came to', async () => {
    const end = async (state: object): Promise<unknown> => {
      const { client, clock } = await open({ 'tasks/get': () => state });
      const call = outcome(client.callTool({ name: 'n' }));
      await clock.advance(1_000);
      return call;
    };
    const failed = { content: [{ type: 'text', text: 'no' }], isError: true };
    expect(await end({ ...DONE, result: failed })).toEqual(failed);
    const error = { code: -32050, message: 'broke', data: { why: 'x' } };
    expect(await end({ ...STATE, status: 'failed', error })).toMatchObject(error);
    expect(await end({ ...STATE, status: 'cancelled', statusMessage: 'stopped' })).toMatchObject({
      code: 'REQUEST_ABORTED',
      message: 'stopped',
      data: { taskId: 't1' },
    });
    for (const broken of [{ ...DONE, result: 'x' }, { ...DONE, taskId: 'other' }, { status: 'working' }]) {
      expect(await end(broken)).toMatchObject({ code: 'INVALID_RESULT' });
    }
    const lists = {
      'tools/list': () => ({ tools: [{ ...scriptedTool('n'), outputSchema: { type: 'object' } }] }),
    };
    const jsonSchemaValidator = {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'unfit' }) as const,
    };
    const { client, clock } = await open({ ...lists, 'tasks/get': () => DONE }, { jsonSchemaValidator });
    await client.listTools();
    const unfit = outcome(client.callTool({ name: 'n' }));
    await clock.advance(1_000);
    expect(await unfit).toMatchObject({ code: 'INVALID_RESULT' });
  });

  it('W199 are given up by a request of their own, and by no notice', async () => {
    for (const during of ['the wait', 'a look']) {
      const { client, server, clock, sent } = await open({
        'tasks/get': () => (during === 'a look' ? new Promise(() => undefined) : WORKING),
      });
      const abort = new AbortController();
      const call = outcome(client.callTool({ name: 'n' }, { signal: abort.signal }));
      await clock.advance(1_500);
      abort.abort('enough');
      expect(await call).toMatchObject({ code: 'REQUEST_ABORTED', cause: 'enough' });
      await clock.advance(10_000);
      expect(sent('tasks/cancel').map(({ params }) => params?.['taskId'])).toEqual(['t1']);
      expect(sent('tasks/get')).toHaveLength(1);
      expect(server.notifications).toEqual([]);
    }
    const slow = await open({ 'tasks/get': () => WORKING });
    const late = outcome(slow.client.callTool({ name: 'n' }, { maxTotalTimeout: 2_500 }));
    await slow.clock.advance(3_000);
    expect(await late).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(slow.sent('tasks/cancel')).toHaveLength(1);
  });

  it('W199 can be seen, and gone on with from the id alone', async () => {
    const first = await open({ 'tasks/get': () => WORKING });
    const handle = await first.client.callTool({ name: 'n' }, { allowTask: true });
    expect(handle).toEqual(HANDLE);
    expect(first.sent('tasks/get')).toEqual([]);
    const states = [WORKING, DONE];
    const second = await open({ 'tasks/get': () => states.shift() });
    const resumed = second.client.resumeTask('t1');
    await second.clock.advance(1_000);
    expect(await resumed).toEqual(DONE.result);
    expect(second.sent('tools/call')).toEqual([]);
    expect(second.sent('tasks/get').map(({ params }) => params?.['taskId'])).toEqual(['t1', 't1']);
    const gone = await open({
      'tasks/get': () => {
        throw new ProtocolError(-32602, 'no such task');
      },
    });
    await expect(gone.client.resumeTask('t1')).rejects.toMatchObject({ code: -32602 });
    const byHand = await open({ 'tasks/get': () => WORKING });
    expect(await byHand.client.getTask('t1')).toEqual(WORKING);
    await byHand.client.updateTask('t1', {});
    await byHand.client.cancelTask('t1');
    expect(byHand.server.requests.slice(1)).toEqual(['tasks/get', 'tasks/update', 'tasks/cancel']);
  });

  it('have each question answered once, while they are looked at further', async () => {
    const asking = (...keys: string[]): object => ({
      ...STATE,
      status: 'input_required',
      inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'roots/list' }])),
    });
    const states = [asking('a', 'b'), asking('a', 'b'), asking('b'), asking('b', 'c'), DONE];
    const { client, clock, sent } = await open({ 'tasks/get': () => states.shift() });
    const asked: unknown[] = [];
    let answerB: (roots: { roots: [] }) => void = () => undefined;
    client.setRequestHandler('roots/list', (_request, { mcpReq }) => {
      asked.push(mcpReq.id);
      if (mcpReq.id === 'b') return new Promise((resolve) => (answerB = resolve));
      return { roots: [] };
    });
    const call = client.callTool({ name: 'n' });
    await clock.advance(1_000);
    const updates = (): unknown[] => sent('tasks/update').map(({ params }) => params?.['inputResponses']);
    expect(asked).toEqual(['a', 'b']);
    expect(updates()).toEqual([{ a: { roots: [] } }]);
    await clock.advance(2_000);
    answerB({ roots: [] });
    await clock.advance(2_000);
    expect(await call).toEqual(DONE.result);
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(updates()).toEqual([{ a: { roots: [] } }, { b: { roots: [] } }, { c: { roots: [] } }]);
  });

  it('W24 end with the connection, at once and for good, and may be gone on with on the next one', async () => {
    const { client, clock, sent } = await open({ 'tasks/get': () => WORKING });
    const call = outcome(client.callTool({ name: 'n' }));
    await clock.advance(1_500);
    const looks = sent('tasks/get').length;
    await client.close();
    expect(await call).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(clock.armed).toBe(0);
    const next = await createScriptedServer({
      clock,
      answers: {
        'server/discover': () => discovered({ tools: {}, extensions: EXTENSION }),
        'tasks/get': () => DONE,
      },
    });
    await client.connect(next.transport);
    await clock.advance(100_000);
    expect([looks, sent('tasks/cancel').length]).toEqual([1, 0]);
    expect(next.requests).toEqual(['server/discover']);
    const resumed = client.resumeTask('t1');
    await clock.advance(1_000);
    expect(await resumed).toEqual(DONE.result);
  });

  it('are given up when a question cannot be answered, or there are too many', async () => {
    let n = 0;
    const { client, clock, sent } = await open({
      'tasks/get': () => ({
        ...STATE,
        status: 'input_required',
        pollIntervalMs: 250,
        inputRequests: { [`q${n++}`]: { method: 'roots/list' } },
      }),
    });
    let declines = true;
    client.setRequestHandler('roots/list', () => {
      if (declines) throw new ProtocolError(-1, 'no');
      return { roots: [] };
    });
    const declined = outcome(client.callTool({ name: 'n' }));
    await clock.advance(1_000);
    expect(await declined).toMatchObject({ code: -1 });
    expect(sent('tasks/cancel')).toHaveLength(1);
    declines = false;
    const endless = outcome(client.callTool({ name: 'n' }));
    await clock.advance(60_000);
    expect(await endless).toMatchObject({ code: 'INPUT_REQUIRED_ROUNDS_EXCEEDED' });
    expect(sent('tasks/update')).toHaveLength(100);
  });
});
