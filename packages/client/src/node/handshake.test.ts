import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { StdioClientTransport } from './stdio.ts';

const INFO = { name: 'handshake', version: '1' };
const transports: StdioClientTransport[] = [];
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A server that picks a version, after it has printed something. */
function child(version: string, first = ''): StdioClientTransport {
  const script = `
    ${first === '' ? '' : `process.stdout.write(${JSON.stringify(first)});`}
    const lines = require('node:readline').createInterface({ input: process.stdin });
    lines.on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const result = method === 'initialize'
        ? { protocolVersion: ${JSON.stringify(version)}, capabilities: { tools: {} }, serverInfo: { name: 'child', version: '1' } }
        : { content: [] };
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    });`;
  const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', script] });
  transports.push(transport);
  return transport;
}

describe('a child', () => {
  it('W19 is spoken to in the version that it picks, and ended when that is not spoken here', async () => {
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const client = new Client(INFO);
      await client.connect(child(version));
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
      await client.close();
    }
    for (const version of ['1999-01-01', '2099-01-01', 'nonsense']) {
      const transport = child(version);
      let pid: number | null = null;
      const start = transport.start.bind(transport);
      transport.start = async () => {
        await start();
        pid = transport.pid;
      };
      const client = new Client(INFO);
      const error = await client.connect(transport).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ data: { requested: '2025-11-25', answered: version } });
      expect((error as Error).message).toContain(version);
      expect((error as Error).message).toContain('2025-11-25');
      expect(client.transport).toBeUndefined();
      expect(pid).toEqual(expect.any(Number));
      expect([version, isAlive(Number(pid))]).toEqual([version, false]);
    }
  });

  it('W25 that prints garbage first is reported while it is connected to', async () => {
    const client = new Client(INFO);
    const errors: unknown[] = [];
    client.onerror = (error) => errors.push(error);
    const transport = child('2025-11-25', 'Starting up\n{"half":\n');
    await client.connect(transport);
    expect(errors).toMatchObject([{ code: 'INVALID_MESSAGE' }, { code: 'INVALID_MESSAGE' }]);
    expect(await client.callTool({ name: 'x' })).toEqual({ content: [] });
  });

  it('W25 that runs already is refused with an error that says so, and not touched', async () => {
    const transport = child('2025-11-25');
    await transport.start();
    const { pid } = transport;
    const client = new Client(INFO);
    await expect(client.connect(transport)).rejects.toMatchObject({ code: 'ALREADY_CONNECTED' });
    expect(client.transport).toBeUndefined();
    expect(pid).toEqual(expect.any(Number));
  });
});
