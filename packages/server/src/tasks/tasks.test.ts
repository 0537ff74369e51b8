import { ProtocolError } from '@portico/rpc';
import { TASKS_EXTENSION_ID } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { post } from '../../../../testing/mcp-http.ts';
import { modern, openWire, type Wire } from '../../../../testing/mcp-wire.ts';
import { createMcpHandler } from '../http/create-mcp-handler.ts';
import { inputRequired } from '../input-required.ts';
import { McpServer, type McpServerOptions } from '../mcp/mcp-server.ts';
import { InMemoryTaskStore, type StoredTask, type TaskStore } from './task-store.ts';
import type { TaskRun } from './task-run.ts';

const DECLARED = { extensions: { [TASKS_EXTENSION_ID]: {} }, elicitation: { form: {} } };
const LACKING = {
  code: -32_021,
  data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION_ID]: {} } } },
};
const inTasks = (params: Record<string, unknown> = {}): Record<string, unknown> =>
  modern(params, { capabilities: DECLARED });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Job {
  readonly server: McpServer;
  /** Ends the work that was started last. */
  finish(result: object): void;
  fail(error: unknown): void;
  run(): TaskRun;
}

/** A server with a tool whose work the test ends by hand. */
function jobServer(options: McpServerOptions = {}): Job {
  const server = new McpServer({ name: 'jobs', version: '1' }, { tasks: {}, ...options });
  let ends: { resolve: (value: object) => void; reject: (error: unknown) => void } | undefined;
  let current: TaskRun | undefined;
  const work = (run: TaskRun): Promise<object> => {
    current = run;
    return new Promise((resolve, reject) => (ends = { resolve, reject }));
  };
  server.registerTool('job', {}, (ctx) => ctx.tasks!.start(work) as never);
  server.registerTool('either', {}, (ctx) =>
    ctx.tasks!.isSupported
      ? (ctx.tasks!.start(work) as never)
      : { content: [{ type: 'text', text: 'at once' }] },
  );
  server.registerTool(
    'typed',
    { outputSchema: z.object({ n: z.number() }) },
    (ctx) => ctx.tasks!.start(work) as never,
  );
  server.registerTool('asks', {}, (ctx) =>
    ctx.mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { q: inputRequired.listRoots() } })
      : (ctx.tasks!.start(work) as never),
  );
  server.registerPrompt('prompt', {}, (() => ({ resultType: 'task', messages: [] })) as never);
  return {
    server,
    finish: (result) => ends!.resolve(result),
    fail: (error) => ends!.reject(error),
    run: () => current!,
  };
}

const open = (server: McpServer): Promise<Wire> => openWire((transport) => server.connect(transport));

async function started(wire: Wire, name = 'job'): Promise<string> {
  const handle = await wire.result('tools/call', inTasks({ name }));
  return handle['taskId'] as string;
}

describe('creating tasks', () => {
  it('W195 answers a tool call with a handle, only to a caller that declared the extension', async () => {
    const { server } = jobServer();
    const wire = await open(server);
    const discovered = await wire.result('server/discover', modern());
    expect(discovered['capabilities']).toMatchObject({ extensions: { [TASKS_EXTENSION_ID]: {} } });
    const handle = await wire.result('tools/call', inTasks({ name: 'job' }));
    expect(handle).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 3_600_000,
      pollIntervalMs: 1000,
    });
    expect(await wire.error('tools/call', modern({ name: 'job' }))).toMatchObject(LACKING);
    expect(await wire.result('tools/call', modern({ name: 'either' }))).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'at once' }],
    });
    expect(await wire.result('tools/call', inTasks({ name: 'either' }))).toMatchObject({
      resultType: 'task',
    });
    expect((await wire.error('prompts/get', inTasks({ name: 'prompt' }))).code).toBe(-32_603);
    const legacy = await open(jobServer().server);
    await legacy.initialize('2025-11-25', DECLARED);
    expect(await legacy.error('tools/call', { name: 'job' })).toMatchObject(LACKING);
  });

  it('W195 over HTTP refuses the undeclared caller with status 400', async () => {
    const handler = createMcpHandler(jobServer().server);
    const call = (capabilities: object): ReturnType<typeof post> =>
      post(handler, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: modern({ name: 'job' }, { capabilities }),
      });
    const refused = await call({});
    expect([refused.status, refused.message['error']]).toMatchObject([400, LACKING]);
    expect((await call(DECLARED)).message['result']).toMatchObject({ resultType: 'task' });
    await handler.close();
  });

  it('has no tasks unless it was told to', async () => {
    const server = new McpServer({ name: 'plain', version: '1' });
    const seen: unknown[] = [];
    server.registerTool('t', {}, (ctx) => {
      seen.push(ctx.tasks);
      return { content: [] };
    });
    const wire = await open(server);
    await wire.result('tools/call', inTasks({ name: 't' }));
    expect(seen).toEqual([undefined]);
    expect((await wire.error('tasks/get', inTasks({ taskId: 'x' }))).code).toBe(-32_601);
    const discovered = await wire.result('server/discover', modern());
    expect(discovered['capabilities']).not.toHaveProperty('extensions');
  });

  it('W197 answers the handle only once the task can be found, after questions were answered', async () => {
    const clock = createManualClock();
    const memory = new InMemoryTaskStore(clock);
    let stored = (): void => undefined;
    const slow: TaskStore = {
      create: (task) =>
        new Promise<void>((resolve) => {
          stored = () => {
            memory.create(task);
            resolve();
          };
        }),
      get: (taskId) => memory.get(taskId),
      change: (taskId, change) => memory.change(taskId, change),
      watch: (taskId, listener) => memory.watch(taskId, listener),
    };
    const { server } = jobServer({ tasks: { store: slow }, clock });
    const wire = await open(server);
    let answered = false;
    const call = wire.result('tools/call', inTasks({ name: 'job' })).then((handle) => {
      answered = true;
      return handle;
    });
    await settle();
    expect(answered).toBe(false);
    stored();
    const { taskId } = await call;
    expect(await wire.result('tasks/get', inTasks({ taskId }))).toMatchObject({ status: 'working' });
    const roots = { ...DECLARED, roots: {} };
    const first = await wire.result('tools/call', modern({ name: 'asks' }, { capabilities: roots }));
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q: { method: 'roots/list' } },
    });
    const again = wire.result(
      'tools/call',
      modern({ name: 'asks', inputResponses: { q: { roots: [] } } }, { capabilities: roots }),
    );
    await settle();
    stored();
    expect(await again).toMatchObject({ resultType: 'task' });
  });

  it('W197 gives unguessable ids, which only their creator can use', async () => {
    const handler = createMcpHandler(jobServer().server);
    const send = async (
      method: string,
      params: Record<string, unknown>,
      clientId?: string,
    ): Promise<Record<string, unknown>> => {
      const options = clientId === undefined ? {} : { authInfo: { token: 't', clientId, scopes: [] } };
      return (await post(handler, { jsonrpc: '2.0', id: 1, method, params: inTasks(params) }, options))
        .message;
    };
    const ids = new Set<unknown>();
    for (let index = 0; index < 50; index++) {
      const { taskId } = (await send('tools/call', { name: 'job' }, 'ada'))['result'] as { taskId: string };
      expect(taskId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
      ids.add(taskId);
    }
    expect(ids.size).toBe(50);
    const [taskId] = ids;
    for (const other of ['eve', undefined]) {
      for (const [method, params] of [
        ['tasks/get', { taskId }],
        ['tasks/update', { taskId, inputResponses: {} }],
        ['tasks/cancel', { taskId }],
      ] as const) {
        expect(await send(method, params, other)).toMatchObject({ error: { code: -32_602 } });
      }
    }
    expect(await send('tasks/get', { taskId }, 'ada')).toMatchObject({ result: { status: 'working' } });
    await handler.close();
  });
});

describe('looking at tasks', () => {
  it('W198 tells every state with what belongs to it; final ones never change', async () => {
    const clock = createManualClock();
    const job = jobServer({ clock });
    const wire = await open(job.server);
    const get = (taskId: string): Promise<Record<string, unknown>> =>
      wire.result('tasks/get', inTasks({ taskId }));

    const completed = await started(wire);
    const created = new Date(clock.now()).toISOString();
    expect(await get(completed)).toMatchObject({
      resultType: 'complete',
      taskId: completed,
      status: 'working',
      createdAt: created,
      lastUpdatedAt: created,
      ttlMs: 3_600_000,
    });
    await clock.advance(2000);
    await job.run().describe('half');
    expect(await get(completed)).toMatchObject({
      status: 'working',
      statusMessage: 'half',
      createdAt: created,
      lastUpdatedAt: new Date(clock.now()).toISOString(),
    });
    const result = { content: [{ type: 'text', text: 'done' }], _meta: { 'example.test/a': 1 } };
    job.finish(result);
    await settle();
    const final = await get(completed);
    expect(final).toMatchObject({ resultType: 'complete', status: 'completed', result });
    expect(await wire.result('tasks/cancel', inTasks({ taskId: completed }))).toMatchObject({
      resultType: 'complete',
    });
    expect(await get(completed)).toEqual(final);

    const erring = await started(wire);
    job.finish({ content: [], isError: true });
    await settle();
    expect(await get(erring)).toMatchObject({ status: 'completed', result: { isError: true } });

    const thrown = await started(wire);
    job.fail(new TypeError('broken'));
    await settle();
    expect(await get(thrown)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: 'broken' }] },
    });

    const failed = await started(wire);
    job.fail(new ProtocolError(-31_050, 'no', { why: 1 }));
    await settle();
    expect(await get(failed)).toMatchObject({
      status: 'failed',
      error: { code: -31_050, message: 'no', data: { why: 1 } },
    });

    const typed = await started(wire, 'typed');
    job.finish({ content: [], structuredContent: { n: 'x' } });
    await settle();
    expect(await get(typed)).toMatchObject({ status: 'completed', result: { isError: true } });

    const cancelled = await started(wire);
    const { signal } = job.run();
    await wire.result('tasks/cancel', inTasks({ taskId: cancelled }));
    expect(signal.aborted).toBe(true);
    job.finish(result);
    await settle();
    const after = await get(cancelled);
    expect(after['status']).toBe('cancelled');
    expect(after).not.toHaveProperty('result');

    expect((await wire.error('tasks/get', inTasks({ taskId: 'unknown' }))).code).toBe(-32_602);
    expect((await wire.error('tasks/get', inTasks({}))).code).toBe(-32_602);
    const expiring = await started(wire);
    const late = job.run();
    await clock.advance(3_600_000);
    expect((await wire.error('tasks/get', inTasks({ taskId: expiring }))).code).toBe(-32_602);
    expect(late.signal.aborted).toBe(true);
    const forever = jobServer({ clock, tasks: { ttlMs: null } });
    const other = await open(forever.server);
    expect(await other.result('tools/call', inTasks({ name: 'job' }))).toMatchObject({ ttlMs: null });
  });

  it('W200 takes answers once, in parts, and passes over unknown, late and wrapped ones', async () => {
    const job = jobServer();
    const wire = await open(job.server);
    const taskId = await started(wire);
    const question = {
      method: 'elicitation/create' as const,
      params: { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } },
    };
    const asked = job.run().requestInput({ a: question, b: question });
    const get = (): Promise<Record<string, unknown>> => wire.result('tasks/get', inTasks({ taskId }));
    const update = (inputResponses: object): Promise<Record<string, unknown>> =>
      wire.result('tasks/update', inTasks({ taskId, inputResponses }));
    await settle();
    expect(await get()).toMatchObject({
      status: 'input_required',
      inputRequests: { a: question, b: question },
    });
    expect(
      await update({ zzz: { action: 'accept' }, b: { method: 'elicitation/create', result: {} } }),
    ).toEqual({
      resultType: 'complete',
      _meta: expect.anything() as unknown,
    });
    expect(Object.keys((await get())['inputRequests'] as object)).toEqual(['a', 'b']);
    await update({ a: { action: 'accept', content: { n: 1 } } });
    expect(Object.keys((await get())['inputRequests'] as object)).toEqual(['b']);
    await update({ a: { action: 'decline' }, b: { action: 'cancel' } });
    expect(await asked).toEqual({ a: { action: 'accept', content: { n: 1 } }, b: { action: 'cancel' } });
    expect(await get()).toMatchObject({ status: 'working' });
    expect(await get()).not.toHaveProperty('inputRequests');
    await expect(job.run().requestInput({ a: question })).rejects.toMatchObject({
      code: 'INVALID_INPUT_REQUEST',
    });
    await expect(job.run().requestInput({ c: { method: 'roots/list' } })).rejects.toMatchObject({
      code: 'CAPABILITY_NOT_SUPPORTED',
    });
    const ended = job.run().requestInput({ d: question });
    await settle();
    await wire.result('tasks/cancel', inTasks({ taskId }));
    await expect(ended).rejects.toMatchObject({ code: 'TASK_ENDED' });
    await update({ d: { action: 'accept' } });
    expect(await get()).toMatchObject({ status: 'cancelled' });
    expect((await wire.error('tasks/update', inTasks({ taskId }))).code).toBe(-32_602);
    expect((await wire.error('tasks/update', inTasks({ taskId: 'unknown', inputResponses: {} }))).code).toBe(
      -32_602,
    );
  });

  it('W201 acknowledges a cancel whenever it comes, and asks for the extension in all three', async () => {
    const job = jobServer();
    const wire = await open(job.server);
    const taskId = await started(wire);
    for (const [method, params] of [
      ['tasks/get', { taskId }],
      ['tasks/update', { taskId, inputResponses: {} }],
      ['tasks/cancel', { taskId }],
    ] as const) {
      expect(await wire.error(method, modern(params))).toMatchObject(LACKING);
    }
    for (let round = 0; round < 2; round++) {
      expect(await wire.result('tasks/cancel', inTasks({ taskId }))).toEqual({
        resultType: 'complete',
        _meta: expect.anything() as unknown,
      });
    }
    const raced = await started(wire);
    const cancel = wire.result('tasks/cancel', inTasks({ taskId: raced }));
    job.finish({ content: [] });
    await cancel;
    await settle();
    const first = await wire.result('tasks/get', inTasks({ taskId: raced }));
    expect(['completed', 'cancelled']).toContain(first['status']);
    await wire.result('tasks/cancel', inTasks({ taskId: raced }));
    expect(await wire.result('tasks/get', inTasks({ taskId: raced }))).toEqual(first);
    expect((await wire.error('tasks/cancel', inTasks({ taskId: 'unknown' }))).code).toBe(-32_602);
  });

  it('W202 tells listeners that name a task of every change, in full, and nothing else of it', async () => {
    const job = jobServer();
    const wire = await open(job.server);
    const taskId = await started(wire);
    const foreign = await started(wire);
    const mine = await started(wire);
    const listen = { jsonrpc: '2.0' as const, id: 'ear', method: 'subscriptions/listen' };
    expect(
      await wire.error('subscriptions/listen', modern({ notifications: { taskIds: [taskId] } })),
    ).toMatchObject(LACKING);
    expect(
      (await wire.error('subscriptions/listen', inTasks({ notifications: { taskIds: 'x' } }))).code,
    ).toBe(-32_602);
    await wire.send({ ...listen, params: inTasks({ notifications: { taskIds: [mine, 'unknown'] } }) });
    const acknowledged = await wire.next(
      (message) => 'method' in message && message.method === 'notifications/subscriptions/acknowledged',
    );
    expect(acknowledged).toMatchObject({ params: { notifications: { taskIds: [mine] } } });
    await job.run().describe('half');
    job.finish({ content: [] });
    await settle();
    await wire.result('tasks/cancel', inTasks({ taskId: foreign }));
    const heard = wire.received.filter(
      (message) => 'method' in message && message.method === 'notifications/tasks',
    );
    expect(heard).toMatchObject([
      {
        params: {
          taskId: mine,
          status: 'working',
          statusMessage: 'half',
          _meta: { 'io.modelcontextprotocol/subscriptionId': 'ear' },
        },
      },
      { params: { taskId: mine, status: 'completed', result: { content: [] } } },
    ]);
    expect(await wire.result('tasks/get', inTasks({ taskId: mine }))).toMatchObject({ status: 'completed' });
  });

  it('knows nothing of the tasks of 2025-11-25', async () => {
    const wire = await open(jobServer().server);
    const { capabilities } = await wire.initialize('2025-11-25', { tasks: { list: {}, cancel: {} } });
    expect(capabilities).not.toHaveProperty('tasks');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
      expect((await wire.error(method, { taskId: 'x' })).code).toBe(-32_601);
    }
  });
});

it('keeps at most so many tasks, and forgets those whose time is over', async () => {
  const clock = createManualClock();
  const store = new InMemoryTaskStore(clock, { maxTasks: 2 });
  const task = (taskId: string): StoredTask => {
    const now = new Date(clock.now()).toISOString();
    return {
      owner: undefined,
      answers: {},
      usedKeys: [],
      state: { taskId, status: 'working', createdAt: now, lastUpdatedAt: now, ttlMs: 1000 },
    };
  };
  store.create(task('a'));
  store.create(task('b'));
  expect(() => store.create(task('c'))).toThrow(expect.objectContaining({ code: 'TOO_MANY_TASKS' }) as Error);
  await clock.advance(1000);
  store.create(task('c'));
  expect([store.get('a'), store.get('c')?.state.taskId]).toEqual([undefined, 'c']);
});
