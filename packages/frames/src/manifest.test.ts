import { describe, expect, it } from 'vitest';
import { readManifest } from './manifest.ts';

const GOOD = '{"title":"Board","mcp":{"servers":[{"name":"Acme","tools":["list"]}]}}';
const script = (json: string, open = '<script type="application/portico+json">'): string =>
  `${open}${json}</script>`;
const codes = (html: string, sidecar?: unknown): string[] =>
  readManifest(html, sidecar).issues.map((issue) => `${issue.code}@${issue.line}`);

describe('readManifest', () => {
  it('takes the manifest out of the page and leaves every other byte', () => {
    const { html, manifest, issues } = readManifest(`<!doctype html>\n${script(GOOD)}<p>é</p>`);
    expect(html).toBe('<!doctype html>\n<p>é</p>');
    expect(manifest).toEqual({ title: 'Board', mcp: { servers: [{ name: 'Acme', tools: ['list'] }] } });
    expect(issues).toEqual([]);
  });

  it.each([
    '<SCRIPT TYPE=application/portico+json>',
    "<script\n  data-x='>'\n type = 'Application/Portico+JSON' >",
    '<script id=x type=" application/portico+json " defer>',
  ])('recognises %s', (open) => {
    expect(readManifest(`<p>${script(GOOD, open)}`).manifest.title).toBe('Board');
  });

  it.each([
    `<!-- ${script(GOOD)} --><p>`,
    `<textarea>${script(GOOD)}</textarea>`,
    `<title>${script(GOOD)}</title>`,
    `<p title='${script(GOOD)}'>`,
    `<script>/* ${GOOD} <script type="application/portico+json"> */</script>`,
    `<script><!-- <script type="application/portico+json">${GOOD}</script> --></script><p>`,
    `<script src=x data-type="application/portico+json">${GOOD}</script>`,
    `<plaintext>${script(GOOD)}`,
  ])('sees no manifest in %s', (html) => {
    expect(readManifest(html)).toEqual({ html, manifest: {}, issues: [] });
  });

  it('finds a manifest behind comments that close in odd ways', () => {
    for (const comment of ['<!-->', '<!--->', '<!-- a --!>', '<!x>', '<?xml ?>', '</ >']) {
      expect(readManifest(`${comment}${script(GOOD)}`).manifest.title).toBe('Board');
    }
  });

  it('removes all of several manifests and names the line of each but the first', () => {
    const { html, issues } = readManifest(`<p>\n${script(GOOD)}\n${script('{}')}\n<b>`);
    expect(html).toBe('<p>\n\n\n<b>');
    expect(issues.map(({ code, level, line }) => ({ code, level, line }))).toEqual([
      { code: 'several_manifests', level: 'error', line: 3 },
    ]);
  });

  it.each([
    ['{\n"title": }', 'invalid_json@3'],
    ['{\n"title": "a"\n"mcp": {}}', 'invalid_json@4'],
    ['{"title":"a",}', 'invalid_json@2'],
    ['{"title":"a"', 'invalid_json@2'],
    ['{"a":"\n"}', 'invalid_json@2'],
    ['[01]', 'invalid_json@2'],
    ['\n[]', 'wrong_shape@3'],
    ['{\n"title": 5}', 'wrong_shape@3'],
    ['{\n"colour": 1}', 'unknown_key@3'],
    ['{"mcp":{\n"server": []}}', 'unknown_key@3'],
    ['{"title":"a",\n"title":"b"}', 'duplicate_key@3'],
    ['{"mcp":{"servers":[\n{"name":"A","tools":["x",\n""]}]}}', 'wrong_shape@4'],
    ['{"mcp":{"servers":[{"name":"A","tools":[]},\n{"name":"A","tools":[]}]}}', 'wrong_shape@3'],
    ['{"mcp":{"servers":[{"tools":[]}]}}', 'wrong_shape@2'],
  ])('names the line of what is wrong in %j', (json, expected) => {
    expect(codes(`<html>\n${script(json)}`)).toContain(expected);
  });

  it('keeps the good parts of a manifest that is wrong elsewhere', () => {
    const json = '{"title":7,"mcp":{"servers":[{"name":"A","tools":["x",1]},{"name":2}]}}';
    expect(readManifest(`<p>${script(json)}`).manifest).toEqual({
      mcp: { servers: [{ name: 'A', tools: ['x'] }] },
    });
  });

  it('lets a file win over the page and counts lines in that file', () => {
    const page = `<p>${script('{broken')}`;
    expect(readManifest(page, '\uFEFF{"title":"File"}')).toEqual({
      html: '<p>',
      manifest: { title: 'File' },
      issues: [],
    });
    expect(readManifest(page, { title: 'Value' }).manifest.title).toBe('Value');
    expect(readManifest(page, '{\n\n]').issues).toMatchObject([
      { code: 'invalid_json', source: 'file', line: 3 },
    ]);
  });

  it('warns where a classic script declares claude itself', () => {
    const html = '<script>\nconst claude = 1;</script><script type="module">const claude = 2;</script>';
    expect(readManifest(html).issues).toMatchObject([
      { code: 'claude_redeclared', level: 'warning', line: 2 },
    ]);
  });

  it('says that a text without any tag is no page', () => {
    expect(codes('just < words')).toEqual(['not_html@1']);
  });

  it('does not let a key of the manifest reach a prototype', () => {
    readManifest(`<p>${script('{"__proto__":{"polluted":1}}')}`);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('refuses nesting without end', () => {
    expect(codes(`<p>${script('['.repeat(100_000))}`)).toEqual(['invalid_json@1']);
  });

  // Each of these took minutes or gigabytes while lines were counted anew and places kept by whole path.
  it.each([
    ['20 000 unknown keys', `{${Array.from({ length: 20_000 }, (_, key) => `"k${key}":1`).join(',\n')}}`],
    ['30 000 equal keys', `{${'"k":1,\n'.repeat(30_000)}"k":1}`],
    ['one long name over 60 000 values', `{"${'k'.repeat(100_000)}":[${'1,'.repeat(60_000)}1]}`],
    ['nothing but line ends', `${'\n'.repeat(250_000)}{"a":1}`],
  ])('is quickly through with a manifest of %s, and tells no more than a page of it', (_case, json) => {
    const { issues } = readManifest('<p>', json);
    expect(issues.length).toBeGreaterThan(0);
    expect(JSON.stringify(issues).length).toBeLessThan(25_000);
  });

  it.each([
    ['scripts that declare claude', '<script>\nlet claude</script>'],
    ['manifests', script('{}')],
  ])('is quickly through with 100 000 %s', (_case, element) => {
    expect(readManifest(element.repeat(100_000)).issues).toHaveLength(100);
  });

  it('lets no number of warnings hide an error', () => {
    const keys = Array.from({ length: 500 }, (_, key) => `"k${key}":1`).join(',');
    expect(codes('<p>', `{${keys},"title":5}`)).toContain('wrong_shape@1');
  });

  it('finds the line of a member whose name has the characters of a path', () => {
    expect(codes('<p>', '{\n"a/b":1,\n"c~d":1,\n"__proto__":1}')).toEqual([
      'unknown_key@2',
      'unknown_key@3',
      'unknown_key@4',
    ]);
  });
});
