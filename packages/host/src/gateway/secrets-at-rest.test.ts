import { readFileSync, readdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, StartCall } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHttp } from '../../../../testing/http.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';

const CANARIES = ['canary-variable-1', 'canary-header-2', 'canary-replaced-3', 'canary-model-key-4'];

describe('secret values', () => {
  let folder: string;
  let running: InProcessHost;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-secrets-'));
    const model = { apiKey: 'canary-model-key-4', baseUrl: 'http://127.0.0.1:9', model: 'none' };
    running = await startInProcessHost({ folder, model });
  });
  afterEach(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });

  it('K34 of variables, headers and the model are in no file in the clear and in no answer of any route', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(String(request.headers['x-key']));
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const child = (value: string | null) => ({
      name: 'Child',
      transport: {
        kind: 'stdio',
        command: process.execPath,
        args: ['-e', ''],
        env: { KEY: value, TWIN: value },
      },
    });
    const remote = {
      name: 'Remote',
      transport: { kind: 'http', url, headers: { 'x-key': 'canary-header-2' } },
    };
    const stdio = await running.call<Connector>('POST', '/api/connectors', child('canary-variable-1'));
    const http = await running.call<Connector>('POST', '/api/connectors', remote);
    expect(stdio.transport).toMatchObject({ envNames: ['KEY', 'TWIN'] });
    expect(http.transport).toMatchObject({ headerNames: ['x-key'] });
    await running.untilConnector(http.id, 'failed');
    expect(seen).toContain('canary-header-2');
    await running.call('PUT', `/api/connectors/${stdio.id}`, child('canary-replaced-3'));
    await running.call('PUT', `/api/connectors/${stdio.id}`, child(null));
    await running.request('PUT', `/api/connectors/${stdio.id}`, { ...child('canary-replaced-3'), name: '' });
    await readEverything(running, { stdio, http });
    server.close();
    await running.kill();

    for (const canary of CANARIES) {
      expect(running.answers.join('\n')).not.toContain(canary);
      for (const file of readdirSync(folder).filter((name) => name.startsWith('portico.db'))) {
        expect(readFileSync(join(folder, file)).includes(canary)).toBe(false);
      }
      expect(JSON.stringify(running.log.lines)).not.toContain(canary);
    }
    running = await startInProcessHost({ folder });
  });

  it('of headers do not go along to where a server redirects to, which the person is told instead', async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push([request.url, request.headers['x-key']]);
      const { port } = server.address() as AddressInfo;
      response.writeHead(307, { location: `http://localhost:${port}/elsewhere?code=1` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { id } = await running.call<Connector>('POST', '/api/connectors', {
      name: 'Moved',
      transport: {
        kind: 'http',
        url: `http://127.0.0.1:${port}/mcp`,
        headers: { 'x-key': 'canary-header-2' },
      },
    });
    const { problem } = await running.untilConnector(id, 'failed');
    expect(problem?.message).toContain(`http://localhost:${port}/elsewhere.`);
    expect(new Set(seen.map(String))).toEqual(new Set(['/mcp,canary-header-2']));
    server.close();
  });

  it('are not in the last words of a program that prints what it was given', async () => {
    const added = await running.call<Connector>('POST', '/api/connectors', {
      name: 'Talkative',
      transport: {
        kind: 'stdio',
        command: process.execPath,
        args: ['-e', 'console.error("no such account:", process.env.KEY); process.exit(3)'],
        env: { KEY: 'canary-variable-1' },
      },
    });
    const { hash } = added.pendingApproval ?? {};
    await running.call('POST', `/api/connectors/${added.id}/approval`, { hash });
    const { problem } = await running.untilConnector(added.id, 'failed');
    expect(problem?.stderrTail).toEqual(['no such account: [value of KEY]']);
    expect(running.answers.join('\n')).not.toContain('canary-variable-1');
  });
});

/** Every route that tells something about connectors, and the stream from its beginning. */
async function readEverything(
  host: InProcessHost,
  made: { stdio: Connector; http: Connector },
): Promise<void> {
  const { id } = await host.newConversation();
  const call: StartCall = { connectorId: made.http.id, tool: 'x', arguments: {} };
  for (const [method, path, body] of [
    ['GET', '/api/bootstrap'],
    ['GET', '/api/connectors'],
    ['GET', `/api/connectors/${made.stdio.id}/tools`],
    ['POST', `/api/connectors/${made.stdio.id}/reconnect`, {}],
    ['POST', `/api/connectors/${made.http.id}/reconnect`, {}],
    ['PUT', `/api/connectors/${made.http.id}/enabled`, { enabled: false }],
    ['PUT', `/api/connectors/${made.http.id}/enabled`, { enabled: true }],
    ['POST', `/api/connectors/${made.stdio.id}/approval`, { hash: 'x' }],
    [
      'POST',
      '/api/connectors/import',
      { text: '{"mcpServers": {"Child": {"command": "x", "env": {"KEY": "y"}}}}' },
    ],
    ['POST', `/api/conversations/${id}/calls`, call],
    ['POST', `/api/conversations/${id}/messages`, { text: 'hello' }],
    ['GET', `/api/conversations/${id}`],
    ['GET', '/api/version'],
  ] as const) {
    await host.request(method, path, body);
  }
  await host.until((event): event is typeof event => event.type === 'connector.changed');
  const { seq } = await host.bootstrap();
  const stream = await openHttp(`${host.origin}/api/events?after=0`, { headers: { cookie: host.cookie } });
  let text = '';
  for await (const chunk of stream) {
    text += (chunk as Buffer).toString('utf8');
    if (text.includes(`id: ${seq}\n`)) break;
  }
  for (const canary of CANARIES) expect(text).not.toContain(canary);
}
