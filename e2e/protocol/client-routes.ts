import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client,
  type ClientOptions,
  type ConnectOptions,
  StreamableHTTPClientTransport,
} from '@portico/client';
import { StdioClientTransport } from '@portico/client/stdio';
import { type JSONRPCMessage, type RequestId, type Transport, createMemoryTransportPair } from '@portico/rpc';
import { type ManualClock, createManualClock } from '../../testing/manual-clock.ts';
import { type SentRequest, createScriptedFetch } from '../../testing/scripted-fetch.ts';
import type { Era, Seen } from './server-routes.ts';

/** One way from a client of ours to a server that is spoken by hand. */
export interface ClientRoute {
  readonly name: string;
  readonly transport: 'memory' | 'stdio' | 'http';
  readonly era: Era;
  open(options?: ScriptedOptions): Promise<ScriptedEnd>;
}

export interface ScriptedOptions {
  readonly client?: ClientOptions;
  readonly connect?: ConnectOptions;
  /** Results that are given at once, by method; the handshake is among them unless it is replaced. */
  readonly answers?: Readonly<Record<string, (request: Seen) => object | undefined>>;
}

/** The server's end, and the client on the other. */
export interface ScriptedEnd {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly errors: Error[];
  /** How connecting went. */
  readonly connected: Promise<void>;
  /** Everything the client sent, in order. */
  readonly sent: Seen[];
  /** The first message, past or to come, that fits. */
  next(fits: (message: Seen) => boolean): Promise<Seen>;
  /** Says all of it in one chunk; where requests have streams of their own, on that of this request. */
  say(about: unknown, ...messages: object[]): void;
  close(): Promise<void>;
}

type Speak = (about: unknown, messages: readonly object[]) => void;

interface Carrier {
  readonly transport: Transport;
  readonly speak: Speak;
  close(): Promise<void>;
}

const HELLO: Readonly<Record<Era, readonly [string, object]>> = {
  legacy: [
    'initialize',
    {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      serverInfo: { name: 'scripted', version: '1' },
    },
  ],
  modern: [
    'server/discover',
    {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    },
  ],
};

async function overMemory(take: (message: Seen) => void): Promise<Carrier> {
  const [ours, theirs] = createMemoryTransportPair();
  theirs.onmessage = (message) => take(message as unknown as Seen);
  await theirs.start();
  return {
    transport: ours,
    speak: (_about, messages) => {
      for (const message of messages) theirs.send(message as JSONRPCMessage).catch(() => undefined);
    },
    close: () => theirs.close(),
  };
}

/** A child that hands what it reads to a socket of ours, and writes what comes from there. */
const RELAY = `
  const socket = require('node:net').connect(process.argv[1]);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  socket.on('error', () => process.exit(1));`;

async function overChild(take: (message: Seen) => void): Promise<Carrier> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-relay-'));
  const path = join(folder, 'socket');
  let write: (text: string) => void = () => undefined;
  let hangUp: () => void = () => undefined;
  const server = createServer((opened) => {
    write = (text) => void opened.write(text);
    hangUp = () => void opened.destroy();
    opened.on('error', () => undefined);
    createInterface({ input: opened }).on('line', (line) => take(JSON.parse(line) as Seen));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    transport: new StdioClientTransport({ command: process.execPath, args: ['-e', RELAY, path] }),
    speak: (_about, messages) => write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    async close() {
      hangUp();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each request is answered by a stream that stays open until its answer was said. */
function overHttp(take: (message: Seen) => void, clock: ManualClock): Promise<Carrier> {
  const streams = new Map<unknown, ReadableStreamDefaultController<Uint8Array>>();
  const streamOf = (request: SentRequest): Response => {
    const id = request.body?.id;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.set(id, controller);
        request.signal.addEventListener('abort', () => {
          streams.delete(id);
          controller.error(new DOMException('gone', 'AbortError'));
        });
      },
      cancel: () => void streams.delete(id),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const server = createScriptedFetch((request) => {
    if (request.body === undefined) return new Response(null, { status: 405 });
    const response =
      request.body.id === undefined || request.body.method === undefined
        ? new Response(null, { status: 202 })
        : streamOf(request);
    take(request.body as Seen);
    return response;
  });
  const speak: Speak = (about, messages) => {
    const stream = streams.get(about);
    if (stream === undefined) return;
    const events = messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`);
    stream.enqueue(new TextEncoder().encode(events.join('')));
    const isOver = messages.some((message) => !('method' in message) && (message as Seen)['id'] === about);
    if (!isOver) return;
    streams.delete(about);
    stream.close();
  };
  const transport = new StreamableHTTPClientTransport('http://server.test/mcp', {
    fetch: server.fetch,
    clock,
  });
  return Promise.resolve({ transport, speak, close: () => Promise.resolve() });
}

const CARRIERS = { memory: overMemory, stdio: overChild, http: overHttp } as const;

function route(transport: ClientRoute['transport'], era: Era): ClientRoute {
  return {
    name: `${era} ${transport}`,
    transport,
    era,
    async open({ client: clientOptions, connect, answers = {} } = {}) {
      const clock = createManualClock();
      const sent: Seen[] = [];
      const waiting = new Set<() => void>();
      const [hello, result] = HELLO[era];
      const given: NonNullable<ScriptedOptions['answers']> = { [hello]: () => result, ...answers };
      const take = (message: Seen): void => {
        sent.push(message);
        for (const look of waiting) look();
        const { id, method } = message;
        const answer = id === undefined ? undefined : given[String(method)]?.(message);
        if (answer !== undefined) carrier.speak(id, [{ jsonrpc: '2.0', id, result: answer }]);
      };
      const carrier: Carrier = await CARRIERS[transport](take, clock);
      const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
      const client = new Client(
        { name: 'rows', version: '1' },
        { clock, versionNegotiation: { mode }, ...clientOptions },
      );
      const errors: Error[] = [];
      client.onerror = (error) => errors.push(error);
      const connected = client.connect(carrier.transport, connect);
      connected.catch(() => undefined);
      if (answers[hello] === undefined) await connected;
      return {
        client,
        clock,
        errors,
        connected,
        sent,
        next: (fits) =>
          new Promise((resolve) => {
            const look = (): void => {
              const found = sent.find(fits);
              if (found === undefined) return;
              waiting.delete(look);
              resolve(found);
            };
            waiting.add(look);
            look();
          }),
        say: (about, ...messages) => carrier.speak(about, messages),
        async close() {
          await client.close();
          await carrier.close();
        },
      };
    },
  };
}

const ERAS: readonly Era[] = ['legacy', 'modern'];

/** Every way from a client of ours. */
export const CLIENT_ROUTES: readonly ClientRoute[] = ERAS.flatMap((era) =>
  (['memory', 'stdio', 'http'] as const).map((transport) => route(transport, era)),
);

/** A result as a server says it. */
export const resultFor = (id: unknown, text: string): object => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', content: [{ type: 'text', text }] },
});

/** A report of progress as a server says it. */
export const progressFor = (progressToken: unknown, params: object): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, ...params },
});

/** The token that a request asks for progress with. */
export const tokenOf = (request: Seen): unknown =>
  ((request['params'] as Seen | undefined)?.['_meta'] as Seen | undefined)?.['progressToken'];

/** The id of a request. */
export const idOf = (request: Seen): RequestId => request['id'] as RequestId;
