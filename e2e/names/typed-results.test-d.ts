import type { Client } from '@portico/client';
import type { CallToolResult, ListRootsResult, ListToolsResult } from '@portico/spec';
import type { Server, ServerContext } from '@portico/server';
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';

declare const client: Client;
declare const server: Server;
declare const context: ServerContext;

it('W245 results follow from the name of the method or from the schema', () => {
  const schema = z.object({ items: z.array(z.string()) });
  expectTypeOf(client.request({ method: 'tools/list' })).resolves.toEqualTypeOf<ListToolsResult>();
  expectTypeOf(
    client.request({ method: 'tools/call', params: { name: 'a' } }),
  ).resolves.toEqualTypeOf<CallToolResult>();
  expectTypeOf(client.request({ method: 'acme/x' }, schema)).resolves.toEqualTypeOf<{ items: string[] }>();
  expectTypeOf(server.request({ method: 'roots/list' })).resolves.toEqualTypeOf<ListRootsResult>();
  expectTypeOf(context.mcpReq.send({ method: 'roots/list' })).resolves.toEqualTypeOf<ListRootsResult>();
  expectTypeOf(context.mcpReq.send({ method: 'acme/x' }, schema)).resolves.toEqualTypeOf<{
    items: string[];
  }>();
  // @ts-expect-error a method of a vendor needs a schema
  void context.mcpReq.send({ method: 'acme/x' });
});

it('W244 handlers get params and give results as their schemas say', () => {
  const schemas = { params: z.object({ n: z.number() }), result: z.object({ m: z.string() }) };
  server.setRequestHandler('acme/x', schemas, ({ n }) => ({ m: n.toFixed() }));
  client.setRequestHandler('acme/x', schemas, async ({ n }) => ({ m: n.toFixed() }));
  // @ts-expect-error the result does not fit
  server.setRequestHandler('acme/x', schemas, () => ({ m: 1 }));
  server.setRequestHandler('tools/call', ({ params }) => {
    expectTypeOf(params.name).toBeString();
    return { content: [] };
  });
});
