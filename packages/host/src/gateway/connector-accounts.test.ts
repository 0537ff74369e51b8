import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';

describe('accounts of a connector', () => {
  let folder: string;
  let running: InProcessHost;
  let server: Server;
  let url: string;
  let seen: string[];
  let first: Connector;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-accounts-'));
    seen = [];
    server = createServer((request, response) => {
      seen.push(`${request.url} ${String(request.headers['x-key'])}`);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    running = await startInProcessHost({ folder });
    const input = {
      name: 'Mail',
      transport: { kind: 'http', url: `${url}/a`, headers: { 'x-key': 'mine' } },
    };
    first = await running.call<Connector>('POST', '/api/connectors', input);
  });
  afterEach(async () => {
    await running.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const addAccount = (body: object): Promise<Connector> =>
    running.call('POST', `/api/connectors/${first.id}/accounts`, body);
  const problemOf = async (method: string, path: string, body: object): Promise<unknown> => {
    const { status, text } = await running.request(method, path, body);
    return { status, ...(JSON.parse(text) as { error: object }).error };
  };

  it('share name and server, and have secrets of their own', async () => {
    const work = await addAccount({ label: 'Work', values: { 'x-key': 'theirs' } });
    expect(work).toMatchObject({
      name: 'Mail',
      label: 'Work',
      groupId: first.groupId,
      transport: { url: `${url}/a`, headerNames: ['x-key'] },
    });
    expect(work.id).not.toBe(first.id);
    await running.untilConnector(first.id, 'failed');
    await running.untilConnector(work.id, 'failed');
    expect(new Set(seen)).toEqual(new Set(['/a mine', '/a theirs']));

    seen.length = 0;
    await running.call('PUT', `/api/connectors/${first.id}`, {
      name: 'Post',
      transport: { kind: 'http', url: `${url}/b`, headers: { 'x-key': null } },
    });
    await running.untilConnector(first.id, 'failed');
    expect(await running.untilConnector(work.id, 'failed')).toMatchObject({ name: 'Post', label: 'Work' });
    expect(new Set(seen)).toEqual(new Set(['/b mine', '/b theirs']));
    expect(running.answers.join('')).not.toContain('theirs');

    await running.request('DELETE', `/api/connectors/${first.id}`);
    const { connectors } = await running.bootstrap();
    expect(connectors.filter(({ name }) => name === 'Post').map(({ id }) => id)).toEqual([work.id]);
  });

  it('have labels that differ, and can be called something else while they are in use', async () => {
    const work = await addAccount({ label: 'Work' });
    expect(work.transport).toMatchObject({ headerNames: [] });
    expect(await problemOf('POST', `/api/connectors/${work.id}/accounts`, { label: 'Work' })).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    await running.untilConnector(work.id, 'failed');
    seen.length = 0;
    const renamed = await running.call<Connector>('PUT', `/api/connectors/${work.id}/label`, {
      label: 'Firm',
    });
    expect(renamed.label).toBe('Firm');
    expect(seen).toEqual([]);
    expect(await problemOf('PUT', `/api/connectors/${first.id}/label`, { label: 'Firm' })).toMatchObject({
      code: 'conflict',
    });
    await running.close();
    running = await startInProcessHost({ folder });
    const { connectors } = await running.bootstrap();
    expect(connectors.filter(({ name }) => name === 'Mail').map(({ label }) => label)).toEqual(['', 'Firm']);
  });

  it('take values only for what the server takes, and are ten at most', async () => {
    const path = `/api/connectors/${first.id}/accounts`;
    expect(await problemOf('POST', path, { label: 'A', values: { other: 'x' } })).toMatchObject({
      status: 400,
      issues: ['values.other: is no variable or header of this connector'],
    });
    expect(await problemOf('POST', path, { label: ' ' })).toMatchObject({ status: 400 });
    for (let n = 2; n <= 10; n++) await addAccount({ label: `Account ${n}` });
    expect(await problemOf('POST', path, { label: 'Account 11' })).toMatchObject({ status: 409 });
    const { connectors } = await running.bootstrap();
    const demo = connectors.find(({ transport }) => transport.kind === 'builtin') as Connector;
    expect(await problemOf('POST', `/api/connectors/${demo.id}/accounts`, { label: 'A' })).toMatchObject({
      status: 400,
    });
  });
});
