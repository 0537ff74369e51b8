import { getDisplayName } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modern, openWire, type Wire } from '../../../../testing/mcp-wire.ts';
import { ResourceTemplate } from '../resource-template.ts';
import { isSafeIconUri } from './icons.ts';
import { McpServer, type McpServerOptions } from './mcp-server.ts';
import { toolHints } from './tool-hints.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const make = (options: McpServerOptions = {}): McpServer =>
  new McpServer({ name: 'forms', version: '1' }, options);
const open = async (server: McpServer, era: Era): Promise<Wire> => {
  const wire = await openWire((transport) => server.connect(transport));
  if (era === 'legacy') await wire.initialize();
  return wire;
};
const inEra = (era: Era, params: Record<string, unknown> = {}): Record<string, unknown> =>
  era === 'modern' ? modern(params) : params;

describe.each(ERAS)('early forms, %s', (era) => {
  it('W246 do what the present ones do', async () => {
    const seen: unknown[] = [];
    const done = (...given: unknown[]): { content: [] } => {
      seen.push(
        given.map((value) =>
          typeof value === 'object' && value !== null && 'mcpReq' in value ? 'ctx' : value,
        ),
      );
      return { content: [] };
    };
    const shape = { n: z.number() };
    const annotations = { readOnlyHint: true };
    const early = make();
    early.tool('a', done);
    early.tool('b', 'd', done);
    early.tool('c', shape, done);
    early.tool('d', 'd', shape, done);
    early.tool('e', annotations, done);
    early.tool('f', 'd', annotations, done);
    early.tool('g', shape, annotations, done);
    early.tool('h', 'd', shape, annotations, done);
    early.tool('i', 'd', {}, done);
    const present = make();
    present.registerTool('a', {}, done);
    present.registerTool('b', { description: 'd' }, done);
    present.registerTool('c', { inputSchema: shape }, done);
    present.registerTool('d', { description: 'd', inputSchema: shape }, done);
    present.registerTool('e', { annotations }, done);
    present.registerTool('f', { description: 'd', annotations }, done);
    present.registerTool('g', { inputSchema: shape, annotations }, done);
    present.registerTool('h', { description: 'd', inputSchema: shape, annotations }, done);
    present.registerTool('i', { description: 'd', inputSchema: {} }, done);
    const read = (): { contents: [] } => ({ contents: [] });
    const template = (): ResourceTemplate => new ResourceTemplate('test://t/{id}', { list: undefined });
    early.resource('r', 'test://r', read);
    early.resource('s', 'test://s', { title: 'S' }, read);
    early.resource('t', template(), read);
    early.resource('u', template(), { title: 'U' }, read);
    present.registerResource('r', 'test://r', {}, read);
    present.registerResource('s', 'test://s', { title: 'S' }, read);
    present.registerResource('t', template(), {}, read);
    present.registerResource('u', template(), { title: 'U' }, read);
    const say = (...given: unknown[]): { messages: [] } => {
      done(...given);
      return { messages: [] };
    };
    const words = { w: z.string() };
    early.prompt('p', say);
    early.prompt('q', 'd', say);
    early.prompt('r', words, say);
    early.prompt('s', 'd', words, say);
    present.registerPrompt('p', {}, say);
    present.registerPrompt('q', { description: 'd' }, say);
    present.registerPrompt('r', { argsSchema: words }, say);
    present.registerPrompt('s', { description: 'd', argsSchema: words }, say);

    const answers: unknown[] = [];
    for (const server of [early, present]) {
      seen.length = 0;
      const wire = await open(server, era);
      const answered: unknown[] = [];
      for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
        answered.push(await wire.result(method, inEra(era)));
      }
      for (const name of 'abcdefghi') {
        answered.push(await wire.result('tools/call', inEra(era, { name, arguments: { n: 1 } })));
        answered.push(await wire.result('tools/call', inEra(era, { name, arguments: { n: 'x' } })));
      }
      for (const name of 'pqrs')
        answered.push(await wire.result('prompts/get', inEra(era, { name, arguments: { w: 'x' } })));
      answers.push([answered, [...seen]]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(seen).toContainEqual(['ctx']);
    expect(seen).toContainEqual([{ n: 1 }, 'ctx']);
  });

  it('W246 leave the server below the last word', async () => {
    const server = make();
    server.registerTool('mine', {}, () => ({ content: [] }));
    server.server.setRequestHandler('tools/list', () => ({ tools: [] }));
    const wire = await open(server, era);
    expect(await wire.result('tools/list', inEra(era))).toMatchObject({ tools: [] });
    const taken = { code: 'HANDLER_TAKEN' };
    expect(() => server.registerTool('late', {}, () => ({ content: [] }))).toThrow(
      expect.objectContaining(taken) as Error,
    );
    const other = make({ capabilities: { prompts: {}, resources: {} } });
    other.server.setRequestHandler('prompts/get', () => ({ messages: [] }));
    other.server.setRequestHandler('resources/read', () => ({ contents: [] }));
    expect(() => other.registerPrompt('p', {}, () => ({ messages: [] }))).toThrow(
      expect.objectContaining(taken) as Error,
    );
    expect(() => other.registerResource('r', 'test://r', {}, () => ({ contents: [] }))).toThrow(
      expect.objectContaining(taken) as Error,
    );
  });

  it('W155 calls a tool alike whatever it says of itself', async () => {
    const server = make();
    const bits = [0, 1, 2, 3];
    for (let mask = 0; mask < 16; mask++) {
      const [readOnlyHint, destructiveHint, idempotentHint, openWorldHint] = bits.map(
        (bit) => (mask & (1 << bit)) !== 0,
      );
      const annotations = {
        readOnlyHint: readOnlyHint!,
        destructiveHint: destructiveHint!,
        idempotentHint: idempotentHint!,
        openWorldHint: openWorldHint!,
      };
      const icons = [{ src: mask % 2 === 0 ? 'javascript:alert(1)' : 'https://example.test/i.png' }];
      server.registerTool(`t${String(mask)}`, { annotations, icons }, () => ({
        content: [{ type: 'text', text: 'same' }],
      }));
    }
    const wire = await open(server, era);
    const answers = new Set<string>();
    for (let mask = 0; mask < 16; mask++) {
      answers.add(JSON.stringify(await wire.result('tools/call', inEra(era, { name: `t${String(mask)}` }))));
    }
    expect(answers.size).toBe(1);
    const { tools } = await wire.result('tools/list', inEra(era));
    expect((tools as { icons: { src: string }[] }[])[0]!.icons[0]!.src).toBe('javascript:alert(1)');
  });
});

it('W155 fills the hints in and tells which icons may be shown', () => {
  expect(toolHints()).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
  expect(toolHints({ readOnlyHint: true, openWorldHint: false })).toEqual({
    readOnlyHint: true,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  });
  for (const uri of [
    'https://example.test/i.svg',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,<svg/>',
  ]) {
    expect([uri, isSafeIconUri(uri)]).toEqual([uri, true]);
  }
  for (const uri of [
    'http://example.test/i.png',
    'javascript:alert(1)',
    'data:text/html,<script>',
    'data:image',
    'file:///i.png',
    'ftp://example.test/i',
    'blob:https://example.test/1',
    'ws://example.test',
    'i.png',
    '',
  ]) {
    expect([uri, isSafeIconUri(uri)]).toEqual([uri, false]);
  }
});

describe('lists and rates', () => {
  it.each(ERAS)('W152 puts the changes of one turn together where told to, %s', async (era) => {
    const kinds = ['tools', 'prompts', 'resources'] as const;
    for (const debounced of [true, false]) {
      const methods = kinds.map((kind) => `notifications/${kind}/list_changed`);
      const server = make(debounced ? { debouncedNotificationMethods: methods } : {});
      const handles = [
        server.registerTool('t', {}, () => ({ content: [] })),
        server.registerPrompt('p', {}, () => ({ messages: [] })),
        server.registerResource('r', 'test://r', {}, () => ({ contents: [] })),
      ];
      await Promise.resolve();
      const wire = await open(server, era);
      if (era === 'modern') {
        const notifications = {
          toolsListChanged: true,
          promptsListChanged: true,
          resourcesListChanged: true,
        };
        await wire.send({
          jsonrpc: '2.0',
          id: 'ear',
          method: 'subscriptions/listen',
          params: modern({ notifications }),
        });
        await wire.next((message) => 'method' in message && message.method.endsWith('acknowledged'));
      }
      await wire.result('tools/list', inEra(era));
      for (const handle of handles) {
        for (let change = 0; change < 5; change++) handle[change % 2 === 0 ? 'disable' : 'enable']();
      }
      await wire.result('tools/list', inEra(era));
      const heard = methods.map(
        (method) =>
          wire.received.filter((message) => 'method' in message && message.method === method).length,
      );
      expect(heard).toEqual(debounced ? [1, 1, 1] : [5, 5, 5]);
    }
  });

  it.each(ERAS)('lets a rate refuse tool calls and completions, %s', async (era) => {
    const seen: unknown[] = [];
    const server = make({
      capabilities: { completions: {} },
      rateLimit: async ({ method, name, context }) => {
        seen.push([method, name, context.mcpReq.method]);
        await Promise.resolve();
        if (seen.length > 2) throw Object.assign(new RangeError('slow down'));
      },
    });
    let ran = 0;
    server.registerTool('t', {}, () => {
      ran += 1;
      return { content: [] };
    });
    server.registerPrompt('p', { argsSchema: { a: z.string() } }, () => ({ messages: [] }));
    const wire = await open(server, era);
    await wire.result('tools/call', inEra(era, { name: 't' }));
    const complete = inEra(era, {
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'a', value: '' },
    });
    await wire.result('completion/complete', complete);
    expect((await wire.error('tools/call', inEra(era, { name: 't' }))).message).toContain('slow down');
    await wire.error('completion/complete', complete);
    expect(ran).toBe(1);
    expect(seen.slice(0, 2)).toEqual([
      ['tools/call', 't', 'tools/call'],
      ['completion/complete', 'p', 'completion/complete'],
    ]);
  });

  it('W154 warns of names that are not taken everywhere, and takes them', async () => {
    const fine = ['a', 'A_b-c.9', 'x'.repeat(128)];
    const odd = ['', 'a b', 'grüße', 'a/b', 'x'.repeat(129), 'a,b'];
    const warned: string[] = [];
    const server = make();
    server.server.onwarning = (message) => warned.push(message);
    for (const name of fine) server.registerTool(name, {}, () => ({ content: [] }));
    expect(warned).toEqual([]);
    for (const name of odd) server.registerTool(name, {}, () => ({ content: [] }));
    expect(warned).toHaveLength(odd.length);
    server.registerTool('CASE', {}, () => ({ content: [{ type: 'text', text: 'upper' }] }));
    server.registerTool('case', {}, () => ({ content: [{ type: 'text', text: 'lower' }] }));
    const wire = await open(server, 'modern');
    expect(await wire.result('tools/call', modern({ name: 'CASE' }))).toMatchObject({
      content: [{ text: 'upper' }],
    });
    expect((await wire.error('tools/call', modern({ name: 'Case' }))).code).toBe(-32_602);
    await wire.result('tools/call', modern({ name: 'a b' }));
    const named = { name: 'n', annotations: { title: 'Annotated' } };
    expect([{ ...named, title: 'Titled' }, named, { name: 'n' }].map(getDisplayName)).toEqual([
      'Titled',
      'Annotated',
      'n',
    ]);
  });
});
