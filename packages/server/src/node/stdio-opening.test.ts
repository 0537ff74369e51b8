import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '@portico/server';
import { type ServeStdioOptions, type StdioServerHandle, serveStdio } from './serve-stdio.ts';
import { StdioServerTransport } from './stdio-transport.ts';

type Answer = Readonly<Record<string, unknown>>;

interface Pipe {
  readonly handle: StdioServerHandle;
  /** Eras that the factory was told, in order. */
  readonly eras: string[];
  /** Names of the servers that the factory made, of those whose connection ended. */
  readonly ended: string[];
  readonly faults: Error[];
  /** Everything that came out, in order. */
  readonly out: Answer[];
  /** Writes messages in one chunk. */
  write(...messages: object[]): void;
  /** The answer to this id. */
  answer(id: unknown): Promise<Answer>;
}

interface PipeOptions extends ServeStdioOptions {
  /** Runs before a server is there; may take its time, or throw. */
  readonly making?: (era: string) => void | Promise<void>;
  readonly prepare?: (server: McpServer) => void;
}

function openPipe({ making, prepare, ...options }: PipeOptions = {}): Pipe {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const [eras, ended, faults, out]: [string[], string[], Error[], Answer[]] = [[], [], [], []];
  const waiting = new Set<() => void>();
  let rest = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) out.push(JSON.parse(line) as Answer);
    for (const look of waiting) look();
  });
  const handle = serveStdio(
    async ({ era }) => {
      const name = `${era} ${String(eras.push(era))}`;
      await making?.(era);
      const server = new McpServer({ name, version: '1' });
      server.registerTool('who', {}, ({ client }) => ({
        content: [{ type: 'text', text: `${name} for ${client.era}` }],
      }));
      server.server.onclose = () => void ended.push(name);
      prepare?.(server);
      return server;
    },
    {
      ...options,
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => faults.push(error),
    },
  );
  return {
    handle,
    eras,
    ended,
    faults,
    out,
    write: (...messages) =>
      void stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    answer: (id) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = out.find((message) => message['id'] === id);
          if (found !== undefined && waiting.delete(look)) resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

const request = (id: number, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const probe = (id: number): object => request(id, 'server/discover', modern());
const ask = (id: number): object => request(id, 'tools/call', modern({ name: 'who' }));
const hello = (id: number): object =>
  request(id, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  });
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
const askAsLegacy = (id: number): object => request(id, 'tools/call', { name: 'who' });
const said = (answer: Answer): unknown =>
  (answer['result'] as { content?: { text: string }[] } | undefined)?.content?.[0]?.text ??
  (answer['error'] as { code: number } | undefined)?.code;
const ids = ({ out }: Pipe): unknown[] => out.map(({ id }) => id);

describe('the opening of a pipe', () => {
  it('W51 by a probe and a handshake in one chunk is answered in that order, by a server each', async () => {
    const pipe = openPipe();
    pipe.write(probe(1), hello(2), ready, askAsLegacy(3));
    expect(said(await pipe.answer(3))).toBe('legacy 2 for legacy');
    expect(ids(pipe)).toEqual([1, 2, 3]);
    expect(pipe.out[0]).toMatchObject({
      result: { supportedVersions: expect.arrayContaining(['2026-07-28']) as unknown },
    });
    expect(pipe.out[1]).toMatchObject({
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'legacy 2' } },
    });
    expect([pipe.eras, pipe.ended]).toEqual([['modern', 'legacy'], ['modern 1']]);
    await pipe.handle.close();
    expect(pipe.ended).toEqual(['modern 1', 'legacy 2']);
    expect(pipe.faults).toEqual([]);
  });

  const OPENINGS: readonly [what: string, messages: object[], eras: string[], outcomes: unknown[]][] = [
    ['a modern request', [ask(1), ask(2)], ['modern'], ['modern 1 for modern', 'modern 1 for modern']],
    ['a probe and a modern request', [probe(1), ask(2)], ['modern'], [undefined, 'modern 1 for modern']],
    [
      'probes and a modern request',
      [probe(1), probe(2), ask(3)],
      ['modern'],
      [undefined, undefined, 'modern 1 for modern'],
    ],
    ['a handshake', [hello(1), ready, askAsLegacy(2)], ['legacy'], [undefined, 'legacy 1 for legacy']],
    ['a request without a handshake', [request(1, 'ping'), hello(2)], ['legacy'], [undefined, undefined]],
    [
      'a modern request, and never a handshake',
      [ask(1), hello(2), ask(3)],
      ['modern'],
      ['modern 1 for modern', -32_022, 'modern 1 for modern'],
    ],
    [
      'a probe, a modern request, and never a handshake',
      [probe(1), ask(2), hello(3), ask(4)],
      ['modern'],
      [undefined, 'modern 1 for modern', -32_022, 'modern 1 for modern'],
    ],
    [
      'a probe that is withdrawn, and a handshake',
      [
        probe(1),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
        hello(2),
        ready,
        askAsLegacy(3),
      ],
      ['modern', 'legacy'],
      [undefined, undefined, 'legacy 2 for legacy'],
    ],
    [
      'a stray notification and a handshake',
      [ready, hello(1), ready, askAsLegacy(2)],
      ['legacy'],
      [undefined, 'legacy 1 for legacy'],
    ],
  ];

  it.each(
    OPENINGS.flatMap(
      (row) =>
        [
          ['at once', ...row],
          ['one by one', ...row],
        ] as const,
    ),
  )('W51 %s by %s is decided once', async (...[pace, , messages, eras, outcomes]) => {
    const pipe = openPipe();
    if (pace === 'at once') pipe.write(...messages);
    for (const message of messages) {
      if (pace !== 'at once') pipe.write(message);
      const { id } = message as { id?: number };
      const withdrawn = messages.some(
        (each) => (each as { params?: { requestId?: unknown } }).params?.requestId === id,
      );
      if (id !== undefined && !withdrawn) await pipe.answer(id);
    }
    const answers = outcomes.map((_, at) => pipe.out.find(({ id }) => id === at + 1));
    expect(answers.map((answer) => answer && said(answer))).toEqual(outcomes);
    expect(pipe.eras).toEqual(eras);
    expect(pipe.ended).toEqual(eras.length === 2 ? ['modern 1'] : []);
    await pipe.handle.close();
    expect(pipe.faults).toEqual([]);
  });

  it('W51 names the versions it serves to a handshake that comes too late', async () => {
    const pipe = openPipe();
    pipe.write(ask(1), hello(2));
    expect(await pipe.answer(2)).toMatchObject({
      error: {
        code: -32_022,
        data: { requested: '2025-11-25', supported: expect.arrayContaining(['2026-07-28']) as unknown },
      },
    });
    await pipe.handle.close();
  });

  it('W51 keeps the order of messages while a server is being made', async () => {
    let go: (() => void) | undefined;
    const pipe = openPipe({ making: () => new Promise((resolve) => (go = resolve)) });
    pipe.write(ask(1));
    await expect.poll(() => go).toBeDefined();
    pipe.write(ask(2), ask(3));
    go?.();
    await pipe.answer(3);
    expect(ids(pipe)).toEqual([1, 2, 3]);
    await pipe.handle.close();
  });

  it('W49 W51 refuses legacy openings where they are not served, and waits for a modern one', async () => {
    const pipe = openPipe({ legacy: 'reject' });
    pipe.write(hello(1), askAsLegacy(2), ask(3));
    await pipe.answer(3);
    expect(pipe.out.map(said)).toEqual([-32_022, -32_022, 'modern 1 for modern']);
    expect(pipe.eras).toEqual(['modern']);
    await pipe.handle.close();
  });

  it('W51 does not wait for ever for the answer to a probe', async () => {
    const clock = createManualClock();
    const pipe = openPipe({
      clock,
      prepare: ({ server }) =>
        server.setRequestHandler('server/discover', () => new Promise(() => undefined)),
    });
    pipe.write(probe(1), hello(2));
    await expect.poll(() => clock.armed).toBeGreaterThan(0);
    expect(pipe.eras).toEqual(['modern']);
    await clock.advance(3_000);
    await pipe.answer(2);
    expect([pipe.eras, ids(pipe)]).toEqual([['modern', 'legacy'], [2]]);
    await pipe.handle.close();
  });

  it('W51 ends with a factory that fails, and says why', async () => {
    const pipe = openPipe({
      making: () => {
        throw new RangeError('no server');
      },
    });
    pipe.write(ask(1));
    await pipe.handle.closed;
    expect([pipe.eras, pipe.out, pipe.faults.map(String)]).toEqual([
      ['modern'],
      [],
      ['RangeError: no server'],
    ]);
  });

  it('W51 can be given up before anything came', async () => {
    const pipe = openPipe();
    await pipe.handle.close();
    await pipe.handle.closed;
    expect([pipe.eras, pipe.faults]).toEqual([[], []]);
  });
});
