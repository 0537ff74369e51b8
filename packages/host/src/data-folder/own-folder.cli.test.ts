import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PORTICO } from '../../../../testing/host-process.ts';
import { http, postJson } from '../../../../testing/http.ts';
import { freePort, startProgram } from '../../../../testing/processes.ts';
import type { Program } from '../../../../testing/processes.ts';

const asRoot = process.getuid?.() === 0;
/** A user of this test alone: whatever it writes, anywhere, is known by its owner. */
const TEST_USER = 40_000 + (process.pid % 20_000);
const user = asRoot ? TEST_USER : (process.getuid?.() ?? 0);

describe('everything that portico writes', () => {
  let base: string;
  const programs: Program[] = [];
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'portico-k5-'));
    for (const name of ['home', 'tmp', 'work']) mkdirSync(join(base, name));
    writeFileSync(join(base, 'work', 'page.html'), '<!doctype html><title>Page</title><p>hello</p>');
    for (const name of ['.', 'home', 'tmp', 'work']) {
      if (asRoot) chownSync(join(base, name), user, user);
      chmodSync(join(base, name), 0o755);
    }
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
    rmSync(base, { recursive: true });
  });

  const portico = (...args: string[]): Program => {
    const program = startProgram(['--import', 'data:text/javascript,process.umask(0)', PORTICO, ...args], {
      cwd: join(base, 'work'),
      env: { HOME: join(base, 'home'), TMPDIR: join(base, 'tmp') },
      ...(asRoot ? { uid: user } : {}),
    });
    programs.push(program);
    return program;
  };
  const succeed = async (...args: string[]): Promise<string> => {
    const program = portico(...args);
    expect(await program.ended, program.stderr()).toBe(0);
    return program.stdout();
  };
  /** Paths of what belongs to the user, below the folder of the test or, as root, on the whole disk. */
  const written = (): string[] => {
    const where = asRoot ? ['/', '-xdev', '-path', '/proc', '-prune', '-o', '-user', String(user)] : [base];
    const print = ['-newer', join(base, 'work', 'page.html'), '-print'];
    const output = execFileSync('find', [...where, ...print], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter((path) => path !== '');
  };
  const modes = (folder: string): Record<string, string> => {
    const output = execFileSync('find', [folder, '-printf', '%P|%y %m\n'], { encoding: 'utf8' });
    const lines = output.trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('|') as [string, string]));
  };
  const expectPrivate = (folder: string): void => {
    const { '': self, ...inside } = modes(folder);
    expect(self).toBe('d 700');
    expect(Object.keys(inside)).toEqual(expect.arrayContaining(['key', 'portico.db']));
    for (const [name, mode] of Object.entries(inside)) expect([name, mode.slice(2)]).toEqual([name, '600']);
  };

  it('K5 is below one folder and for its owner only, over a whole session with umask 000', async () => {
    const data = join(base, 'home', '.local', 'share', 'portico');
    const host = portico('serve', '--no-open', '--port', String(await freePort()));
    const [link] = await host.waitFor(/http:\/\/portico\.localhost:\d+\/launch\S+/);
    const { origin } = new URL(link);
    const cookie = String((await http(link)).headers['set-cookie']).split(';')[0] ?? '';
    const session = { headers: { cookie, origin } };
    const { connectors } = (await http(`${origin}/api/bootstrap`, session)).json() as {
      connectors: { id: string }[];
    };
    const conversation = await postJson(`${origin}/api/conversations`, {}, session);
    const { id } = conversation.json() as { id: string };
    const tools = await http(`${origin}/api/connectors/${connectors[0]?.id ?? ''}/tools`, session);
    const tool = (tools.json() as { tools: { name: string }[] }).tools[0]?.name;
    const call = { connectorId: connectors[0]?.id, tool, arguments: {} };
    expect((await postJson(`${origin}/api/conversations/${id}/calls`, call, session)).status).toBeLessThan(
      300,
    );
    const added = {
      name: 'Remote',
      transport: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: { authorization: 'secret' } },
    };
    expect((await postJson(`${origin}/api/connectors`, added, session)).status).toBeLessThan(300);
    await succeed('publish', 'page.html');
    await succeed('list');
    await succeed('doctor', '--link');
    await succeed('serve', '--no-open');
    expectPrivate(data);
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    await succeed('list');
    expectPrivate(data);

    const chosen = join(base, 'home', 'chosen');
    const other = portico('serve', '--no-open', '--data', chosen, '--port', String(await freePort()));
    await other.waitFor(/launch\S+/);
    expectPrivate(chosen);
    other.child.kill('SIGTERM');
    await other.ended;

    const ways = ['.local', '.local/share'].map((name) => join(base, 'home', name));
    const outside = written().filter(
      (path) =>
        !path.startsWith(data) &&
        !path.startsWith(chosen) &&
        !ways.includes(path) &&
        path !== join(base, 'home'),
    );
    expect(outside).toEqual([]);
  });
});
