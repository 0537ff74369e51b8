import { PassThrough } from 'node:stream';
import type { Clock, JSONRPCMessage } from '@portico/rpc';
import { createMemoryTransportPair } from '@portico/rpc';
import { type McpServer, createMcpHandler } from '@portico/server';
import { StdioServerTransport, serveStdio } from '@portico/server/stdio';
import { headersOf } from '../../testing/mcp-headers.ts';
import { messagesOf } from '../../testing/mcp-http.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { checkModernAnswer } from '../../testing/modern-error-codes.ts';

export type Era = 'legacy' | 'modern';

/** A message as a peer sees it: anything that parses. */
export type Seen = Readonly<Record<string, unknown>>;

/** The client's end of one way to a server of ours, spoken by hand. */
export interface RawClient {
  readonly era: Era;
  readonly route: string;
  /** What `initialize` was answered with; undefined in the modern era. */
  readonly greeting: Seen | undefined;
  /** Everything the server sent, in order. */
  readonly received: readonly Seen[];
  /** The same as text, where it is text. */
  readonly texts: readonly string[];
  readonly faults: readonly Error[];
  /**
   * Sends text as it stands. Over HTTP it settles with the status when the answer is read to its end;
   * on a pipe at once, without one.
   */
  send(text: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Params as this era has them: a modern request says who sends it. */
  params(params?: Record<string, unknown>): Record<string, unknown>;
  /** Sends a request and waits for the message that answers it. */
  request(id: unknown, method: string, params?: Record<string, unknown>): Promise<Seen>;
  /** Waits for the first message, past or to come, that fits. */
  next(fits: (message: Seen) => boolean): Promise<Seen>;
  close(): Promise<void>;
}

export interface RouteOptions {
  readonly clock?: Clock;
  /** Version that a legacy client asks for. */
  readonly version?: string;
  /** What a legacy client declares; nothing by default. */
  readonly capabilities?: object;
  /** False leaves the handshake of a legacy client to the test. */
  readonly handshake?: false;
  /** Version header of requests before there is a session; none by default. */
  readonly openingVersion?: string;
}

/** One way to a server in one era. */
export interface ServerRoute {
  readonly name: string;
  readonly transport: 'memory' | 'stdio' | 'http';
  readonly era: Era;
  open(makeServer: () => McpServer, options?: RouteOptions): Promise<RawClient>;
}

/** What the routes have in common. */
class Inbox {
  readonly received: Seen[] = [];
  readonly texts: string[] = [];
  readonly faults: Error[] = [];
  readonly #waiting = new Set<() => void>();

  readonly fault = (error: Error): void => void this.faults.push(error);

  take(message: unknown, text?: string): void {
    this.received.push(message as Seen);
    if (text !== undefined) this.texts.push(text);
    for (const look of this.#waiting) look();
  }

  next(fits: (message: Seen) => boolean): Promise<Seen> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.received.find(fits);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

const isAnswerTo = (id: unknown) => (message: Seen) => !('method' in message) && message['id'] === id;

function rawClient(
  inbox: Inbox,
  route: Pick<ServerRoute, 'era' | 'name'>,
  way: Pick<RawClient, 'send' | 'close'>,
): RawClient {
  const params = (given: Record<string, unknown> = {}): Record<string, unknown> =>
    route.era === 'modern' ? modern(given) : given;
  return {
    era: route.era,
    route: route.name,
    greeting: undefined,
    received: inbox.received,
    texts: inbox.texts,
    faults: inbox.faults,
    params,
    ...way,
    async request(id, method, given) {
      const before = inbox.received.length;
      const message = { jsonrpc: '2.0', id, method, params: params(given) };
      const sent = way.send(JSON.stringify(message));
      const answer = await inbox.next(
        (message) => inbox.received.indexOf(message) >= before && isAnswerTo(id)(message),
      );
      await sent;
      checkModernAnswer(message, [answer]);
      return answer;
    },
    next: (fits) => inbox.next(fits),
  };
}

async function shakeHands(client: RawClient, options: RouteOptions): Promise<RawClient> {
  if (client.era === 'modern' || options.handshake === false) return client;
  const clientInfo = { name: 'raw', version: '1' };
  const { version: protocolVersion = '2025-11-25', capabilities = {} } = options;
  const answer = await client.request('hello', 'initialize', { protocolVersion, capabilities, clientInfo });
  await client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  (client.received as Seen[]).splice(0);
  (client.texts as string[]).splice(0);
  return Object.assign(client, { greeting: answer['result'] as Seen | undefined });
}

const memoryRoute = (era: Era): ServerRoute => ({
  name: `${era} memory`,
  transport: 'memory',
  era,
  async open(makeServer, options = {}) {
    const [ours, theirs] = createMemoryTransportPair();
    const inbox = new Inbox();
    ours.onmessage = (message) => inbox.take(message);
    const { server } = makeServer();
    server.onerror = inbox.fault;
    await server.attach(theirs, { sole: true });
    await ours.start();
    const client = rawClient(inbox, this, {
      async send(text) {
        // What a transport of objects cannot carry is no message of it.
        await ours.send(JSON.parse(text) as JSONRPCMessage).catch(inbox.fault);
        return undefined;
      },
      close: () => ours.close(),
    });
    return shakeHands(client, options);
  },
});

const stdioRoute = (era: Era): ServerRoute => ({
  name: `${era} stdio`,
  transport: 'stdio',
  era,
  async open(makeServer, options = {}) {
    const inbox = new Inbox();
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    let rest = '';
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) inbox.take(JSON.parse(line), line);
    });
    const timing = options.clock === undefined ? {} : { clock: options.clock };
    const handle = serveStdio(makeServer, {
      transport: new StdioServerTransport(stdin, stdout, timing),
      onerror: inbox.fault,
    });
    const client = rawClient(inbox, this, {
      send(text) {
        stdin.write(`${text}\n`);
        return Promise.resolve(undefined);
      },
      async close() {
        await handle.close();
      },
    });
    return shakeHands(client, options);
  },
});

const SESSION = 'mcp-session-id';

const httpRoute = (era: Era): ServerRoute => ({
  name: `${era} http`,
  transport: 'http',
  era,
  async open(makeServer, options = {}) {
    const inbox = new Inbox();
    const timing = options.clock === undefined ? {} : { clock: options.clock };
    const handler = createMcpHandler(makeServer, { legacy: 'sessions', onerror: inbox.fault, ...timing });
    let session: string | undefined;
    const own = (text: string): Record<string, string> => {
      if (era === 'modern') {
        const fixed = { 'MCP-Protocol-Version': '2026-07-28' };
        try {
          return { ...fixed, ...headersOf(JSON.parse(text)) };
        } catch {
          return fixed;
        }
      }
      const version = { 'mcp-protocol-version': options.version ?? '2025-11-25' };
      if (session !== undefined) return { ...version, [SESSION]: session };
      const { openingVersion } = options;
      return openingVersion === undefined ? {} : { 'mcp-protocol-version': openingVersion };
    };
    const client = rawClient(inbox, this, {
      async send(text, signal) {
        const headers = {
          host: 'localhost',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...own(text),
        };
        const given = signal === undefined ? {} : { signal };
        const request = new Request('http://localhost/mcp', {
          method: 'POST',
          headers,
          body: text,
          ...given,
        });
        const response = await handler.fetch(request);
        session ??= response.headers.get(SESSION) ?? undefined;
        await readAnswer(response, inbox).catch((error: unknown) => {
          if (signal?.aborted !== true) throw error;
        });
        return response.status;
      },
      close: () => handler.close(),
    });
    return shakeHands(client, options);
  },
});

/** Hands on each message as it comes. */
async function readAnswer(response: Response, inbox: Inbox): Promise<void> {
  if (response.headers.get('content-type') !== 'text/event-stream') {
    const text = await response.text();
    if (text === '') return;
    const body = JSON.parse(text) as unknown;
    for (const message of Array.isArray(body) ? body : [body]) inbox.take(message, text);
    return;
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const end = text.lastIndexOf('\n\n') + 2;
    for (const message of messagesOf(text.slice(0, end))) inbox.take(message, JSON.stringify(message));
    text = text.slice(end);
  }
}

const ERAS: readonly Era[] = ['legacy', 'modern'];

/** Every way to a server of ours. */
export const SERVER_ROUTES: readonly ServerRoute[] = ERAS.flatMap((era) => [
  memoryRoute(era),
  stdioRoute(era),
  httpRoute(era),
]);
