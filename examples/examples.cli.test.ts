import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../testing/processes.ts';

const folder = import.meta.dirname;
const stories = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.mjs')));

it.each(stories)('%s runs as it stands and finds what it says', async (story) => {
  const program = startProgram([join(folder, story, 'main.mjs')]);
  const ended = await program.ended;
  expect(program.stderr()).toBe('');
  expect(ended).toBe(0);
  expect(program.stdout()).not.toBe('');
});
