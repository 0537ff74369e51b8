import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { AuthInfo, McpHttpHandler } from '@portico/server';
import { createMcpExpressApp } from '@portico/server/express';
import { createMcpFastifyApp } from '@portico/server/fastify';
import { createMcpHonoApp } from '@portico/server/hono';
import {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  toNodeHandler,
} from '@portico/server/node';
import type { Context } from 'hono';

export interface HostOptions {
  readonly host?: string;
  readonly allowedHosts?: string[];
  readonly allowedOrigins?: string[];
  readonly maxBodyBytes?: number;
  readonly onwarning?: (message: string) => void;
  /** Who a request's `Authorization` stands for; undefined refuses it with 401. */
  readonly authenticate?: (authorization: string | undefined) => AuthInfo | undefined;
}

export interface RunningHost {
  readonly url: URL;
  /** The address it listens on. */
  readonly address: string;
}

/** Serves a handler at `/mcp`, as the documentation of one adapter says. */
export type Serve = (handler: McpHttpHandler, options?: HostOptions) => Promise<RunningHost>;

type AppOptions = Pick<HostOptions, 'host' | 'allowedHosts' | 'allowedOrigins' | 'onwarning'>;

function appOptions({ host, allowedHosts, allowedOrigins, onwarning }: HostOptions): AppOptions {
  return {
    ...(host === undefined ? {} : { host }),
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(onwarning === undefined ? {} : { onwarning }),
  };
}

const closers: (() => Promise<unknown>)[] = [];

/** Ends everything that was served. */
export async function closeHosts(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

function running(server: Server & { closeAllConnections(): void }): RunningHost {
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { address, port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${String(port)}/mcp`), address };
}

/** Listens without naming an address, where a framework chooses one. */
export async function listening(
  listen: (done: () => void) => ReturnType<typeof createServer>,
): Promise<RunningHost> {
  let server: ReturnType<typeof createServer> | undefined;
  await new Promise<void>((resolve) => (server = listen(resolve)));
  if (server === undefined) throw new TypeError('nothing listens');
  return running(server);
}

/** Serves a plain listener until the hosts are closed. */
export async function listenOn(server: ReturnType<typeof createServer>): Promise<URL> {
  return (await listening((done) => server.listen(0, '127.0.0.1', done))).url;
}

const UNAUTHORIZED = 401;

const onNode: Serve = (handler, options = {}) => {
  const { allowedHosts, allowedOrigins, authenticate, host = '127.0.0.1' } = options;
  const isHost = allowedHosts === undefined ? localhostHostValidation() : hostHeaderValidation(allowedHosts);
  const isOrigin =
    allowedOrigins === undefined ? localhostOriginValidation() : originValidation(allowedOrigins);
  const serve = toNodeHandler(handler);
  const server = createServer((request, response) => {
    if (!isHost(request, response) || !isOrigin(request, response)) return;
    const auth = authenticate?.(request.headers.authorization);
    if (authenticate !== undefined && auth === undefined) response.writeHead(UNAUTHORIZED).end();
    else void serve(auth === undefined ? request : Object.assign(request, { auth }), response);
  });
  return listening((done) => server.listen(0, host, done));
};

const onExpress: Serve = (handler, options = {}) => {
  const { authenticate, maxBodyBytes } = options;
  const app = createMcpExpressApp({
    ...appOptions(options),
    ...(maxBodyBytes === undefined ? {} : { jsonLimit: String(maxBodyBytes) }),
  });
  const serve = toNodeHandler(handler);
  app.all('/mcp', (request, response) => {
    const auth = authenticate?.(request.headers.authorization);
    if (authenticate !== undefined && auth === undefined) response.sendStatus(UNAUTHORIZED);
    else void serve(auth === undefined ? request : Object.assign(request, { auth }), response, request.body);
  });
  return listening((done) => app.listen(0, done));
};

const onHono: Serve = (handler, options = {}) => {
  const { authenticate, maxBodyBytes, host = '127.0.0.1' } = options;
  const app = createMcpHonoApp({
    ...appOptions(options),
    ...(maxBodyBytes === undefined ? {} : { maxRequestBodySize: maxBodyBytes }),
  });
  app.all('/mcp', async (context: Context) => {
    const authInfo = authenticate?.(context.req.header('authorization'));
    if (authenticate !== undefined && authInfo === undefined) return context.body(null, UNAUTHORIZED);
    const parsedBody: unknown = context.get('parsedBody');
    return handler.fetch(context.req.raw, { ...(authInfo === undefined ? {} : { authInfo }), parsedBody });
  });
  const serve = toNodeHandler({ fetch: (request) => app.fetch(request) });
  const server = createServer((request, response) => void serve(request, response));
  return listening((done) => server.listen(0, host, done));
};

const onFastify: Serve = async (handler, options = {}) => {
  const { authenticate, maxBodyBytes } = options;
  const app = createMcpFastifyApp({
    ...appOptions(options),
    ...(maxBodyBytes === undefined ? {} : { maxRequestBodySize: maxBodyBytes }),
  });
  const serve = toNodeHandler(handler);
  app.all('/mcp', async (request, reply) => {
    const auth = authenticate?.(request.headers.authorization);
    if (authenticate !== undefined && auth === undefined) return reply.code(UNAUTHORIZED).send();
    const raw = auth === undefined ? request.raw : Object.assign(request.raw, { auth });
    await serve(raw, reply.raw, request.body);
    return reply.hijack();
  });
  await app.listen({ port: 0 });
  return running(app.server);
};

/** Every adapter with the way it is mounted. */
export const ADAPTERS: readonly (readonly [name: string, serve: Serve])[] = [
  ['node:http', onNode],
  ['Express', onExpress],
  ['Hono', onHono],
  ['Fastify', onFastify],
];
