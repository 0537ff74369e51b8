import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { modern, openWire } from '../../../../testing/mcp-wire.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import { ResourceTemplate } from '../resource-template.ts';
import { createFileRoot } from './file-root.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-root-'));
  await mkdir(join(folder, 'served', 'sub'), { recursive: true });
  await mkdir(join(folder, 'served-not'));
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'served-not', 'a.txt'), 'secret');
  await writeFile(join(folder, 'served', 'a b.txt'), 'fine');
  await writeFile(join(folder, 'served', 'sub', '..dots'), 'fine');
  await symlink(join(folder, 'secret.txt'), join(folder, 'served', 'out.txt'));
  await symlink(folder, join(folder, 'served', 'up'));
  await symlink(join(folder, 'served', 'a b.txt'), join(folder, 'served', 'within.txt'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('W160 serves what really lies below its folder and nothing else', async () => {
  const root = createFileRoot(join(folder, 'served'));
  for (const name of ['a b.txt', 'sub/..dots', 'within.txt']) {
    expect(await readFile(await root.resolve(name), 'utf8')).toBe('fine');
  }
  const escapes = [
    '../secret.txt',
    'sub/../../secret.txt',
    'sub/../a b.txt',
    './a b.txt',
    '..',
    '.',
    '',
    'sub//..dots',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '%2E%2E%5Csecret.txt',
    '..\\secret.txt',
    'a b.txt%00',
    'a b.txt\0',
    '/etc/passwd',
    join(folder, 'served', 'a b.txt'),
    'C:/a b.txt',
    'c:a b.txt',
    'out.txt',
    'up/secret.txt',
    'up/served-not/a.txt',
    'missing.txt',
    '../served-not/a.txt',
  ];
  for (const name of escapes) {
    await expect(root.resolve(name), name).rejects.toMatchObject({ code: 'OUTSIDE_ROOT' });
  }
  await symlink(join(folder, 'served'), join(folder, 'linked'));
  const linked = createFileRoot(join(folder, 'linked'));
  expect(await readFile(await linked.resolve('a b.txt'), 'utf8')).toBe('fine');
  await expect(linked.resolve('out.txt')).rejects.toMatchObject({ code: 'OUTSIDE_ROOT' });
});

it('W160 keeps clients of a file template within the folder', async () => {
  const root = createFileRoot(join(folder, 'served'));
  const server = new McpServer({ name: 'files', version: '1' });
  server.registerResource(
    'file',
    new ResourceTemplate('files:///{+path}', { list: undefined }),
    {},
    async (uri, variables) => ({
      contents: [
        { uri: uri.href, text: await readFile(await root.resolve(String(variables['path'])), 'utf8') },
      ],
    }),
  );
  const wire = await openWire((transport) => server.connect(transport));
  const read = (path: string): ReturnType<typeof wire.request> =>
    wire.request('resources/read', modern({ uri: `files:///${path}` }));
  expect(await read('a%20b.txt')).toMatchObject({ result: { contents: [{ text: 'fine' }] } });
  for (const path of [
    '../secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '%252e%252e/secret.txt',
    'out.txt',
    'up/secret.txt',
    'a%20b.txt%00',
    pathToFileURL(join(folder, 'secret.txt')).pathname,
  ]) {
    const answer = await read(path);
    expect([path, 'error' in answer]).toEqual([path, true]);
    expect(JSON.stringify(answer)).not.toContain('"secret"');
  }
});
