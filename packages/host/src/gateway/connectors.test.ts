import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, ToolInfo } from '@portico/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { serverEntry, startHttpServer } from '../../../../testing/npm-servers.ts';

const everything = (name: string, env: Record<string, string | null> = {}) => ({
  name,
  transport: {
    kind: 'stdio',
    command: process.execPath,
    args: [serverEntry('server-everything'), 'stdio'],
    env,
  },
});

describe('connectors on real servers', () => {
  let running: InProcessHost;
  let folder: string;
  beforeAll(async () => {
    running = await startInProcessHost();
    folder = mkdtempSync(join(tmpdir(), 'portico-connectors-'));
  });
  afterAll(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });

  const add = (input: object): Promise<Connector> => running.call('POST', '/api/connectors', input);
  const approve = async (connector: Connector): Promise<Connector> =>
    await running.call('POST', `/api/connectors/${connector.id}/approval`, {
      hash: connector.pendingApproval?.hash,
    });

  it('a command is shown whole and not run before it is approved; then its tools are there', async () => {
    const added = await add(everything('Everything'));
    expect(added).toMatchObject({ status: 'stopped', toolCount: 0 });
    expect(added.pendingApproval).toMatchObject({
      resolvedPath: process.execPath,
      args: [serverEntry('server-everything'), 'stdio'],
    });
    await approve(added);
    const ready = await running.untilConnector(added.id, 'ready');
    expect(ready.server).toMatchObject({ era: 'legacy' });
    expect(ready.pendingApproval).toBeUndefined();
    const { tools } = await running.call<{ tools: ToolInfo[] }>('GET', `/api/connectors/${added.id}/tools`);
    expect(tools.length).toBe(ready.toolCount);
    expect(tools.map(({ name }) => name)).toContain('echo');
  });

  it('neither adding, nor a wrong hash, nor a changed command starts anything', async () => {
    const marker = join(folder, 'started');
    const script = join(folder, 'child.mjs');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(marker)}, '');`,
    );
    const input = (args: string[]) => ({
      name: 'Canary',
      transport: { kind: 'stdio', command: process.execPath, args },
    });
    const added = await add(input([script]));
    await expect(
      running.call('POST', `/api/connectors/${added.id}/approval`, { hash: 'f'.repeat(64) }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await running.call('POST', `/api/connectors/${added.id}/reconnect`, {});
    const changed = await running.call<Connector>(
      'PUT',
      `/api/connectors/${added.id}`,
      input([script, '--more']),
    );
    expect(changed.pendingApproval?.hash).not.toBe(added.pendingApproval?.hash);
    await expect(
      running.call('POST', `/api/connectors/${added.id}/approval`, { hash: added.pendingApproval?.hash }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(existsSync(marker)).toBe(false);
    await approve(changed);
    await running.untilConnector(added.id, 'failed', 'connecting', 'stopped');
    await running.call('DELETE', `/api/connectors/${added.id}`);
  });

  it('an approved command that is changed asks again and its child is ended', async () => {
    const added = await add(everything('Changing'));
    await approve(added);
    await running.untilConnector(added.id, 'ready');
    const input = everything('Changing', { EXTRA: 'x' });
    const changed = await running.call<Connector>('PUT', `/api/connectors/${added.id}`, input);
    expect(changed).toMatchObject({ status: 'stopped', toolCount: 0 });
    expect(changed.pendingApproval?.envNames).toEqual(['EXTRA']);
    await running.call('DELETE', `/api/connectors/${added.id}`);
  });

  it('a value may change without asking again, since names are what was approved', async () => {
    const added = await add(everything('Values', { TOKEN: 'first-canary' }));
    await approve(added);
    await running.untilConnector(added.id, 'ready');
    const input = everything('Values', { TOKEN: 'second-canary' });
    const changed = await running.call<Connector>('PUT', `/api/connectors/${added.id}`, input);
    expect(changed.pendingApproval).toBeUndefined();
    expect(running.answers.join('\n')).not.toContain('-canary');
    await running.call('DELETE', `/api/connectors/${added.id}`);
  });

  it('switching off ends a connector and switching on brings it back', async () => {
    const added = await add(everything('Switched'));
    await approve(added);
    await running.untilConnector(added.id, 'ready');
    const off = await running.call<Connector>('PUT', `/api/connectors/${added.id}/enabled`, {
      enabled: false,
    });
    expect(off).toMatchObject({ status: 'disabled', toolCount: 0 });
    await running.call('PUT', `/api/connectors/${added.id}/enabled`, { enabled: true });
    await running.untilConnector(added.id, 'ready');
    await running.call('DELETE', `/api/connectors/${added.id}`);
    await expect(running.call('GET', `/api/connectors/${added.id}/tools`)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('a server on HTTP is ready under its own name, with its view and app tools', async () => {
    const server = await startHttpServer('server-budget-allocator');
    try {
      const added = await add({ name: 'Budget', transport: { kind: 'http', url: server.url } });
      const ready = await running.untilConnector(added.id, 'ready');
      expect(ready.server?.name).toMatch(/budget/i);
      const { tools } = await running.call<{ tools: ToolInfo[] }>('GET', `/api/connectors/${added.id}/tools`);
      expect(tools.some(({ viewUri }) => viewUri?.startsWith('ui://') === true)).toBe(true);
    } finally {
      await server.stop();
    }
  });

  it('a wrong command, a dead address, a foreign page and a dying child each say why', async () => {
    const wrong = await add({ name: 'Wrong', transport: { kind: 'stdio', command: 'no-such-program-here' } });
    expect(wrong).toMatchObject({ status: 'failed', problem: { code: 'command_not_found' } });

    const dead = await add({ name: 'Dead', transport: { kind: 'http', url: 'http://127.0.0.1:9/mcp' } });
    const refused = await running.untilConnector(dead.id, 'failed');
    expect(refused.problem?.message).toContain('127.0.0.1:9');

    const page = createServer((_request, response) => response.end('<h1>hello</h1>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const { port } = page.address() as AddressInfo;
    const foreign = await add({
      name: 'Page',
      transport: { kind: 'http', url: `http://127.0.0.1:${port}/` },
    });
    expect((await running.untilConnector(foreign.id, 'failed')).problem?.message).toContain('not with MCP');
    page.close();

    const args = ['-e', 'console.error("the key is missing"); process.exit(3)'];
    const dying = await add({ name: 'Dying', transport: { kind: 'stdio', command: process.execPath, args } });
    await approve(dying);
    const { problem } = await running.untilConnector(dying.id, 'failed');
    expect(problem?.message).toContain('exit code 3');
    expect(problem?.stderrTail).toContain('the key is missing');
  });

  it('apps-P1 a server is told that views can be shown', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (data: Buffer) => void bodies.push(data.toString('utf8')));
      request.on('end', () => response.writeHead(404).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const added = await add({
      name: 'Recorder',
      transport: { kind: 'http', url: `http://127.0.0.1:${port}/mcp` },
    });
    await running.untilConnector(added.id, 'failed');
    expect(bodies.join('\n')).toContain(
      '"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}',
    );
    server.close();
  });

  it('a name is taken once', async () => {
    await add({ name: 'Twice', transport: { kind: 'http', url: 'http://127.0.0.1:9/a' } });
    const second = add({ name: 'Twice', transport: { kind: 'http', url: 'http://127.0.0.1:9/b' } });
    await expect(second).rejects.toMatchObject({ code: 'conflict' });
  });

  it('reading a pasted configuration adds nothing', async () => {
    const before = (await running.bootstrap()).connectors.length;
    const text = JSON.stringify({ mcpServers: { pasted: { command: 'node', args: ['x'] } } });
    const { entries } = await running.call<{ entries: unknown[] }>('POST', '/api/connectors/import', {
      text,
    });
    expect(entries).toMatchObject([{ name: 'pasted', status: 'new' }]);
    expect((await running.bootstrap()).connectors.length).toBe(before);
  });

  it('the demo connector is there from the start', async () => {
    const demo = (await running.bootstrap()).connectors.find(({ transport }) => transport.kind === 'builtin');
    const ready = await running.untilConnector(demo?.id ?? '', 'ready');
    expect(ready.toolCount).toBeGreaterThan(3);
  });
});
