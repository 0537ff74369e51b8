import type { Manifest } from '../manifest-shape.ts';
import type { ServerInfo } from './gateway.ts';

type Tool = ServerInfo['tools'][number];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readAnnotations(value: unknown): Tool['annotations'] {
  if (!isRecord(value)) return undefined;
  const { readOnlyHint, destructiveHint } = value;
  const annotations = {
    ...(typeof readOnlyHint === 'boolean' ? { readOnlyHint } : {}),
    ...(typeof destructiveHint === 'boolean' ? { destructiveHint } : {}),
  };
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

function readTool(value: unknown): Tool | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined;
  const annotations = readAnnotations(value['annotations']);
  return {
    name: value['name'],
    description: typeof value['description'] === 'string' ? value['description'] : '',
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function readStatus(value: unknown): ServerInfo['authStatus'] {
  return value === 'connected' || value === 'needs_reauth' ? value : 'unknown';
}

/**
 * A gateway's listing as a page may see it: published servers and tools only, each once, with the
 * few fields of the contract and no other.
 */
export function listingForPage(listing: unknown, manifest: Manifest): { servers: ServerInfo[] } {
  const entries =
    isRecord(listing) && Array.isArray(listing['servers']) ? (listing['servers'] as unknown[]) : [];
  const servers: ServerInfo[] = [];
  for (const declared of manifest.mcp?.servers ?? []) {
    const entry = entries.find((candidate) => isRecord(candidate) && candidate['server'] === declared.name);
    if (!isRecord(entry)) continue;
    const tools = Array.isArray(entry['tools']) ? (entry['tools'] as unknown[]) : [];
    servers.push({
      server: declared.name,
      authStatus: readStatus(entry['authStatus']),
      tools: tools
        .map(readTool)
        .filter((tool): tool is Tool => tool !== undefined && declared.tools.includes(tool.name)),
    });
  }
  return { servers };
}
