import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../testing/processes.ts';

const folder = import.meta.dirname;
const stories = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.mjs')));

describe.each(stories)('%s', (story) => {
  it('runs as it stands and finds what it says', async () => {
    const program = startProgram([join(folder, story, 'main.mjs')]);
    const ended = await program.ended;
    expect(program.stderr()).toBe('');
    expect(ended).toBe(0);
    expect(program.stdout()).not.toBe('');
  });

  it('has its types checked', () => {
    const files = readdirSync(join(folder, story)).filter((name) => name.endsWith('.mjs'));
    for (const name of files) {
      expect(readFileSync(join(folder, story, name), 'utf8').split('\n')[0], name).toBe('// @ts-check');
    }
  });
});
