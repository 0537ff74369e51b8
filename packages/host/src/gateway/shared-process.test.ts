import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, Conversation, FrameSession, PublishResult, ToolCall } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODES, connectorClients } from '../../../../testing/connector-clients.ts';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { ROUGH_SERVER, countLivingProcesses } from '../../../../testing/living-processes.ts';
import type { LivingProcesses } from '../../../../testing/living-processes.ts';
import { startScriptedModel } from '../../../../testing/scripted-model.ts';
import { call, say } from '../../../../testing/scripted-reply.ts';

const CONVERSATIONS = 50;
const CALLS = 64;

/** Delays of up to 150 ms, of a series that is the same in every run. */
function delays(count: number): readonly number[] {
  let state = 4_211;
  return Array.from({ length: count }, () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % 150);
}

describe('the process of an account', () => {
  let living: LivingProcesses;
  let running: InProcessHost;
  beforeEach(async () => {
    living = await countLivingProcesses();
    running = await startInProcessHost();
  });
  afterEach(async () => {
    await running.close();
    await living.close();
  });

  const inputOf = (starts?: string, more: object = {}) => ({
    name: 'Rough',
    transport: {
      kind: 'stdio',
      command: process.execPath,
      args: [ROUGH_SERVER, JSON.stringify({ report: living.port, ...more })],
    },
    ...(starts === undefined ? {} : { starts }),
  });
  const add = async (starts?: string, more: object = {}): Promise<Connector> => {
    const { id, pendingApproval } = await running.call<Connector>(
      'POST',
      '/api/connectors',
      inputOf(starts, more),
    );
    return await running.call('POST', `/api/connectors/${id}/approval`, { hash: pendingApproval?.hash });
  };
  const now = async (id: string): Promise<Connector | undefined> =>
    (await running.bootstrap()).connectors.find((connector) => connector.id === id);
  const callIn = async (conversation: Conversation, connectorId: string, args: object): Promise<unknown> => {
    const tool = 'token' in args ? 'echo' : 'who';
    const body = { connectorId, tool, arguments: args };
    const { id } = await running.call<ToolCall>('POST', `/api/conversations/${conversation.id}/calls`, body);
    const item = await running.untilItem(
      conversation.id,
      (candidate) => candidate.id === id && candidate.type === 'tool_call' && candidate.status !== 'running',
    );
    return (item as ToolCall).result?.structuredContent;
  };
  const conversations = (count: number): Promise<Conversation[]> =>
    Promise.all(Array.from({ length: count }, () => running.newConversation()));

  it('K32 is one for fifty conversations that use it first at once, and sixty-four calls never cross', async () => {
    const { id } = await add('at_first_use');
    const all = await conversations(CONVERSATIONS);
    const answers = await Promise.all(all.map((conversation) => callIn(conversation, id, {})));
    expect(living.alive).toHaveLength(1);
    const [server] = living.alive;
    expect(new Set(answers.map((answer) => (answer as { pid: number }).pid))).toEqual(new Set([server?.pid]));

    const clients = await Promise.all(MODES.map((mode) => connectorClients(running).ours(id, mode)));
    const echoes = delays(CALLS).map(async (delayMs, index) => {
      const args = { token: `call ${index}`, delayMs };
      const client = clients[index % 4];
      if (client === undefined) return await callIn(all[index % CONVERSATIONS] as Conversation, id, args);
      return (await client.callTool({ name: 'echo', arguments: args })).structuredContent;
    });
    expect(await Promise.all(echoes)).toEqual(
      Array.from({ length: CALLS }, (_, index) => ({ token: `call ${index}`, pid: server?.pid })),
    );
    expect(living.alive).toEqual([server]);
    await Promise.all(clients.map((client) => client.close()));
  }, 60_000);

  it('K27 K32 starts with Portico unless told otherwise, else waits, says so, and starts when asked to', async () => {
    const usual = await add();
    expect(usual).toMatchObject({ starts: 'with_portico', status: 'connecting' });
    await running.untilConnector(usual.id, 'ready');
    await running.call('DELETE', `/api/connectors/${usual.id}`);
    await living.until((alive) => alive.length === 0);

    const lazy = await add('at_first_use');
    const waits = { starts: 'at_first_use', status: 'stopped', action: 'start', toolCount: 0 };
    expect(lazy).toMatchObject({ ...waits, cause: { kind: 'firstUseWaits' } });
    // Neither is looking at it a use, nor is being switched off and on again.
    await running.call('GET', `/api/connectors/${lazy.id}/tools`);
    await running.call('PUT', `/api/connectors/${lazy.id}/enabled`, { enabled: false });
    expect(await running.call('PUT', `/api/connectors/${lazy.id}/enabled`, { enabled: true })).toMatchObject(
      waits,
    );
    expect(living.alive).toEqual([]);
    await running.call('POST', `/api/connectors/${lazy.id}/reconnect`, {});
    expect(await running.untilConnector(lazy.id, 'ready')).toMatchObject({
      action: 'reconnect',
      toolCount: 4,
    });
    expect(living.alive).toHaveLength(1);
  });

  it('K32 goes on running when it is set to wait, and waits after the next start of the host', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-first-use-'));
    const keys = memoryKeys();
    await running.close();
    running = await startInProcessHost({ folder, keys });
    const { id } = await add();
    await running.untilConnector(id, 'ready');
    const before = living.alive;
    await running.call('PUT', `/api/connectors/${id}`, inputOf('at_first_use'));
    expect(await now(id)).toMatchObject({ status: 'ready', starts: 'at_first_use' });
    expect(living.alive).toEqual(before);
    // What does not speak of the start leaves it as it is.
    expect(await running.call('PUT', `/api/connectors/${id}`, inputOf())).toMatchObject({
      starts: 'at_first_use',
    });
    await running.close();
    await living.until((alive) => alive.length === 0);

    running = await startInProcessHost({ folder, keys });
    expect(await now(id)).toMatchObject({ status: 'stopped', cause: { kind: 'firstUseWaits' } });
    expect(living.alive).toEqual([]);
    expect(await callIn(await running.newConversation(), id, { token: 'first' })).toMatchObject({
      token: 'first',
    });
    expect(living.alive).toHaveLength(1);
    await running.close();
    rmSync(folder, { recursive: true });
    running = await startInProcessHost();
  });

  it('K32 begins when what waited for its first use is to start with Portico, and with every other account', async () => {
    const lazy = await add('at_first_use');
    const second = await running.call<Connector>('POST', `/api/connectors/${lazy.id}/accounts`, {
      label: 'two',
    });
    expect(second).toMatchObject({ starts: 'at_first_use' });
    await running.call('POST', `/api/connectors/${second.id}/approval`, {
      hash: second.pendingApproval?.hash,
    });
    expect(living.alive).toEqual([]);
    await running.call('PUT', `/api/connectors/${lazy.id}`, inputOf('with_portico'));
    await running.untilConnector(lazy.id, 'ready');
    expect(await running.untilConnector(second.id, 'ready')).toMatchObject({ starts: 'with_portico' });
    expect(living.alive).toHaveLength(2);
  });

  it('K32 is not started in a way that does not exist', async () => {
    const answer = await running.request('POST', '/api/connectors', inputOf('sometimes'));
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: 'bad_request' } });
    expect(answer.text).toContain('starts');
  });

  it.each(MODES)('K32 begins with a session of a %s MCP client', async (mode) => {
    const { id } = await add('at_first_use');
    const client = await connectorClients(running).ours(id, mode);
    expect((await client.listTools()).tools).toHaveLength(4);
    expect(living.alive).toHaveLength(1);
    await client.close();
  });

  it('K32 begins with a page that asks what there is, and with one that calls', async () => {
    const frameOf = async (name: string): Promise<FrameSession> => {
      const manifest = { mcp: { servers: [{ name, tools: ['who'] }] } };
      const { artifact } = await running.call<PublishResult>('POST', '/api/artifacts', {
        html: `<!doctype html><title>${name}</title><p>page</p>`,
        manifest,
      });
      await running.call('PUT', `/api/artifacts/${artifact.id}/consent`, { server: name, decision: 'allow' });
      return await running.call('POST', '/api/frames', { artifactId: artifact.id });
    };
    const { id } = await add('at_first_use');
    const { frameId } = await frameOf('Rough');
    expect(living.alive).toEqual([]);
    expect(await running.call('GET', `/api/frames/${frameId}/tools`)).toMatchObject({
      servers: [{ authStatus: 'connected', tools: [{ name: 'who' }] }],
    });
    await running.call('DELETE', `/api/connectors/${id}`);
    await living.until((alive) => alive.length === 0);
    await add('at_first_use');
    const body = { server: 'Rough', tool: 'who', input: {} };
    expect(await running.call('POST', `/api/frames/${frameId}/calls`, body)).toMatchObject({ ok: true });
    expect(living.alive).toHaveLength(1);
  });

  it('K32 a first call that cannot start it says so', async () => {
    const { id } = await add('at_first_use', { starts: 'exit' });
    const { id: conversation } = await running.newConversation();
    const body = { connectorId: id, tool: 'who', arguments: {} };
    await expect(
      running.call('POST', `/api/conversations/${conversation}/calls`, body),
    ).rejects.toMatchObject({
      code: 'connector_not_ready',
    });
    expect(await now(id)).toMatchObject({ status: 'failed', problem: { kind: 'processExitCode' } });
  });
});

describe('a turn of the model', () => {
  it('K32 begins what waits for its first use, so that its tools are there', async () => {
    const living = await countLivingProcesses();
    const model = await startScriptedModel({ script: [call('mcp__Rough__who', {}), say('done')] });
    const running = await startInProcessHost({
      model: { apiKey: 'test-key', baseUrl: model.url, model: 'scripted-1' },
    });
    try {
      const added = await running.call<Connector>('POST', '/api/connectors', {
        name: 'Rough',
        starts: 'at_first_use',
        transport: {
          kind: 'stdio',
          command: process.execPath,
          args: [ROUGH_SERVER, JSON.stringify({ report: living.port })],
        },
      });
      await running.call('POST', `/api/connectors/${added.id}/approval`, {
        hash: added.pendingApproval?.hash,
      });
      const { id } = await running.newConversation();
      expect(living.alive).toEqual([]);
      await running.call('POST', `/api/conversations/${id}/messages`, { text: 'who is there?' });
      await running.untilItem(
        id,
        (item) => item.type === 'tool_call' && item.status === 'waiting_approval' && item.tool === 'who',
      );
      expect(living.alive).toHaveLength(1);
    } finally {
      await running.close();
      await model.close();
      await living.close();
    }
  });
});
