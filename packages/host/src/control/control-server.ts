import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { publishSchema } from '@portico/api';
import type { Publish, PublishResult } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import { isHostError } from '../errors.ts';
import type { HostStatus, Log } from '../host-options.ts';
import type { ResealReport } from '../ports/secrets.ts';
import { atShortPath } from './control-path.ts';
import { CONTROL_ROUTES, MAX_CONTROL_BYTES, VERSION_HEADER } from './control-protocol.ts';

/** What commands may ask of the running host. */
export interface ControlHandlers {
  launchLink(): string;
  status(): HostStatus;
  publish(page: Publish): Promise<PublishResult>;
  rotateKey(): Promise<ResealReport>;
}

export interface ControlServerOptions {
  /** Socket in a folder that only its owner can enter, or a named pipe. */
  readonly path: string;
  readonly handlers: ControlHandlers;
  readonly log: Log;
}

export interface ControlServer {
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;

/**
 * Answers commands of the same user as JSON over HTTP on a socket. A socket that a killed host left
 * behind is replaced: only the holder of the folder's lock may call this.
 */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { path } = options;
  const server = createServer((request, response) => void answer(options, request, response));
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = 60_000;
  const isPipe = path.startsWith('\\\\');
  if (!isPipe) await rm(path, { force: true });
  const listening = once(server, 'listening');
  atShortPath(path, (short) => server.listen(short));
  await listening;
  if (!isPipe) chmodSync(path, 0o600);
  return { close: () => close(server, path) };
}

async function close(server: Server, path: string): Promise<void> {
  const closed = once(server, 'close');
  // The system removes the socket by the name it was opened with.
  atShortPath(path, () => server.close());
  server.closeAllConnections();
  await closed;
}

async function answer(
  { handlers, log }: ControlServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader(VERSION_HEADER, handlers.status().version);
  try {
    send(response, 200, await dispatch(handlers, request));
  } catch (error) {
    if (error instanceof ApiRefusal) {
      send(response, error.status, error.body());
      return;
    }
    if (isHostError(error, 'bad_configuration')) {
      const { remedy } = error.data;
      const { message } = error;
      const refusal = new ApiRefusal('conflict', remedy === undefined ? message : `${message}; ${remedy}`);
      send(response, refusal.status, refusal.body());
      return;
    }
    log.error('a command failed', { reason: String(error) });
    send(response, 500, { error: { code: 'internal', message: 'Something failed inside the host.' } });
  }
}

async function dispatch(handlers: ControlHandlers, request: IncomingMessage): Promise<unknown> {
  switch (`${request.method ?? ''} ${request.url ?? ''}`) {
    case CONTROL_ROUTES.launchLink:
      return { url: handlers.launchLink() };
    case CONTROL_ROUTES.status:
      return handlers.status();
    case CONTROL_ROUTES.publish:
      return await handlers.publish(readPublish(await readBody(request)));
    case CONTROL_ROUTES.rotateKey:
      return await handlers.rotateKey();
    default:
      throw new ApiRefusal('not_found', 'The running portico does not know this command.');
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_CONTROL_BYTES) throw new ApiRefusal('too_large', 'The page is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readPublish(body: string): Publish {
  const parsed = publishSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ApiRefusal('bad_request', 'The request is not one that can be published.', issues);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiRefusal('not_json', 'The request is not JSON.');
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
