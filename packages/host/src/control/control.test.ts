import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublishResult } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiRefusal } from '../api-refusal.ts';
import { HostError } from '../errors.ts';
import type { HostStatus, Log } from '../host-options.ts';
import { controlClient } from './control-client.ts';
import { controlPath } from './control-path.ts';
import { startControlServer } from './control-server.ts';
import type { ControlHandlers, ControlServer } from './control-server.ts';

const STATUS: HostStatus = {
  version: '1.2.3',
  port: 6874,
  origin: 'http://portico.localhost:6874',
  connectors: [],
  runningTurns: 0,
};
const PUBLISHED: PublishResult = {
  artifact: {
    id: 'a',
    title: 'A',
    version: 1,
    servers: [],
    grants: [],
    demo: false,
    createdAtMs: 1,
    updatedAtMs: 1,
  },
  created: true,
  address: 'http://portico.localhost:6874/artifacts/a',
  warnings: [],
};
const silent: Log = { info() {}, warn() {}, error() {} };

describe('the control socket', () => {
  let folder: string;
  let server: ControlServer | undefined;
  const handlers: ControlHandlers = {
    launchLink: () => 'http://portico.localhost:6874/launch?token=x',
    status: () => STATUS,
    rotateKey: () =>
      Promise.reject(
        new HostError('bad_configuration', { message: 'the key is yours', data: { remedy: 'give another' } }),
      ),
    async publish(page) {
      if (page.html === 'bad') throw new ApiRefusal('invalid_page', 'This is no page.', ['html: is bad']);
      if (page.html === 'crash') throw new TypeError('internal detail');
      return { ...PUBLISHED, warnings: [String(page.html.length), page.title ?? ''] };
    },
  };
  const start = async (path: string): Promise<void> => {
    server = await startControlServer({ path, handlers, log: silent });
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-control-'));
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await rm(folder, { recursive: true });
  });

  it('answers commands, and is for its owner only', async () => {
    const path = controlPath(folder, 'linux');
    await start(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const client = controlClient({ path });
    expect(await client.launchLink()).toBe('http://portico.localhost:6874/launch?token=x');
    expect(await client.status()).toEqual(STATUS);
    const versions: string[] = [];
    await controlClient({ path, onVersion: (version) => versions.push(version) }).launchLink();
    expect(versions).toEqual(['1.2.3']);
    expect(await client.publish({ html: '<p>', title: 'T' })).toEqual({ ...PUBLISHED, warnings: ['3', 'T'] });
  });

  it('carries a page of 10 MB with every character escaped', async () => {
    const path = controlPath(folder, 'linux');
    await start(path);
    const html = '"'.repeat(10_000_000);
    expect((await controlClient({ path }).publish({ html })).warnings[0]).toBe('10000000');
  });

  it('hands on refusals with their code, and nothing of an internal failure', async () => {
    const path = controlPath(folder, 'linux');
    await start(path);
    const client = controlClient({ path });
    await expect(client.publish({ html: 'bad' })).rejects.toMatchObject({
      code: 'control_refused',
      message: 'This is no page.',
      data: { refusal: 'invalid_page', issues: ['html: is bad'] },
    });
    await expect(client.publish({ html: 'crash' })).rejects.toMatchObject({
      code: 'control_refused',
      data: { refusal: 'internal' },
      message: expect.not.stringContaining('internal detail') as string,
    });
    await expect(client.rotateKey()).rejects.toMatchObject({
      code: 'control_refused',
      message: 'the key is yours; give another',
      data: { refusal: 'conflict' },
    });
    await expect(client.publish({ html: 5 } as never)).rejects.toMatchObject({
      data: { refusal: 'bad_request', issues: [expect.stringContaining('html') as string] },
    });
  });

  it('knows no other command and takes only JSON', async () => {
    const path = controlPath(folder, 'linux');
    await start(path);
    const statusOf = (method: string, url: string, body = ''): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const outgoing = request({ socketPath: path, method, path: url }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      });
    expect(await statusOf('GET', '/launch-link')).toBe(404);
    expect(await statusOf('POST', '/status')).toBe(404);
    expect(await statusOf('POST', '/publish', '{')).toBe(415);
  });

  it('is replaced when a killed host left it behind', async () => {
    const path = controlPath(folder, 'linux');
    await writeFile(path, 'left behind');
    await start(path);
    expect(await controlClient({ path }).status()).toEqual(STATUS);
  });

  it('is gone after it was closed', async () => {
    const path = controlPath(folder, 'linux');
    await start(path);
    const open = connect({ path });
    await server?.close();
    open.destroy();
    server = undefined;
    expect(await readdir(folder)).toEqual([]);
    await expect(controlClient({ path }).status()).rejects.toMatchObject({
      code: 'control_unreachable',
      exitCode: 4,
    });
  });

  it('works in a folder whose path is longer than sockets take, and stays inside it', async () => {
    const deep = join(folder, 'd'.repeat(200));
    await mkdir(deep);
    await chmod(deep, 0o700);
    const path = controlPath(deep, 'linux');
    const before = process.cwd();
    await start(path);
    expect(await controlClient({ path }).status()).toEqual(STATUS);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(process.cwd()).toBe(before);
    await server?.close();
    server = undefined;
    expect(await readdir(deep)).toEqual([]);
  });

  it('is a named pipe on Windows, another one for each data folder', () => {
    const path = controlPath('C:\\Users\\ada\\Portico', 'win32');
    expect(path).toMatch(/^\\\\\.\\pipe\\portico-[0-9a-f]{32}$/);
    expect(controlPath('c:\\users\\ADA\\portico', 'win32')).toBe(path);
    expect(controlPath('C:\\Other', 'win32')).not.toBe(path);
  });
});
