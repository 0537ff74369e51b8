import { createHash } from 'node:crypto';
import type { Tool } from '@portico/spec';

/** Names lists of tools: equal lists by the same text, others by another one. Each list is read once. */
export function createToolsVersions(): (tools: readonly Tool[]) => string {
  const known = new WeakMap<readonly Tool[], string>();
  return (tools) => {
    const version = known.get(tools) ?? hashOf(tools);
    known.set(tools, version);
    return version;
  };
}

function hashOf(tools: readonly Tool[]): string {
  return createHash('sha256').update(JSON.stringify(tools)).digest('base64url').slice(0, 16);
}
