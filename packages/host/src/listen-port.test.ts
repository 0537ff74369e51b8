import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { http } from '../../../testing/http.ts';
import { bindLoopback, portsToTry } from './listen-port.ts';
import type { BoundPort } from './listen-port.ts';
import { listeningInodes } from './port-holder.ts';

describe('ports to try', () => {
  it('are the default and the nine after it', () => {
    expect(portsToTry(undefined)).toEqual({
      port: 6874,
      alternatives: [6875, 6876, 6877, 6878, 6879, 6880, 6881, 6882, 6883],
    });
  });

  it('begin with the remembered one', () => {
    expect(portsToTry(6876)).toMatchObject({
      port: 6876,
      alternatives: expect.arrayContaining([6874]) as number[],
    });
    expect(portsToTry(9000).alternatives).toHaveLength(10);
  });
});

describe('binding to loopback', () => {
  const open: TcpServer[] = [];
  const bindings: BoundPort[] = [];
  afterEach(async () => {
    for (const binding of bindings.splice(0)) binding.close();
    await Promise.all(
      open.splice(0).map((server) => new Promise<void>((resolve) => void server.close(() => resolve()))),
    );
  });
  const webServer = (): Server => {
    const server = createServer((request, response) => response.end(request.socket.localAddress));
    open.push(server);
    return server;
  };
  const occupy = (host: string, port = 0): Promise<number> =>
    new Promise((resolve, reject) => {
      const server = createTcpServer();
      open.push(server);
      server.once('error', reject);
      server.listen({ port, host }, () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  const bind = async (...choice: Parameters<typeof bindLoopback>): Promise<BoundPort> => {
    const bound = await bindLoopback(...choice);
    bindings.push(bound);
    return bound;
  };

  it('serves both loopback addresses on one port, and none after it was closed', async () => {
    const bound = await bind(webServer(), { port: 0 });
    const url = `http://localhost:${bound.port}/`;
    expect((await http(url)).text).toBe('127.0.0.1');
    expect((await http(url, { connectTo: '::1' })).text).toBe('::1');
    bound.close();
    await expect(http(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(http(url, { connectTo: '::1' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each(['127.0.0.1', '::1'])('takes the next port when %s of the first is busy', async (host) => {
    const busy = await occupy(host);
    const free = await occupy('127.0.0.1');
    await new Promise<void>((resolve) => void open.pop()?.close(() => resolve()));
    const bound = await bind(webServer(), { port: busy, alternatives: [busy, free] });
    expect(bound.port).toBe(free);
  });

  it('names the port and who holds it when there is no alternative', async () => {
    const busy = await occupy('127.0.0.1');
    await expect(bind(webServer(), { port: busy })).rejects.toMatchObject({
      code: 'port_in_use',
      exitCode: 2,
      data: { port: busy, holder: expect.stringContaining(`process ${process.pid}`) as string },
    });
  });

  it('says so when no port of all is free', async () => {
    const busy = await occupy('127.0.0.1');
    await expect(bind(webServer(), { port: busy, alternatives: [busy] })).rejects.toMatchObject({
      code: 'no_free_port',
      data: { port: busy },
    });
  });
});

describe('the holder of a port', () => {
  it('is looked for among listening sockets of that port only', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:1ADA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1',
      '   1: 0100007F:1ADB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1',
      '   2: 0100007F:1ADA 0100007F:E000 01 00000000:00000000 00:00000000 00000000     0        0 4713 1',
    ].join('\n');
    expect(listeningInodes(table, 6874)).toEqual(['4711']);
    expect(listeningInodes('', 6874)).toEqual([]);
  });
});
