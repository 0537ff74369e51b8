import { Client, ResourceNotFoundError } from '@portico/client';
import { ProtocolError, systemClock } from '@portico/rpc';
import { McpServer, type ServerContext } from '@portico/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedServer, discovered } from '../../testing/scripted-server.ts';
import { LOGGED_ROUTES } from './logged-routes.ts';

const INFO = { name: 'reads', version: '1' };

describe.each(LOGGED_ROUTES)('$name', (route) => {
  it('W158 tells by its number and its URI that a resource is missing, and by an error that one failed', async () => {
    const { client, log, close } = await route.open(() => {
      const server = new McpServer(INFO);
      server.registerResource('there', 'test://there', {}, () => ({ contents: [] }));
      server.registerResource('off', 'test://off', {}, () => ({ contents: [] })).disable();
      server.registerResource('bad', 'test://bad', {}, () => {
        throw new TypeError('unreadable');
      });
      return server;
    });
    expect(await client.readResource({ uri: 'test://there' })).toMatchObject({ contents: [] });
    for (const uri of ['test://none', 'test://off']) {
      const error: unknown = await client.readResource({ uri }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ResourceNotFoundError);
      expect(error).toMatchObject({ code: -32_602, data: { uri }, uri });
      expect(log.at(-1)?.message).toMatchObject({ error: { code: -32_602, data: { uri } } });
    }
    await expect(client.readResource({ uri: 'test://bad' })).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining('unreadable') as string,
    });
    await close();
  });

  it('W162 lists prompts with all that is known of them and of their arguments, whatever made the schema', async () => {
    const described = { title: 'T', description: 'd', icons: [{ src: 'https://example.test/i.png' }] };
    const schemas = {
      zod: z.object({
        a: z.string().describe('first'),
        b: z.string().optional(),
        c: z.string().default('x'),
      }),
      valibot: toStandardJsonSchema(
        v.object({
          a: v.pipe(v.string(), v.description('first')),
          b: v.optional(v.string()),
          c: v.optional(v.string(), 'x'),
        }),
      ),
      arktype: type({ a: type('string').describe('first'), 'b?': 'string', 'c?': 'string' }),
    };
    const { client, close } = await route.open(() => {
      const server = new McpServer(INFO);
      for (const [name, argsSchema] of Object.entries(schemas)) {
        server.registerPrompt(name, { ...described, argsSchema }, () => ({ messages: [] }));
      }
      server.registerPrompt('bare', {}, () => ({ messages: [] }));
      return server;
    });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['zod', 'valibot', 'arktype', 'bare']);
    for (const { name, arguments: args, ...rest } of prompts.slice(0, 3)) {
      expect([name, rest]).toEqual([name, described]);
      const optional = ['b', 'c'].map((key) => [key, false, undefined]);
      const seen = (args ?? []).map((each) => [each.name, each.required, each.description]);
      expect([name, seen]).toEqual([name, [['a', true, expect.stringContaining('first')], ...optional]]);
    }
    expect(prompts[3]).toEqual({ name: 'bare' });
    await close();
  });

  it('W163 gets prompts with text, with none and with some left out, and their messages in order', async () => {
    const blocks = [
      { type: 'text', text: 'hello' },
      { type: 'image', data: 'QQ==', mimeType: 'image/png' },
      { type: 'audio', data: 'QQ==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'test://x', text: 't', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'test://y', blob: 'QQ==' } },
      { type: 'resource_link', uri: 'test://z', name: 'z' },
    ] as const;
    const messages = blocks.flatMap((content) =>
      (['user', 'assistant'] as const).map((role) => ({ role, content })),
    );
    const seen: unknown[] = [];
    const { client, log, close } = await route.open(() => {
      const server = new McpServer(INFO);
      const argsSchema = z.object({ a: z.string(), b: z.string().optional() });
      server.registerPrompt('some', { argsSchema }, (args) => {
        seen.push(args);
        return { description: 'd', messages };
      });
      server.registerPrompt('none', {}, (context: ServerContext) => {
        seen.push(context.mcpReq.method);
        return { messages: [] };
      });
      return server;
    });
    const full = await client.getPrompt({ name: 'some', arguments: { a: 'ä "1"', b: '2' } });
    expect(full).toMatchObject({ description: 'd', messages });
    expect(full.messages).toEqual(messages);
    expect(log.at(-1)?.message).toMatchObject({ result: { messages } });
    await client.getPrompt({ name: 'some', arguments: { a: '1' } });
    expect((await client.getPrompt({ name: 'none' })).messages).toEqual([]);
    await client.getPrompt({ name: 'none', arguments: {} });
    expect(seen).toEqual([{ a: 'ä "1"', b: '2' }, { a: '1' }, 'prompts/get', 'prompts/get']);
    await close();
  });
});

it.each(['legacy', 'auto'] as const)(
  'W158 knows a missing resource by the number of old servers too, %s',
  async (mode) => {
    const server = await createScriptedServer({
      clock: systemClock,
      capabilities: { resources: {} },
      answers: {
        ...(mode === 'auto' ? { 'server/discover': () => discovered() } : {}),
        'resources/read': ({ uri }) => {
          throw new ProtocolError(-32_002, 'gone', uri === 'test://plain' ? undefined : { uri });
        },
      },
    });
    const client = new Client(INFO, { versionNegotiation: { mode } });
    await client.connect(server.transport);
    const error: unknown = await client
      .readResource({ uri: 'test://none' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResourceNotFoundError);
    expect(error).toMatchObject({ uri: 'test://none' });
    await expect(client.readResource({ uri: 'test://plain' })).rejects.toMatchObject({ code: -32_002 });
    await client.close();
  },
);
