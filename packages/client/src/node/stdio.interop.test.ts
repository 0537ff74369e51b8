import { createRequire } from 'node:module';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { StdioClientTransport } from './stdio.ts';

const require = createRequire(import.meta.url);
const fileOf = (name: string, path: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), path);
const EVERYTHING = fileOf('@modelcontextprotocol/server-everything', 'dist/index.js');
const FILESYSTEM = fileOf('@modelcontextprotocol/server-filesystem', 'dist/index.js');

const open: Client[] = [];
async function connect(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'portico-test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  open.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  return client;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

describe('with the official reference servers on stdio', () => {
  it('finds out the era of server-everything, lists its tools and calls one', async () => {
    const client = await connect([EVERYTHING, 'stdio']);
    expect(client.getProtocolEra()).toBe('legacy');
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain('echo');
    const result = await client.callTool({ name: 'echo', arguments: { message: 'grüße' } });
    expect(result.content).toEqual([{ type: 'text', text: 'Echo: grüße' }]);
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    const { resources } = await client.listResources();
    const [first] = resources;
    const read = await client.readResource({ uri: String(first?.uri) });
    expect(read.contents.length).toBeGreaterThan(0);
  });

  it('receives progress in order before the result of a long tool', async () => {
    const client = await connect([EVERYTHING, 'stdio']);
    const seen: number[] = [];
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('reads a file through server-filesystem', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-client-')));
    writeFileSync(join(folder, 'note.txt'), 'kept');
    const client = await connect([FILESYSTEM, folder]);
    const result = await client.callTool({
      name: 'read_text_file',
      arguments: { path: join(folder, 'note.txt') },
    });
    expect(result.content[0]).toMatchObject({ type: 'text', text: 'kept' });
  });
});
