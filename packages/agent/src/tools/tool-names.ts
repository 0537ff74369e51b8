import { createHash } from 'node:crypto';

/** Longest name that providers take. */
const MAX_TOOL_NAME = 64;

const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** How adapted names end. A name that happens to end so is adapted too, which keeps the map injective. */
const ADAPTED_END = /-x[0-9a-f]{10}$/;
const ADAPTED_END_LENGTH = 12;

const cleaned = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');

/**
 * The name under which a provider accepts a tool: its own where that fits, else its readable
 * beginning with a hash of the whole. Depends on nothing but the name (field case D16).
 */
export function modelToolName(name: string): string {
  if (ACCEPTED.test(name) && !ADAPTED_END.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `${cleaned(name).slice(0, MAX_TOOL_NAME - ADAPTED_END_LENGTH)}-x${hash}`;
}

/** A tool's place: the server it belongs to and its name there. */
export interface ToolPlace {
  readonly server: string;
  readonly tool: string;
}

/**
 * Splits `mcp__<server>__<tool>`; nothing for other names.
 * @param server the server's name where it is known, as names may hold `__` themselves
 */
export function toolPlace(name: string, server?: string): ToolPlace | undefined {
  if (!name.startsWith('mcp__')) return undefined;
  const rest = name.slice('mcp__'.length);
  if (server !== undefined) {
    return rest.startsWith(`${server}__`) ? { server, tool: rest.slice(server.length + 2) } : undefined;
  }
  const split = rest.indexOf('__');
  return split < 1 ? undefined : { server: rest.slice(0, split), tool: rest.slice(split + 2) };
}

/** The spellings under which rules may name a server or tool: its own and the cleaned one. */
export function spellings(name: string): readonly string[] {
  const clean = cleaned(name);
  return clean === name ? [name] : [name, clean];
}
