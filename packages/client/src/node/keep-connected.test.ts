import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { Client } from '../client.ts';
import { StdioClientTransport, keepConnected } from './stdio.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** Serves until a tool is called, which ends it in the middle of the call. */
const MORTAL = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const hello = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'tools/call') process.exit(3);
    if (id !== undefined) say({ id, result: method === 'initialize' ? hello : { tools: [] } });
  });`;

function setUp() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['-e', MORTAL],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  const closes: { count: number; next: Promise<void> } = { count: 0, next: Promise.resolve() };
  let closed = (): void => undefined;
  const arm = (): void => void (closes.next = new Promise((resolve) => (closed = resolve)));
  arm();
  client.onclose = () => {
    closes.count += 1;
    closed();
    arm();
  };
  stops.push(() => transport.close());
  return { transport, client, closes };
}

describe('a child that dies in the middle of a call', () => {
  it('fails the call and closes once; it is started again only when asked, with growing waits', async () => {
    const plain = setUp();
    await plain.client.connect(plain.transport);
    const call = plain.client.callTool({ name: 'die' });
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(plain.closes.count).toBe(1);
    expect(plain.transport.pid).toBeNull();

    const clock = createManualClock();
    const { client, transport, closes } = setUp();
    let connections = 0;
    let connected = (): void => undefined;
    const kept = await keepConnected(client, transport, {
      clock,
      onconnected: () => {
        connections += 1;
        connected();
      },
    });
    for (const [round, delayMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      await expect(client.callTool({ name: 'die' })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
      expect([connections, closes.count]).toEqual([round + 1, round + 1]);
      const again = new Promise<void>((resolve) => (connected = resolve));
      await clock.advance(delayMs - 1);
      expect(transport.pid).toBeNull();
      await clock.advance(1);
      await again;
      expect((await client.listTools()).tools).toEqual([]);
    }
    await kept.stop();
    await clock.advance(100_000);
    expect([connections, transport.pid]).toEqual([8, null]);
  });
});
