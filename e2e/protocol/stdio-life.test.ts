import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import process from 'node:process';
import { isJSONRPCMessage } from '@portico/rpc';
import { McpServer } from '@portico/server';
import { StdioServerTransport, serveStdio } from '@portico/server/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { modern } from '../../testing/mcp-wire.ts';
import { type ProgramBundle, bundlePrograms } from '../interop/program-bundle.ts';
import type { Era, Seen } from './server-routes.ts';
import { heldBytes } from './random-traffic.ts';
import { until } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-life-'));
let programs: ProgramBundle;
let runs = 0;
const children: ChildProcess[] = [];

beforeAll(async () => {
  programs = await bundlePrograms(['our-stdio', 'living-stdio']);
}, 60_000);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await programs.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly received: Seen[];
  readonly lines: string[];
  readonly stderr: () => string;
  /** Exit code and signal. */
  readonly ended: Promise<readonly [number | null, string | null]>;
  readonly notes: () => string[];
  say(...messages: object[]): void;
}

function run(name: string, input: 'pipe' | 'ignore' = 'pipe'): Run {
  const marker = join(folder, String((runs += 1)));
  const child = spawn(process.execPath, [programs.pathOf(name), marker], { stdio: [input, 'pipe', 'pipe'] });
  children.push(child);
  const received: Seen[] = [];
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const line of parts) received.push(JSON.parse(line) as Seen);
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin?.on('error', () => undefined);
  return {
    child,
    received,
    lines,
    stderr: () => stderr,
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve([code, signal]))),
    notes: () => readFileSync(marker, 'utf8').trim().split('\n'),
    say: (...messages) =>
      void child.stdin?.write(messages.map((each) => `${JSON.stringify(each)}\n`).join('')),
  };
}

const INFO = { name: 'raw', version: '1' };
const inEra = (era: Era, params: Record<string, unknown>): object =>
  era === 'modern' ? modern(params) : params;
const request = (id: unknown, method: string, params: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const hello = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: INFO,
});
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
const opening = (era: Era): object[] =>
  era === 'legacy' ? [hello, ready] : [request(0, 'server/discover', modern())];

describe.each(['legacy', 'modern'] as const)('a %s server of ours as a child', (era) => {
  it('W80 field-D1 answers what it has when its input ends, closes once and lets the process exit', async () => {
    const idle = run('living-stdio');
    idle.say(...opening(era));
    await until(() => idle.received.length > 0, 'the opening');
    idle.child.stdin?.end();
    expect(await idle.ended).toEqual([0, null]);
    expect(idle.notes()).toEqual(['closed', 'exit']);

    const busy = run('living-stdio');
    busy.say(...opening(era), request(1, 'tools/call', inEra(era, { name: 'slow' })));
    busy.child.stdin?.end();
    expect(await busy.ended).toEqual([0, null]);
    expect(busy.received).toMatchObject([
      { id: 0, result: {} },
      { id: 1, result: { content: [{ text: 'slow but there' }] } },
    ]);
    expect(busy.notes()).toEqual(['closed', 'exit']);

    const deaf = run('living-stdio', 'ignore');
    expect(await deaf.ended).toEqual([0, null]);
    expect(deaf.notes()).toEqual(['closed', 'exit']);
    expect([idle.stderr(), busy.stderr(), deaf.stderr()]).toEqual(['', '', '']);
  });

  it('W78 prints nothing but messages', async () => {
    const whole = run('our-stdio');
    whole.say(
      ...opening(era),
      request(1, 'tools/list', inEra(era, {})),
      request(
        2,
        'tools/call',
        inEra(era, { name: 'steps', arguments: { count: 3 }, _meta: { progressToken: 1 } }),
      ),
      request(3, 'tools/call', inEra(era, { name: 'fail' })),
      request(4, 'no/such/method', inEra(era, {})),
      request(5, 'prompts/get', inEra(era, { name: 'greet', arguments: { who: 'a\nb\r\n' } })),
      { jsonrpc: '2.0', id: 6, method: 7 },
      { nothing: 'of it' },
      request(7, 'tools/list', inEra(era, {})),
    );
    await until(() => whole.received.some(({ id }) => id === 7), 'the last answer');
    whole.child.stdin?.end();
    expect(await whole.ended).toEqual([0, null]);
    expect(whole.lines.length).toBeGreaterThanOrEqual(8);
    for (const line of whole.lines) expect(isJSONRPCMessage(JSON.parse(line))).toBe(true);
  });

  it('W85 ends without a crash or a busy loop when nobody reads it any more', async () => {
    const flooding = run('living-stdio');
    flooding.say(...opening(era), request(1, 'tools/call', inEra(era, { name: 'flood' })));
    await until(() => flooding.received.length > 2, 'a part of the flood');
    flooding.child.stdout?.destroy();
    expect(await flooding.ended).toEqual([0, null]);
    const notes = flooding.notes();
    expect(notes.filter((note) => note === 'closed')).toHaveLength(1);
    expect(notes).toContain('fault EPIPE');
    expect(flooding.stderr()).toBe('');
  });
});

describe('a client of a server of ours that reads slowly', () => {
  it('W85 is waited for: what is sent settles as it is taken, and nothing more is read meanwhile', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const transport = new StdioServerTransport(stdin, stdout);
    const server = new McpServer({ name: 'floods', version: '1' });
    let sent = 0;
    let calls = 0;
    const filler = 'x'.repeat(1_000_000);
    server.registerTool('flood', {}, async ({ mcpReq }) => {
      const sends = Array.from({ length: 50 }, async () => {
        await mcpReq.notify({ method: 'com.example/flood', params: { filler } });
        sent += 1;
      });
      await Promise.all(sends);
      return { content: [] };
    });
    server.registerTool('count', {}, () => {
      calls += 1;
      return { content: [] };
    });
    const handle = serveStdio(() => server, { transport });
    stdin.write(call('flood'));
    await until(() => stdout.writableLength > 40_000_000, 'the flood');
    for (let look = 0; look < 50; look += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(50);
    // Whoever does not read what waits for it is not served further.
    for (let id = 2; id < 100; id += 1) {
      stdin.write(`${JSON.stringify(request(id, 'tools/call', modern({ name: 'count' })))}\n`);
    }
    for (let look = 0; look < 50; look += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([calls, stdin.isPaused()]).toEqual([0, true]);

    let bytes = 0;
    stdout.on('data', (chunk: Uint8Array) => (bytes += chunk.length));
    await until(() => calls === 98, 'the calls');
    expect(sent).toBe(50);
    expect(bytes).toBeGreaterThan(50_000_000);
    await handle.close();
  });
});

/** A server on streams whose end the test decides. */
function serveOn(stdin: Readable) {
  const clock = createManualClock();
  const stdout = new PassThrough();
  let text = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const transport = new StdioServerTransport(stdin, stdout, { clock });
  let closes = 0;
  transport.onclose = () => void (closes += 1);
  const server = new McpServer({ name: 'ends', version: '1' });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  server.registerTool('held', {}, async () => {
    await held;
    return { content: [] };
  });
  server.registerTool('never', {}, () => new Promise<never>(() => undefined));
  const handle = serveStdio(() => server, { transport });
  return { transport, handle, clock, release: () => release(), closes: () => closes, text: () => text };
}

const call = (name: string): string => `${JSON.stringify(request(1, 'tools/call', modern({ name })))}\n`;

describe('the input of a server', () => {
  const onlyEnd = (): readonly [Readable, () => void] => {
    const stdin = new Readable({ autoDestroy: false, emitClose: false, read: () => undefined });
    return [stdin, () => void stdin.push(null)];
  };
  const onlyClose = (): readonly [Readable, () => void] => {
    const stdin = new Readable({ read: () => undefined });
    return [stdin, () => void stdin.destroy()];
  };

  it.each([
    ['end', onlyEnd],
    ['close', onlyClose],
  ] as const)('W80 field-D1 may give only the event %s', async (event, make) => {
    for (const name of ['held', 'never', undefined]) {
      const [stdin, finish] = make();
      const events: string[] = [];
      for (const each of ['end', 'close']) stdin.on(each, () => events.push(each));
      const { handle, clock, release, closes, text } = serveOn(stdin);
      if (name !== undefined) stdin.push(call(name));
      await clock.advance(0);
      finish();
      await clock.advance(0);
      expect(closes()).toBe(name === undefined ? 1 : 0);
      release();
      await clock.advance(name === 'never' ? 1_499 : 0);
      expect(closes()).toBe(name === 'never' ? 0 : 1);
      await clock.advance(1);
      await handle.closed;
      await handle.close();
      expect([events, closes()]).toEqual([[event], 1]);
      expect(text() === '').toBe(name !== 'held');
    }
  });

  it('W80 field-D1 may end while the server is being closed, or have ended before it began', async () => {
    const stdin = new PassThrough();
    const { transport, handle, closes, clock } = serveOn(stdin);
    await clock.advance(0);
    stdin.end();
    await Promise.all([transport.close(), handle.close()]);
    await clock.advance(2_000);
    expect(closes()).toBe(1);

    const over = new PassThrough();
    over.resume().end();
    await new Promise((resolve) => over.once('close', resolve));
    const late = serveOn(over);
    await late.handle.closed;
    expect(late.closes()).toBe(1);
  });

  it('W79 field-D3 may bring 64 MiB without a line end: told once, and the connection ends', async () => {
    const stdin = new PassThrough();
    const { handle, transport, closes } = serveOn(stdin);
    const faults: unknown[] = [];
    await until(() => transport.onerror !== undefined, 'the start');
    const { onerror } = transport;
    transport.onerror = (error) => {
      faults.push('code' in error && error.code);
      onerror?.(error);
    };
    const block = Buffer.alloc(1_048_576, 'x');
    let taken = 0;
    const before = await heldBytes();
    let most = 0;
    for (let count = 0; count < 64 && closes() === 0; count += 1) {
      stdin.write(block);
      taken += 1;
      most = Math.max(most, (await heldBytes()) - before);
    }
    await handle.closed;
    // The limit of one line, the chunk that went beyond it, and what the streams hold.
    expect(most).toBeLessThan(16 * 1_048_576);
    expect((await heldBytes()) - before).toBeLessThan(3 * 1_048_576);
    // A little over ten are read, and no more.
    expect(taken).toBeLessThanOrEqual(13);
    expect([faults, closes(), stdin.isPaused()]).toEqual([['message_too_large'], 1, true]);
  });
});
