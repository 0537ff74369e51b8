import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** A fence of code that claims to be ours, with the comment above it. */
const FENCE = /(?:<!-- (source|not run): (.+?) -->\n+)?```(?:js|ts)\n([\s\S]*?)```/g;

/** Text between `// #region name` and the next `// #endregion`, without its indentation. */
function region(file: string, name: string): string | undefined {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  if (start === -1) return undefined;
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion');
  return lines.slice(start + 1, end).join('\n');
}

describe.each(pages)('$path', ({ path, text }) => {
  it('leads only to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    const missing = links.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(path), target)),
    );
    expect(missing).toEqual([]);
  });

  it('shows code that runs, or says why it is not run', () => {
    for (const [, kind, place = '', code = ''] of text.matchAll(FENCE)) {
      expect(kind, `a fence without its source: ${code.slice(0, 60)}`).toBeDefined();
      if (kind !== 'source') continue;
      const [file = '', name = ''] = place.split('#');
      expect(code.trimEnd(), place).toBe(region(file, name));
    }
  });
});
