import type { Peer } from '@portico/rpc';
import type { AppToolLimits } from '../profiles.ts';
import { isRecord } from '../records.ts';
import { selectAppTools } from './app-tools.ts';
import type { AppTool, AppToolSelection } from './app-tools.ts';
import type { ViewHostHandlers } from './handlers.ts';

/** The tools that one view offers right now. */
export interface AppToolList {
  readonly current: readonly AppTool[];
  /** Lists again; a call while a listing runs makes it run once more. */
  refresh(): void;
  /** Forgets them, and the listing that runs. */
  clear(): void;
}

export interface AppToolListOptions {
  readonly peer: Peer;
  readonly limits: AppToolLimits;
  readonly host: ViewHostHandlers;
}

/** Pages of one listing that are read. */
const MAX_PAGES = 16;
const LIST_TIMEOUT_MS = 10_000;

async function listAll(peer: Peer, limits: AppToolLimits): Promise<unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && tools.length <= limits.maxTools; page++) {
    const params = typeof cursor === 'string' ? { cursor } : {};
    const result = await peer.request('tools/list', params, { timeoutMs: LIST_TIMEOUT_MS });
    if (!isRecord(result) || !Array.isArray(result['tools'])) return tools;
    tools.push(...(result['tools'] as unknown[]));
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string') return tools;
  }
  return tools;
}

export function createAppToolList(options: AppToolListOptions): AppToolList {
  const { peer, limits, host } = options;
  let current: readonly AppTool[] = [];
  let epoch = 0;
  let running = false;
  let again = false;

  const select = async (): Promise<AppToolSelection> => {
    try {
      return selectAppTools(await listAll(peer, limits), limits);
    } catch {
      const reason = 'The view did not answer tools/list.';
      return { tools: [], refusals: [{ ruleId: 'apps-A50', reason }] };
    }
  };
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      const startedIn = epoch;
      const selection = await select();
      if (startedIn !== epoch) continue;
      current = selection.tools;
      for (const refusal of selection.refusals) host.onRefusal?.(refusal);
      host.onAppTools?.(current);
    } while (again);
    running = false;
  };
  return {
    get current() {
      return current;
    },
    refresh() {
      again = true;
      if (!running) void run();
    },
    clear() {
      epoch += 1;
      again = false;
      if (current.length === 0) return;
      current = [];
      host.onAppTools?.(current);
    },
  };
}
