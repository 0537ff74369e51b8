'use client';
import { useMemo, useSyncExternalStore } from 'react';
import { ClientReader } from './client-reader.ts';
import type { UseMcpClientResult } from './client-reader.ts';
import { useProvidedMcp } from './mcp-context.ts';

/**
 * All servers of the provider, and what can be done with them. `servers` and `storageLoaded` make the
 * component render again only once it has read them; the functions stay the same.
 *
 * @throws ReactError `no_provider`
 */
export function useMcpClient(): UseMcpClientResult {
  const { manager, functions, first } = useProvidedMcp();
  const source = useMemo(() => {
    const reader = new ClientReader(manager, functions);
    const before = reader.readFirst(first);
    return {
      subscribe: (listener: () => void) => manager.subscribe(listener),
      read: () => reader.read(),
      readFirst: () => before,
    };
  }, [manager, functions, first]);
  return useSyncExternalStore(source.subscribe, source.read, source.readFirst);
}
