import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PORTICO } from '../../../../testing/host-process.ts';
import { startProgram } from '../../../../testing/processes.ts';

interface Outcome {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

describe('portico', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'portico-home-'));
  });
  afterEach(() => rm(home, { recursive: true }));
  const portico = async (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> => {
    const program = startProgram([PORTICO, ...args], { cwd: home, env: { HOME: home, ...env } });
    const code = await program.ended;
    return { code, out: program.stdout(), err: program.stderr() };
  };

  it('prints its version, the one of its package', async () => {
    const text = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect(await portico(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it.each([
    [[]],
    [['--help']],
    [['serve', '--help']],
    [['publish', '--help']],
    [['list', '--help']],
    [['doctor', '-h']],
  ])('explains itself with examples: %j', async (args) => {
    const { code, out, err } = await portico(args);
    expect(code).toBe(0);
    expect(out).toContain('Examples:\n  portico ');
    expect(err).toBe('');
  });

  it.each([
    [['serv'], 'serve'],
    [['serve', '--prot', '1'], '--port'],
    [['list', '--jsn'], '--json'],
    [['publish', 'page.html', '--manifset', 'x'], '--manifest'],
  ])('ends %j with 2 and names %s', async (args, nearest) => {
    const { code, out, err } = await portico(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(`Did you mean ${nearest}?`);
  });

  it.each([
    [['publish']],
    [['serve', 'extra']],
    [['serve', '--port']],
    [['serve', '--port', '70000']],
    [['serve', '--port', 'x']],
    [['list', '--data']],
    [['serve', '--no-open', '--data', '']],
    [['list', '--data', '']],
    [['list', '--data', 'a-file']],
    [['serve', '--no-open', '--data', '/proc/portico']],
    [['publish', '/dev/zero']],
    [['publish', 'page.html', '--manifest', '/dev/zero']],
    [['publish', 'latin-1.html']],
  ])('ends %j with 2', async (args) => {
    await writeFile(join(home, 'a-file'), '');
    await writeFile(join(home, 'page.html'), '<p>');
    await writeFile(join(home, 'latin-1.html'), Buffer.from('<p>caf\xe9', 'latin1'));
    const { code, out, err } = await portico(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/^portico: .+/);
    expect((await readdir(home)).toSorted()).toEqual(['a-file', 'latin-1.html', 'page.html']);
  });

  it.each([
    [{ PORTICO_PORT: 'x' }, 'PORTICO_PORT'],
    [{ ANTHROPIC_BASE_URL: 'nonsense' }, 'ANTHROPIC_BASE_URL'],
    [{ PORTICO_KEY: 'short' }, 'PORTICO_KEY'],
  ])('names a variable that cannot be used and ends with 2: %o', async (env, name) => {
    const { code, err } = await portico(['serve', '--no-open'], env);
    expect(code).toBe(2);
    expect(err).toContain(name);
    expect(await readdir(home)).toEqual([]);
  });

  it.each([
    [['list', '--jsn', '--json'], 2, 'wrong_usage'],
    [['doctor', '--link', '--json'], 4, 'not_running'],
    [['publish', 'missing.html', '--json'], 2, 'unreadable_file'],
    [['publish', 'page.html', '--json'], 4, 'not_running'],
    [['publish', 'page.html', '--manifest', 'page.html', '--json'], 2, 'page_refused'],
  ])('tells a failure of %j as one line of JSON and ends with %i', async (args, code, error) => {
    await writeFile(join(home, 'page.html'), '<p>');
    const outcome = await portico(args);
    expect(outcome.out).toBe('');
    expect(JSON.parse(outcome.err)).toMatchObject({
      error: { code: error, message: expect.any(String) as string },
    });
    expect(outcome.err.trimEnd()).not.toContain('\n');
    expect(outcome.code).toBe(code);
  });

  it('says how to start it where a running one is needed', async () => {
    const { code, err } = await portico(['doctor', '--link']);
    expect(code).toBe(4);
    expect(err).toContain('portico serve');
  });

  it('looks for trouble and lists nothing without making a data folder', async () => {
    expect((await portico(['doctor', '--json'])).code).toBe(0);
    expect(JSON.parse((await portico(['list', '--json'])).out)).toEqual({ running: false, connectors: [] });
    expect(await readdir(home)).toEqual([]);
  });
});
