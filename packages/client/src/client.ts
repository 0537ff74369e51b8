import { isCallToolResult, isCompleteResult, isGetPromptResult, isReadResourceResult } from '@portico/spec';
import type {
  CallToolRequestParams,
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  DiscoverResult,
  EmptyResult,
  GetPromptRequestParams,
  GetPromptResult,
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
import { SdkError } from './errors.ts';
import { readPage } from './list-walk.ts';
import type { ListItems, ListMethod, WholeList } from './list-walk.ts';
import { ParamHeaderTable } from './param-headers.ts';
import type { RequestOptions } from './request-options.ts';

/** Results of tools that only fill the structured part lack the list that the protocol asks for. */
function withContent(result: Result): Result {
  return result['content'] === undefined ? { ...result, content: [] } : result;
}

function checked<T extends Result>(method: string, result: Result, check: (value: unknown) => value is T): T {
  if (check(result)) return result;
  throw new SdkError('INVALID_RESULT', { message: `the answer to ${method} breaks the protocol` });
}

/**
 * An MCP client: one server at a time, over any transport, in the legacy and the modern era.
 *
 * Calls throw ProtocolError for what the server answers with, and SdkError for everything else; the codes
 * are in `SDK_ERRORS`. A call of something the server does not declare rejects with
 * `CAPABILITY_NOT_SUPPORTED` before anything is sent, but lists then resolve empty.
 */
export class Client extends ClientConnection {
  readonly #paramHeaders = new ParamHeaderTable();

  /** Legacy revisions only. */
  async ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.request('ping', undefined, options);
  }

  /** Modern revisions only. */
  async discover(options?: RequestOptions): Promise<DiscoverResult> {
    return (await this.request('server/discover', undefined, options)) as DiscoverResult;
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listTools(
    params: PaginatedRequestParams = {},
    options: RequestOptions = {},
  ): Promise<ListToolsResult> {
    return { tools: [...(await this.#list('tools/list', params, options))] };
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listResources(
    params: PaginatedRequestParams = {},
    options: RequestOptions = {},
  ): Promise<ListResourcesResult> {
    return { resources: [...(await this.#list('resources/list', params, options))] };
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listResourceTemplates(
    params: PaginatedRequestParams = {},
    options: RequestOptions = {},
  ): Promise<ListResourceTemplatesResult> {
    const items = await this.#list('resources/templates/list', params, options);
    return { resourceTemplates: [...items] };
  }

  /** Reads every page, or the page of the cursor alone when one is given. */
  async listPrompts(
    params: PaginatedRequestParams = {},
    options: RequestOptions = {},
  ): Promise<ListPromptsResult> {
    return { prompts: [...(await this.#list('prompts/list', params, options))] };
  }

  override async listAll<Method extends ListMethod>(
    method: Method,
    options: RequestOptions & { readonly maxPages?: number } = {},
  ): Promise<WholeList<Method>> {
    const list = await super.listAll(method, options);
    if (method !== 'tools/list' || this.transport?.hasPerRequestStream !== true) return list;
    if (this.getProtocolEra() !== 'modern') return list;
    // Only tools have parameter headers; the type of the list follows from the method.
    return this.#paramHeaders.learn(list as WholeList<'tools/list'>) as WholeList<Method>;
  }

  /** Runs a tool. A tool that failed resolves with `isError`. */
  async callTool(params: CallToolRequestParams, options: RequestOptions = {}): Promise<CallToolResult> {
    const headers = this.#paramHeaders.headersFor(params.name, params.arguments);
    const result = await this.#typed('tools/call', params, {
      ...options,
      ...(headers === undefined ? {} : { headers: { ...options.headers, ...headers } }),
    });
    return checked('tools/call', withContent(result), isCallToolResult);
  }

  async readResource(
    params: ReadResourceRequestParams,
    options?: RequestOptions,
  ): Promise<ReadResourceResult> {
    const result = await this.#typed('resources/read', params, options);
    return checked('resources/read', result, isReadResourceResult);
  }

  async getPrompt(params: GetPromptRequestParams, options?: RequestOptions): Promise<GetPromptResult> {
    const result = await this.#typed('prompts/get', params, options);
    return checked('prompts/get', result, isGetPromptResult);
  }

  async complete(params: CompleteRequestParams, options?: RequestOptions): Promise<CompleteResult> {
    const result = await this.#typed('completion/complete', params, options);
    return checked('completion/complete', result, isCompleteResult);
  }

  /** Legacy revisions only; modern servers watch what `listen` names. */
  async subscribeResource(params: SubscribeRequestParams, options?: RequestOptions): Promise<EmptyResult> {
    return this.#typed('resources/subscribe', params, options);
  }

  /** Legacy revisions only. */
  async unsubscribeResource(params: SubscribeRequestParams, options?: RequestOptions): Promise<EmptyResult> {
    return this.#typed('resources/unsubscribe', params, options);
  }

  /** Legacy revisions only. */
  async setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.#typed('logging/setLevel', { level }, options);
  }

  /** Legacy revisions only. */
  async sendRootsListChanged(): Promise<void> {
    await this.notification({ method: 'notifications/roots/list_changed' });
  }

  #typed(method: string, params: object, options: RequestOptions = {}): Promise<Result> {
    return this.request(method, params, { ...options, requireCapability: true });
  }

  async #list<Method extends ListMethod>(
    method: Method,
    params: PaginatedRequestParams,
    options: RequestOptions,
  ): Promise<readonly ListItems[Method][]> {
    const list =
      params.cursor === undefined
        ? await this.listAll(method, options)
        : readPage(method, {
            kind: 'complete',
            result: await this.#typed(method, params, options),
          });
    for (const { name, reason } of list.dropped) {
      this.onerror?.(new SdkError('INVALID_RESULT', { message: `${method} left out ${name}: ${reason}` }));
    }
    return list.items;
  }
}
