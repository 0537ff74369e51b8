import { TASKS_EXTENSION_ID, isExtensionId } from '@portico/spec';
import type { ServerCapabilities } from '@portico/spec';

/**
 * What a connector offers through the host: all of its own but tasks, which the host does not ask its
 * connectors for, and extensions whose ids are malformed.
 */
export function offeredCapabilities(own: ServerCapabilities): ServerCapabilities {
  const { tasks: _tasks, extensions, ...rest } = own;
  if (extensions === undefined) return rest;
  const known = Object.entries(extensions).filter(([id]) => id !== TASKS_EXTENSION_ID && isExtensionId(id));
  return known.length === 0 ? rest : { ...rest, extensions: Object.fromEntries(known) };
}
