import type { JSONRPCMessage } from '@portico/rpc';

/** One JSON-RPC message that went to a server or came from it; never a header. */
export interface RpcLogEntry {
  readonly serverId: string;
  readonly direction: 'sent' | 'received';
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly message: JSONRPCMessage;
}

const MAX_ENTRIES = 1_000;

/** The last 1,000 messages of all servers of one manager, oldest first. Source: R126. */
export interface RpcLog {
  /** The same array until something differs; of one server, or of all. */
  getSnapshot(serverId?: string): readonly RpcLogEntry[];
  /** @returns how to stop listening; a listener must not throw */
  subscribe(listener: () => void): () => void;
  /** Forgets the messages of one server, or all. */
  clear(serverId?: string): void;
  record(serverId: string, direction: RpcLogEntry['direction'], message: JSONRPCMessage): void;
}

/** @param now epoch milliseconds */
export function createRpcLog(now: () => number): RpcLog {
  let entries: RpcLogEntry[] = [];
  const snapshots = new Map<string | undefined, readonly RpcLogEntry[]>();
  const listeners = new Set<() => void>();

  /** What others see is made when they look: most messages come while nobody does. */
  const changed = (serverId?: string): void => {
    if (serverId === undefined) snapshots.clear();
    snapshots.delete(undefined);
    if (serverId !== undefined) snapshots.delete(serverId);
    for (const listener of Array.from(listeners)) listener();
  };
  const keep = (entry: RpcLogEntry): void => {
    entries.push(Object.freeze(entry));
    const oldest = entries.length > MAX_ENTRIES ? entries.shift() : undefined;
    if (oldest !== undefined) snapshots.delete(oldest.serverId);
    changed(entry.serverId);
  };

  return {
    getSnapshot(serverId) {
      const known = snapshots.get(serverId);
      if (known !== undefined) return known;
      const fresh = Object.freeze(
        entries.filter((entry) => serverId === undefined || entry.serverId === serverId),
      );
      snapshots.set(serverId, fresh);
      return fresh;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear(serverId) {
      const left = serverId === undefined ? [] : entries.filter((entry) => entry.serverId !== serverId);
      if (left.length === entries.length) return;
      entries = left;
      changed(serverId);
    },
    record(serverId, direction, message) {
      keep({ serverId, direction, time: new Date(now()).toISOString(), message });
    },
  };
}
