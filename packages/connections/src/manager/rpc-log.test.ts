import type { JSONRPCMessage } from '@portico/rpc';
import { describe, expect, it, vi } from 'vitest';
import { createRpcLog } from './rpc-log.ts';
import type { RpcLog } from './rpc-log.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const notice = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

const record = (log: RpcLog, serverId: string, method: string): void =>
  log.record(serverId, 'sent', notice(method));

const methods = (log: RpcLog, serverId?: string): unknown[] =>
  log.getSnapshot(serverId).map(({ message }) => 'method' in message && message.method);

describe('createRpcLog', () => {
  it('R126 keeps 1,000 in all', async () => {
    const log = createRpcLog(() => NOW_MS);
    record(log, 'a', 'first');
    expect(methods(log, 'a')).toEqual(['first']);
    for (let count = 1; count <= 1_000; count++) record(log, 'b', `b${String(count)}`);
    expect(log.getSnapshot()).toHaveLength(1_000);
    expect(methods(log, 'a')).toEqual([]);
    expect(methods(log)[0]).toBe('b1');
  });

  it('R126 reads, follows and clears those of one server', async () => {
    const log = createRpcLog(() => NOW_MS);
    record(log, 'a', 'one');
    record(log, '__proto__', 'two');
    const listener = vi.fn<() => void>();
    const stop = log.subscribe(listener);
    const [all, ofA, ofProto] = [log.getSnapshot(), log.getSnapshot('a'), log.getSnapshot('__proto__')];
    expect(methods(log)).toEqual(['one', 'two']);
    expect(log.getSnapshot()).toBe(all);
    record(log, 'a', 'three');
    expect(listener).toHaveBeenCalledTimes(1);
    expect(log.getSnapshot('__proto__')).toBe(ofProto);
    expect(ofA).toHaveLength(1);
    expect(methods(log, 'a')).toEqual(['one', 'three']);
    log.clear('a');
    expect(methods(log)).toEqual(['two']);
    expect(log.getSnapshot('__proto__')).toBe(ofProto);
    log.clear('a');
    expect(listener).toHaveBeenCalledTimes(2);
    log.clear();
    expect(methods(log)).toEqual([]);
    stop();
    record(log, 'a', 'four');
    expect(listener).toHaveBeenCalledTimes(3);
  });
});
