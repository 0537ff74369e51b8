import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@portico/rpc';

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
  /** A transport whose messages are recorded on their way; it owns the given one. */
  wrap(serverId: string, transport: Transport): Transport;
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
    wrap(serverId, transport) {
      return recorded(transport, (direction, message) =>
        keep({ serverId, direction, time: new Date(now()).toISOString(), message }),
      );
    },
  };
}

type RecordMessage = (direction: RpcLogEntry['direction'], message: JSONRPCMessage) => void;

/**
 * Everything but `send` and `onmessage` is the transport's own, members that only some kinds of
 * transport have among it.
 */
function recorded(transport: Transport, record: RecordMessage): Transport {
  let onmessage = transport.onmessage;
  const receive = (message: JSONRPCMessage, extra?: MessageExtraInfo): void => {
    record('received', message);
    onmessage?.(message, extra);
  };
  const send: Transport['send'] = (message, options) => {
    record('sent', message);
    return transport.send(message, options);
  };
  return new Proxy(transport, {
    get(target, name) {
      if (name === 'send') return send;
      if (name === 'onmessage') return onmessage;
      const member: unknown = Reflect.get(target, name, target);
      // Methods with private state want the transport itself.
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
    set(target, name, value) {
      if (name !== 'onmessage') return Reflect.set(target, name, value, target);
      onmessage = value as Transport['onmessage'];
      target.onmessage = onmessage === undefined ? undefined : receive;
      return true;
    },
  });
}
