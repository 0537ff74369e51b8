import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryKeys, startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import type { KeyHolder } from '../ports/secrets.ts';

describe('the key of stored secrets', () => {
  let folder: string;
  let running: InProcessHost;
  let server: Server;
  let url: string;
  let seen: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-rotation-'));
    seen = [];
    server = createServer((request, response) => {
      seen.push(`${request.url}: ${String(request.headers['x-key'])}`);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await running.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (keys: KeyHolder): Promise<void> => {
    running = await startInProcessHost({ folder, keys });
  };
  const add = async (name: string, secret: string): Promise<Connector> => {
    const transport = { kind: 'http', url: `${url}/${name}`, headers: { 'x-key': secret } };
    const added = await running.call<Connector>('POST', '/api/connectors', { name, transport });
    return await running.untilConnector(added.id, 'failed');
  };
  const stored = async () =>
    (await running.stores.connectors.list()).filter(({ transport }) => transport.kind === 'http');
  const find = async (name: string): Promise<Connector> => {
    const { connectors } = await running.bootstrap();
    const { id } = connectors.find((connector) => connector.name === name) as Connector;
    return await running.untilConnector(id, 'failed');
  };

  it('K35 that is wrong lets the host start, is told with the connector, and costs nothing once the right one is back', async () => {
    const keys = memoryKeys();
    await start(keys);
    await add('one', 'secret-one');
    const before = await stored();
    await running.close();

    await start(memoryKeys());
    seen.length = 0;
    const { problem } = await find('one');
    expect(problem).toMatchObject({ kind: 'secretUnreadable' });
    expect(await stored()).toEqual(before);
    expect(seen).toEqual([]);
    // What is entered meanwhile stands beside it.
    await add('two', 'secret-two');
    await running.close();

    await start(keys);
    expect((await find('one')).problem?.kind).not.toBe('secretUnreadable');
    expect(seen).toContain('/one: secret-one');
    expect((await find('two')).problem?.kind).toBe('secretUnreadable');
  });

  it('K35 is exchanged while the host runs: every value is sealed anew, and connections made later use it', async () => {
    const keys = memoryKeys();
    const old = keys.ring.current;
    await start(keys);
    const one = await add('one', 'secret-one');
    await add('two', 'secret-two');
    const before = await stored();
    seen.length = 0;
    const [report, joined] = await Promise.all([running.host.rotateKey(), running.host.rotateKey()]);
    expect(report).toEqual({ renewed: 2, unreadable: 0 });
    expect(joined).toBe(report);
    expect(keys.ring).toEqual({ current: expect.any(Buffer), previous: [] });
    expect(keys.ring.current).not.toEqual(old);
    const after = await stored();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (const [index, record] of after.entries()) {
      expect(record.transport).not.toEqual(before[index]?.transport);
    }
    expect(seen).toEqual([]);
    await running.call('POST', `/api/connectors/${one.id}/reconnect`, {});
    await running.untilConnector(one.id, 'failed');
    expect(seen).toContain('/one: secret-one');
    await running.close();

    await start(memoryKeys(old));
    expect((await find('one')).problem?.kind).toBe('secretUnreadable');
  });

  it('K35 that was being exchanged when the host was killed opens everything, and the next start ends the exchange', async () => {
    const keys = memoryKeys();
    await start(keys);
    await add('one', 'secret-one');
    await add('two', 'secret-two');
    const [first, second] = await stored();
    // The process dies after the first of two: the other is still sealed with the old key.
    const put = running.stores.connectors.put.bind(running.stores.connectors);
    let writes = 0;
    running.stores.connectors.put = (record) => {
      writes += 1;
      return writes === 1 ? put(record) : Promise.reject(new Error('killed'));
    };
    await expect(running.host.rotateKey()).rejects.toThrow('killed');
    const half = await stored();
    expect(half[0]?.transport).not.toEqual(first?.transport);
    expect(half[1]?.transport).toEqual(second?.transport);
    expect(keys.ring.previous).toHaveLength(1);
    await running.kill();

    seen.length = 0;
    await start(keys);
    await find('one');
    await find('two');
    expect(seen).toContain('/one: secret-one');
    expect(seen).toContain('/two: secret-two');
    expect(keys.ring.previous).toEqual([]);
    expect((await stored())[1]?.transport).not.toEqual(second?.transport);
  });

  it('leaves values of a lost key as they are, and says how many', async () => {
    await start(memoryKeys());
    await add('one', 'secret-one');
    const before = await stored();
    await running.close();
    await start(memoryKeys());
    expect(await running.host.rotateKey()).toEqual({ renewed: 0, unreadable: 1 });
    expect(await stored()).toEqual(before);
  });
});
