import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedServer, scriptedTool } from '../../../testing/scripted-server.ts';
import type { ScriptedServer } from '../../../testing/scripted-server.ts';
import { createConnections } from './connections.ts';
import type { Connections } from './connections.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** A modern server whose listeners the test can talk to and send away. */
async function createModern(): Promise<{
  readonly clock: ReturnType<typeof createManualClock>;
  readonly server: ScriptedServer;
  readonly connections: Connections;
  readonly filters: unknown[];
  readonly announce: () => Promise<void>;
  readonly sendAway: () => void;
}> {
  const clock = createManualClock();
  const filters: unknown[] = [];
  let lists = 0;
  let listener: unknown;
  let sendAway = (): void => undefined;
  const server = await createScriptedServer({
    clock,
    answers: {
      'server/discover': () => ({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, prompts: {} },
      }),
      'tools/list': () => ({ tools: [scriptedTool(`v${(lists += 1)}`)] }),
      'prompts/list': () => ({ prompts: [] }),
      'subscriptions/listen': async ({ notifications }, context) => {
        filters.push(notifications);
        listener = context.id;
        const _meta = { [SUBSCRIPTION]: context.id };
        await context.notify('notifications/subscriptions/acknowledged', { _meta, notifications });
        await new Promise<void>((resolve) => {
          sendAway = resolve;
        });
        return { resultType: 'complete', _meta };
      },
    },
  });
  const connections = createConnections({
    clock,
    clientInfo: { name: 'test', version: '1' },
    random: () => 0.5,
    createTransport: () => server.transport,
  });
  return {
    clock,
    server,
    connections,
    filters,
    announce: () =>
      server.peer.notify('notifications/tools/list_changed', { _meta: { [SUBSCRIPTION]: listener } }),
    sendAway: () => sendAway(),
  };
}

describe('a modern server', () => {
  it('is listened to for the lists that it says may change, and its lists are read again', async () => {
    const { clock, connections, filters, announce } = await createModern();
    connections.add('a', {});
    expect((await connections.connect('a')).era).toBe('modern');
    await clock.advance(1_000);
    expect(filters).toEqual([{ toolsListChanged: true }]);
    await announce();
    await clock.advance(0);
    expect(connections.listTools('a').map(({ name }) => name)).toEqual(['v2']);
  });

  it('is listened to again, and read again, after it sent its listeners away', async () => {
    const { clock, connections, filters, sendAway } = await createModern();
    connections.add('a', {});
    await connections.connect('a');
    await clock.advance(70_000);
    expect(filters).toHaveLength(1);
    sendAway();
    await clock.advance(999);
    expect(filters).toHaveLength(1);
    await clock.advance(1);
    expect(filters).toHaveLength(2);
    expect(connections.listTools('a').map(({ name }) => name)).toEqual(['v2']);
    expect(connections.get('a')?.status).toBe('ready');
    await connections.close();
    expect(clock.armed).toBe(0);
  });
});
