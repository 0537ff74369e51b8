import { describe, expect, it } from 'vitest';
import type { ConnectorRecord } from '../ports/stores.ts';
import { readImportText } from './import-text.ts';

const record = (name: string, transport: ConnectorRecord['transport']): ConnectorRecord => ({
  id: name,
  name,
  label: '',
  groupId: name,
  transport,
  enabled: true,
  starts: 'with_portico',
  approvedHash: null,
  createdAtMs: 0,
});

describe('readImportText', () => {
  it('reads the mcpServers form with comments, trailing commas and a byte order mark', () => {
    const text = `\uFEFF{
      // my servers
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "server // not a comment", "/tmp",], "env": {"A": "1",}, },
        /* remote */ "budget": { "type": "http", "url": "http://127.0.0.1:3001/mcp", "headers": {"X-Key": "k"} },
      },
    }`;
    const entries = readImportText(text, []);
    expect(entries.map(({ name, status }) => [name, status])).toEqual([
      ['files', 'new'],
      ['budget', 'new'],
    ]);
    expect(entries[0]?.input?.transport).toEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'server // not a comment', '/tmp'],
      env: { A: '1' },
    });
    expect(entries[1]?.input?.transport).toEqual({
      kind: 'http',
      url: 'http://127.0.0.1:3001/mcp',
      headers: { 'X-Key': 'k' },
    });
  });

  it.each([
    ['the servers form', '{"servers": {"a": {"command": "x"}}}'],
    ['the mcp.servers form', '{"mcp": {"servers": {"a": {"command": "x"}}}}'],
    ['entries without a frame', '{"a": {"command": "x"}}'],
    ['a piece without outer braces', '"mcpServers": {"a": {"command": "x"}}'],
    ['a piece of one entry', '"a": {"command": "x"}'],
  ])('reads %s', (_form, text) => {
    expect(readImportText(text, [])).toMatchObject([{ name: 'a', status: 'new' }]);
  });

  it.each([
    ['npx -y @scope/server-everything stdio', 'server-everything', 'npx'],
    ['/usr/bin/node ./dist/index.js --stdio', 'index', '/usr/bin/node'],
    ['my-server', 'my-server', 'my-server'],
  ])('reads the command line %j', (line, name, command) => {
    expect(readImportText(line, [])).toMatchObject([
      { name, status: 'new', input: { transport: { kind: 'stdio', command } } },
    ]);
  });

  it('tells what is there already from what only has the same name', () => {
    const existing = [
      record('files', { kind: 'stdio', command: 'npx', args: ['a'], env: { A: 'sealed' } }),
      record('web', { kind: 'http', url: 'http://h.example/mcp', headers: {} }),
    ];
    const text = JSON.stringify({
      mcpServers: {
        files: { command: 'npx', args: ['a'], env: { A: 'other value' } },
        other: { url: 'HTTP://H.example:80/mcp' },
        web: { url: 'http://h.example/other' },
      },
    });
    expect(readImportText(text, existing).map(({ status }) => status)).toEqual([
      'same',
      'same',
      'name_clash',
    ]);
  });

  it.each([
    ['an old transport', { type: 'sse', url: 'http://h.example/sse' }],
    ['a placeholder', { command: 'x', env: { KEY: '${KEY}' } }],
    ['neither command nor address', { note: 1 }],
    ['arguments that are no texts', { command: 'x', args: [1] }],
    ['an address that is no address', { url: 'file:///etc/passwd' }],
    ['no object', 'npx'],
  ])('marks an entry with %s as unsupported, with a reason', (_case, entry) => {
    const entries = readImportText(
      JSON.stringify({ mcpServers: { bad: entry, good: { command: 'x' } } }),
      [],
    );
    expect(entries[0]).toMatchObject({ name: 'bad', status: 'unsupported' });
    expect(entries[0]?.reason).toBeTypeOf('string');
    expect(entries[1]?.status).toBe('new');
  });

  it('names keys that it leaves out', () => {
    const [entry] = readImportText(
      '{"mcpServers": {"a": {"command": "x", "disabled": true, "alwaysAllow": []}}}',
      [],
    );
    expect(entry).toMatchObject({ status: 'new', reason: expect.stringContaining('disabled, alwaysAllow') });
  });

  it.each(['', '{', '{"mcpServers": []}', '{"mcpServers": {}}', '{"x": 1}', '[]', '{"a": "b"}'])(
    'refuses %j',
    (text) => {
      expect(() => readImportText(text, [])).toThrowError(expect.objectContaining({ code: 'bad_request' }));
    },
  );

  it('a name called __proto__ stays a name', () => {
    const entries = readImportText('{"mcpServers": {"__proto__": {"command": "x"}}}', []);
    expect(entries).toMatchObject([{ name: '__proto__', status: 'new' }]);
  });

  it.each([
    ['arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ])('refuses %s nested without end', (_kind, deep) => {
    const text = `{"mcpServers": {"a": {"command": "x", "env": ${deep}}}}`;
    expect(() => readImportText(text, [])).toThrowError(expect.objectContaining({ code: 'bad_request' }));
  });

  it('repeats little of a text that is full of unknown keys', () => {
    const keys = Array.from({ length: 2000 }, (_, key) => `"key${key}": 1`).join(', ');
    const [entry] = readImportText(`{"mcpServers": {"a": {"command": "x", ${keys}}}}`, []);
    expect(entry).toMatchObject({ status: 'new', reason: expect.stringMatching(/key9 and 1990 more$/) });
  });
});
