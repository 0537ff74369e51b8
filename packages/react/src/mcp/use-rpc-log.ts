'use client';
import type { RpcLogEntry } from '@portico/connections/manager';
import { useMemo, useSyncExternalStore } from 'react';
import { useProvidedMcp } from './mcp-context.ts';

/** What `useRpcLog` answers. */
export interface UseRpcLogResult {
  /** Oldest first, 1,000 at most of all servers; the same array until something differs. */
  readonly entries: readonly RpcLogEntry[];
  /** Forgets them. The same function for as long as the id is the same. */
  readonly clear: () => void;
}

const NONE: readonly RpcLogEntry[] = Object.freeze([]);

/**
 * The JSON-RPC messages of one server, or of all of the provider, while `enableRpcLogging` is on there.
 *
 * @throws ReactError `no_provider`
 */
export function useRpcLog(id?: string): UseRpcLogResult {
  const { manager } = useProvidedMcp();
  const source = useMemo(() => {
    const { rpcLog } = manager;
    return {
      subscribe: (listener: () => void) => rpcLog?.subscribe(listener) ?? (() => undefined),
      read: () => rpcLog?.getSnapshot(id) ?? NONE,
      clear: () => rpcLog?.clear(id),
    };
  }, [manager, id]);
  const entries = useSyncExternalStore(source.subscribe, source.read, () => NONE);
  return useMemo(() => ({ entries, clear: source.clear }), [entries, source]);
}
