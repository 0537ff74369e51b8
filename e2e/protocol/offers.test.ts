import { Server, McpServer, ResourceTemplate, completable } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SERVER_ROUTES } from './server-routes.ts';
import { modern, openWire } from '../../testing/mcp-wire.ts';

const INFO = { name: 'offers', version: '1' };
const nothing = (): { content: [] } => ({ content: [] });
const read = (): { contents: [] } => ({ contents: [] });
const say = (): { messages: [] } => ({ messages: [] });

const ANY_LIST = expect.any(Array) as unknown;

/** Every way to come to an offer, and what is told of it. */
const SETUPS: readonly (readonly [string, object, (server: McpServer) => void, object])[] = [
  ['nothing', {}, () => undefined, {}],
  ['a tool', {}, (server) => void server.registerTool('t', {}, nothing), { tools: { listChanged: true } }],
  [
    'a resource',
    {},
    (server) => void server.registerResource('r', 'test://r', {}, read),
    { resources: { listChanged: true } },
  ],
  [
    'a template',
    {},
    (server) =>
      void server.registerResource('r', new ResourceTemplate('test://{id}', { list: undefined }), {}, read),
    { resources: { listChanged: true } },
  ],
  [
    'a template with completion',
    {},
    (server) =>
      void server.registerResource(
        'r',
        new ResourceTemplate('test://{id}', { list: undefined, complete: { id: () => ['1'] } }),
        {},
        read,
      ),
    { resources: { listChanged: true }, completions: {} },
  ],
  [
    'a prompt',
    {},
    (server) => void server.registerPrompt('p', { argsSchema: { a: z.string() } }, say),
    { prompts: { listChanged: true } },
  ],
  [
    'a prompt with completion',
    {},
    (server) =>
      void server.registerPrompt(
        'p',
        { argsSchema: z.object({ a: completable(z.string(), () => ['x']) }) },
        say,
      ),
    { prompts: { listChanged: true }, completions: {} },
  ],
  [
    'declared lists',
    { tools: {}, resources: {}, prompts: {} },
    () => undefined,
    { tools: { listChanged: true }, resources: { listChanged: true }, prompts: { listChanged: true } },
  ],
  [
    'lists that do not change',
    { tools: { listChanged: false }, resources: { listChanged: false }, prompts: { listChanged: false } },
    (server) => void server.registerTool('t', {}, nothing),
    { tools: { listChanged: false }, resources: { listChanged: false }, prompts: { listChanged: false } },
  ],
  ['logging', { logging: {} }, () => undefined, { logging: {} }],
  [
    'declared subscriptions',
    { resources: { subscribe: true } },
    () => undefined,
    { resources: { subscribe: true, listChanged: true } },
  ],
  [
    'a handler of subscriptions',
    {},
    (server) => {
      server.registerResource('r', 'test://r', {}, read);
      server.server.setRequestHandler('resources/subscribe', () => ({}));
    },
    { resources: { listChanged: true, subscribe: true } },
  ],
];

describe.each(SERVER_ROUTES)('offers, $name', (route) => {
  it('W57 are exactly what is registered or declared, and the lists behind them work', async () => {
    for (const [name, capabilities, register, expected] of SETUPS) {
      const client = await route.open(() => {
        const server = new McpServer(INFO, { capabilities });
        register(server);
        return server;
      });
      const told =
        route.era === 'modern'
          ? ((await client.request('d', 'server/discover'))['result'] as { capabilities: object })
              .capabilities
          : client.greeting?.['capabilities'];
      expect([name, told]).toEqual([name, expected]);
      for (const [kind, method, list] of [
        ['tools', 'tools/list', 'tools'],
        ['resources', 'resources/list', 'resources'],
        ['resources', 'resources/templates/list', 'resourceTemplates'],
        ['prompts', 'prompts/list', 'prompts'],
      ] as const) {
        const answer = await client.request(method, method);
        const offered = kind in expected;
        const isEmpty = name === 'declared lists' || name === 'declared subscriptions';
        const entries: unknown = isEmpty ? [] : ANY_LIST;
        const wanted = offered ? { result: { [list]: entries } } : { error: { code: -32_601 } };
        expect([name, method, answer]).toMatchObject([name, method, wanted]);
      }
      await client.close();
    }
  });
});

it('W57 of a low-level server are what it is given', async () => {
  const given = { tools: {}, resources: { subscribe: false }, prompts: { listChanged: false }, logging: {} };
  for (const era of ['legacy', 'modern']) {
    const server = new Server(INFO, { capabilities: given });
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    server.setRequestHandler('resources/subscribe', () => ({}));
    const wire = await openWire((transport) => server.connect(transport));
    const told = era === 'legacy' ? await wire.initialize() : await wire.result('server/discover', modern());
    expect(told['capabilities']).toEqual(given);
  }
});
