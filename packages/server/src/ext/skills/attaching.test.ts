import { describe, expect, it, vi } from 'vitest';
import { modern, openWire } from '../../../../../testing/mcp-wire.ts';
import { McpServer } from '../../mcp/mcp-server.ts';
import { createMcpHandler } from '../../http/create-mcp-handler.ts';
import { AttachedServers } from './attached-servers.ts';
import { SkillsExtension, memorySkillFiles } from './index.ts';
import type { SkillCatalog } from './index.ts';

const skill = (name: string, description = `About ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n`;
const make = (): McpServer => new McpServer({ name: 'skills', version: '1' });
const load = (files: Record<string, string>): Promise<SkillCatalog> =>
  SkillsExtension.load(memorySkillFiles(files), { onWarning: () => {} });
const methods = ['skills/list', 'skills/get', 'resources/directory/read'];
const stateOf = ({ server }: McpServer): unknown => [
  structuredClone(server.getCapabilities()),
  [...methods, 'resources/read', 'resources/list'].map((method) => server.requestHandler(method)),
];

describe('attaching', () => {
  it('ext-S30 twice to one server does nothing', async () => {
    const catalog = await load({ 'a/SKILL.md': skill('a') });
    const mcp = make();
    catalog.attach(mcp);
    const before = stateOf(mcp);
    catalog.attach(mcp);
    expect(stateOf(mcp)).toEqual(before);
  });

  it('ext-S30 another one, or to a server that has the methods, changes nothing', async () => {
    const [one, other] = [await load({ 'a/SKILL.md': skill('a') }), await load({ 'b/SKILL.md': skill('b') })];
    const mcp = make();
    one.attach(mcp);
    const before = stateOf(mcp);
    expect(() => other.attach(mcp)).toThrow(expect.objectContaining({ code: 'HANDLER_TAKEN' }));
    expect(stateOf(mcp)).toEqual(before);
    for (const method of methods) {
      const taken = new McpServer({ name: 's', version: '1' }, { capabilities: { resources: {} } });
      taken.server.setRequestHandler(method, () => ({}));
      const earlier = stateOf(taken);
      expect(() => one.attach(taken)).toThrow(expect.objectContaining({ code: 'HANDLER_TAKEN' }));
      expect(stateOf(taken)).toEqual(earlier);
    }
  });

  it('ext-S30 to a connected server, or one with files of its own, changes nothing', async () => {
    const catalog = await load({ 'a/SKILL.md': skill('a') });
    const connected = new McpServer(
      { name: 's', version: '1' },
      { capabilities: { resources: { listChanged: true } } },
    );
    const wire = await openWire((transport) => connected.connect(transport));
    const before = stateOf(connected);
    expect(() => catalog.attach(connected)).toThrow(expect.objectContaining({ code: 'ALREADY_CONNECTED' }));
    expect(stateOf(connected)).toEqual(before);
    expect((await wire.result('resources/templates/list', modern()))['resourceTemplates']).toEqual([]);
    const low = new McpServer({ name: 's', version: '1' });
    low.server.registerCapabilities({ resources: {} });
    low.server.setRequestHandler('resources/read', () => ({ contents: [] }));
    const earlier = stateOf(low);
    expect(() => catalog.attach(low)).toThrow(expect.objectContaining({ code: 'HANDLER_TAKEN' }));
    expect(stateOf(low)).toEqual(earlier);
  });

  it('ext-S30 serves many servers with one set of skills, also one for each request', async () => {
    const catalog = await load({ 'a/SKILL.md': skill('a') });
    const handler = createMcpHandler(() => {
      const mcp = make();
      catalog.attach(mcp);
      return mcp;
    });
    for (const id of [1, 2]) {
      const response = await handler.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            host: 'localhost',
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'skills/list',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'skills/list', params: modern() }),
        }),
      );
      expect(await response.json()).toMatchObject({ id, result: { skills: catalog.entries } });
    }
  });

  it('ext-S30 refuses what no URI begins with', () => {
    const none = (): Promise<undefined> => Promise.resolve(undefined);
    const source = { list: async () => ({ skills: [] }), get: none, read: none };
    for (const baseUri of ['skills', 'skill://{x}/', 'skill://a b/', 'skill://a?b', '']) {
      expect(() => new SkillsExtension({ source, baseUri }), baseUri).toThrow(
        expect.objectContaining({ code: 'INVALID_SKILLS' }),
      );
    }
    expect(new SkillsExtension({ source }).id).toBe('io.modelcontextprotocol/skills');
  });

  it('ext-S40 keeps no server alive, and forgets those that are gone', () => {
    const gone = new Set<object>();
    const looked: object[] = [];
    class Reference {
      readonly #target: object;

      constructor(target: object) {
        this.#target = target;
      }

      deref(): object | undefined {
        looked.push(this);
        return gone.has(this.#target) ? undefined : this.#target;
      }
    }
    vi.stubGlobal('WeakRef', Reference);
    try {
      const servers = new AttachedServers();
      const told: McpServer[] = [];
      const add = (): McpServer => {
        const server = make();
        vi.spyOn(server, 'sendResourceListChanged').mockImplementation(() => void told.push(server));
        servers.add(server);
        return server;
      };
      const [kept, ...others] = Array.from({ length: 60 }, add);
      servers.announce();
      expect(told).toEqual([kept, ...others]);
      for (const server of others) gone.add(server);
      told.length = 0;
      servers.announce();
      expect(told).toEqual([kept]);
      for (let index = 0; index < 4; index++) add();
      looked.length = 0;
      servers.announce();
      expect(looked).toHaveLength(5);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('reloading', () => {
  const notices = (wire: Awaited<ReturnType<typeof openWire>>): number =>
    wire.received.filter(
      (message) => 'method' in message && message.method === 'notifications/resources/list_changed',
    ).length;

  it('ext-S40 serves what is there now and says what changed', async () => {
    const files: Record<string, string> = {
      'a/SKILL.md': skill('a'),
      'b/SKILL.md': skill('b'),
      'c/SKILL.md': skill('c'),
    };
    const catalog = await load(files);
    const mcp = make();
    catalog.attach(mcp);
    const wire = await openWire((transport) => mcp.connect(transport));
    await wire.initialize();
    expect(await catalog.reload()).toEqual({ added: [], removed: [], changed: [], listChanged: false });
    files['a/x.md'] = 'new';
    expect(await catalog.reload()).toMatchObject({ changed: ['skill://a/SKILL.md'], listChanged: false });
    await wire.result('ping');
    expect(notices(wire)).toBe(0);
    delete files['b/SKILL.md'];
    files['d/SKILL.md'] = skill('d');
    expect(await catalog.reload()).toEqual({
      added: ['skill://d/SKILL.md'],
      removed: ['skill://b/SKILL.md'],
      changed: [],
      listChanged: true,
    });
    files['c/SKILL.md'] = skill('c', 'Another text');
    expect(await catalog.reload()).toMatchObject({ changed: ['skill://c/SKILL.md'], listChanged: true });
    const { skills } = await wire.result('skills/list');
    expect(skills).toEqual(catalog.entries);
    expect(catalog.entries.map(({ uri }) => uri)).toEqual(
      ['a', 'c', 'd'].map((name) => `skill://${name}/SKILL.md`),
    );
    expect(notices(wire)).toBe(2);
  });

  it('ext-S40 refuses cursors of the list before', async () => {
    const files: Record<string, string> = { 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') };
    const catalog = await SkillsExtension.load(memorySkillFiles(files), { pageSize: 1 });
    const mcp = make();
    catalog.attach(mcp);
    const wire = await openWire((transport) => mcp.connect(transport));
    const { nextCursor } = await wire.result('skills/list', modern());
    await catalog.reload();
    expect(await wire.error('skills/list', modern({ cursor: nextCursor }))).toMatchObject({ code: -32602 });
  });

  it('ext-S40 keeps the old skills when the storage fails, and goes on', async () => {
    const files = memorySkillFiles({ 'a/SKILL.md': skill('a') });
    const state = { fails: false, running: 0, most: 0 };
    const catalog = await SkillsExtension.load({
      ...files,
      list: async (folder) => {
        if (folder === '') state.most = Math.max(state.most, (state.running += 1));
        await Promise.resolve();
        if (state.fails) throw new TypeError('broken disk');
        const children = await files.list(folder);
        if (folder === 'a') state.running -= 1;
        return children;
      },
    });
    const { entries } = catalog;
    state.fails = true;
    const failed = [catalog.reload(), catalog.reload()];
    for (const each of failed)
      await expect(each).rejects.toMatchObject({ code: 'INVALID_SKILLS', cause: { message: 'broken disk' } });
    expect(catalog.entries).toBe(entries);
    state.fails = false;
    Object.assign(state, { running: 0, most: 0 });
    expect(await Promise.all([catalog.reload(), catalog.reload()])).toMatchObject([
      { changed: [] },
      { changed: [] },
    ]);
    expect(state.most).toBe(1);
  });
});
