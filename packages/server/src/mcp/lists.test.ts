import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modern, openWire, type Wire } from '../../../../testing/mcp-wire.ts';
import { completable } from '../completable.ts';
import { ResourceTemplate } from '../resource-template.ts';
import { McpServer } from './mcp-server.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

async function open(server: McpServer, era: Era): Promise<Wire> {
  const wire = await openWire((transport) => server.connect(transport));
  if (era === 'legacy') await wire.initialize();
  return wire;
}

const inEra = (era: Era, params: Record<string, unknown> = {}): Record<string, unknown> =>
  era === 'modern' ? modern(params) : params;

const make = (): McpServer => new McpServer({ name: 'lists', version: '1' });

describe.each(ERAS)('resources, %s', (era) => {
  it('W156 are listed with all their fields, and templates apart', async () => {
    const server = make();
    const metadata = {
      title: 'One',
      description: 'd',
      mimeType: 'text/plain',
      size: 3,
      annotations: { priority: 0.5 },
      icons: [{ src: 'https://example.test/i.png' }],
      _meta: { 'example.test/k': 1 },
    };
    server.registerResource('one', 'test://one', metadata, () => ({ contents: [] }));
    const listed = new ResourceTemplate('test://t/{id}', {
      list: () => ({
        resources: [
          { name: 'own', uri: 'test://t/1', title: 'Own title' },
          { name: 'plain', uri: 'test://t/2' },
        ],
      }),
    });
    server.registerResource('listed', listed, { title: 'Template title', mimeType: 'text/x' }, () => ({
      contents: [],
    }));
    const unlisted = new ResourceTemplate('test://u/{id}', { list: undefined });
    server.registerResource('unlisted', unlisted, { description: 'u' }, () => ({ contents: [] }));
    const wire = await open(server, era);
    const { resources } = await wire.result('resources/list', inEra(era));
    expect(resources).toEqual([
      { name: 'one', uri: 'test://one', ...metadata },
      { name: 'own', uri: 'test://t/1', title: 'Own title', mimeType: 'text/x' },
      { name: 'plain', uri: 'test://t/2', title: 'Template title', mimeType: 'text/x' },
    ]);
    const { resourceTemplates } = await wire.result('resources/templates/list', inEra(era));
    expect(resourceTemplates).toEqual([
      { name: 'listed', uriTemplate: 'test://t/{id}', title: 'Template title', mimeType: 'text/x' },
      { name: 'unlisted', uriTemplate: 'test://u/{id}', description: 'u' },
    ]);
  });

  it('W157 are read as text or bytes, several at a time, with decoded variables', async () => {
    const server = make();
    const contents = [
      { uri: 'test://many/1', mimeType: 'text/plain', text: 'a' },
      { uri: 'test://many/2', mimeType: 'image/png', blob: 'iVBORw==' },
    ];
    server.registerResource('many', 'test://many', {}, () => ({ contents }));
    const seen: unknown[] = [];
    const template = new ResourceTemplate('test://t/{+path}{?page,size}', { list: undefined });
    server.registerResource('t', template, {}, (uri, variables) => {
      seen.push([uri.href, variables]);
      return { contents: [] };
    });
    const wire = await open(server, era);
    expect(await wire.result('resources/read', inEra(era, { uri: 'test://many' }))).toMatchObject({
      contents,
    });
    await wire.result('resources/read', inEra(era, { uri: 'test://t/a%20b/c?size=2' }));
    expect(seen).toEqual([['test://t/a%20b/c?size=2', { path: 'a b/c', size: '2' }]]);
  });

  it('answer -32602 with the URI for what is missing or disabled, and an error when reading fails', async () => {
    const server = make();
    const off = server.registerResource('off', 'test://off', {}, () => ({ contents: [] }));
    off.disable();
    server.registerResource('bad', 'test://bad', {}, () => {
      throw new TypeError('unreadable');
    });
    const wire = await open(server, era);
    for (const uri of ['test://none', 'test://off']) {
      expect(await wire.error('resources/read', inEra(era, { uri }))).toMatchObject({
        code: -32_602,
        data: { uri },
      });
    }
    expect(await wire.error('resources/read', inEra(era, { uri: 'no uri' }))).toMatchObject({
      code: -32_602,
    });
    expect(await wire.error('resources/read', inEra(era, { uri: 'test://bad' }))).toEqual({
      code: -32_603,
      message: 'unreadable',
    });
  });
});

describe.each(ERAS)('prompts, %s', (era) => {
  const withPrompts = (): McpServer => {
    const server = make();
    server.registerPrompt(
      'full',
      {
        title: 'Full',
        description: 'd',
        icons: [{ src: 'https://example.test/i.png' }],
        argsSchema: z.object({ a: z.string().describe('first'), b: z.string().optional() }),
      },
      ({ a, b }) => ({
        description: 'got',
        messages: [
          { role: 'user', content: { type: 'text', text: a } },
          { role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
          { role: 'user', content: { type: 'resource', resource: { uri: 'test://x', text: b ?? 'none' } } },
        ],
      }),
    );
    server.registerPrompt('bare', {}, () => ({ messages: [] }));
    return server;
  };

  it('are listed with the arguments of their schema and answered in order', async () => {
    const wire = await open(withPrompts(), era);
    const { prompts } = await wire.result('prompts/list', inEra(era));
    expect(prompts).toEqual([
      {
        name: 'full',
        title: 'Full',
        description: 'd',
        icons: [{ src: 'https://example.test/i.png' }],
        arguments: [
          { name: 'a', description: 'first', required: true },
          { name: 'b', required: false },
        ],
      },
      { name: 'bare' },
    ]);
    const full = await wire.result('prompts/get', inEra(era, { name: 'full', arguments: { a: 'x' } }));
    expect(full['messages']).toMatchObject([
      { role: 'user', content: { text: 'x' } },
      { role: 'assistant', content: { data: 'AAAA' } },
      { role: 'user', content: { resource: { text: 'none' } } },
    ]);
    expect(await wire.result('prompts/get', inEra(era, { name: 'bare' }))).toMatchObject({ messages: [] });
  });

  it('W164 answer -32602 for unknown names and arguments that do not fit, without running', async () => {
    const server = withPrompts();
    let runs = 0;
    const prompt = server.registerPrompt(
      'strict',
      { argsSchema: z.object({ n: z.string().regex(/^\d+$/) }) },
      () => {
        runs += 1;
        return { messages: [] };
      },
    );
    const wire = await open(server, era);
    const code = async (params: Record<string, unknown>): Promise<number> =>
      (await wire.error('prompts/get', inEra(era, params))).code;
    expect(await code({ name: 'nobody' })).toBe(-32_602);
    expect(await code({ name: 'strict' })).toBe(-32_602);
    expect(await code({ name: 'strict', arguments: { n: 'x' } })).toBe(-32_602);
    prompt.disable();
    expect(await code({ name: 'strict', arguments: { n: '1' } })).toBe(-32_602);
    expect(runs).toBe(0);
  });
});

describe.each(ERAS)('completion, %s', (era) => {
  const complete = (
    wire: Wire,
    ref: object,
    argument: { name: string; value: string; chosen?: object },
  ): Promise<object> => {
    const { name, value, chosen } = argument;
    const context = chosen === undefined ? {} : { context: { arguments: chosen } };
    return wire.result('completion/complete', inEra(era, { ref, argument: { name, value }, ...context }));
  };

  it('W165 W166 serves prompts and templates, with what is chosen, a hundred values at a time', async () => {
    const server = make();
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
    server.registerPrompt(
      'p',
      {
        argsSchema: z.object({
          many: completable(z.string(), (typed) => numbers(Number(typed))).optional(),
          city: completable(z.string(), (_typed, context) => [
            `in ${context?.arguments?.['country'] ?? '?'}`,
          ]),
          plain: z.string(),
        }),
      },
      () => ({ messages: [] }),
    );
    const template = new ResourceTemplate('test://{word}', {
      list: undefined,
      complete: { word: (typed) => [`${typed}!`] },
    });
    server.registerResource('t', template, {}, () => ({ contents: [] }));
    const wire = await open(server, era);
    const prompt = { type: 'ref/prompt', name: 'p' };
    expect(
      await complete(wire, prompt, { name: 'city', value: '', chosen: { country: 'Norway' } }),
    ).toMatchObject({
      completion: { values: ['in Norway'] },
    });
    expect(
      await complete(wire, { type: 'ref/resource', uri: 'test://{word}' }, { name: 'word', value: 'hi' }),
    ).toMatchObject({
      completion: { values: ['hi!'] },
    });
    for (const count of [0, 100, 101]) {
      expect(await complete(wire, prompt, { name: 'many', value: String(count) })).toMatchObject({
        completion: { values: numbers(Math.min(count, 100)), total: count, hasMore: count > 100 },
      });
    }
    expect(await complete(wire, prompt, { name: 'plain', value: 'x' })).toMatchObject({
      completion: { values: [] },
    });
    const refused = [
      [{ type: 'ref/prompt', name: 'nobody' }, 'a'],
      [prompt, 'unknown'],
      [{ type: 'ref/resource', uri: 'test://none/{x}' }, 'x'],
      [{ type: 'ref/other' }, 'x'],
    ] as const;
    for (const [ref, name] of refused) {
      const params = inEra(era, { ref, argument: { name, value: '' } });
      expect((await wire.error('completion/complete', params)).code).toBe(-32_602);
    }
  });
});

describe.each(ERAS)('lists, %s', (era) => {
  it('W170 page with opaque cursors and refuse any other', async () => {
    const server = new McpServer({ name: 'pages', version: '1' }, { pageSize: 100 });
    const nothing = { contents: [] };
    for (let index = 0; index < 250; index++) {
      const name = `n${String(index)}`;
      server.registerTool(name, {}, () => ({ content: [] }));
      server.registerPrompt(name, {}, () => ({ messages: [] }));
      server.registerResource(name, `test://${name}`, {}, () => nothing);
      server.registerResource(
        name,
        new ResourceTemplate(`test://${name}/{x}`, { list: undefined }),
        {},
        () => nothing,
      );
    }
    const wire = await open(server, era);
    const lists = [
      ['tools/list', 'tools'],
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const;
    const used: string[] = [];
    for (const [method, member] of lists) {
      const names: string[] = [];
      let cursor: unknown;
      do {
        const page = await wire.result(method, inEra(era, cursor === undefined ? {} : { cursor }));
        names.push(...(page[member] as { name: string }[]).map((entry) => entry.name));
        cursor = page['nextCursor'];
        if (typeof cursor === 'string') used.push(cursor);
      } while (cursor !== undefined);
      expect(names).toEqual(Array.from({ length: 250 }, (_, index) => `n${String(index)}`));
      for (const wrong of ['', 'x', btoa('1:1'), btoa('250:0'), 7]) {
        expect((await wire.error(method, inEra(era, { cursor: wrong }))).code).toBe(-32_602);
      }
    }
    server.registerTool('later', {}, () => ({ content: [] }));
    expect((await wire.error('tools/list', inEra(era, { cursor: used[0] }))).code).toBe(-32_602);
    const short = await open(make(), era);
    expect((await short.error('tools/list', inEra(era, { cursor: 'x' }))).code).toBe(-32_601);
    const single = make();
    single.registerTool('one', {}, () => ({ content: [] }));
    expect((await (await open(single, era)).error('tools/list', inEra(era, { cursor: 'x' }))).code).toBe(
      -32_602,
    );
  });
});

describe('handles', () => {
  it('W151 update, disable, enable and remove every kind, before and after connecting, and say so', async () => {
    const server = make();
    const tool = server.registerTool('t', { description: 'old' }, () => ({
      content: [{ type: 'text', text: 'old' }],
    }));
    const prompt = server.registerPrompt('p', {}, () => ({ messages: [] }));
    const resource = server.registerResource('r', 'test://r', {}, () => ({ contents: [] }));
    const family = new ResourceTemplate('test://f/{x}', { list: undefined });
    const template = server.registerResource('f', family, {}, () => ({ contents: [] }));
    tool.update({ title: 'Before' });
    const wire = await open(server, 'legacy');
    const names = async (method: string, member: string): Promise<string[]> =>
      ((await wire.result(method))[member] as { name: string }[]).map((entry) => entry.name);
    const lists = [
      [tool, 'tools/list', 'tools', 'notifications/tools/list_changed'],
      [prompt, 'prompts/list', 'prompts', 'notifications/prompts/list_changed'],
      [resource, 'resources/list', 'resources', 'notifications/resources/list_changed'],
      [template, 'resources/templates/list', 'resourceTemplates', 'notifications/resources/list_changed'],
    ] as const;
    for (const [handle, method, member, notification] of lists) {
      const announced = (): number =>
        wire.received.filter((message) => 'method' in message && message.method === notification).length;
      const before = announced();
      handle.disable();
      expect([handle.enabled, await names(method, member)]).toEqual([false, []]);
      handle.enable();
      handle.update({ name: 'renamed' });
      expect(await names(method, member)).toEqual(['renamed']);
      handle.remove();
      expect(await names(method, member)).toEqual([]);
      expect(announced() - before).toBe(4);
      handle.enable();
      expect([await names(method, member), announced() - before]).toEqual([[], 4]);
    }
    expect(tool.title).toBe('Before');
    const next = server.registerTool('t', {}, () => ({ content: [] }));
    next.update({ callback: () => ({ content: [{ type: 'text', text: 'new' }] }) });
    expect(await wire.result('tools/call', { name: 't' })).toMatchObject({ content: [{ text: 'new' }] });
    expect(() => server.registerTool('t', {}, () => ({ content: [] }))).toThrow(/taken|registered/);
  });
});

describe('log messages and cache hints of modern requests', () => {
  it('W168 follow the level of each request by itself', async () => {
    const server = new McpServer({ name: 'log', version: '1' }, { capabilities: { logging: {} } });
    server.registerTool('say', {}, async ({ mcpReq }) => {
      await mcpReq.log('info', 'quiet');
      await mcpReq.log('error', { loud: true }, 'logger');
      return { content: [] };
    });
    const wire = await open(server, 'modern');
    const heard = async (logLevel: string | null): Promise<unknown[]> => {
      const before = wire.received.length;
      await wire.result('tools/call', modern({ name: 'say' }, { logLevel }));
      return wire.received
        .slice(before, -1)
        .map((message) => ('params' in message ? message.params : undefined));
    };
    const loud = { level: 'error', data: { loud: true }, logger: 'logger' };
    expect(await heard(null)).toEqual([]);
    expect(await heard('debug')).toEqual([{ level: 'info', data: 'quiet' }, loud]);
    expect(await heard('warning')).toEqual([loud]);
    expect((await wire.error('tools/list', modern({}, { logLevel: 'loud' }))).code).toBe(-32_602);
    await wire.close();
    const legacy = await open(server, 'legacy');
    expect((await legacy.error('logging/setLevel', { level: 'loud' })).code).toBe(-32_602);
    await legacy.result('logging/setLevel', { level: 'warning' });
    const before = legacy.received.length;
    await legacy.result('tools/call', { name: 'say' });
    expect(legacy.received.slice(before, -1)).toMatchObject([{ params: loud }]);
  });

  it('W173 come from the resource, then from the operation, then from the default', async () => {
    const cacheHints = {
      'resources/read': { ttlMs: 60, cacheScope: 'public' as const },
      'tools/list': { ttlMs: 5 },
    };
    const server = new McpServer(
      { name: 'hints', version: '1' },
      { cacheHints, capabilities: { tools: {} } },
    );
    server.registerResource('r', 'test://r', { cacheHint: { ttlMs: 9 } }, () => ({ contents: [] }));
    server.registerResource('s', 'test://s', {}, () => ({ contents: [] }));
    const wire = await open(server, 'modern');
    const hints = async (method: string, params = {}): Promise<unknown[]> => {
      const result = await wire.result(method, modern(params));
      return [result['ttlMs'], result['cacheScope']];
    };
    expect(await hints('resources/read', { uri: 'test://r' })).toEqual([9, 'public']);
    expect(await hints('resources/read', { uri: 'test://s' })).toEqual([60, 'public']);
    expect(await hints('tools/list')).toEqual([5, 'private']);
    expect(await hints('resources/list')).toEqual([0, 'private']);
    expect(await hints('server/discover')).toEqual([0, 'private']);
    await wire.close();
    const legacy = await open(server, 'legacy');
    expect(JSON.stringify(await legacy.result('resources/read', { uri: 'test://r' }))).not.toContain('ttlMs');
    expect(
      () => new McpServer({ name: 'x', version: '1' }, { cacheHints: { 'tools/list': { ttlMs: -1 } } }),
    ).toThrow(RangeError);
  });
});
