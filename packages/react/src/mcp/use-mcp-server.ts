'use client';
import type { McpServer, ServerManager } from '@portico/connections/manager';
import { useMemo } from 'react';
import { useSelected } from '../use-selected.ts';
import { useProvidedMcp } from './mcp-context.ts';

const whole = (server: McpServer | undefined): McpServer | undefined => server;

/**
 * One server of the provider, undefined while there is none of that id. Renders again when something of it
 * differs; for `log`, `notifications` and `unreadNotificationCount` only once the component has read them.
 *
 * @throws ReactError `no_provider`
 */
export function useMcpServer(id: string): McpServer | undefined;
/**
 * A part of one server. Renders again only when that part differs.
 *
 * @param selector takes the part; may build a new value each time when `isEqual` compares it
 * @param isEqual default: identity
 * @throws ReactError `no_provider`
 */
export function useMcpServer<Selected>(
  id: string,
  selector: (server: McpServer | undefined) => Selected,
  isEqual?: (a: Selected, b: Selected) => boolean,
): Selected;
export function useMcpServer(
  id: string,
  selector: (server: McpServer | undefined) => unknown = whole,
  isEqual: (a: unknown, b: unknown) => boolean = Object.is,
): unknown {
  const { manager, first } = useProvidedMcp();
  const source = useMemo(
    () => ({
      subscribe: (listener: () => void) => manager.subscribeTo(id, listener),
      read: readerOf(manager, id),
      readFirst: () => first.servers.get(id),
    }),
    [manager, first, id],
  );
  return useSelected(source, { select: selector, isEqual });
}

function readerOf(manager: ServerManager, id: string): () => McpServer | undefined {
  const reading = manager.reader(id);
  return () => reading.read();
}
