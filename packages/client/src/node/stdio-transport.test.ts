import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@portico/rpc';
import { afterEach, describe, expect, it } from 'vitest';
import { StdioClientTransport } from './stdio.ts';
import type { StdioClientTransportOptions } from './stdio.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-stdio-')));
const transports: StdioClientTransport[] = [];
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});

interface Watched {
  readonly transport: StdioClientTransport;
  readonly errors: { readonly code?: string; readonly data?: unknown }[];
  readonly messages: JSONRPCMessage[];
  readonly closed: Promise<void>;
  closes: number;
  /** Resolves with the next message. */
  next(): Promise<JSONRPCMessage>;
}

/** Short waits: what counts is the order of the steps, not their length. */
const QUICK: StdioClientTransportOptions = {
  stopWaits: { closeInputMs: 150, terminateMs: 150, killMs: 2_000 },
};

function watch(
  script: string,
  parameters: Partial<ConstructorParameters<typeof StdioClientTransport>[0]> = {},
  options: StdioClientTransportOptions = QUICK,
): Watched {
  const args = ['-e', script];
  const transport = new StdioClientTransport({ command: process.execPath, args, ...parameters }, options);
  transports.push(transport);
  const messages: JSONRPCMessage[] = [];
  const waiting: ((message: JSONRPCMessage) => void)[] = [];
  const errors: Watched['errors'] = [];
  const watched: Watched = {
    transport,
    errors,
    messages,
    closes: 0,
    closed: new Promise((resolve) => {
      transport.onclose = () => {
        watched.closes += 1;
        resolve();
      };
    }),
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
  transport.onerror = (error) => errors.push(error as Watched['errors'][number]);
  transport.onmessage = (message) => {
    messages.push(message);
    waiting.shift()?.(message);
  };
  return watched;
}

const isAlive = (pid: number): boolean => {
  try {
    // A killed process that nobody has collected yet is dead all the same.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
};

const SAY = `const say = (method, params) => process.stdout.write(JSON.stringify({jsonrpc:'2.0', method, params}) + '\\n');`;

describe('a child', () => {
  it('W83 gets its arguments unchanged, a minimal environment and its folder', async () => {
    process.env['PORTICO_TEST_SECRET'] = 'canary';
    const shell = process.env['SHELL'];
    process.env['SHELL'] = '() { :; }; echo canary';
    const args = ['a b', '$(touch x)', '`y`', '"q"', "it's", ';', '', '*', 'ü'];
    const file = join(folder, 'show.cjs');
    writeFileSync(
      file,
      `${SAY} say('told', {argv: process.argv.slice(2), env: process.env, cwd: process.cwd()}); process.stdin.resume();`,
    );
    const watched = watch('', { args: [file, ...args], cwd: folder, env: { OWN: 'mine' } });
    const told = watched.next();
    await watched.transport.start();
    const { params } = (await told) as unknown as {
      params: { argv: string[]; cwd: string; env: Record<string, string> };
    };
    delete process.env['PORTICO_TEST_SECRET'];
    delete process.env['SHELL'];
    if (shell !== undefined) process.env['SHELL'] = shell;
    expect(params.argv).toEqual(args);
    expect(params.cwd).toBe(folder);
    expect(params.env['OWN']).toBe('mine');
    expect(params.env['PATH']).toBe(process.env['PATH']);
    const allowed = new Set(['HOME', 'LOGNAME', 'PATH', 'TERM', 'USER', 'OWN']);
    expect(Object.keys(params.env).filter((name) => !allowed.has(name))).toEqual([]);

    const missing = watch('', { command: 'portico-no-such-command' });
    await expect(missing.transport.start()).rejects.toMatchObject({
      code: 'STDIO_COMMAND_NOT_FOUND',
      data: { command: 'portico-no-such-command', systemCode: 'ENOENT' },
    });
  });

  it('names a file that cannot be executed and a folder that does not exist', async () => {
    const plain = join(folder, 'plain.txt');
    writeFileSync(plain, 'no program', { mode: 0o644 });
    await expect(watch('', { command: plain }).transport.start()).rejects.toMatchObject({
      code: 'STDIO_NOT_EXECUTABLE',
    });
    await expect(watch('', { cwd: join(folder, 'nowhere') }).transport.start()).rejects.toMatchObject({
      code: 'STDIO_FOLDER_NOT_FOUND',
    });
    await expect(watch('', { args: ['nul\u0000'] }).transport.start()).rejects.toMatchObject({
      code: 'STDIO_SPAWN_FAILED',
    });
  });

  it('that ends by itself is told with its code and its last words, once', async () => {
    const watched = watch(
      `console.error('\\u001b[31mno database at db.example.com\\u001b[0m'); ${SAY} say('last'); process.exitCode = 3;`,
    );
    await watched.transport.start();
    await watched.closed;
    expect(watched.messages).toMatchObject([{ method: 'last' }]);
    expect(watched.errors).toMatchObject([
      {
        code: 'STDIO_EXITED',
        data: { exitCode: 3, signal: null, stderrTail: ['no database at db.example.com'] },
      },
    ]);
    expect(watched.closes).toBe(1);
    expect(watched.transport.stderrTail()).toEqual(['no database at db.example.com']);
    await expect(watched.transport.send({ jsonrpc: '2.0', method: 'late' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
    });
  });

  it('may print what is no message: it is skipped and told', async () => {
    const watched = watch(
      `console.log('Example Server 1.4.2 starting'); console.log('{"level":"info"}'); ${SAY} say('real'); process.stdin.resume();`,
    );
    const real = watched.next();
    await watched.transport.start();
    expect(await real).toMatchObject({ method: 'real' });
    expect(watched.errors.map(({ code }) => code)).toEqual(['INVALID_MESSAGE', 'INVALID_MESSAGE']);
    expect(watched.closes).toBe(0);
  });

  it('whose broken answer names its request lets that request end', async () => {
    const deep = `'{"a":'.repeat(520) + '1' + '}'.repeat(520)`;
    const watched = watch(
      `process.stdout.write('{"jsonrpc":"2.0","id":1,"error":"boom"}\\n{"jsonrpc":"2.0","id":2,"result":' + ${deep} + '}\\n'); ${SAY} say('up');`,
    );
    const up = watched.next();
    await watched.transport.start();
    await up;
    expect(watched.errors).toMatchObject([
      { code: 'INVALID_RESULT', data: { answerTo: 1 } },
      { code: 'INVALID_RESULT', data: { answerTo: 2 } },
    ]);
  });

  it('whose line passes the limit ends the connection', async () => {
    const watched = watch(`process.stdout.write('x'.repeat(4e6)); process.stdin.resume();`, {
      maxBufferSize: 100_000,
    });
    await watched.transport.start();
    await watched.closed;
    expect(watched.errors.map(({ code }) => code)).toEqual(['MESSAGE_TOO_LARGE']);
  });

  it('that floods its error output neither blocks nor grows the tail', async () => {
    const watched = watch(
      `const line = 'noise '.repeat(1000) + '\\n'; let left = 4_000;
       const more = () => { while (left-- > 0) if (!process.stderr.write(line)) return process.stderr.once('drain', more);
         ${SAY} say('done'); };
       more(); process.stdin.resume();`,
    );
    const done = watched.next();
    await watched.transport.start();
    expect(await done).toMatchObject({ method: 'done' });
    const kept = watched.transport.stderrTail();
    expect(kept.join('').length).toBeLessThanOrEqual(1_048_576);
    expect(kept.length).toBeGreaterThan(100);
  });

  it('that reads slowly is waited for, and a send to one that has closed its input fails', async () => {
    const slow = watch(
      `${SAY} let bytes = 0; process.stdin.on('data', (chunk) => { bytes += chunk.length; });
       process.stdin.on('end', () => { say('read', {bytes}); });`,
    );
    await slow.transport.start();
    const filler = 'x'.repeat(1_000_000);
    const sends = Array.from({ length: 20 }, () =>
      slow.transport.send({ jsonrpc: '2.0', method: 'big', params: { filler } }),
    );
    await Promise.all(sends);

    const deaf = watch(
      `${SAY} process.stdin.destroy(); require('node:fs').closeSync(0); setInterval(() => {}, 1e6); say('deaf');`,
    );
    const saidSo = deaf.next();
    await deaf.transport.start();
    await saidSo;
    await expect(
      deaf.transport.send({ jsonrpc: '2.0', method: 'x', params: { filler } }),
    ).rejects.toMatchObject({ code: 'SEND_FAILED' });
    await deaf.closed;
    expect(deaf.errors.map(({ code }) => code)).toEqual(['SEND_FAILED']);
    expect(deaf.closes).toBe(1);
  });

  it('can be started again after it has ended', async () => {
    const watched = watch(`${SAY} say('up'); process.stdin.resume();`);
    for (let round = 0; round < 2; round++) {
      const up = watched.next();
      await watched.transport.start();
      expect(await up).toMatchObject({ method: 'up' });
      await watched.transport.close();
    }
    expect(watched.closes).toBe(2);
  });

  it('is gone when it was closed while it was starting', async () => {
    const watched = watch(`setInterval(() => {}, 1e6);`);
    const starting = watched.transport.start();
    const outcome = starting.catch((error: unknown) => error);
    await watched.transport.close();
    expect(await outcome).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(watched.transport.pid).toBeNull();
  });
});

describe('closing', () => {
  const signals = (name: string): string => join(folder, `${name}.log`);
  const record = (name: string): string =>
    `const note = (what) => require('node:fs').appendFileSync(${JSON.stringify(signals(name))}, what + '\\n');
     process.stdin.on('end', () => note('end')).resume(); process.on('SIGTERM', () => note('term'));`;

  it('ends polite, deaf and stubborn children in order, with everything they started', async () => {
    const polite = watch(`${record('polite')} ${SAY} say('up');`);
    // Ignores the end of its input, but not a signal.
    const deaf = watch(
      `${record('deaf')} process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1e6); ${SAY} say('up');`,
    );
    // Ignores both, and has a child that does the same.
    const grandchild = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); process.stdout.write('ready');`;
    const stubborn = watch(
      `${record('stubborn')} setInterval(() => {}, 1e6); ${SAY}
       const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], {stdio: ['ignore', 'pipe', 'ignore']});
       child.stdout.once('data', () => say('up', {pid: child.pid}));`,
    );
    const pids: number[] = [];
    for (const watched of [polite, deaf, stubborn]) {
      const up = watched.next();
      await watched.transport.start();
      pids.push(Number(watched.transport.pid));
      const { params } = (await up) as { params?: { pid: number } };
      if (params !== undefined) pids.push(params.pid);
    }
    expect(pids).toHaveLength(4);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    await Promise.all([polite, deaf, stubborn].map(({ transport }) => transport.close()));
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
    expect(readFileSync(signals('polite'), 'utf8')).toBe('end\n');
    expect(readFileSync(signals('deaf'), 'utf8')).toBe('end\nterm\n');
    expect(readFileSync(signals('stubborn'), 'utf8')).toBe('end\nterm\n');
    expect([polite, deaf, stubborn].map(({ closes }) => closes)).toEqual([1, 1, 1]);
    expect([polite, deaf, stubborn].flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('ends what a child left behind when it went by itself', async () => {
    const left = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); process.stdout.write('ready');`;
    const watched = watch(
      `${SAY} const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(left)}], {stdio: ['ignore', 'pipe', 'ignore']});
       child.stdout.once('data', () => { say('up', {pid: child.pid}); process.stdin.once('data', () => process.exit(1)); });`,
    );
    const up = watched.next();
    await watched.transport.start();
    const { params } = (await up) as unknown as { params: { pid: number } };
    expect(isAlive(params.pid)).toBe(true);
    await watched.transport.send({ jsonrpc: '2.0', method: 'go' });
    await watched.closed;
    await watched.transport.close();
    expect(isAlive(params.pid)).toBe(false);
  });
});
