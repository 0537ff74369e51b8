import type { ClientCapabilities, ServerCapabilities } from './capabilities.ts';
import { isRecord } from './guards.ts';

function merged(base: object, additional: object): Record<string, unknown> {
  const result = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(additional)) {
    if (value === undefined) continue;
    const own = result.get(key);
    result.set(key, isRecord(own) && isRecord(value) ? merged(own, value) : value);
  }
  return Object.fromEntries(result);
}

/**
 * Both declarations together, at every depth; where they disagree on a value the additional one holds.
 * Neither is changed.
 */
export function mergeCapabilities(
  base: ServerCapabilities,
  additional: Partial<ServerCapabilities>,
): ServerCapabilities;
export function mergeCapabilities(
  base: ClientCapabilities,
  additional: Partial<ClientCapabilities>,
): ClientCapabilities;
export function mergeCapabilities(base: object, additional: object): object {
  return merged(base, additional);
}
