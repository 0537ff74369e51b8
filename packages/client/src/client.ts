import type { JSONRPCNotification } from '@portico/rpc';
import { isDetailedTask, TASKS_EXTENSION_ID } from '@portico/spec';
import type {
  CallToolRequestParams,
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  DetailedTask,
  DiscoverResult,
  EmptyResult,
  GetPromptRequestParams,
  GetPromptResult,
  Implementation,
  InputResponses,
  ListChangedHandlers,
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ListToolsResult,
  LoggingLevel,
  PaginatedRequestParams,
  ReadResourceRequestParams,
  ReadResourceResult,
  Result,
  SubscribeRequestParams,
} from '@portico/spec';
import { ClientConnection } from './client-connection.ts';
import type { ClientOptions } from './client-options.ts';
import { serverKeyOf } from './era-choice.ts';
import { requireExtension } from './capability-check.ts';
import { SdkError } from './errors.ts';
import { requireUsable } from './list-changed-options.ts';
import type { ListFollowing } from './list-changed.ts';
import { ListReader } from './list-reader.ts';
import type { CacheableRequestOptions, ListOptions } from './list-reader.ts';
import type { ListHints, ListItems, ListMethod, ListPage, WholeList } from './list-walk.ts';
import type { RequestOptions } from './request-options.ts';
import { InMemoryResponseCacheStore } from './response-cache-store.ts';
import { ResponseCache } from './response-cache.ts';
import { checkResult } from './result-checks.ts';
import type { ResultTypeMap } from './result-checks.ts';
import type { McpSubscription } from './subscription.ts';
import type { TaskOptions } from './task-run.ts';
import { ToolCalls } from './tool-calls.ts';
import type { CallToolRequestOptions } from './tool-calls.ts';
import { ToolCatalogue } from './tool-catalogue.ts';
import { compileWith } from './output-schema.ts';

const LIST_MAX_PAGES = 64;

/** The lists that a notice makes stale. */
const STALE_BY: ReadonlyMap<string, readonly ListMethod[]> = new Map([
  ['notifications/tools/list_changed', ['tools/list']],
  ['notifications/prompts/list_changed', ['prompts/list']],
  ['notifications/resources/list_changed', ['resources/list', 'resources/templates/list']],
]);

/** A list as its call returns it. */
interface ReadList<Method extends ListMethod> extends ListHints {
  readonly items: ListItems[Method][];
  readonly nextCursor?: string;
}

/**
 * An MCP client: one server at a time, over any transport, in the legacy and the modern era.
 *
 * Calls throw ProtocolError for what the server answers with, and SdkError for everything else; the codes
 * are in `SDK_ERRORS`. A call of something the server does not declare rejects with
 * `CAPABILITY_NOT_SUPPORTED` before anything is sent, but lists then resolve empty.
 */
export class Client extends ClientConnection {
  readonly #cache: ResponseCache;
  readonly #ownsCache: boolean;
  readonly #catalogue: ToolCatalogue;
  readonly #lists: ListReader;
  readonly #tools: ToolCalls;
  readonly #listChanged: ListChangedHandlers | undefined;
  /** Pages that one walk through a list reads at most; 0 = no limit. */
  readonly listMaxPages: number;
  #following: ListFollowing | undefined;
  #autoOpened: McpSubscription | undefined;

  /** @throws TypeError, RangeError when the options cannot be worked with */
  constructor(info: Implementation, options: ClientOptions = {}) {
    super(info, options);
    const { clock, sender, report } = this;
    const opened = (): ReturnType<typeof this.opened> => this.opened();
    this.#ownsCache = options.responseCacheStore === undefined;
    this.#cache = new ResponseCache({
      store: options.responseCacheStore ?? new InMemoryResponseCacheStore(),
      clock,
      principal: options.cachePartition ?? '',
      defaultTtlMs: options.defaultCacheTtlMs ?? 0,
      report,
    });
    this.listMaxPages = options.listMaxPages ?? LIST_MAX_PAGES;
    const catalogue = new ToolCatalogue(compileWith(options.jsonSchemaValidator), options.paramHeaders);
    this.#catalogue = catalogue;
    this.#lists = new ListReader({
      clock,
      sender,
      cache: this.#cache,
      catalogue,
      maxPages: this.listMaxPages,
      strict: this.isStrict,
      opened,
      report,
    });
    this.#tools = new ToolCalls({
      sender,
      catalogue,
      opened,
      relist: (given) => this.#lists.whole('tools/list', undefined, { ...given, cacheMode: 'refresh' }),
      final: (method, answer) => this.final(method, answer),
      tasks: {
        clock,
        report,
        ask: (key, question, signal) => this.ask(key, question, signal),
        answers: options.inputRequired?.autoFulfill !== false,
      },
    });
    this.#listChanged = options.listChanged;
    if (options.listChanged !== undefined) requireUsable(options.listChanged);
  }

  /** The stream that the `listChanged` option opened on a modern connection. */
  get autoOpenedSubscription(): McpSubscription | undefined {
    return this.#autoOpened;
  }

  /** Legacy revisions only. */
  async ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.invoke('ping', undefined, options);
  }

  /** What the server says of itself now; modern revisions only. */
  async discover(options?: RequestOptions): Promise<DiscoverResult> {
    const result = await this.#typed('server/discover', undefined, options);
    this.describe(result);
    return result;
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listTools(
    params?: PaginatedRequestParams,
    options?: CacheableRequestOptions,
  ): Promise<ListToolsResult> {
    const { items, ...rest } = await this.#read('tools/list', params, options);
    return { tools: items, ...rest };
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listResources(
    params?: PaginatedRequestParams,
    options?: CacheableRequestOptions,
  ): Promise<ListResourcesResult> {
    const { items, ...rest } = await this.#read('resources/list', params, options);
    return { resources: items, ...rest };
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listResourceTemplates(
    params?: PaginatedRequestParams,
    options?: CacheableRequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    const { items, ...rest } = await this.#read('resources/templates/list', params, options);
    return { resourceTemplates: items, ...rest };
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listPrompts(
    params?: PaginatedRequestParams,
    options?: CacheableRequestOptions,
  ): Promise<ListPromptsResult> {
    const { items, ...rest } = await this.#read('prompts/list', params, options);
    return { prompts: items, ...rest };
  }

  /**
   * Reads a whole list; items that break the protocol are left out and named. Resolves empty when the
   * server declares no such list.
   *
   * @throws as `invoke`, and SdkError `LIST_PAGINATION_EXCEEDED`
   */
  async listAll<Method extends ListMethod>(
    method: Method,
    options: ListOptions = {},
  ): Promise<WholeList<Method>> {
    return this.#lists.whole(method, undefined, options);
  }

  /**
   * Runs a tool. A tool that failed resolves with `isError`. Where both sides declare the tasks
   * extension the call may become a task, which is driven to its end; aborting it asks the server to
   * stop.
   *
   * @throws SdkError `INVALID_SCHEMA` before anything is sent when the tool's output schema cannot be
   *   used, `INVALID_RESULT` when the result does not fit it
   */
  callTool(params: CallToolRequestParams, options?: CallToolRequestOptions): Promise<CallToolResult> {
    return this.#tools.call(params, options);
  }

  /** Goes on with a call that became a task, from its id alone. @throws as {@link Client.callTool} */
  async resumeTask(taskId: string, options: RequestOptions & TaskOptions = {}): Promise<CallToolResult> {
    this.#requireTasks('tasks/get');
    return this.#tools.resume(taskId, options);
  }

  /** The state of a task of the tasks extension. */
  async getTask(taskId: string, options?: RequestOptions): Promise<DetailedTask> {
    this.#requireTasks('tasks/get');
    const result = await this.invoke('tasks/get', { taskId }, options);
    if (isDetailedTask(result)) return result;
    throw new SdkError('INVALID_RESULT', { message: 'the answer to tasks/get is no task' });
  }

  /** Answers questions of a task by hand; some may be left for later. */
  async updateTask(
    taskId: string,
    inputResponses: InputResponses,
    options?: RequestOptions,
  ): Promise<EmptyResult> {
    this.#requireTasks('tasks/update');
    return this.invoke('tasks/update', { taskId, inputResponses }, options);
  }

  /** Asks the server to stop a task; it may finish all the same. */
  async cancelTask(taskId: string, options?: RequestOptions): Promise<EmptyResult> {
    this.#requireTasks('tasks/cancel');
    return this.invoke('tasks/cancel', { taskId }, options);
  }

  async readResource(
    params: ReadResourceRequestParams,
    options: CacheableRequestOptions = {},
  ): Promise<ReadResourceResult> {
    const { cacheMode = 'use' } = options;
    const own = params.inputResponses !== undefined || params.requestState !== undefined;
    if (cacheMode === 'bypass' || own) return this.#typed('resources/read', params, options);
    const kept = cacheMode === 'use' ? await this.#cache.read('resources/read', params.uri) : undefined;
    // What a store holds is somebody's JSON until it is looked at.
    if (kept === undefined) return this.#readAndKeep(params, options);
    options.oncached?.();
    return checkResult('resources/read', kept as Result);
  }

  getPrompt(params: GetPromptRequestParams, options?: RequestOptions): Promise<GetPromptResult> {
    return this.#typed('prompts/get', params, options);
  }

  complete(params: CompleteRequestParams, options?: RequestOptions): Promise<CompleteResult> {
    return this.#typed('completion/complete', params, options);
  }

  /** Legacy revisions only; modern servers watch what `listen` names. */
  subscribeResource(params: SubscribeRequestParams, options?: RequestOptions): Promise<EmptyResult> {
    return this.#typed('resources/subscribe', params, options);
  }

  /** Legacy revisions only. */
  unsubscribeResource(params: SubscribeRequestParams, options?: RequestOptions): Promise<EmptyResult> {
    return this.#typed('resources/unsubscribe', params, options);
  }

  /**
   * Legacy revisions only.
   *
   * @deprecated The specification deprecates logging over the protocol; it works unchanged.
   */
  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.#typed('logging/setLevel', { level }, options);
  }

  /**
   * Legacy revisions only.
   *
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` unless `roots.listChanged` is declared
   * @deprecated The specification deprecates roots; they work unchanged.
   */
  async sendRootsListChanged(): Promise<void> {
    await this.notification({ method: 'notifications/roots/list_changed' });
  }

  protected override async onopening(): Promise<void> {
    await super.onopening();
    const handlers = this.#listChanged;
    if (handlers === undefined || this.#following !== undefined) return;
    const { ListFollowing } = await import('./list-changed.ts');
    this.#following = new ListFollowing(handlers, {
      clock: this.clock,
      report: this.report,
      read: async (kind) =>
        (await this.#read(`${kind}/list`, undefined, { cacheMode: 'refresh' })).items as unknown[],
    });
  }

  protected override async onopened(): Promise<void> {
    this.#catalogue.forget();
    if (this.#ownsCache) await this.#cache.clear();
    this.#cache.use(this.#serverIdentity());
    const filter = this.#following?.begin(this.getServerCapabilities());
    if (filter === undefined || this.getProtocolEra() !== 'modern') return;
    try {
      this.#autoOpened = await this.listen(filter);
    } catch (error) {
      this.report(error instanceof Error ? error : new SdkError('INVALID_RESULT', { cause: error }));
    }
  }

  protected override onended(): void {
    this.#autoOpened = undefined;
    this.#following?.end();
  }

  protected override onnotice({ method, params }: JSONRPCNotification): void {
    const lists = STALE_BY.get(method);
    if (lists !== undefined) {
      for (const list of lists) void this.#cache.drop(list);
      this.#following?.notice(method);
    } else if (method === 'notifications/resources/updated' && typeof params?.['uri'] === 'string') {
      void this.#cache.drop('resources/read', params['uri']);
    }
  }

  /** Servers that say nothing of themselves share nothing with others. */
  #serverIdentity(): string {
    const { transport } = this;
    const key = transport === undefined ? undefined : serverKeyOf(transport);
    const { name, version } = this.getServerVersion() ?? {};
    const nameless = key === undefined && name === undefined;
    return JSON.stringify(nameless ? [crypto.randomUUID()] : [key ?? '', name ?? '', version ?? '']);
  }

  async #typed<Method extends keyof ResultTypeMap>(
    method: Method,
    params: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<ResultTypeMap[Method]> {
    const answer = await this.sender.send(method, params, options, true);
    return checkResult(method, this.final(method, answer));
  }

  async #readAndKeep(
    params: ReadResourceRequestParams,
    options: CacheableRequestOptions,
  ): Promise<ReadResourceResult> {
    const ticket = this.#cache.begin('resources/read', params.uri);
    let takesInput = false;
    const oninput = (): void => void (takesInput = true);
    try {
      const sent = { ...options, oninput };
      const answer = await this.sender.send('resources/read', params, sent, true);
      const result = checkResult('resources/read', this.final('resources/read', answer));
      if (!takesInput && answer.kind === 'complete') await this.#cache.write(ticket, result);
      return result;
    } finally {
      this.#cache.abandon(ticket);
    }
  }

  #requireTasks(method: string): void {
    requireExtension(TASKS_EXTENSION_ID, method, this.getServerCapabilities());
  }

  async #read<Method extends ListMethod>(
    method: Method,
    params: PaginatedRequestParams | undefined,
    options: CacheableRequestOptions = {},
  ): Promise<ReadList<Method>> {
    const list: ListPage<Method> =
      params?.cursor === undefined
        ? await this.#lists.whole(method, params, options)
        : await this.#lists.page(method, params, options);
    this.#lists.tell(method, list.dropped);
    const { nextCursor } = list;
    return { items: [...list.items], ...list.hints, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }
}
