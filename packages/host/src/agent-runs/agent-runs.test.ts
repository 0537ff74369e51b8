import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, Item, ToolCall } from '@portico/api';
import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startScriptedModel } from '../../../../testing/scripted-model.ts';
import type { ScriptedModel, Script } from '../../../../testing/scripted-model.ts';
import {
  badRequest,
  call,
  cut,
  hold,
  overloaded,
  rateLimited,
  say,
  unauthorized,
} from '../../../../testing/scripted-reply.ts';
import type { KeyHolder } from '../ports/secrets.ts';

/** A hundred times as fast, so that the waits before repetitions are short. */
const HURRIED: Clock = {
  now: () => systemClock.now(),
  setTimer: (delayMs, run) => systemClock.setTimer(delayMs / 100, run),
};

const TOOL = 'mcp__Portico_demo__get_weather';

describe('turns of the model', () => {
  let folder: string;
  let keys: KeyHolder;
  let model: ScriptedModel | undefined;
  let running: InProcessHost | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'portico-turns-'));
    keys = memoryKeys();
  });
  afterEach(async () => {
    await running?.close();
    await model?.close();
    running = undefined;
    model = undefined;
    rmSync(folder, { recursive: true });
  });

  async function start(script: Script, clock: Clock = systemClock): Promise<InProcessHost> {
    model ??= await startScriptedModel({ script });
    running = await startInProcessHost({
      folder,
      keys,
      clock,
      model: { apiKey: 'test-key', baseUrl: model.url, model: 'scripted-1' },
    });
    const demo = (await running.bootstrap()).connectors.find(
      ({ transport }) => transport.kind === 'builtin',
    ) as Connector;
    await running.untilConnector(demo.id, 'ready');
    return running;
  }
  const send = async (host: InProcessHost, text: string): Promise<string> => {
    const { id } = await host.newConversation();
    await host.call('POST', `/api/conversations/${id}/messages`, { text });
    return id;
  };
  const isCall =
    (...statuses: ToolCall['status'][]) =>
    (item: Item): boolean =>
      item.type === 'tool_call' && statuses.includes(item.status);
  const idle = async (host: InProcessHost, id: string): Promise<Item[]> => {
    await host.until(
      (event): event is Extract<typeof event, { type: 'conversation.changed' }> =>
        event.type === 'conversation.changed' &&
        event.conversation.id === id &&
        event.conversation.status === 'running',
    );
    for (;;) {
      const { conversation, items } = await host.conversation(id);
      if (conversation.status !== 'running') return items;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const lastMessages = (): string => JSON.stringify(model?.requests.at(-1)?.body.messages);

  it('an answer streams in, is there in the middle of it, and is kept whole', async () => {
    const gate = hold();
    const host = await start([say('Hello ', gate, 'world')]);
    const id = await send(host, 'Say hello to the world, please');
    await gate.reached;
    await host.until(
      (event): event is Extract<typeof event, { type: 'item.text' }> => event.type === 'item.text',
    );
    const middle = await host.conversation(id);
    expect(middle.conversation).toMatchObject({ status: 'running', title: 'Say hello to the world, please' });
    expect(middle.items.at(-1)).toMatchObject({ type: 'assistant_message', text: 'Hello ', streaming: true });
    gate.release();
    expect(await idle(host, id)).toMatchObject([
      { type: 'user_message' },
      { type: 'assistant_message', text: 'Hello world', streaming: false, model: 'scripted-1' },
    ]);
  });

  it('a call waits for the person, runs when allowed, and its result goes back to the model', async () => {
    const host = await start([call(TOOL, { station: 'harbour' }), say('It is windy.')]);
    const id = await send(host, 'weather?');
    const waiting = (await host.untilItem(id, isCall('waiting_approval'))) as ToolCall;
    expect(waiting).toMatchObject({
      origin: 'model',
      tool: 'get_weather',
      arguments: { station: 'harbour' },
    });
    expect((await host.conversation(id)).conversation.waitingApprovals).toBe(1);
    await host.call('POST', `/api/conversations/${id}/calls/${waiting.id}/decision`, { decision: 'allow' });
    const items = await idle(host, id);
    expect(items.map((item) => item.type)).toEqual(['user_message', 'tool_call', 'assistant_message']);
    expect(['done', 'tool_error']).toContain((items[1] as ToolCall).status);
    expect(lastMessages()).toContain('tool_result');
    expect((await host.conversation(id)).conversation.waitingApprovals).toBe(0);
  });

  it('K68 a denial is told to the model, the same call is declined without asking, another one asks', async () => {
    const host = await start([
      call(TOOL, { station: 'a', b: 1 }),
      call(TOOL, { b: 1, station: 'a' }),
      call(TOOL, { station: 'other' }),
      say('I give up.'),
    ]);
    const id = await send(host, 'weather?');
    const first = await host.untilItem(id, isCall('waiting_approval'));
    const decide = (callId: string, body: object) =>
      host.call('POST', `/api/conversations/${id}/calls/${callId}/decision`, body);
    await decide(first.id, { decision: 'deny', message: 'not today, thanks' });
    const third = await host.untilItem(
      id,
      (item) => isCall('waiting_approval')(item) && item.id !== first.id,
    );
    expect(third).toMatchObject({ arguments: { station: 'other' } });
    expect(lastMessages()).toContain('not today, thanks');
    const { items } = await host.conversation(id);
    expect(items.filter(isCall('denied')).length).toBe(2);
    await expect(decide(first.id, { decision: 'allow' })).rejects.toMatchObject({ code: 'call_not_waiting' });
    await decide(third.id, { decision: 'deny' });
    expect((await idle(host, id)).at(-1)).toMatchObject({ text: 'I give up.' });
  });

  it('Stop ends the answer and the waiting call, keeps what came, and the next message works', async () => {
    const gate = hold();
    const host = await start([say('Begun ', gate, 'never'), say('Again.')]);
    const id = await send(host, 'go');
    await gate.reached;
    await host.until(
      (event): event is Extract<typeof event, { type: 'item.text' }> => event.type === 'item.text',
    );
    await host.call('POST', `/api/conversations/${id}/stop`, {});
    const stopped = await host.conversation(id);
    expect(stopped.conversation.status).toBe('idle');
    expect(stopped.items.at(-1)).toMatchObject({ text: 'Begun ', streaming: false });
    gate.release();
    await host.call('POST', `/api/conversations/${id}/messages`, { text: 'again' });
    await host.untilItem(id, (item) => item.type === 'assistant_message' && item.text === 'Again.');
  });

  it('a second message during a turn is refused, and a repeated one has one effect', async () => {
    const gate = hold();
    const host = await start([say('One ', gate, 'answer')]);
    const { id } = await host.newConversation();
    const path = `/api/conversations/${id}/messages`;
    const first = await host.call<Item>('POST', path, { text: 'hello', clientId: 'c1' });
    expect((await host.call<Item>('POST', path, { text: 'hello', clientId: 'c1' })).id).toBe(first.id);
    await expect(host.call('POST', path, { text: 'more', clientId: 'c2' })).rejects.toMatchObject({
      code: 'turn_running',
    });
    gate.release();
    expect((await idle(host, id)).length).toBe(2);
    expect(model?.requests.length).toBe(1);
  });

  it.each([
    ['a refused key', unauthorized(), { code: 'provider_auth', retryable: true }],
    ['a refused request', badRequest('no such model'), { code: 'provider_bad_request', retryable: false }],
  ])('%s ends in a card that says what to do', async (_case, failure, card) => {
    const host = await start([failure]);
    const id = await send(host, 'hello');
    const items = await idle(host, id);
    expect(items.at(-1)).toMatchObject({ type: 'problem', ...card });
    expect(JSON.stringify(items)).not.toContain('test-key');
  });

  it('a model that asks for tools without an end is stopped, and may go on when the person says so', async () => {
    const rounds = Array.from({ length: 100 }, () => call('mcp__nowhere__nothing'));
    const host = await start([...rounds, say('Done.')]);
    const id = await send(host, 'hello');
    const items = await idle(host, id);
    expect(items.at(-1)).toMatchObject({ type: 'problem', code: 'too_many_rounds', retryable: true });
    expect(model?.requests.length).toBe(100);
    await host.call('POST', `/api/conversations/${id}/retry`, {});
    await host.untilItem(id, (item) => item.type === 'assistant_message' && item.text === 'Done.');
  });

  it('asking again after a failure does not double the message', async () => {
    const host = await start([unauthorized(), say('Now it works.')]);
    const id = await send(host, 'my only question');
    await idle(host, id);
    await host.call('POST', `/api/conversations/${id}/retry`, {});
    await host.untilItem(id, (item) => item.type === 'assistant_message' && !item.streaming);
    expect(lastMessages().split('my only question').length - 1).toBe(1);
    expect((await host.conversation(id)).items.filter((item) => item.type === 'user_message').length).toBe(1);
  });

  it('a cut stream keeps what came and offers to go on', async () => {
    const gate = hold();
    const host = await start([say('Half an ans', gate, cut())]);
    const id = await send(host, 'hello');
    await host.until(
      (event): event is Extract<typeof event, { type: 'item.text' }> => event.type === 'item.text',
    );
    gate.release();
    const items = await idle(host, id);
    expect(items.at(-1)).toMatchObject({ type: 'problem', code: 'provider_stream_cut', retryable: true });
    expect(items.some((item) => item.type === 'assistant_message' && item.text.includes('Half an ans'))).toBe(
      true,
    );
  });

  it('after a sudden end a running turn says that it was cut off, and what had come is there', async () => {
    const gate = hold();
    let host = await start([say('Before the end ', gate, 'lost'), say('Went on.')]);
    const id = await send(host, 'long question');
    await gate.reached;
    await host.until(
      (event): event is Extract<typeof event, { type: 'item.text' }> => event.type === 'item.text',
    );
    await host.kill();
    gate.release();
    host = await start([]);
    const { conversation, items } = await host.conversation(id);
    expect(conversation.status).toBe('interrupted');
    expect(items).toMatchObject([
      { type: 'user_message' },
      { type: 'assistant_message', text: 'Before the end ', streaming: false },
      { type: 'problem', code: 'interrupted', retryable: true },
    ]);
    await host.call('POST', `/api/conversations/${id}/retry`, {});
    await host.untilItem(id, (item) => item.type === 'assistant_message' && item.text === 'Went on.');
  });

  it('an approval waits over a sudden end; answering it then runs the call once and the turn goes on', async () => {
    let host = await start([call(TOOL, { station: 'harbour' }), say('Done after all.')]);
    const id = await send(host, 'weather?');
    const waiting = await host.untilItem(id, isCall('waiting_approval'));
    await host.kill();
    host = await start([]);
    const restored = await host.conversation(id);
    expect(restored.conversation).toMatchObject({ status: 'interrupted', waitingApprovals: 1 });
    await host.call('POST', `/api/conversations/${id}/calls/${waiting.id}/decision`, { decision: 'allow' });
    await host.untilItem(id, (item) => item.type === 'assistant_message' && item.text === 'Done after all.');
    expect(lastMessages()).not.toContain('[interrupted]');
    const items = await idle(host, id);
    expect(items.filter((item) => item.type === 'tool_call').length).toBe(1);
  });

  it('a choice that was answered is kept over a sudden end, and the call is not run again', async () => {
    for (const decision of ['allow', 'deny'] as const) {
      // oxlint-disable no-await-in-loop -- one host after the other
      let host = await start(() => call(TOOL, { station: 'harbour' }));
      const id = await send(host, 'weather?');
      const { id: callId } = await host.untilItem(id, isCall('waiting_approval'));
      await host.call('POST', `/api/conversations/${id}/calls/${callId}/decision`, { decision });
      await host.kill();
      host = await start([]);
      const { conversation, items } = await host.conversation(id);
      const kept = items.find((item) => item.id === callId) as ToolCall;
      expect(decision === 'allow' ? ['done', 'tool_error', 'unknown'] : ['denied']).toContain(kept.status);
      expect(conversation).toMatchObject({ status: 'interrupted', waitingApprovals: 0 });
      await host.close();
      // oxlint-enable no-await-in-loop
    }
  });

  it('an orderly end leaves the turn to be gone on with', async () => {
    const gate = hold();
    let host = await start([say('Begun ', gate, 'lost')]);
    const id = await send(host, 'question');
    await gate.reached;
    await host.close();
    gate.release();
    host = await start([]);
    const { conversation, items } = await host.conversation(id);
    expect(conversation.status).toBe('interrupted');
    expect(items.at(-1)).toMatchObject({ type: 'problem', code: 'interrupted' });
  });

  it.each([
    ['too many requests', rateLimited(0), 'provider_rate_limited'],
    ['overload', overloaded(), 'provider_overloaded'],
  ])('%s is tried again by itself and ends in a card', async (_case, failure, code) => {
    const host = await start(() => failure, HURRIED);
    const id = await send(host, 'hello');
    expect((await idle(host, id)).at(-1)).toMatchObject({ type: 'problem', code, retryable: true });
    expect(model?.requests.length).toBeGreaterThan(1);
  });
});
