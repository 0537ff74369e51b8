import { PassThrough } from 'node:stream';
import { McpServer } from '@portico/server';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { modern } from '../../../../testing/mcp-wire.ts';
import { serveStdio } from './serve-stdio.ts';
import { StdioServerTransport } from './stdio-transport.ts';

interface Pipe {
  readonly stdin: PassThrough;
  readonly lines: () => unknown[];
  readonly closed: Promise<void>;
  readonly faults: Error[];
  readonly release: () => void;
  readonly clock: ReturnType<typeof createManualClock>;
}

function open(maxBufferSize?: number): Pipe {
  const clock = createManualClock();
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let text = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const server = new McpServer({ name: 'stdio', version: '1' });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  server.registerTool('late', {}, async () => {
    await released;
    return { content: [{ type: 'text', text: 'late' }] };
  });
  server.registerTool('never', {}, () => new Promise<never>(() => undefined));
  const faults: Error[] = [];
  const options = maxBufferSize === undefined ? { clock } : { clock, maxBufferSize };
  const handle = serveStdio(() => server, {
    transport: new StdioServerTransport(stdin, stdout, options),
    onerror: (error) => faults.push(error),
  });
  const lines = (): unknown[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  return { stdin, lines, closed: handle.closed, faults, release: () => release(), clock };
}

const line = (id: unknown, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params: modern({ ...params }) })}\n`;

describe('a server on standard input and output', () => {
  it('reads any split of lines and writes one message a line', async () => {
    const { stdin, lines, clock } = open();
    const text = Buffer.from(
      `${line(1, 'tools/list')}\r\n${line('zwei 🚢', 'server/discover')}`.replace('\n\r\n', '\r\n'),
    );
    for (const byte of text) stdin.write(Buffer.from([byte]));
    await clock.advance(0);
    expect(lines()).toMatchObject([
      { id: 1, result: {} },
      { id: 'zwei 🚢', result: {} },
    ]);
  });

  it('skips and reports lines that are no messages, and answers a broken request whose id is readable', async () => {
    const { stdin, lines, faults, clock } = open();
    stdin.write('hello there\n{"jsonrpc":"2.0"}\n');
    stdin.write('{"jsonrpc":"2.0","id":3,"method":5}\n');
    stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
    stdin.write(line(4, 'tools/list'));
    await clock.advance(0);
    expect(lines()).toMatchObject([
      { id: 3, error: { code: -32_600 } },
      { id: 4, result: {} },
    ]);
    expect(faults).toHaveLength(4);
  });

  it('ends the connection at a line over the limit', async () => {
    const { stdin, closed, faults } = open(1000);
    stdin.write('x'.repeat(2000));
    await closed;
    expect(faults).toMatchObject([{ code: 'message_too_large' }]);
  });

  it('answers what is in flight when the input ends, then closes', async () => {
    const { stdin, lines, closed, release, clock } = open();
    stdin.write(line(1, 'tools/call', { name: 'late' }));
    stdin.end();
    await clock.advance(0);
    expect(lines()).toEqual([]);
    release();
    await closed;
    await clock.advance(0);
    expect(lines()).toMatchObject([{ id: 1, result: { content: [{ text: 'late' }] } }]);
  });

  it('does not wait for ever for a call that never ends, nor for a cancelled one', async () => {
    const stuck = open();
    stuck.stdin.write(line(1, 'tools/call', { name: 'never' }));
    stuck.stdin.end();
    await stuck.clock.advance(1500);
    await stuck.closed;
    const cancelled = open();
    cancelled.stdin.write(line(1, 'tools/call', { name: 'never' }));
    const params = { requestId: 1 };
    cancelled.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`,
    );
    cancelled.stdin.end();
    await cancelled.clock.advance(0);
    await cancelled.closed;
    expect([stuck.lines(), cancelled.lines()]).toEqual([[], []]);
  });
});
