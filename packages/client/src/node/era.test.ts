import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { StdioClientTransport } from './stdio.ts';

const require = createRequire(import.meta.url);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-era-')));
const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

/** A child that answers by a table of method → JavaScript expression, and notes what it was asked. */
function createChild(
  name: string,
  answers: Readonly<Record<string, string>>,
): {
  readonly transport: StdioClientTransport;
  asked(): readonly string[];
} {
  const log = join(folder, `${name}.log`);
  writeFileSync(log, '');
  const table = Object.entries(answers).map(
    ([method, code]) => `${JSON.stringify(method)}: (id) => (${code})`,
  );
  const script = `
    const result = (id, value) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', id, result: value}) + '\\n');
    const error = (id, code) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', id, error: {code, message: 'no'}}) + '\\n');
    const legacy = {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'child', version: '1'}};
    const modern = {resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {tools: {}}};
    const answers = {${table.join(',')}, 'tools/list': (id) => result(id, {tools: []}), 'notifications/initialized': () => {}};
    require('node:fs').appendFileSync(${JSON.stringify(log)}, 'start\\n');
    require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
      const {id, method} = JSON.parse(line);
      require('node:fs').appendFileSync(${JSON.stringify(log)}, method + '\\n');
      (answers[method] ?? (() => error(id, -32601)))(id);
    });`;
  return {
    transport: new StdioClientTransport({ command: process.execPath, args: ['-e', script] }),
    asked: () => readFileSync(log, 'utf8').trim().split('\n'),
  };
}

async function connect(transport: StdioClientTransport, timeoutMs = 10_000): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto', probe: { timeoutMs } } },
  );
  open.push(client);
  await client.connect(transport);
  return client;
}

describe('era of a child', () => {
  it('W44 is found by one question, and a child that ends on it is started once more', async () => {
    const initialize = 'result(id, legacy)';
    const shaken = ['initialize', 'notifications/initialized', 'tools/list'];
    const cases: readonly [string, Record<string, string>, readonly string[], string][] = [
      [
        'modern',
        { 'server/discover': 'result(id, modern)' },
        ['start', 'server/discover', 'tools/list'],
        'modern',
      ],
      [
        'dual',
        {
          initialize,
          'server/discover': 'result(id, {...modern, supportedVersions: ["2025-11-25", "2026-07-28"]})',
        },
        ['start', 'server/discover', 'tools/list'],
        'modern',
      ],
      ['unknown', { initialize }, ['start', 'server/discover', ...shaken], 'legacy'],
      [
        'odd',
        { initialize, 'server/discover': 'error(id, -32000)' },
        ['start', 'server/discover', ...shaken],
        'legacy',
      ],
      [
        'other',
        { initialize, 'server/discover': 'error(id, 7)' },
        ['start', 'server/discover', ...shaken],
        'legacy',
      ],
      [
        'ends',
        { initialize, 'server/discover': 'process.exit(1)' },
        ['start', 'server/discover', 'start', ...shaken],
        'legacy',
      ],
    ];
    for (const [name, answers, asked, era] of cases) {
      const child = createChild(name, answers);
      const client = await connect(child.transport);
      await client.listTools();
      expect([name, client.getProtocolEra()]).toEqual([name, era]);
      expect(child.asked()).toEqual(asked);
    }
    const silent = createChild('silent', { initialize, 'server/discover': 'undefined' });
    const client = await connect(silent.transport, 50);
    await client.listTools();
    expect(client.getProtocolEra()).toBe('legacy');
    expect(silent.asked().at(-3)).toBe('initialize');

    const refusing = createChild('refusing', { initialize, 'server/discover': 'error(id, -32021)' });
    await expect(connect(refusing.transport)).rejects.toMatchObject({
      code: 'ERA_NEGOTIATION_FAILED',
    });
    expect(refusing.asked()).toEqual(['start', 'server/discover']);
  });

  it('gives up on a child that ends again, with its last words', async () => {
    const child = createChild('hopeless', {
      'server/discover': 'process.exit(1)',
      initialize: `(console.error('no database'), process.exit(2))`,
    });
    const error = await connect(child.transport).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'CONNECTION_CLOSED',
      cause: { code: 'STDIO_EXITED', data: { exitCode: 2, stderrTail: ['no database'] } },
    });
    expect(child.asked()).toEqual(['start', 'server/discover', 'start', 'initialize']);
  });

  it('is modern for the official server 2.4.0', async () => {
    const url = (name: string): string => JSON.stringify(pathToFileURL(require.resolve(name)).href);
    const file = join(folder, 'official.mjs');
    writeFileSync(
      file,
      `import { createRequire } from 'node:module';
       const { McpServer } = createRequire(import.meta.url)(${JSON.stringify(require.resolve('@modelcontextprotocol/server'))});
       const { serveStdio } = createRequire(import.meta.url)(${JSON.stringify(require.resolve('@modelcontextprotocol/server/stdio'))});
       import { z } from ${url('zod')};
       serveStdio(() => {
         const server = new McpServer({ name: 'official', version: '2' });
         server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({ content: [{ type: 'text', text }] }));
         return server;
       });`,
    );
    const client = await connect(new StdioClientTransport({ command: process.execPath, args: [file] }));
    expect(client.getProtocolEra()).toBe('modern');
    const result = await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    expect(result.content).toEqual([{ type: 'text', text: 'x' }]);
  });
});
