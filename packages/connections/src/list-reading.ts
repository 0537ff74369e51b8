import type { Client, ListMethod } from '@portico/client';
import { freezeDeep } from './freeze-deep.ts';
import type { ConnectionLimits } from './options.ts';
import type { DroppedItem, ListName } from './state.ts';

const METHODS: Readonly<Record<ListName, ListMethod>> = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
};

/**
 * All pages of a list, within the limits.
 *
 * @throws what the client throws
 */
export async function readWholeList(
  client: Client,
  list: ListName,
  { listMaxMs, listMaxPages }: ConnectionLimits,
): Promise<{ readonly items: readonly unknown[]; readonly dropped: readonly DroppedItem[] }> {
  const { items, dropped } = await client.listAll(METHODS[list], {
    timeout: listMaxMs,
    maxTotalTimeout: listMaxMs,
    maxPages: listMaxPages,
  });
  // Many hold the same list: nobody is to change it for the others.
  return { items: freezeDeep(items), dropped: dropped.map((item) => ({ list, ...item })) };
}
