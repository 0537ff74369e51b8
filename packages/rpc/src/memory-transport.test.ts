import { describe, expect, it } from 'vitest';
import { InMemoryTransport, createMemoryTransportPair } from './memory-transport.ts';
import type { JSONRPCMessage } from './message.ts';

const note: JSONRPCMessage = { jsonrpc: '2.0', method: 'n', params: { a: 1 } };

describe('InMemoryTransport', () => {
  it('hands the message over as it is, in order', async () => {
    const [left, right] = createMemoryTransportPair();
    const received: JSONRPCMessage[] = [];
    right.onmessage = (message) => received.push(message);
    await left.start();
    await right.start();
    const other: JSONRPCMessage = { jsonrpc: '2.0', method: 'o' };
    await left.send(note);
    await left.send(other);
    expect(received[0]).toBe(note);
    expect(received[1]).toBe(other);
  });

  it('keeps what arrives before start', async () => {
    const [left, right] = InMemoryTransport.createLinkedPair();
    const received: JSONRPCMessage[] = [];
    await left.start();
    await left.send(note);
    right.onmessage = (message) => received.push(message);
    expect(received).toEqual([]);
    await right.start();
    expect(received).toEqual([note]);
  });

  it('hands over to whoever listens, started or not, what came before first', async () => {
    const [left, right] = InMemoryTransport.createLinkedPair();
    const received: JSONRPCMessage[] = [];
    const other: JSONRPCMessage = { jsonrpc: '2.0', method: 'o' };
    await left.send(note);
    right.onmessage = (message) => received.push(message);
    await left.send(other);
    expect(received).toEqual([note, other]);
    await right.start();
    expect(received).toHaveLength(2);
  });

  it('closes both ends, each once, whichever began', async () => {
    const [left, right] = createMemoryTransportPair();
    let closes = 0;
    left.onclose = () => (closes += 1);
    right.onclose = () => (closes += 1);
    await Promise.all([left.start(), right.start()]);
    await right.close();
    await left.close();
    await right.close();
    expect(closes).toBe(2);
  });

  it('closes the near end although the far callback throws', async () => {
    const [left, right] = createMemoryTransportPair();
    let closed = false;
    left.onclose = () => (closed = true);
    right.onclose = () => {
      throw new TypeError('far');
    };
    await expect(left.close()).rejects.toThrow('far');
    expect(closed).toBe(true);
  });

  it('refuses to send and to start after close', async () => {
    const [left, right] = createMemoryTransportPair();
    await left.start();
    await left.close();
    await expect(left.send(note)).rejects.toMatchObject({ code: 'connection_closed' });
    await expect(right.send(note)).rejects.toMatchObject({ code: 'connection_closed' });
    await expect(right.start()).rejects.toMatchObject({ code: 'connection_closed' });
  });
});
