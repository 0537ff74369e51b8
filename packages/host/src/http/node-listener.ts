import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { ApiRefusal } from '../api-refusal.ts';
import type { Log } from '../host-options.ts';
import { OPAQUE_LABEL, OPAQUE_PATH } from '../sandbox/sandbox-app.ts';
import type { SandboxBindings } from '../sandbox/sandbox-app.ts';
import { judgeHost } from './host-gate.ts';

/** Largest headers of a request, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** A connection that sends no whole headers for this long is ended, in milliseconds. */
const HEADERS_TIMEOUT_MS = 20_000;

export interface ListenerOptions {
  readonly consoleApp: Hono;
  readonly sandboxApp: Hono<SandboxBindings>;
  readonly port: () => number;
  readonly log: Log;
}

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * The one HTTP server: looks at the Host header before anything else, so that no route can be
 * reached under a name that is not ours (K9, K197).
 */
export function createHostServer(options: ListenerOptions): Server {
  const { consoleApp, sandboxApp, port, log } = options;
  const server = createServer({
    // A request without Host gets our own refusal in place of the bare one of node:http.
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
  });
  const listenerOptions = { overrideGlobalObjects: false };
  const toConsole = getRequestListener((request) => consoleApp.fetch(request), listenerOptions);
  const handle: Handle = (incoming, outgoing) => {
    const verdict = judgeHost(incoming.rawHeaders, port());
    // Only a path means something under the judged host; a whole address would bring its own.
    if (verdict.kind === 'refused' || incoming.url?.startsWith('/') !== true) {
      const reason =
        verdict.kind === 'refused' ? verdict.message : 'The address of the request is not a path.';
      refuse(incoming, outgoing, reason);
    } else if (verdict.kind === 'console' && !incoming.url.startsWith(OPAQUE_PATH)) {
      toConsole(incoming, outgoing).catch((error: unknown) => fail(outgoing, error, log));
    } else {
      const label = verdict.kind === 'sandbox' ? verdict.label : OPAQUE_LABEL;
      const toSandbox = getRequestListener(
        (request) => sandboxApp.fetch(request, { label }),
        listenerOptions,
      );
      toSandbox(incoming, outgoing).catch((error: unknown) => fail(outgoing, error, log));
    }
  };
  server.on('request', handle);
  // Nothing here speaks another protocol, so an upgrade is refused whatever its host.
  server.on('upgrade', (_incoming: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  server.on('clientError', (_error: Error, socket: Duplex) => {
    socket.on('error', () => undefined);
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return server;
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, reason: string): void {
  const refusal = new ApiRefusal('forbidden_host', reason);
  const isApi = incoming.url?.startsWith('/api/') === true;
  const body = isApi ? JSON.stringify(refusal.body()) : `${refusal.message}\n`;
  outgoing.writeHead(refusal.status, {
    'content-type': isApi ? 'application/json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  });
  outgoing.end(body);
  incoming.resume();
}

function fail(outgoing: ServerResponse, error: unknown, log: Log): void {
  log.error('a request could not be answered', {
    error: error instanceof Error ? error.stack : String(error),
  });
  if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
  outgoing.end();
}
