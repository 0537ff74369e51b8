import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OAUTH_FLOW_ERRORS, ProtocolErrorCode, SDK_ERRORS } from '@portico/client';
import { RESOURCE_CONFIG_ERRORS, UPSTREAM_ERRORS } from '@portico/oauth/resource';
import { SERVER_ERRORS } from '@portico/server';
import { LAYERS } from './layers.mjs';

const root = join(import.meta.dirname, '..');

const guides = ['docs', 'docs/protocol'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);
const packageGuides = LAYERS.map(({ name }) => `packages/${name}/README.md`).filter((path) =>
  existsSync(join(root, path)),
);
const pages = ['README.md', 'CONTRIBUTING.md', ...guides, ...packageGuides].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

/** Languages of fences that claim to show how our code is used. */
const OURS = new Set(['js', 'jsx', 'mjs', 'javascript', 'ts', 'tsx', 'typescript']);

/** One block of code in a document, with what the comment above it says of its origin. */
interface Fence {
  readonly language: string;
  readonly code: string;
  /** File and region that the code is taken from, such as `examples/a/main.mjs#b`. */
  readonly source?: string;
  readonly reasonNotToRun?: string;
}

function originAbove(lines: readonly string[], opening: number): Omit<Fence, 'language' | 'code'> {
  const above = lines.slice(0, opening).findLast((line) => line.trim() !== '');
  const [, kind, said] = /^\s*<!-- (source|not run): (.+?) -->\s*$/.exec(above ?? '') ?? [];
  if (kind === undefined || said === undefined) return {};
  return kind === 'source' ? { source: said } : { reasonNotToRun: said };
}

function fencesOf(text: string): Fence[] {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  for (let opening = 0; opening < lines.length; opening += 1) {
    const [, indent, marks, language] = /^(\s*)(`{3,})(\w*)/.exec(lines[opening] ?? '') ?? [];
    if (indent === undefined || marks === undefined || language === undefined) continue;
    const closing = lines.findIndex((line, index) => index > opening && line.trim() === marks);
    const end = closing === -1 ? lines.length : closing;
    const code = lines.slice(opening + 1, end).map((line) => line.slice(indent.length));
    fences.push({ language, code: code.join('\n'), ...originAbove(lines, opening) });
    opening = end;
  }
  return fences;
}

/** Text between `// #region name` and the next `// #endregion`; undefined when there is none. */
function regionOf(place: string): string | undefined {
  const [file = '', name = ''] = place.split('#');
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// #endregion');
  if (start === -1 || length === -1) return undefined;
  return lines.slice(start + 1, start + 1 + length).join('\n');
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
    const shown = fencesOf(text).filter(
      ({ language, reasonNotToRun }) => OURS.has(language) && reasonNotToRun === undefined,
    );
    const fromSources = shown.map(({ source, ...fence }) => ({
      ...fence,
      source: source ?? 'a file and region, named by a comment above the fence',
      code: source === undefined ? undefined : regionOf(source),
    }));
    expect(shown).toEqual(fromSources);
  });
});

describe('what the comparison sees', () => {
  it('finds a fence without a comment, also inside a list', () => {
    const text = 'Text.\n\n```js\na();\n```\n\n- item\n\n  ```ts\n  b();\n  ```\n';
    expect(fencesOf(text)).toEqual([
      { language: 'js', code: 'a();' },
      { language: 'ts', code: 'b();' },
    ]);
  });

  it('takes the comment right above a fence for its origin, and no earlier one', () => {
    const text =
      '<!-- source: a.mjs#b -->\n\n```js\na();\n```\n\n```js\nb();\n```\n<!-- not run: why -->\n```js\n```';
    expect(fencesOf(text)).toEqual([
      { language: 'js', code: 'a();', source: 'a.mjs#b' },
      { language: 'js', code: 'b();' },
      { language: 'js', code: '', reasonNotToRun: 'why' },
    ]);
  });

  it('knows no region that is missing', () => {
    expect(regionOf('examples/tool-server/server.mjs#none')).toBeUndefined();
  });
});

describe('the libraries', () => {
  it('say on a page of their own what they are', () => {
    // `api` is what console and host say to each other; they and it are parts of the product.
    const parts = new Set(['api', 'host', 'console']);
    const libraries = LAYERS.filter(({ name }) => !parts.has(name));
    expect(packageGuides).toEqual(libraries.map(({ name }) => `packages/${name}/README.md`));
  });

  it('are shown with every story', () => {
    const text = readFileSync(join(root, 'docs/libraries.md'), 'utf8');
    const stories = readdirSync(join(root, 'examples')).filter((name) =>
      existsSync(join(root, 'examples', name, 'main.mjs')),
    );
    expect(stories.filter((story) => !text.includes(`examples/${story}/`))).toEqual([]);
  });
});

/** Codes in the first column of the tables below one heading of a page. */
function documentedCodes(page: string, heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| (?:`(\w+)`|(-\d+)) +\|/gm)]
    .map(([, word, number = '']) => word ?? number)
    .sort();
}

describe('the page of errors', () => {
  const page = readFileSync(join(root, 'docs/protocol/errors.md'), 'utf8');

  it('tells every code of clients and servers, and no other', () => {
    const common = Object.keys(SDK_ERRORS);
    expect(documentedCodes(page, 'Local, in clients')).toEqual([...common].sort());
    const ofServers = Object.keys(SERVER_ERRORS).filter((code) => !common.includes(code));
    expect(documentedCodes(page, 'Local, in servers')).toEqual(ofServers.sort());
  });

  it('tells every code of signing in, and no other', () => {
    expect(documentedCodes(page, 'Of signing in')).toEqual(Object.keys(OAUTH_FLOW_ERRORS).sort());
  });

  it('tells every code of guarding a server, and no other', () => {
    const codes = [...Object.keys(RESOURCE_CONFIG_ERRORS), ...Object.keys(UPSTREAM_ERRORS)];
    expect(documentedCodes(page, 'Of guarding a server')).toEqual(codes.sort());
  });

  it('tells every code on the wire, and no other', () => {
    expect(documentedCodes(page, 'On the wire')).toEqual(Object.values(ProtocolErrorCode).map(String).sort());
  });
});
