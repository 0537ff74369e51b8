import { describe, expect, it } from 'vitest';
import { WORLD_URL, createManagedWorld, echoServer } from '../../../../testing/managed-world.ts';
import type { ManagedWorld, OwnServer, WorldRequest } from '../../../../testing/managed-world.ts';

const STILL = { url: WORLD_URL, autoReconnect: { healthCheckInterval: false } } as const;

const answer = ({ message }: WorldRequest, result: object): Response =>
  Response.json({ jsonrpc: '2.0', id: message['id'], result: { resultType: 'complete', ...result } });

/** Lets one list fail with an error of the server's until told otherwise. */
function breakList(world: ManagedWorld, method: string): () => void {
  world.script(({ rpc, message }) =>
    rpc === method
      ? Response.json({ jsonrpc: '2.0', id: message['id'], error: { code: -32603, message: 'no disk' } })
      : undefined,
  );
  return () => world.script(() => undefined);
}

function resourceServer(): OwnServer {
  const server = echoServer();
  server.registerResource('r', 'test://r', {}, () => ({ contents: [{ uri: 'test://r', text: 'r' }] }));
  return server;
}

describe('what a server tells of its lists', () => {
  it('says why tools could not be read, for as long as they could not', async () => {
    const world = createManagedWorld();
    const mend = breakList(world, 'tools/list');
    const server = await world.add('a', STILL);
    expect(server).toMatchObject({ state: 'ready', tools: [] });
    expect(server.listErrors).toMatchObject({ tools: { code: '-32603', message: 'no disk' } });
    mend();
    await server.refreshTools();
    expect(world.server().tools).toHaveLength(1);
    expect(world.server()).not.toHaveProperty('listErrors');
  });

  it('keeps a list whose reading failed, and forgets why with the connection', async () => {
    const world = createManagedWorld({ build: resourceServer });
    const server = await world.add('a', STILL);
    expect(server).not.toHaveProperty('listErrors');
    const mend = breakList(world, 'resources/list');
    await server.refreshResources();
    expect(world.server().resources).toHaveLength(1);
    expect(Object.keys(world.server().listErrors ?? {})).toEqual(['resources']);
    await server.disconnect();
    expect(world.server()).not.toHaveProperty('listErrors');
    mend();
    await server.reconnect();
    expect(world.server()).not.toHaveProperty('listErrors');
  });

  it('names entries that break the protocol, and nothing when there are none', async () => {
    const world = createManagedWorld({
      script: (request) =>
        request.rpc === 'tools/list'
          ? answer(request, { tools: [{ name: 'good', inputSchema: { type: 'object' } }, { name: 'bad' }] })
          : undefined,
    });
    const server = await world.add('a', STILL);
    expect(server.tools.map(({ name }) => name)).toEqual(['good']);
    expect(server.droppedItems).toMatchObject([{ list: 'tools', name: 'bad' }]);
    world.script(() => undefined);
    await server.refreshTools();
    expect(world.server()).not.toHaveProperty('droppedItems');
  });
});

describe('what is said with a call', () => {
  it.each(['legacy', 'modern'] as const)('tells of its progress whoever asks for it, %s', async (era) => {
    const build = (): OwnServer => {
      const server = echoServer();
      server.registerTool('slow', {}, async ({ mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken ?? '';
        const params = { progressToken, progress: 1, total: 2, message: 'half' };
        await mcpReq.notify({ method: 'notifications/progress', params });
        return { content: [] };
      });
      return server;
    };
    const world = createManagedWorld({ era, build });
    const server = await world.add('a', STILL);
    const seen: unknown[] = [];
    await server.callTool('slow', {}, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  });

  it('sends what is to go with it as its metadata, beside the metadata of the protocol', async () => {
    const world = createManagedWorld({ era: 'modern' });
    const server = await world.add('a', STILL);
    await server.callTool('echo', { a: 1 }, { meta: { 'com.example/trace': 'abc' } });
    const params = world.sent.at(-1)?.message['params'] as { readonly _meta: object };
    expect(params).toMatchObject({ arguments: { a: 1 }, _meta: { 'com.example/trace': 'abc' } });
    expect(Object.keys(params._meta).length).toBeGreaterThan(1);
  });
});
