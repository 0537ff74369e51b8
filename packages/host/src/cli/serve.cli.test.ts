import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PORTICO } from '../../../../testing/host-process.ts';
import { http } from '../../../../testing/http.ts';
import { freePort, startProgram } from '../../../../testing/processes.ts';
import type { Program } from '../../../../testing/processes.ts';

const LINK = /http:\/\/portico\.localhost:(\d+)\/launch\?token=\S+/;

describe('portico serve', () => {
  let base: string;
  let data: string;
  const programs: Program[] = [];
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'portico-serve-'));
    data = join(base, 'data');
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
    rmSync(base, { recursive: true });
  });

  const portico = (...args: string[]): Program => {
    const program = startProgram([PORTICO, ...args], { cwd: base, env: { HOME: base } });
    programs.push(program);
    return program;
  };
  const serve = (...args: string[]): Program => portico('serve', '--no-open', '--data', data, ...args);
  const linkOf = async (program: Program): Promise<{ link: string; port: number }> => {
    const [link, port] = await program.waitFor(LINK);
    return { link, port: Number(port) };
  };
  const redeem = async (link: string): Promise<number> => (await http(link)).status;
  const stop = async (program: Program): Promise<number | string> => {
    program.child.kill('SIGTERM');
    return await program.ended;
  };

  it('K7 takes the next port when the default is busy and keeps it, and with --port names port and holder', async () => {
    const holder = await occupy(6874);
    try {
      const first = serve();
      const { port } = await linkOf(first);
      expect(port).toBeGreaterThan(6874);
      expect(port).toBeLessThanOrEqual(6883);
      expect(await stop(first)).toBe(0);

      const refused = serve('--port', '6874');
      expect(await refused.ended).toBe(2);
      expect(refused.stdout()).toBe('');
      expect(refused.stderr()).toContain('port 6874 is in use');
      expect(refused.stderr()).toMatch(holder.ours ? `process ${process.pid}` : /process \d+/);

      await holder.free();
      const again = serve();
      expect((await linkOf(again)).port).toBe(port);
      expect(await stop(again)).toBe(0);
    } finally {
      await holder.free();
    }
  });

  it('K8 runs once on a data folder: a second start joins, and the lock of a killed one is taken over', async () => {
    const port = String(await freePort());
    const both = [serve('--port', port), serve('--port', port)];
    const links = await Promise.all(both.map(linkOf));
    expect(new Set(links.map((link) => link.port))).toEqual(new Set([Number(port)]));
    const joined = await Promise.race(both.map(async (program) => ({ program, code: await program.ended })));
    expect(joined.code).toBe(0);
    expect(joined.program.stdout()).toContain('already');
    const serving = both.find((program) => program !== joined.program)!;
    expect(serving.child.exitCode).toBeNull();
    for (const { link } of links) expect(await redeem(link)).toBe(303);

    serving.child.kill('SIGKILL');
    await serving.ended;
    const successor = serve('--port', port);
    expect(await redeem((await linkOf(successor)).link)).toBe(303);
    expect(successor.stdout()).not.toContain('already');

    // The same number, held by another process: this one, which started at another time.
    successor.child.kill('SIGKILL');
    await successor.ended;
    const lock = readdirSync(data).find((name) => name.startsWith('lock.'))!;
    writeFileSync(join(data, lock), JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
    const third = serve('--port', port);
    expect(await redeem((await linkOf(third)).link)).toBe(303);
    expect(third.stdout()).not.toContain('already');
    expect(await stop(third)).toBe(0);
  });

  it('K35 exchanges the key on command, says whose secrets a wrong one does not open, and mends it with the right one', async () => {
    const port = String(await freePort());
    const begin = async (): Promise<Program> => {
      const program = serve('--port', port);
      await linkOf(program);
      return program;
    };
    const doctor = async (...args: string[]): Promise<{ code: number | string; out: string }> => {
      const program = portico('doctor', ...args, '--json', '--data', data);
      return { code: await program.ended, out: program.stdout() };
    };
    const keyFile = join(data, 'key');
    const first = serve('--port', port);
    const { link } = await linkOf(first);
    const cookie = String((await http(link)).headers['set-cookie']).split(';')[0] ?? '';
    const added = await http(`http://portico.localhost:${port}/api/connectors`, {
      method: 'POST',
      headers: { cookie, origin: `http://portico.localhost:${port}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Remote',
        transport: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: { 'x-key': 'canary' } },
      }),
    });
    expect(added.status).toBe(200);
    const old = readFileSync(keyFile, 'utf8');
    expect(await doctor('--rotate-key')).toEqual({ code: 0, out: '{"renewed":1,"unreadable":0}\n' });
    const renewed = readFileSync(keyFile, 'utf8');
    expect(renewed).toMatch(/^\S+\n$/);
    expect(renewed).not.toBe(old);
    expect(await stop(first)).toBe(0);

    writeFileSync(keyFile, old);
    const second = await begin();
    const locked = await doctor();
    expect(locked.code).toBe(6);
    expect(locked.out).toContain('does not open those of Remote');
    expect(await doctor('--rotate-key')).toMatchObject({ code: 6, out: '{"renewed":0,"unreadable":1}\n' });
    expect(await stop(second)).toBe(0);

    writeFileSync(keyFile, renewed);
    const third = await begin();
    expect(await doctor()).toMatchObject({ code: 0 });
    expect(await stop(third)).toBe(0);
  });

  it('gives a session by a launch link once, and others only the way to one', async () => {
    const program = serve('--port', String(await freePort()));
    const { link, port } = await linkOf(program);
    const origin = `http://portico.localhost:${port}`;
    const bare = await http(origin);
    expect(bare.status).toBe(401);
    expect(bare.text).toContain('portico serve');
    expect(bare.text).toContain('portico doctor --link');
    expect((await http(`${origin}/api/bootstrap`)).status).toBe(401);

    const opened = await http(link);
    const cookie = String(opened.headers['set-cookie']);
    expect(cookie).toMatch(
      new RegExp(`^portico_session_${port}=[^;]+; Max-Age=\\d+; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect((await http(link)).status).toBe(401);
    const session = { headers: { cookie: cookie.split(';')[0] ?? '' } };
    expect((await http(`${origin}/api/bootstrap`, session)).status).toBe(200);

    const doctor = portico('doctor', '--link', '--data', data);
    expect(await doctor.ended).toBe(0);
    expect(await redeem(doctor.stdout().trim())).toBe(303);
    // The session survives a restart.
    program.child.kill('SIGKILL');
    await program.ended;
    const again = serve('--port', String(port));
    await linkOf(again);
    expect((await http(`${origin}/api/bootstrap`, session)).status).toBe(200);
  });

  it('opens the browser with a file that only its user can read, not with the link itself', async () => {
    const seen = join(base, 'seen');
    const browser = join(base, 'browser.sh');
    writeFileSync(browser, `#!/bin/sh\necho "$@" > ${seen}.new && mv ${seen}.new ${seen}\n`, { mode: 0o700 });
    const program = startProgram([PORTICO, 'serve', '--data', data, '--port', String(await freePort())], {
      cwd: base,
      env: { HOME: base, CI: '', BROWSER: browser },
    });
    programs.push(program);
    await linkOf(program);
    const words = await untilFile(seen);
    expect(words.trim()).toBe(`file://${join(data, 'launch.html')}`);
    expect(statSync(join(data, 'launch.html')).mode & 0o777).toBe(0o600);
    const page = readFileSync(join(data, 'launch.html'), 'utf8');
    expect(await redeem(LINK.exec(page.replaceAll('"', ' '))?.[0] ?? '')).toBe(303);
    expect(await stop(program)).toBe(0);
    expect(readdirSync(data)).not.toContain('launch.html');
  });

  it('leaves nothing behind when the first start fails, and says why', async () => {
    const holder = await occupy(0);
    const program = serve('--port', String(holder.port));
    expect(await program.ended).toBe(2);
    expect(program.stderr()).toContain(`port ${holder.port} is in use`);
    await holder.free();
    expect(readdirSync(base)).toEqual([]);
  });

  it('refuses a damaged database with path and remedy, and leaves it alone', async () => {
    const first = serve('--port', String(await freePort()));
    await linkOf(first);
    expect(await stop(first)).toBe(0);
    const database = join(data, 'portico.db');
    writeFileSync(database, 'no database any more '.repeat(500));
    const before = readFileSync(database);
    const second = serve();
    expect(await second.ended).toBe(2);
    expect(second.stderr()).toContain(database);
    expect(second.stderr()).toContain('backup');
    expect(readFileSync(database)).toEqual(before);
  });

  it('says what stands in the place of its database', async () => {
    mkdirSync(join(data, 'portico.db'), { recursive: true });
    const program = serve();
    expect(await program.ended).toBe(2);
    expect(program.stderr()).toContain(`${join(data, 'portico.db')} cannot be opened as a file`);
  });

  it('ends with 0 when asked to, and at once with 130 when asked twice', async () => {
    const program = serve('--port', String(await freePort()));
    await linkOf(program);
    program.child.kill('SIGINT');
    program.child.kill('SIGINT');
    expect([0, 130]).toContain(await program.ended);
    const again = serve('--port', String(await freePort()));
    await linkOf(again);
    again.child.kill('SIGINT');
    expect(await again.ended).toBe(0);
  });

  it('ends and says so when its data folder is removed, and makes no new one', async () => {
    const program = serve('--port', String(await freePort()));
    await linkOf(program);
    rmSync(data, { recursive: true });
    expect(await program.ended).toBe(2);
    expect(program.stderr()).toContain(`the data folder ${data} was removed`);
    expect(existsSync(data)).toBe(false);
  }, 20_000);

  it('publishes a page and lists connectors through the running host, or from the store', async () => {
    const page = join(base, 'page.html');
    writeFileSync(page, '<!doctype html><title>Sales</title><p>hello</p>');
    writeFileSync(
      join(base, 'page.manifest.json'),
      JSON.stringify({ title: 'Beside', mcp: { servers: [{ name: 'Portico demo', tools: [] }] } }),
    );
    const program = serve('--port', String(await freePort()));
    const { port } = await linkOf(program);
    const published = portico('publish', page, '--data', data, '--json');
    expect(await published.ended, published.stderr()).toBe(0);
    expect(JSON.parse(published.stdout())).toMatchObject({
      created: true,
      artifact: { title: 'Beside', servers: [{ name: 'Portico demo' }] },
      address: expect.stringContaining(`http://portico.localhost:${port}/`) as string,
    });
    writeFileSync(join(base, 'bad.json'), '{"mcp": {"servers": "all"}}');
    const refused = portico('publish', page, '--manifest', join(base, 'bad.json'), '--data', data);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr()).toMatch(/^portico: .+/);

    const live = portico('list', '--data', data, '--json');
    expect(await live.ended).toBe(0);
    const { connectors } = JSON.parse(live.stdout()) as { connectors: { name: string; tools?: number }[] };
    expect(connectors.map(({ name }) => name)).toEqual(['Portico demo']);
    expect(connectors[0]?.tools).toBeTypeOf('number');
    expect(await stop(program)).toBe(0);

    const stored = portico('list', '--data', data, '--json');
    expect(await stored.ended).toBe(0);
    expect(JSON.parse(stored.stdout())).toMatchObject({
      running: false,
      connectors: [{ name: 'Portico demo', status: 'stopped' }],
    });
  });
});

interface Occupied {
  /** False when somebody else had the port already, which is just as busy. */
  readonly ours: boolean;
  readonly port: number;
  free(): Promise<void>;
}

/** @param port 0 for any */
function occupy(port: number): Promise<Occupied> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve({ ours: false, port, free: async () => {} });
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => {
      const free = (): Promise<void> => new Promise((freed) => void server.close(() => freed()));
      resolve({ ours: true, port: (server.address() as AddressInfo).port, free });
    });
  });
}

/** Text of a file, as soon as it is there. */
function untilFile(path: string): Promise<string> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), () => look());
    const look = (): void => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve(readFileSync(path, 'utf8'));
    };
    look();
  });
}
