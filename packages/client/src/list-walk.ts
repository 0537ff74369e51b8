import { isPrompt, isRecord, isResource, isResourceTemplate, isTool } from '@portico/spec';
import type {
  CacheScope,
  DecodedResult,
  MetaObject,
  Prompt,
  Resource,
  ResourceTemplateType,
  Result,
  Tool,
} from '@portico/spec';
import { SdkError } from './errors.ts';
import type { RequestOptions } from './request-options.ts';

/** The items of each list. */
export interface ListItems {
  'tools/list': Tool;
  'resources/list': Resource;
  'resources/templates/list': ResourceTemplateType;
  'prompts/list': Prompt;
}

export type ListMethod = keyof ListItems;

interface ListRule {
  readonly member: string;
  readonly isItem: (value: unknown) => boolean;
  /** Members that name an item, best first. */
  readonly names: readonly string[];
}

const RULES: Readonly<Record<ListMethod, ListRule>> = {
  'tools/list': { member: 'tools', isItem: isTool, names: ['name'] },
  'resources/list': { member: 'resources', isItem: isResource, names: ['uri', 'name'] },
  'resources/templates/list': {
    member: 'resourceTemplates',
    isItem: isResourceTemplate,
    names: ['uriTemplate', 'name'],
  },
  'prompts/list': { member: 'prompts', isItem: isPrompt, names: ['name'] },
};

/** The member of an answer that holds the items. */
export function memberOf(method: ListMethod): string {
  return RULES[method].member;
}

/** An item that breaks the protocol and was left out of its list. */
export interface DroppedListItem {
  /** Its name as far as it can be read, else its place such as `#3`. */
  readonly name: string;
  readonly reason: string;
}

/** What an answer says about keeping it, and about itself. */
export interface ListHints {
  readonly ttlMs?: number;
  readonly cacheScope?: CacheScope;
  readonly _meta?: MetaObject;
}

/** One page. */
export interface ListPage<Method extends ListMethod> {
  readonly items: readonly ListItems[Method][];
  readonly dropped: readonly DroppedListItem[];
  readonly hints: ListHints;
  readonly nextCursor?: string;
}

/** All pages together; kept as shortly as the page that is kept shortest, and for as few. */
export type WholeList<Method extends ListMethod> = Omit<ListPage<Method>, 'nextCursor'>;

/** Longest name that is repeated in a report, characters. */
const MAX_NAME = 200;

function nameOf(item: unknown, index: number, rule: ListRule): string {
  if (typeof item === 'object' && item !== null) {
    for (const key of rule.names) {
      const name = (item as Record<string, unknown>)[key];
      if (typeof name === 'string' && name !== '') return name.slice(0, MAX_NAME);
    }
  }
  return `#${index + 1}`;
}

/**
 * Reads one page. An item that breaks the protocol costs itself, never the page.
 *
 * @throws SdkError `INVALID_RESULT` when the answer is no page at all
 */
export function readPage<Method extends ListMethod>(method: Method, answer: DecodedResult): ListPage<Method> {
  const rule = RULES[method];
  const result = answer.kind === 'complete' ? answer.result : undefined;
  const values: unknown = result?.[rule.member];
  if (result === undefined || !Array.isArray(values)) {
    throw new SdkError('INVALID_RESULT', { message: `the answer to ${method} is no list` });
  }
  const items: ListItems[Method][] = [];
  const dropped: DroppedListItem[] = [];
  for (const [index, value] of (values as readonly unknown[]).entries()) {
    if (rule.isItem(value)) items.push(value as ListItems[Method]);
    else dropped.push({ name: nameOf(value, index, rule), reason: 'it breaks the protocol' });
  }
  const { nextCursor } = result;
  const next = typeof nextCursor === 'string' ? { nextCursor } : {};
  return { items, dropped, hints: hintsOf(result), ...next };
}

/** Anything but a number that is not negative means that the answer is stale at once. */
function hintsOf({ ttlMs, cacheScope, _meta: meta }: Result): ListHints {
  const time = typeof ttlMs === 'number' && ttlMs >= 0 ? ttlMs : 0;
  return {
    ...(ttlMs === undefined ? {} : { ttlMs: time }),
    ...(cacheScope === undefined
      ? {}
      : { cacheScope: cacheScope === 'public' ? ('public' as const) : ('private' as const) }),
    ...(isRecord(meta) ? { _meta: meta } : {}),
  };
}

/** A page without a hint is stale at once when another has one. */
function narrower(all: ListHints, page: ListHints): ListHints {
  const { ttlMs, cacheScope, ...rest } = all;
  const times = ttlMs !== undefined || page.ttlMs !== undefined;
  const scopes = cacheScope !== undefined || page.cacheScope !== undefined;
  const both = cacheScope === 'public' && page.cacheScope === 'public';
  return {
    ...rest,
    ...(times ? { ttlMs: Math.min(ttlMs ?? 0, page.ttlMs ?? 0) } : {}),
    ...(scopes ? { cacheScope: both ? ('public' as const) : ('private' as const) } : {}),
  };
}

/** What a walk is made with. */
export interface WalkPort {
  now(): number;
  /** Asks for one page. */
  ask(params: object, options: RequestOptions): Promise<DecodedResult>;
}

/** How far a walk may go. */
export interface WalkLimits {
  /** Pages; 0 lets it go on for ever. */
  readonly maxPages: number;
  /** Milliseconds over all pages together. */
  readonly maxTotalMs: number;
}

/** Largest list of several pages, in UTF-16 units of its JSON (64 MiB); one page is bounded as a message. */
const MAX_LIST_SIZE = 64 * 1024 * 1024;

function tooLong(method: string, reason: string): SdkError {
  return new SdkError('LIST_PAGINATION_EXCEEDED', { message: `${method} ${reason}` });
}

/** One page of anything, as far as walking needs to know it. */
export interface WalkedPage<Item> {
  readonly items: readonly Item[];
  readonly dropped: readonly DroppedListItem[];
  readonly hints: ListHints;
  readonly nextCursor?: string;
}

/** How a walk is made. */
export interface WalkSettings<Item> {
  readonly limits: WalkLimits;
  readonly options: RequestOptions;
  /** Sent with every page, beside its cursor. */
  readonly params?: object;
  /** Reads one page. @throws SdkError `INVALID_RESULT` when the answer is none */
  readonly read: (answer: DecodedResult) => WalkedPage<Item>;
}

/**
 * Reads a whole list, page after page. A page that fails fails the walk: half a list looks like a
 * whole one.
 *
 * @throws SdkError `LIST_PAGINATION_EXCEEDED`, `INVALID_RESULT`, `REQUEST_TIMEOUT` and what a request
 *   throws
 */
export async function walkPages<Item>(
  method: string,
  port: WalkPort,
  { limits, options, params: given, read: readOne }: WalkSettings<Item>,
): Promise<Omit<WalkedPage<Item>, 'nextCursor'>> {
  const endMs = port.now() + limits.maxTotalMs;
  const items: Item[] = [];
  const dropped: DroppedListItem[] = [];
  const cursors = new Set<string>();
  let hints: ListHints | undefined;
  let cursor: string | undefined;
  let size = 0;
  for (let page = 1; ; page++) {
    const leftMs = endMs - port.now();
    if (leftMs <= 0) throw new SdkError('REQUEST_TIMEOUT', { data: { timeout: limits.maxTotalMs } });
    const params = cursor === undefined ? { ...given } : { ...given, cursor };
    const answer = await port.ask(params, { ...options, maxTotalTimeout: leftMs });
    const read = readOne(answer);
    for (const item of read.items) items.push(item);
    for (const item of read.dropped) dropped.push(item);
    hints = hints === undefined ? read.hints : narrower(hints, read.hints);
    cursor = read.nextCursor;
    if (cursor === undefined) return { items, dropped, hints };
    size += JSON.stringify(read.items).length;
    if (size > MAX_LIST_SIZE) throw tooLong(method, 'is larger than 64 MiB');
    if (cursors.has(cursor)) throw tooLong(method, 'comes back to a page it had before');
    if (page === limits.maxPages) throw tooLong(method, `has more than ${limits.maxPages} pages`);
    cursors.add(cursor);
  }
}
