import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import type { PaginatedRequestParams } from '@portico/spec';
import { isOffered, requireOffered } from './capability-check.ts';
import { SdkError } from './errors.ts';
import { memberOf, readPage, walkPages } from './list-walk.ts';
import type { DroppedListItem, ListItems, ListMethod, ListPage, WholeList } from './list-walk.ts';
import type { OpenedConnection } from './opening.ts';
import type { RequestOptions } from './request-options.ts';
import type { RequestSender } from './request-sender.ts';
import type { CacheMode, ResponseCache } from './response-cache.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

/** What can be said about one request whose answer may be kept. */
export interface CacheableRequestOptions extends RequestOptions {
  /** `use` by default. Reading a single page of a list never uses the cache. */
  readonly cacheMode?: CacheMode | undefined;
  /** Told when a resource comes from the cache. */
  readonly oncached?: (() => void) | undefined;
}

/** What can be said about one reading of a list. */
export interface ListOptions extends CacheableRequestOptions {
  /** Pages; what the client was made with by default, 0 = no limit. */
  readonly maxPages?: number | undefined;
}

/** What reading lists needs. */
export interface ListPort {
  readonly clock: Clock;
  readonly sender: RequestSender;
  readonly cache: ResponseCache;
  readonly catalogue: ToolCatalogue;
  readonly maxPages: number;
  readonly strict: boolean;
  /** @throws SdkError `NOT_CONNECTED` */
  opened(): OpenedConnection;
  readonly report: (error: Error) => void;
}

/** Reads lists, from the cache where they are fresh; whole lists of tools make the catalogue. */
export class ListReader {
  readonly #port: ListPort;

  constructor(port: ListPort) {
    this.#port = port;
  }

  /** Every page; empty when the server has no such list. */
  async whole<Method extends ListMethod>(
    method: Method,
    params: object | undefined,
    options: ListOptions,
  ): Promise<WholeList<Method>> {
    const { wire, description } = this.#port.opened();
    if (!this.#port.strict && !isOffered(method, wire.codec, description.capabilities)) {
      return { items: [], dropped: [], hints: {} };
    }
    requireOffered(method, wire.codec, description.capabilities);
    const { cacheMode = 'use' } = options;
    const kept = cacheMode === 'use' ? await this.#kept(method) : undefined;
    if (kept !== undefined) return kept;
    if (cacheMode === 'bypass') return this.#walk(method, params, options);
    return this.#fetch(method, params, options);
  }

  /** One page, as the server has it; neither kept nor taken for the whole. */
  async page<Method extends ListMethod>(
    method: Method,
    params: PaginatedRequestParams,
    options: RequestOptions,
  ): Promise<ListPage<Method>> {
    const answer = await this.#port.sender.send(method, params, options, true);
    const page = readPage(method, answer);
    return { ...page, ...(await this.#usable(method, page)) };
  }

  async #kept<Method extends ListMethod>(method: Method): Promise<WholeList<Method> | undefined> {
    const result = await this.#port.cache.read(method, '');
    if (typeof result !== 'object' || result === null) return undefined;
    try {
      const list = readPage(method, { kind: 'complete', result: { ...result } });
      this.#learn(method, list);
      return list;
    } catch (error) {
      // A store may hold anything; the server still knows better.
      if (error instanceof SdkError) return undefined;
      throw error;
    }
  }

  async #fetch<Method extends ListMethod>(
    method: Method,
    params: object | undefined,
    options: ListOptions,
  ): Promise<WholeList<Method>> {
    const { cache } = this.#port;
    const ticket = cache.begin(method, '');
    try {
      const list = await this.#walk(method, params, options);
      this.#learn(method, list);
      await cache.write(ticket, { [memberOf(method)]: list.items, ...list.hints });
      return list;
    } finally {
      cache.abandon(ticket);
    }
  }

  async #walk<Method extends ListMethod>(
    method: Method,
    params: object | undefined,
    options: ListOptions,
  ): Promise<WholeList<Method>> {
    const { clock, sender, maxPages } = this.#port;
    const maxTotalMs = options.maxTotalTimeout ?? options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC;
    const list = await walkPages<ListItems[Method]>(
      method,
      { now: () => clock.now(), ask: (sent, given) => sender.exchange(method, sent, given) },
      {
        limits: { maxPages: options.maxPages ?? maxPages, maxTotalMs },
        options,
        read: (answer) => readPage(method, answer),
        ...(params === undefined ? {} : { params }),
      },
    );
    return this.#usable(method, list);
  }

  /** Only tools have parameter headers, and only over modern HTTP are they sent. */
  async #usable<Method extends ListMethod>(
    method: Method,
    list: WholeList<Method>,
  ): Promise<WholeList<Method>> {
    const { wire } = this.#port.opened();
    if (method !== 'tools/list' || !wire.isPerRequest || wire.codec.era !== 'modern') return list;
    // The type of the items follows from the method.
    const usable = await this.#port.catalogue.withUsableHeaders(list as WholeList<'tools/list'>);
    return usable as WholeList<Method>;
  }

  #learn(method: ListMethod, list: WholeList<ListMethod>): void {
    if (method === 'tools/list') this.#port.catalogue.learn((list as WholeList<'tools/list'>).items);
  }

  /** Names what was left out. */
  tell(method: ListMethod, dropped: readonly DroppedListItem[]): void {
    for (const { name, reason } of dropped) {
      this.#port.report(
        new SdkError('INVALID_RESULT', {
          message: `${method} left out ${name}: ${reason}`,
          data: { name, reason },
        }),
      );
    }
  }
}
