import { Client } from '@portico/client';
import type { ClientContext } from '@portico/client';
import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { ManualClock } from '../../../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../../../testing/scripted-server.ts';
import type { ScriptedServer } from '../../../../testing/scripted-server.ts';
import { createAskQueue } from './ask-queue.ts';
import type { AskQueue, AskQueueOptions } from './ask-queue.ts';

const CAPABILITIES = { sampling: { tools: {} }, elicitation: { form: {}, url: {} } };
const TEXT = { type: 'text', text: 'hi' } as const;
const QUESTION = { messages: [{ role: 'user', content: TEXT }], maxTokens: 5 } as const;
const MESSAGE = { role: 'assistant', model: 'm', content: TEXT } as const;
const FORM = {
  message: 'who?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string', default: 'Ann' }, age: { type: 'integer' } },
    required: ['name'],
  },
} as const;
const PAGE = { mode: 'url', message: 'look', url: 'https://pay.example/', elicitationId: 'e1' } as const;

let ids = 0;

interface QueueSetting {
  readonly queue: AskQueue;
  readonly clock: ManualClock;
  readonly refused: string[];
  readonly changes: { count: number };
}

function createQueue(options: Partial<AskQueueOptions> = {}): QueueSetting {
  const clock = createManualClock(5_000);
  const refused: string[] = [];
  const changes = { count: 0 };
  const queue = createAskQueue({
    serverId: 'files',
    clock,
    newId: () => `q${String(++ids)}`,
    serverName: () => 'File server',
    changed: () => void (changes.count += 1),
    refused: (message) => void refused.push(message),
    ...options,
  });
  return { queue, clock, refused, changes };
}

/** A client whose server asks in the way of its era. */
interface Asker extends QueueSetting {
  readonly client: Client;
  readonly server: ScriptedServer;
  /** What the server gets; rejects with what the caller, or the old server, gets instead. */
  ask(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
}

async function createAsker(era: 'legacy' | 'modern', options: Partial<AskQueueOptions> = {}): Promise<Asker> {
  const setting = createQueue(options);
  const { clock, queue } = setting;
  let question: unknown;
  const server = await createScriptedServer({
    clock,
    ...(era === 'legacy'
      ? {}
      : {
          answers: {
            'server/discover': () => discovered(),
            'tools/call': ({ inputResponses }) =>
              inputResponses === undefined
                ? { resultType: 'input_required', inputRequests: { q: question } }
                : { content: [], structuredContent: inputResponses },
          },
        }),
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { clock, capabilities: CAPABILITIES, versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' } },
  );
  client.setRequestHandler(
    'sampling/createMessage',
    (request, context) => queue.handlers.sampling('files', request, context) as never,
  );
  client.setRequestHandler(
    'elicitation/create',
    (request, context) => queue.handlers.elicitation('files', request, context) as never,
  );
  await client.connect(server.transport);
  return {
    ...setting,
    client,
    server,
    async ask(method, params, signal) {
      const given = signal === undefined ? {} : { signal };
      if (era === 'legacy') return server.peer.request(method, params, { timeoutMs: 600_000, ...given });
      question = { method, params };
      const called = await client.callTool({ name: 'x' }, given);
      return (called.structuredContent as { q: unknown }).q;
    },
  };
}

const askSampling = (asker: Asker, signal?: AbortSignal): Promise<unknown> =>
  asker.ask('sampling/createMessage', QUESTION, signal);
/** Looked at from the start, so that no rejection is ever unhandled. */
const reasonOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
const askForm = (asker: Asker): Promise<unknown> => asker.ask('elicitation/create', FORM);

/** The first waiting question, once it is there. */
async function first(queue: AskQueue, list: 'sampling' | 'elicitation'): Promise<string> {
  await vi.waitFor(() => expect(queue[list]).not.toEqual([]));
  return queue[list][0]!.id;
}

/** What a handler gets beside the request. */
function contextOf(
  era: 'legacy' | 'modern' = 'legacy',
  signal = new AbortController().signal,
): ClientContext {
  return { mcpReq: { signal }, connection: { getProtocolEra: () => era } } as unknown as ClientContext;
}

const request = (params: object): { method: string; params: Record<string, unknown> } => ({
  method: 'x',
  params: { ...params },
});

describe.each(['legacy', 'modern'] as const)('questions of a %s server', (era) => {
  it('R109 R110 show sampling requests and answer with the approved result unchanged', async () => {
    const asker = await createAsker(era);
    const answer = askSampling(asker);
    const id = await first(asker.queue, 'sampling');
    expect(asker.queue.sampling).toEqual([
      {
        id,
        request: { method: 'sampling/createMessage', params: expect.objectContaining(QUESTION) as unknown },
        timestamp: 5_000,
        serverName: 'File server',
      },
    ]);
    asker.queue.approveSampling(id, MESSAGE);
    expect(asker.queue.sampling).toEqual([]);
    await expect(answer).resolves.toEqual(MESSAGE);
  });

  it('R109 R110 show forms and pages and answer with accept, decline or cancel', async () => {
    const asker = await createAsker(era);
    for (const params of [FORM, { mode: 'form', ...FORM }, PAGE]) {
      const actions = params === PAGE ? ['accept', 'decline', 'cancel'] : ['decline', 'cancel'];
      for (const action of actions) {
        const answer = asker.ask('elicitation/create', params);
        const id = await first(asker.queue, 'elicitation');
        expect(asker.queue.elicitation[0]?.request).toMatchObject(params);
        asker.queue.approveElicitation(id, { action: action as 'accept' });
        await expect(answer).resolves.toEqual({ action });
      }
    }
    const answer = askForm(asker);
    const id = await first(asker.queue, 'elicitation');
    const result = { action: 'accept' as const, content: { name: 'Eve', age: 3 } };
    asker.queue.approveElicitation(id, result);
    await expect(answer).resolves.toEqual(result);
  });

  it('R111 tell of a rejected sampling request', async () => {
    const asker = await createAsker(era);
    for (const text of [undefined, 'not now']) {
      const answer = askSampling(asker);
      asker.queue.rejectSampling(await first(asker.queue, 'sampling'), text);
      const { code, message, data } = (await reasonOf(answer)) as Record<string, unknown>;
      expect({ code, data }).toEqual(
        era === 'legacy' ? { code: -1, data: undefined } : { code: 'input_rejected', data: { id: 'files' } },
      );
      expect(message).toBe(text ?? 'the sampling request was rejected');
    }
  });

  it('R111 tell of a declined elicitation, and of one that was rejected with a text', async () => {
    const asker = await createAsker(era);
    const declined = askForm(asker);
    asker.queue.rejectElicitation(await first(asker.queue, 'elicitation'));
    await expect(declined).resolves.toEqual({ action: 'decline' });
    const rejected = askForm(asker);
    asker.queue.rejectElicitation(await first(asker.queue, 'elicitation'), 'not now');
    await expect(rejected).rejects.toMatchObject(
      era === 'legacy' ? { code: -1, message: 'not now' } : { code: 'input_rejected', message: 'not now' },
    );
  });

  it('R113 are answered for whoever takes longer than five minutes', async () => {
    const asker = await createAsker(era);
    const sampling = askSampling(asker);
    await first(asker.queue, 'sampling');
    const late = reasonOf(sampling);
    await asker.clock.advance(299_999);
    expect(asker.queue.sampling).toHaveLength(1);
    await asker.clock.advance(1);
    expect(asker.queue.sampling).toEqual([]);
    expect(await late).toMatchObject({ code: era === 'legacy' ? -1 : 'input_rejected' });
    const form = askForm(asker);
    await first(asker.queue, 'elicitation');
    await asker.clock.advance(300_000);
    expect(asker.queue.elicitation).toEqual([]);
    await expect(form).resolves.toEqual({ action: 'cancel' });
  });

  it('R114 vanish when the server cancels or the caller aborts', async () => {
    const asker = await createAsker(era);
    const controller = new AbortController();
    const answer = askSampling(asker, controller.signal);
    const id = await first(asker.queue, 'sampling');
    const reason = reasonOf(answer);
    controller.abort();
    expect(await reason).toBeInstanceOf(Error);
    await vi.waitFor(() => expect(asker.queue.sampling).toEqual([]));
    expect(() => asker.queue.approveSampling(id, MESSAGE)).not.toThrow();
  });

  it('R114 vanish when the connection is lost, without an unhandled rejection', async () => {
    const asker = await createAsker(era);
    const answer = askSampling(asker);
    await first(asker.queue, 'sampling');
    const reason = reasonOf(answer);
    await asker.client.close();
    expect(await reason).toBeInstanceOf(Error);
    await vi.waitFor(() => expect(asker.queue.sampling).toEqual([]));
    expect(asker.clock.armed).toBe(0);
  });
});

describe('createAskQueue', () => {
  it('R109 keeps questions oldest first and replaces only the list that changes', async () => {
    const { queue, changes } = createQueue();
    const answers = [1, 2].map(() => queue.handlers.sampling('files', request(QUESTION), contextOf()));
    const [older, newer] = queue.sampling;
    expect(queue.sampling).toHaveLength(2);
    expect(changes.count).toBe(2);
    const { sampling, elicitation } = queue;
    queue.rejectElicitation('nobody');
    expect([queue.sampling, queue.elicitation]).toEqual([sampling, elicitation]);
    expect(queue.sampling).toBe(sampling);
    queue.approveSampling(older!.id, MESSAGE);
    await expect(answers[0]).resolves.toBe(MESSAGE);
    expect(queue.sampling).toEqual([newer]);
    expect(queue.sampling[0]).toBe(newer);
    expect(queue.elicitation).toBe(elicitation);
    expect(() => Object.assign(newer!.request.params, { maxTokens: 1 })).toThrow(TypeError);
    expect(() => queue.sampling.pop()).toThrow(TypeError);
  });

  it('R110 throws for what does not fit, sends nothing and keeps the question', async () => {
    const { queue, changes } = createQueue();
    const form = queue.handlers.elicitation('files', request(FORM), contextOf());
    const plain = queue.handlers.sampling('files', request(QUESTION), contextOf());
    const [{ id }, { id: samplingId }] = [queue.elicitation[0]!, queue.sampling[0]!];
    const before = changes.count;
    const invalid = expect.objectContaining({ code: 'invalid_answer', data: { id: 'files' } }) as Error;
    for (const result of [
      { action: 'accept' },
      { action: 'accept', content: { age: 3 } },
      { action: 'accept', content: { name: 'Eve', age: 'three' } },
      { action: 'accept', content: { name: { first: 'Eve' } } },
      { action: 'maybe' },
      undefined,
    ]) {
      expect(() => queue.approveElicitation(id, result as never)).toThrow(invalid);
    }
    for (const result of [{}, { ...MESSAGE, model: 1 }, { ...MESSAGE, content: [TEXT] }, null]) {
      expect(() => queue.approveSampling(samplingId, result as never)).toThrow(invalid);
    }
    expect(changes.count).toBe(before);
    expect([queue.elicitation.length, queue.sampling.length]).toEqual([1, 1]);
    queue.approveElicitation(id, { action: 'accept', content: { name: 'Eve' } });
    queue.approveSampling(samplingId, MESSAGE);
    await expect(Promise.all([form, plain])).resolves.toHaveLength(2);
  });

  it('R110 takes lists of content where tools were offered, and forms whose defaults are filled in', async () => {
    const { queue } = createQueue({ appliesDefaults: () => true });
    const withTools = { ...QUESTION, tools: [{ name: 't', inputSchema: { type: 'object' } }] };
    const sampled = queue.handlers.sampling('files', request(withTools), contextOf());
    const entered = queue.handlers.elicitation('files', request(FORM), contextOf());
    queue.approveSampling(queue.sampling[0]!.id, { ...MESSAGE, content: [TEXT] });
    queue.approveElicitation(queue.elicitation[0]!.id, { action: 'accept' });
    await expect(sampled).resolves.toEqual({ ...MESSAGE, content: [TEXT] });
    await expect(entered).resolves.toEqual({ action: 'accept' });
  });

  it('R112 does nothing for ids that are unknown or answered already', async () => {
    const { queue, changes } = createQueue();
    const answer = queue.handlers.sampling('files', request(QUESTION), contextOf());
    const { id } = queue.sampling[0]!;
    queue.approveSampling(id, MESSAGE);
    const before = changes.count;
    for (const used of [id, 'nobody', '__proto__']) {
      queue.approveSampling(used, {} as never);
      queue.rejectSampling(used, 'no');
      queue.approveElicitation(used, {} as never);
      queue.rejectElicitation(used, 'no');
    }
    expect(changes.count).toBe(before);
    await expect(answer).resolves.toEqual(MESSAGE);
  });

  it('R113 refuses the 101st of both kinds together at once', async () => {
    const { queue, refused } = createQueue();
    for (let count = 0; count < 50; count++) {
      void Promise.resolve(queue.handlers.sampling('files', request(QUESTION), contextOf())).catch(() => 0);
      void Promise.resolve(queue.handlers.elicitation('files', request(FORM), contextOf())).catch(() => 0);
    }
    await expect(queue.handlers.sampling('files', request(QUESTION), contextOf())).rejects.toMatchObject({
      code: -1,
    });
    await expect(
      queue.handlers.elicitation('files', request(FORM), contextOf('modern')),
    ).rejects.toMatchObject({
      code: 'input_rejected',
    });
    expect([queue.sampling.length, queue.elicitation.length, refused.length]).toEqual([50, 50, 2]);
    queue.rejectSampling(queue.sampling[0]!.id);
    const next = queue.handlers.elicitation('files', request(FORM), contextOf());
    expect(queue.elicitation).toHaveLength(51);
    queue.end();
    await expect(next).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it('R114 lets everything go at the end, and takes nothing that was cancelled before', async () => {
    const { queue, clock } = createQueue();
    const waiting = [
      queue.handlers.sampling('files', request(QUESTION), contextOf()),
      queue.handlers.elicitation('files', request(FORM), contextOf()),
    ];
    queue.end();
    expect([queue.sampling, queue.elicitation]).toEqual([[], []]);
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'connection_closed' } });
    }
    const aborted = contextOf('legacy', AbortSignal.abort());
    await expect(queue.handlers.sampling('files', request(QUESTION), aborted)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(queue.sampling).toEqual([]);
    expect(clock.armed).toBe(0);
  });

  it('lets callbacks answer in place of the queue, always the newest ones', async () => {
    let answers: AskQueueOptions['callbacks'] = () => ({ onSampling: async () => MESSAGE });
    const { queue } = createQueue({ callbacks: () => answers?.() ?? {} });
    await expect(queue.handlers.sampling('files', request(QUESTION), contextOf())).resolves.toBe(MESSAGE);
    const form = queue.handlers.elicitation('files', request(FORM), contextOf());
    expect(queue.elicitation).toHaveLength(1);
    queue.rejectElicitation(queue.elicitation[0]!.id);
    await form;
    answers = () => ({ onElicitation: async () => ({ action: 'cancel' }) });
    await expect(queue.handlers.elicitation('files', request(FORM), contextOf())).resolves.toEqual({
      action: 'cancel',
    });
    expect(queue.elicitation).toEqual([]);
  });
});
