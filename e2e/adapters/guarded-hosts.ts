import { createServer } from 'node:http';
import {
  type AuthMetadataOptions,
  type McpHttpHandler,
  type VerifyBearerTokenOptions,
  oauthMetadataResponse,
  requireBearerAuth,
  withBearerAuth,
} from '@portico/server';
import * as onExpress from '@portico/server/express';
import * as onFastify from '@portico/server/fastify';
import * as onHono from '@portico/server/hono';
import * as onNode from '@portico/server/node';
import { listening } from './hosts.ts';

/** What stands in front of a handler. */
export interface Guarding {
  readonly gate: VerifyBearerTokenOptions;
  readonly documents: AuthMetadataOptions;
}

/** Serves a handler at `/mcp` behind a gate, with the documents beside it, and answers its origin. */
type ServeGuarded = (handler: McpHttpHandler, guarding: Guarding) => Promise<string>;

const { toNodeHandler } = onNode;

const byNode: ServeGuarded = (handler, { gate, documents }) => {
  const isDocument = onNode.mcpAuthMetadataRouter(documents);
  const isAllowed = onNode.requireBearerAuth(gate);
  const serve = toNodeHandler(handler);
  const server = createServer((request, response) => {
    if (!isDocument(request, response)) return;
    void isAllowed(request, response).then(async (allowed) => {
      if (allowed) await serve(request, response);
    });
  });
  return originOf((done) => server.listen(0, '127.0.0.1', done));
};

const byExpress: ServeGuarded = (handler, { gate, documents }) => {
  const app = onExpress.createMcpExpressApp();
  app.use(onExpress.mcpAuthMetadataRouter(documents));
  const serve = toNodeHandler(handler);
  app.all('/mcp', onExpress.requireBearerAuth(gate), (request, response) => {
    void serve(request, response, request.body);
  });
  return originOf((done) => app.listen(0, done));
};

const byHono: ServeGuarded = (handler, { gate, documents }) => {
  const app = onHono.createMcpHonoApp();
  app.use('*', onHono.mcpAuthMetadataRouter(documents));
  app.all('/mcp', onHono.requireBearerAuth(gate), async (context) => {
    const parsedBody: unknown = (context.get as (key: string) => unknown)('parsedBody');
    return handler.fetch(context.req.raw, { authInfo: context.get('authInfo'), parsedBody });
  });
  const serve = toNodeHandler({ fetch: (request) => app.fetch(request) });
  const server = createServer((request, response) => void serve(request, response));
  return originOf((done) => server.listen(0, '127.0.0.1', done));
};

const byFastify: ServeGuarded = async (handler, { gate, documents }) => {
  const app = onFastify.createMcpFastifyApp();
  await app.register(onFastify.mcpAuthMetadataRouter(documents));
  const serve = toNodeHandler(handler);
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    onRequest: onFastify.requireBearerAuth(gate),
    handler: async (request, reply) => {
      await serve(request.raw, reply.raw, request.body);
      return reply.hijack();
    },
  });
  await app.listen({ port: 0 });
  return originOf((done) => {
    done();
    return app.server;
  });
};

const byFetch: ServeGuarded = (handler, { gate, documents }) => {
  const isAllowed = requireBearerAuth(gate);
  const serve = toNodeHandler({
    async fetch(request) {
      const document = oauthMetadataResponse(request, documents);
      if (document !== undefined) return document;
      const authInfo = await isAllowed(request);
      return authInfo instanceof Response ? authInfo : handler.fetch(request, { authInfo });
    },
  });
  const server = createServer((request, response) => void serve(request, response));
  return originOf((done) => server.listen(0, '127.0.0.1', done));
};

/** The gate as a wrapper of the handler, served without web objects. */
const byWrapper: ServeGuarded = (handler, { gate, documents }) => {
  const isDocument = onNode.mcpAuthMetadataRouter(documents);
  const serve = toNodeHandler(withBearerAuth(handler, gate));
  const server = createServer((request, response) => {
    if (isDocument(request, response)) void serve(request, response);
  });
  return originOf((done) => server.listen(0, '127.0.0.1', done));
};

/** The same where only web requests are served. */
const byWebWrapper: ServeGuarded = (handler, { gate, documents }) => {
  const { fetch } = withBearerAuth({ fetch: handler.fetch }, gate);
  const serve = toNodeHandler({
    fetch: (request) => oauthMetadataResponse(request, documents) ?? fetch(request),
  });
  const server = createServer((request, response) => void serve(request, response));
  return originOf((done) => server.listen(0, '127.0.0.1', done));
};

async function originOf(listen: Parameters<typeof listening>[0]): Promise<string> {
  return (await listening(listen)).url.origin;
}

/** Every way to put the gate in front of a handler. */
export const GUARDED: readonly (readonly [name: string, serve: ServeGuarded])[] = [
  ['node:http', byNode],
  ['Express', byExpress],
  ['Hono', byHono],
  ['Fastify', byFastify],
  ['fetch', byFetch],
  ['withBearerAuth on node:http', byWrapper],
  ['withBearerAuth on fetch', byWebWrapper],
];
