import type { Connector, Item, ToolCall } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { serverEntry } from '../../../../testing/npm-servers.ts';

const LONG = { tool: 'trigger-long-running-operation', input: { duration: 600, steps: 10 } };
const ONCE = { tool: 'echo', input: { message: 'once' }, clientId: 'client-1' };

describe('calls by the person, on a real server', () => {
  let running: InProcessHost;
  let connectorId: string;
  beforeAll(async () => {
    running = await startInProcessHost();
    const args = [serverEntry('server-everything'), 'stdio'];
    const input = { name: 'Everything', transport: { kind: 'stdio', command: process.execPath, args } };
    const added = await running.call<Connector>('POST', '/api/connectors', input);
    connectorId = added.id;
    const { hash } = added.pendingApproval ?? {};
    await running.call('POST', `/api/connectors/${connectorId}/approval`, { hash });
    await running.untilConnector(connectorId, 'ready');
  });
  afterAll(() => running.close());

  interface Request {
    readonly tool: string;
    readonly input?: object;
    readonly clientId?: string;
  }
  const start = (conversationId: string, { tool, input = {}, clientId }: Request): Promise<ToolCall> => {
    const body = { connectorId, tool, arguments: input, clientId };
    return running.call('POST', `/api/conversations/${conversationId}/calls`, body);
  };
  const ended = async (conversationId: string, call: ToolCall): Promise<ToolCall> => {
    const isEnd = (item: Item): boolean =>
      item.id === call.id && item.type === 'tool_call' && item.status !== 'running';
    return (await running.untilItem(conversationId, isEnd)) as ToolCall;
  };

  it('a call answers at once, and its result is stored and titles the conversation', async () => {
    const { id, title } = await running.newConversation();
    expect(title).toBe('');
    const call = await start(id, { tool: 'echo', input: { message: 'hello' } });
    expect(call).toMatchObject({ status: 'running', origin: 'person', connectorName: 'Everything' });
    const done = await ended(id, call);
    expect(done).toMatchObject({ status: 'done', result: { content: [{ type: 'text' }] } });
    const { conversation, items } = await running.conversation(id);
    expect(items).toEqual([done]);
    expect(conversation.title).not.toBe('');
  });

  it('an error of the tool is a result that says so', async () => {
    const { id } = await running.newConversation();
    const done = await ended(id, await start(id, { tool: 'echo', input: { message: 7 } }));
    expect(['tool_error', 'failed']).toContain(done.status);
  });

  it('progress shows while it runs', async () => {
    const { id } = await running.newConversation();
    const tool = 'trigger-long-running-operation';
    const call = await start(id, { tool, input: { duration: 1, steps: 4 } });
    const item = await running.untilItem(
      id,
      (candidate) => candidate.type === 'tool_call' && candidate.progress !== undefined,
    );
    expect(item).toMatchObject({ progress: { total: 4 } });
    expect((await ended(id, call)).status).toBe('done');
  });

  it('a cancelled call ends as cancelled and cannot be cancelled again', async () => {
    const { id } = await running.newConversation();
    const call = await start(id, LONG);
    const path = `/api/conversations/${id}/calls/${call.id}/cancel`;
    await running.call('POST', path, {});
    expect(await ended(id, call)).toMatchObject({ status: 'cancelled' });
    await expect(running.call('POST', path, {})).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a repeated request with one client id has one effect', async () => {
    const { id } = await running.newConversation();
    const [first, second] = await Promise.all([start(id, ONCE), start(id, ONCE)]);
    expect(second.id).toBe(first.id);
    await ended(id, first);
    expect((await start(id, ONCE)).id).toBe(first.id);
    expect((await running.conversation(id)).items.length).toBe(1);
  });

  it.each([
    ['an unknown tool', { tool: 'nothing-like-this' }, 'not_found'],
    ['an unknown connector', { tool: 'echo', connectorId: 'nobody' }, 'not_found'],
    ['a call without a name', { tool: '' }, 'bad_request'],
    ['arguments that are no object', { tool: 'echo', arguments: [1] }, 'bad_request'],
  ])('refuses %s', async (_case, change, code) => {
    const { id } = await running.newConversation();
    const body = { connectorId, arguments: {}, ...change };
    await expect(running.call('POST', `/api/conversations/${id}/calls`, body)).rejects.toMatchObject({
      code,
    });
  });

  it('a call in a conversation that is not there is refused', async () => {
    await expect(start('nowhere', { tool: 'echo' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a deleted conversation is gone with its calls', async () => {
    const { id } = await running.newConversation();
    await start(id, LONG);
    await running.call('DELETE', `/api/conversations/${id}`);
    await expect(running.call('GET', `/api/conversations/${id}`)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await running.bootstrap()).conversations.map((conversation) => conversation.id)).not.toContain(
      id,
    );
  });

  it('without a model a message is refused with the reason', async () => {
    const { id } = await running.newConversation();
    const sent = running.call('POST', `/api/conversations/${id}/messages`, { text: 'hello' });
    await expect(sent).rejects.toMatchObject({ code: 'no_model' });
  });
});
