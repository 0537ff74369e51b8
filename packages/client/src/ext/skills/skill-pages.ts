import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@portico/rpc';
import { isRecord } from '@portico/spec';
import type { Result } from '@portico/spec';
import type { SkillCacheScope } from '@portico/spec/skills';
import type { Client } from '../../client.ts';
import { SdkError } from '../../errors.ts';
import { walkPages } from '../../list-walk.ts';
import type { RequestOptions } from '../../request-options.ts';

/** How long an answer may be kept, and by whom; empty on legacy wires. */
export interface CachingFields {
  readonly ttlMs?: number;
  readonly cacheScope?: SkillCacheScope;
}

/** @throws SdkError `INVALID_RESULT` when a modern answer does not say it */
export function cachingFieldsOf(client: Client, method: string, result: Result): CachingFields {
  if (client.getProtocolEra() !== 'modern') return {};
  const { ttlMs, cacheScope } = result;
  const isTime = typeof ttlMs === 'number' && ttlMs >= 0;
  if (isTime && (cacheScope === 'public' || cacheScope === 'private')) return { ttlMs, cacheScope };
  throw new SdkError('INVALID_RESULT', {
    message: `the answer to ${method} does not say how long it may be kept, and by whom`,
  });
}

/** One page, its items not looked at yet. */
export interface RawPage {
  readonly items: readonly unknown[];
  readonly caching: CachingFields;
  readonly nextCursor?: string;
}

/** Which list is read. */
export interface PagedRequest {
  readonly method: string;
  /** The member of the answer that holds the items. */
  readonly member: string;
  readonly params?: object;
}

function pageOf(client: Client, { method, member }: PagedRequest, result: Result): RawPage {
  const items: unknown = result[member];
  if (!Array.isArray(items) || !isRecord(result)) {
    throw new SdkError('INVALID_RESULT', { message: `the answer to ${method} is no list` });
  }
  const caching = cachingFieldsOf(client, method, result);
  const { nextCursor } = result;
  return { items: items as unknown[], caching, ...(typeof nextCursor === 'string' ? { nextCursor } : {}) };
}

/** One page, as the server has it. @throws as `invoke` */
export async function readPage(
  client: Client,
  request: PagedRequest,
  options: RequestOptions | undefined,
): Promise<RawPage> {
  return pageOf(client, request, await client.invoke(request.method, request.params, options));
}

/** All pages, with the caching fields of the first. @throws as `Client.listAll` */
export async function readAllPages(
  client: Client,
  request: PagedRequest,
  options: RequestOptions = {},
): Promise<Omit<RawPage, 'nextCursor'>> {
  const { method, params } = request;
  const maxTotalMs = options.maxTotalTimeout ?? options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC;
  let first: CachingFields | undefined;
  const { items } = await walkPages<unknown>(
    method,
    {
      now: () => client.clock.now(),
      ask: async (sent, given) => ({ kind: 'complete', result: await client.invoke(method, sent, given) }),
    },
    {
      limits: { maxPages: client.listMaxPages, maxTotalMs },
      options,
      ...(params === undefined ? {} : { params }),
      read: (answer) => {
        const result = answer.kind === 'complete' ? answer.result : {};
        const { caching, ...page } = pageOf(client, request, result);
        first ??= caching;
        return { ...page, dropped: [], hints: {} };
      },
    },
  );
  return { items, caching: first ?? {} };
}
