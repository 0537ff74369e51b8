import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { previewCommand } from './command-preview.ts';
import type { CommandToRun } from './command-preview.ts';

describe('previewCommand', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'portico-command-'));
    for (const name of ['one', 'two', 'work']) mkdirSync(join(folder, name));
    addProgram('one/tool');
    addProgram('two/tool');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function addProgram(path: string, mode = 0o755): void {
    writeFileSync(join(folder, path), '#!/bin/sh\n');
    chmodSync(join(folder, path), mode);
  }
  const target = (change: Partial<CommandToRun> = {}): CommandToRun => ({
    command: 'tool',
    args: ['a', 'b'],
    cwd: join(folder, 'work'),
    envNames: ['KEY'],
    searchPath: [join(folder, 'one'), join(folder, 'two')].join(delimiter),
    ...change,
  });

  it('names the first program of the search path', () => {
    expect(previewCommand(target()).resolvedPath).toBe(join(folder, 'one/tool'));
  });

  it('passes over folders and files that are not programs', () => {
    mkdirSync(join(folder, 'work/tool'));
    chmodSync(join(folder, 'one/tool'), 0o644);
    const searchPath = ['work', 'one', 'two'].map((name) => join(folder, name)).join(delimiter);
    expect(previewCommand(target({ searchPath })).resolvedPath).toBe(join(folder, 'two/tool'));
  });

  it('never looks in the working folder for a bare name, and there for a relative one', () => {
    addProgram('work/local');
    const bare = previewCommand(target({ command: 'local', searchPath: ['.', '', 'work'].join(delimiter) }));
    expect(bare.resolvedPath).toBeNull();
    expect(previewCommand(target({ command: './local' })).resolvedPath).toBe(join(folder, 'work/local'));
  });

  it('another command, argument, folder, variable name or resolved file is another hash', () => {
    const { hash } = previewCommand(target());
    expect(previewCommand(target()).hash).toBe(hash);
    const changes: Partial<CommandToRun>[] = [
      { command: join(folder, 'one/tool') },
      { args: ['a', 'b', 'c'] },
      { args: ['a b'] },
      { args: ['b', 'a'] },
      { cwd: folder },
      { envNames: ['KEY', 'MORE'] },
      { envNames: [] },
      { searchPath: join(folder, 'two') },
    ];
    const hashes = changes.map((change) => previewCommand(target(change)).hash);
    expect(new Set([hash, ...hashes]).size).toBe(changes.length + 1);
  });

  it('the order of variable names does not matter', () => {
    const left = previewCommand(target({ envNames: ['A', 'B'] }));
    const right = previewCommand(target({ envNames: ['B', 'A'] }));
    expect(left.hash).toBe(right.hash);
  });
});
