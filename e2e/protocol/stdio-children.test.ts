import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from '@portico/client';
import { StdioClientTransport, type StdioClientTransportOptions, keepConnected } from '@portico/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { startProgram } from '../../testing/processes.ts';
import { type ProgramBundle, bundlePrograms } from '../interop/program-bundle.ts';
import type { Era } from './server-routes.ts';
import { heldBytes } from './random-traffic.ts';
import { until } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-children-'));
const transports: StdioClientTransport[] = [];
let programs: ProgramBundle;
beforeAll(async () => {
  programs = await bundlePrograms(['stopping-parent-stdio']);
}, 60_000);
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});
afterAll(async () => {
  await programs.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A server of either era in a few lines; `onCall` is what it does for a call, before the answer. */
const server = (onCall: string, before = ''): string => `
  const out = (text) => process.stdout.write(text);
  const say = (message) => out(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const capabilities = { tools: { listChanged: true } };
  const hello = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'c', version: '1' } };
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities };
  ${before}
  require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'initialize') return say({ id, result: hello });
    if (method === 'server/discover') return say({ id, result: discovered });
    if (method === 'tools/list') return say({ id, result: { resultType: 'complete', tools: [] } });
    if (method === 'subscriptions/listen') {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      return say({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications: params.notifications } });
    }
    ${onCall}
    say({ id, result: { resultType: 'complete', content: [] } });
  });`;

interface Opened {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  readonly errors: (Error & { code?: unknown })[];
  closes: number;
}

// oxlint-disable-next-line max-params -- as of `prepare`
async function connect(
  era: Era,
  script: string,
  more: Partial<ConstructorParameters<typeof StdioClientTransport>[0]> = {},
  options: StdioClientTransportOptions = {},
): Promise<Opened> {
  const opened = prepare(era, script, more, options);
  await opened.client.connect(opened.transport);
  return opened;
}

// oxlint-disable-next-line max-params -- a script, and what differs from the defaults
function prepare(
  era: Era,
  script: string,
  more: Partial<ConstructorParameters<typeof StdioClientTransport>[0]> = {},
  options: StdioClientTransportOptions = {},
): Opened {
  const transport = new StdioClientTransport(
    { command: process.execPath, args: ['-e', script], stderr: 'ignore', ...more },
    options,
  );
  transports.push(transport);
  const mode: ClientOptions['versionNegotiation'] = { mode: era === 'legacy' ? era : { pin: '2026-07-28' } };
  const client = new Client({ name: 'rows', version: '1' }, { versionNegotiation: mode });
  const opened: Opened = { client, transport, errors: [], closes: 0 };
  client.onerror = (error) => opened.errors.push(error);
  client.onclose = () => void (opened.closes += 1);
  return opened;
}

describe.each(['legacy', 'modern'] as const)('a %s child', (era) => {
  it('W78 field-D3 may greet and chatter on its output: each line is told, within bounds, and all calls end', async () => {
    const noise = [
      '[db] connected to example.sqlite',
      '{"level":"info","msg":"ok"}',
      '7',
      '{"jsonrpc":"2.0"}',
      '[]',
    ];
    const chatter = noise.map((line) => `out(${JSON.stringify(`${line}\n`)});`).join('');
    const script = server(chatter, `out('Example Server 1.4.2 starting\\n');`);
    const { client, errors, transport } = await connect(era, script);
    await client.listTools();
    await Promise.all([client.callTool({ name: 'a' }), client.callTool({ name: 'b' })]);
    expect(errors).toHaveLength(1 + 2 * noise.length);
    expect(transport.pid).not.toBeNull();

    const loud = await connect(era, server(`out('noise\\n'.repeat(5_000));`));
    await loud.client.callTool({ name: 'a' });
    await loud.client.callTool({ name: 'b' });
    await loud.client.close();
    expect(loud.errors.length).toBeGreaterThan(0);
    // A hundred of a kind in a second are told one by one, and the rest as one.
    expect(loud.errors.length).toBeLessThan(2_000);
  });

  it('W79 field-D3 that writes 64 MiB without a line end is given up, and little of it is held', async () => {
    const flood = `
      const block = Buffer.alloc(1_048_576, 120);
      let left = 64;
      const more = () => { while (left-- > 0) if (!process.stdout.write(block)) return process.stdout.once('drain', more); };
      return more();`;
    const { client, errors, transport } = await connect(era, server(flood));
    const before = await heldBytes();
    let most = 0;
    let outcome: unknown;
    void client.callTool({ name: 'x' }).catch((error: unknown) => (outcome = error));
    while (outcome === undefined) {
      most = Math.max(most, (await heldBytes()) - before);
      for (let look = 0; look < 20; look += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(outcome).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(most).toBeLessThan(16 * 1_048_576);
    expect(errors.map(({ code }) => code)).toEqual(['MESSAGE_TOO_LARGE']);
    await transport.close();
    expect(transport.pid).toBeNull();
  });

  it('W82 that is killed, or closes its output, fails what is open and closes once; only a policy starts it again', async () => {
    const dying = [
      `process.kill(process.pid, 'SIGKILL'); return;`,
      `require('node:fs').closeSync(1); return;`,
    ];
    for (const end of dying) {
      const opened = await connect(era, server(end));
      const calls = [opened.client.callTool({ name: 'a' }), opened.client.callTool({ name: 'b' })];
      const outcomes = await Promise.allSettled(calls);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CONNECTION_CLOSED' } });
      }
      await opened.transport.close();
      expect([opened.closes, opened.transport.pid]).toEqual([1, null]);
    }

    const clock = createManualClock();
    const { client, transport, ...opened } = prepare(
      era,
      server(`process.kill(process.pid, 'SIGKILL'); return;`),
    );
    let connections = 0;
    const kept = await keepConnected(client, transport, { clock, onconnected: () => (connections += 1) });
    const ends: string[] = [];
    const listen = async (): Promise<void> => {
      if (era === 'legacy') return;
      const subscription = await client.listen({ toolsListChanged: true });
      void subscription.closed.then((how) => ends.push(how));
    };
    await listen();
    for (const [round, delayMs] of [1_000, 2_000, 4_000].entries()) {
      await expect(client.callTool({ name: 'die' })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
      await clock.advance(delayMs - 1);
      expect(connections).toBe(round + 1);
      await clock.advance(1);
      await until(() => connections === round + 2, 'the next connection');
      expect((await client.listTools()).tools).toEqual([]);
      // What was listened to ended with the child; nobody listens until the caller does.
      expect(ends).toHaveLength(era === 'legacy' ? 0 : round + 1);
      await listen();
    }
    await kept.stop();
    await clock.advance(100_000);
    expect([connections, transport.pid, opened.errors.length > 0]).toEqual([4, null, true]);
  });

  it('W84 may write a mebibyte of anything to its error output during calls, shown or as a stream', async () => {
    const script = server(
      `const junk = '{"jsonrpc":"2.0","id":' + id + ',"result":{}}\\nerror: fatal\\n';
       for (let left = 1_048_576; left > 0; left -= junk.length) process.stderr.write(junk);`,
    );
    const piped = prepare(era, script, { stderr: 'pipe' });
    let bytes = 0;
    expect(piped.transport.stderr).not.toBeNull();
    piped.transport.stderr?.on('data', (chunk: Uint8Array) => (bytes += chunk.length));
    await piped.client.connect(piped.transport);
    const results = await Promise.all([
      piped.client.callTool({ name: 'a' }),
      piped.client.callTool({ name: 'b' }),
    ]);
    expect(results).toMatchObject([{ content: [] }, { content: [] }]);
    await until(() => bytes >= 2 * 1_048_576, 'all of it');
    expect(piped.errors).toEqual([]);

    let shown = 0;
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk: string | Uint8Array) => {
      shown += chunk.length;
      return true;
    });
    try {
      const inherited = prepare(era, script);
      const plain = new StdioClientTransport({ command: process.execPath, args: ['-e', script] });
      transports.push(plain);
      expect(plain.stderr).toBeNull();
      await inherited.client.connect(plain);
      expect(await inherited.client.callTool({ name: 'a' })).toMatchObject({ content: [] });
      await until(() => shown >= 1_048_576, 'all of it');
      expect(inherited.errors).toEqual([]);
    } finally {
      write.mockRestore();
    }
  });

  it('W85 that reads slowly is waited for, and one that stopped reading ends the connection', async () => {
    const { client, transport } = await connect(
      era,
      server(
        `if (params.name === 'hold') {
           process.stdin.pause();
           const alive = setInterval(() => {}, 1e6);
           process.once('SIGUSR2', () => { clearInterval(alive); process.stdin.resume(); });
         } else if (params.name === 'sum') return say({ id, result: { resultType: 'complete', content: [{ type: 'text', text: String(bytes) }] } });`,
        `let bytes = 0; process.stdin.on('data', (chunk) => (bytes += chunk.length));`,
      ),
    );
    await client.callTool({ name: 'hold' });
    const filler = 'x'.repeat(1_000_000);
    let sent = 0;
    const sends = Array.from({ length: 50 }, async () => {
      await client.notification({ method: 'com.example/big', params: { filler } });
      sent += 1;
    });
    for (let look = 0; look < 50; look += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(50);
    const { pid } = transport;
    if (pid === null) throw new TypeError('the child has ended');
    process.kill(pid, 'SIGUSR2');
    await Promise.all(sends);
    const sum = await client.callTool({ name: 'sum' });
    expect(Number((sum.content[0] as { text: string }).text)).toBeGreaterThan(50_000_000);

    const deaf = await connect(
      era,
      server(`process.stdin.destroy(); require('node:fs').closeSync(0); setInterval(() => {}, 1e6);`),
    );
    await deaf.client.callTool({ name: 'x' });
    const failed = await deaf.client
      .notification({ method: 'com.example/big', params: { filler } })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'SEND_FAILED' });
    await deaf.transport.close();
    expect([deaf.closes, deaf.errors.map(({ code }) => code)]).toEqual([1, ['SEND_FAILED']]);
  });
});

describe('closing', () => {
  const marks = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(marks(name), 'utf8');
  const record = (name: string): string => `
    const note = (what) => require('node:fs').appendFileSync(${JSON.stringify(marks(name))}, what + '\\n');
    require('node:fs').writeFileSync(${JSON.stringify(`${marks(name)}.pid`)}, String(process.pid));
    note('up'); process.stdin.on('end', () => note('end')).resume(); process.on('SIGTERM', () => note('term'));`;
  const says = `process.stdout.write('{"jsonrpc":"2.0","method":"up"}\\n');`;
  /** Has a child of its own that ignores the end of its input, and signals too when it is told so. */
  const withChild = (name: string): string => `
    const inner = ${JSON.stringify(`${record(`${name}-inner`)} setInterval(() => {}, 1e6); process.stdout.write('up');`)};
    const child = require('node:child_process').spawn(process.execPath, ['-e', inner], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdout.once('data', () => { ${says} });`;

  async function started(script: string) {
    const clock = createManualClock();
    const transport = new StdioClientTransport(
      { command: process.execPath, args: ['-e', script] },
      { clock },
    );
    transports.push(transport);
    const up = new Promise<void>((resolve) => (transport.onmessage = () => resolve()));
    await transport.start();
    await up;
    let closed = false;
    const closing = (): Promise<void> => transport.close().then(() => void (closed = true));
    return { clock, transport, closing, closed: () => closed };
  }

  it('W81 ends the input, asks the group after two seconds and kills it after two more', async () => {
    const polite = await started(`${record('polite')} ${says}`);
    const closing = polite.closing();
    await until(() => read('polite').includes('end'), 'the end of the input');
    await until(() => polite.transport.pid === null, 'no process');
    while (!polite.closed()) await polite.clock.advance(25);
    await closing;
    expect(read('polite')).toBe('up\nend\n');

    const deaf = await started(
      `${record('deaf')} process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1e6); ${says}`,
    );
    const deafClosing = deaf.closing();
    await until(() => read('deaf').includes('end'), 'the end of the input');
    await deaf.clock.advance(1_999);
    expect([read('deaf'), deaf.closed()]).toEqual(['up\nend\n', false]);
    await deaf.clock.advance(1);
    await until(() => read('deaf').includes('term'), 'the signal');
    while (!deaf.closed()) await deaf.clock.advance(1);
    await deafClosing;
    expect(read('deaf')).toBe('up\nend\nterm\n');

    const stubborn = await started(
      `${record('stubborn')} setInterval(() => {}, 1e6); ${withChild('stubborn')}`,
    );
    const pid = Number(stubborn.transport.pid);
    const stubbornClosing = stubborn.closing();
    await until(() => read('stubborn').includes('end'), 'the end of the input');
    await stubborn.clock.advance(2_000);
    await until(() => read('stubborn').includes('term'), 'the signal');
    await until(() => read('stubborn-inner').includes('term'), 'the signal of the group');
    await stubborn.clock.advance(1_999);
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(stubborn.closed()).toBe(false);
    await stubborn.clock.advance(1);
    while (!stubborn.closed()) await stubborn.clock.advance(25);
    await stubbornClosing;
    expect(read('stubborn')).toBe('up\nend\nterm\n');
    expect(read('stubborn-inner')).toBe('up\nterm\n');
    // The whole group was killed: nobody is left in it but what the system has not collected.
    const states = [pid].map((id) => {
      try {
        return readFileSync(`/proc/${String(id)}/stat`, 'utf8').split(') ')[1]?.[0];
      } catch {
        return 'gone';
      }
    });
    expect(['Z', 'gone']).toContain(states[0]);
  });

  it.each(['returns', 'awaits', 'exits'] as const)(
    'W81 keeps no parent that %s alive by its timers, and leaves nothing behind',
    async (how) => {
      const quiet = `process.stdin.once('end', () => process.exit(0)).resume();`;
      const leftover = await runParent(how, `leftover-${how}`, quiet);
      // Its own child ended with its input, and nobody waited two seconds for what that had started.
      expect(leftover.inner).not.toContain('term');
      const deaf = await runParent(how, `deaf-${how}`, 'setInterval(() => {}, 1e6);');
      // A child is waited for as long as it lives, unless the parent says that it ends.
      expect(deaf.inner.includes('term')).toBe(how !== 'exits');
      for (const { ended, stdout, stderr } of [leftover, deaf]) {
        expect([ended, stdout, stderr]).toEqual([0, how === 'awaits' ? 'closed\n' : '', '']);
      }
    },
  );

  /** Lets a parent stop a child that has a deaf one of its own; both note what they meet. */
  async function runParent(how: string, name: string, script: string) {
    const parent = programs.pathOf('stopping-parent-stdio');
    const { ended, stdout, stderr } = startProgram([parent, how, `${script} ${withChild(name)}`]);
    const outcome = await ended;
    const pids = readFileSync(marks(`${name}-inner.pid`), 'utf8').trim();
    await until(() => !lives(Number(pids)), 'the end of what the child had started');
    return { ended: outcome, stdout: stdout(), stderr: stderr(), inner: read(`${name}-inner`) };
  }
});

/** Whether a process runs; one that nobody has collected yet does not. */
function lives(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
