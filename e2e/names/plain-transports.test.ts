import { Client, InMemoryTransport, type JSONRPCMessage, type Transport } from '@portico/client';
import { McpServer } from '@portico/server';
import { describe, expect, it } from 'vitest';

/** Two ends as somebody writes them in an afternoon: objects with the three methods and nothing else. */
function plainPair(): [Transport, Transport] {
  const make = (other: () => Transport): Transport => ({
    start: async () => {
      if (ends[0]?.onmessage === undefined && ends[1]?.onmessage === undefined)
        throw new TypeError('no callbacks');
    },
    send: async (message) => {
      queueMicrotask(() => other().onmessage?.(structuredClone(message)));
    },
    close: async () => {
      for (const end of ends.splice(0)) end.onclose?.();
    },
  });
  const ends: Transport[] = [];
  const left = make(() => right);
  const right: Transport = make(() => left);
  ends.push(left, right);
  return [left, right];
}

/** Hands everything on, as a proxy between two channels does. */
async function relay(one: Transport, two: Transport): Promise<void> {
  one.onmessage = (message) => void two.send(message);
  two.onmessage = (message) => void one.send(message);
  one.onclose = () => void two.close();
  two.onclose = () => void one.close();
  await Promise.all([one.start(), two.start()]);
}

function echoServer(): McpServer {
  const server = new McpServer({ name: 's', version: '1' });
  server.registerTool('echo', { inputSchema: { type: 'object' } }, ({ text }) => ({
    content: [{ type: 'text', text: String(text) }],
  }));
  return server;
}

describe.each(['legacy', 'auto'] as const)('transports of one’s own, negotiated as %s', (mode) => {
  const newClient = (): Client => new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
  const call = async (client: Client): Promise<unknown> =>
    (await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).content;

  it('W250 plain objects serve both sides, and callbacks may be wrapped later', async () => {
    const [left, right] = plainPair();
    const server = echoServer();
    await server.connect(right);
    const client = newClient();
    await client.connect(left);
    const seen: string[] = [];
    const inner = left.onmessage;
    left.onmessage = (message, extra) => {
      seen.push('id' in message ? 'answer' : 'notice');
      inner?.(message, extra);
    };
    expect(await call(client)).toEqual([{ type: 'text', text: 'hi' }]);
    expect(seen).toEqual(['answer']);
    let closed = 0;
    client.onclose = () => void (closed += 1);
    server.server.onclose = () => void (closed += 1);
    await client.close();
    expect(closed).toBe(2);
  });

  it('W250 callbacks that stood there before connect are still called', async () => {
    const [left, right] = plainPair();
    const seen: JSONRPCMessage[] = [];
    let closed = false;
    left.onmessage = (message) => void seen.push(message);
    left.onclose = () => void (closed = true);
    await echoServer().connect(right);
    const client = newClient();
    await client.connect(left);
    await call(client);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    await client.close();
    expect(closed).toBe(true);
  });

  it('W250 a raw relay between two transports needs no client and no server', async () => {
    const [near, relayNear] = InMemoryTransport.createLinkedPair();
    const [relayFar, far] = plainPair();
    await echoServer().connect(far);
    await relay(relayNear, relayFar);
    const client = newClient();
    await client.connect(near);
    expect(await call(client)).toEqual([{ type: 'text', text: 'hi' }]);
    await client.close();
  });
});

describe('the in-memory pair', () => {
  it('W250 can be driven by hand: start, send, close', async () => {
    const [left, right] = InMemoryTransport.createLinkedPair();
    const seen: unknown[] = [];
    right.onmessage = (message) => void seen.push(message);
    left.onclose = () => void seen.push('left');
    right.onclose = () => void seen.push('right');
    await Promise.all([left.start(), right.start()]);
    const message = { jsonrpc: '2.0' as const, method: 'a' };
    await left.send(message);
    await left.close();
    await right.close();
    expect(seen[0]).toEqual(message);
    expect(new Set(seen.slice(1))).toEqual(new Set(['left', 'right']));
  });
});
