'use client';
import { useMemo, useSyncExternalStore } from 'react';
import { useProvidedMcp } from './mcp-context.ts';

/**
 * The ids of the provider's servers, in the order of their coming. Renders again only when one comes or goes.
 *
 * @throws ReactError `no_provider`
 */
export function useMcpServerIds(): readonly string[] {
  const { manager, first } = useProvidedMcp();
  const source = useMemo(() => {
    const before = [...first.servers.keys()];
    return {
      subscribe: (listener: () => void) => manager.subscribe(listener),
      read: () => manager.ids(),
      readFirst: () => before,
    };
  }, [manager, first]);
  return useSyncExternalStore(source.subscribe, source.read, source.readFirst);
}
