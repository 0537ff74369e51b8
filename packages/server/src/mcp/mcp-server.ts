import { type Transport, reportGuarded } from '@portico/rpc';
import type { Implementation, LoggingMessageNotificationParams, ServerCapabilities } from '@portico/spec';
import { assertCacheHint, type CacheHint } from '../cache-hint.ts';
import type { ServerContext } from '../context.ts';
import type { HandledRequest, ServerRequestHandler } from '../dispatcher.ts';
import { ServerError } from '../errors.ts';
import type { ResourceTemplate } from '../resource-template.ts';
import { assertUsable, type SchemaCompiler, createSchemaCompiler } from '../schema/schema-compiler.ts';
import type { JsonSchema, SchemaDefinition } from '../schema/standard-schema.ts';
import type { ServerOptions } from '../server-options.ts';
import { asksForScopes, type ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import type { Server } from '../typed-server.ts';
import { complete, offersCompletions } from './completion-handler.ts';
import {
  earlyPrompt,
  type EarlyPromptArguments,
  type EarlyResourceArguments,
  earlyTool,
  type EarlyToolArguments,
} from './early-forms.ts';
import { assertHeaderMarks } from './header-marks.ts';
import { type Kind, METHODS, hasListChanged } from './offered-kinds.ts';
import { offeredScopes } from './offered-scopes.ts';
import { OfferingServer } from './offering-server.ts';
import {
  type PromptCallback,
  type PromptConfig,
  PromptHandlers,
  type PromptRecord,
  type RegisteredPrompt,
  promptHandle,
  promptRecord,
} from './prompt-handlers.ts';
import { Registry } from './registry.ts';
import { ResourceHandlers } from './resource-handlers.ts';
import {
  type ReadResourceCallback,
  type ReadResourceTemplateCallback,
  type RegisteredResource,
  type RegisteredResourceTemplate,
  type ResourceMetadata,
  type ResourceRecord,
  type ResourceTemplateRecord,
  resourceHandle,
  resourceTemplateHandle,
} from './resource-registration.ts';
import { ToolHandlers } from './tool-handlers.ts';
import { warnOfName } from './tool-name.ts';
import {
  type AssertTool,
  type RegisteredTool,
  type ToolCallback,
  type ToolConfig,
  type ToolRecord,
  toolHandle,
} from './tool-registration.ts';

/** One call that a rate may not have room for. `name` is as the client sent it. */
export interface RatedCall {
  readonly method: 'tools/call' | 'completion/complete';
  readonly name: unknown;
  readonly context: ServerContext;
}

export type RateLimit = (call: RatedCall) => void | Promise<void>;

export interface McpServerOptions extends ServerOptions {
  /** Entries a page of each list. Default: everything on one page. */
  readonly pageSize?: number;
  /**
   * Sees every tool call and completion before it is served, and refuses it by throwing; what it
   * throws is the answer. May take its time.
   */
  readonly rateLimit?: RateLimit;
  /** Where definitions are made ready. Share one among servers that share schema objects. */
  readonly schemaCompiler?: SchemaCompiler;
}

/** What `registerResource` takes beside the descriptive fields. */
export type ResourceConfig = ResourceMetadata & {
  readonly cacheHint?: CacheHint;
  /** Scopes that reading needs, over HTTP: a token that lacks some is refused before it is read. */
  readonly scopeChallenge?: ScopeChallengeHandler;
};

/**
 * An MCP server made of registered tools, resources and prompts. It serves both eras, over any
 * number of connections, and advertises exactly what is registered.
 */
export class McpServer {
  /** The low-level server below; its own handlers win over registered things of that kind. */
  readonly server: Server;
  /** Says which scopes a request lacks for the tool, resource or prompt that it is for. */
  readonly resolveScopeChallenge: ScopeChallengeHandler;
  readonly #tools: Registry<ToolRecord>;
  readonly #resources: Registry<ResourceRecord>;
  readonly #templates: Registry<ResourceTemplateRecord>;
  readonly #prompts: Registry<PromptRecord>;
  readonly #toolHandlers: ToolHandlers;
  readonly #resourceHandlers: ResourceHandlers;
  readonly #promptHandlers: PromptHandlers;
  /** By kind, the handlers that this server has put below. */
  readonly #installed = new Map<Kind, ReadonlyMap<string, ServerRequestHandler>>();
  readonly #rateLimit: RateLimit | undefined;
  /** Whether the author said how definitions are made ready, which then holds everywhere. */
  readonly #keepsCompiler: boolean;
  #compiler: SchemaCompiler;

  constructor(info: Implementation, options: McpServerOptions = {}) {
    const { pageSize, schemaCompiler, rateLimit, ...serverOptions } = options;
    this.#rateLimit = rateLimit;
    this.server = new OfferingServer(info, serverOptions);
    this.#keepsCompiler = schemaCompiler !== undefined || options.jsonSchemaValidator !== undefined;
    this.#compiler = schemaCompiler ?? createSchemaCompiler(options.jsonSchemaValidator);
    const compiler = (): SchemaCompiler => this.#compiler;
    const report = (error: Error): void => reportGuarded(this.server.onerror, error);
    const announceResources = (): void => this.#announce('resources');
    this.#tools = new Registry('tool', () => this.#announce('tools'));
    this.#resources = new Registry('resource', announceResources);
    this.#templates = new Registry('resource template', announceResources);
    this.#prompts = new Registry('prompt', () => this.#announce('prompts'));
    this.resolveScopeChallenge = offeredScopes({
      tools: this.#tools,
      resources: this.#resources,
      templates: this.#templates,
      prompts: this.#prompts,
    });
    this.#toolHandlers = new ToolHandlers({ tools: this.#tools, compiler, pageSize, report });
    this.#resourceHandlers = new ResourceHandlers({
      resources: this.#resources,
      templates: this.#templates,
      pageSize,
      report,
    });
    this.#promptHandlers = new PromptHandlers({
      prompts: this.#prompts,
      compiler,
      pageSize,
      report,
    });
    this.#installDeclared(options.capabilities ?? {});
  }

  /** Serves one client on this transport. @throws ServerError `ALREADY_CONNECTED` */
  connect(transport: Transport): Promise<void> {
    if (asksForScopes(transport)) transport.setScopeChallengeResolver(this.resolveScopeChallenge);
    return this.server.connect(transport);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  isConnected(): boolean {
    return this.server.isConnected();
  }

  /** Makes definitions ready in a memory that outlives this server, unless it was given its own way. */
  useSchemaCompiler(compiler: SchemaCompiler): void {
    if (!this.#keepsCompiler) this.#compiler = compiler;
  }

  /** The input schema that a tool advertises, when it has one. */
  toolInputSchemaJson(name: string): JsonSchema | undefined {
    return this.#toolHandlers.inputSchema(name);
  }

  /**
   * Adds a tool. With an `inputSchema` the callback gets checked arguments, then the context;
   * without one only the context. What it throws becomes an error result.
   *
   * @throws ServerError `ALREADY_REGISTERED`; `INVALID_SCHEMA` for a value that is no schema, and for
   *   arguments that are marked for headers (`x-mcp-header`) against the rules
   */
  registerTool<Input extends SchemaDefinition | undefined = undefined>(
    name: string,
    config: ToolConfig<Input>,
    callback: ToolCallback<Input>,
  ): RegisteredTool {
    this.#assertTool(name, config);
    this.#install('tools');
    warnOfName(name, this.server);
    return toolHandle(this.#tools.add(name, { config, callback }), this.#assertTool);
  }

  /* oxlint-disable max-params -- the official SDK's signature, so that its callers run unchanged */
  /** Adds a resource under a fixed URI. @throws ServerError `ALREADY_REGISTERED` */
  registerResource(
    name: string,
    uri: string,
    config: ResourceConfig,
    callback: ReadResourceCallback,
  ): RegisteredResource;
  /** Adds a family of resources. @throws ServerError `ALREADY_REGISTERED` */
  registerResource(
    name: string,
    template: ResourceTemplate,
    config: ResourceConfig,
    callback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  /* oxlint-enable max-params */
  registerResource(
    name: string,
    ...[target, { cacheHint, scopeChallenge, ...metadata }, callback]:
      | [string, ResourceConfig, ReadResourceCallback]
      | [ResourceTemplate, ResourceConfig, ReadResourceTemplateCallback]
  ): RegisteredResource | RegisteredResourceTemplate {
    assertCacheHint(cacheHint);
    this.#install('resources');
    if (typeof target === 'string') {
      const read = callback as ReadResourceCallback;
      return resourceHandle(this.#resources.add(target, { name, metadata, cacheHint, scopeChallenge, read }));
    }
    const read = callback as ReadResourceTemplateCallback;
    const record: ResourceTemplateRecord = { template: target, metadata, cacheHint, scopeChallenge, read };
    if (offersCompletions(record)) this.#install('completions');
    return resourceTemplateHandle(this.#templates.add(name, record));
  }

  /** Adds a prompt; its arguments are text. @throws ServerError `ALREADY_REGISTERED`, `INVALID_SCHEMA` */
  registerPrompt<Args extends SchemaDefinition | undefined = undefined>(
    name: string,
    config: PromptConfig<Args>,
    callback: PromptCallback<Args>,
  ): RegisteredPrompt {
    const compiler = this.#compiler;
    assertUsable(config.argsSchema, 'input', { compiler, part: 'schema of the arguments of prompt', name });
    this.#install('prompts');
    const record = promptRecord(config, callback);
    if (offersCompletions(record)) this.#install('completions');
    return promptHandle(this.#prompts.add(name, record), callback);
  }

  /**
   * Adds a tool in one of the early forms: name, then optionally a description, a record of field
   * schemas or an object schema, and annotations; the callback last.
   * @deprecated Use `registerTool`.
   */
  tool(name: string, ...rest: EarlyToolArguments): RegisteredTool {
    const { config, callback } = earlyTool(rest);
    return this.registerTool(name, config, callback as never);
  }

  /**
   * Adds a resource in the early form, in which the metadata may be left out.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, ...rest: EarlyResourceArguments): RegisteredResource | RegisteredResourceTemplate {
    const [target, ...last] = rest;
    const callback = last.at(-1) as never;
    const metadata = last.length > 1 ? (last[0] as ResourceConfig) : {};
    return typeof target === 'string'
      ? this.registerResource(name, target, metadata, callback)
      : this.registerResource(name, target, metadata, callback);
  }

  /**
   * Adds a prompt in one of the early forms: name, then optionally a description and the arguments'
   * schemas; the callback last.
   * @deprecated Use `registerPrompt`.
   */
  prompt(name: string, ...rest: EarlyPromptArguments): RegisteredPrompt {
    const { config, callback } = earlyPrompt(rest);
    return this.registerPrompt(name, config, callback as never);
  }

  /**
   * Sends a log message to legacy clients that want its level.
   *
   * @deprecated The specification deprecates logging over the protocol; it works unchanged.
   */
  sendLoggingMessage(params: LoggingMessageNotificationParams, sessionId?: string): Promise<void> {
    return this.server.sendLoggingMessage(params, sessionId);
  }

  /** Announces a change of the tool list. Registrations announce theirs by themselves. */
  sendToolListChanged(): void {
    this.#announce('tools');
  }

  /** Announces a change of the resource list. */
  sendResourceListChanged(): void {
    this.#announce('resources');
  }

  /** Announces a change of the prompt list. */
  sendPromptListChanged(): void {
    this.#announce('prompts');
  }

  readonly #assertTool: AssertTool = (name, { inputSchema, outputSchema }) => {
    const compiler = this.#compiler;
    assertUsable(inputSchema, 'input', { compiler, part: 'input schema of tool', name });
    assertHeaderMarks(inputSchema, { compiler, tool: name });
    assertUsable(outputSchema, 'output', { compiler, part: 'output schema of tool', name });
  };

  #announce(kind: 'tools' | 'resources' | 'prompts'): void {
    if (this.server.getCapabilities()[kind]?.listChanged !== true) return;
    this.server.announce({ kind: `${kind}_list_changed` });
  }

  /** A declared capability has working, if empty, lists. */
  #installDeclared(declared: ServerCapabilities): void {
    for (const kind of ['tools', 'resources', 'prompts', 'completions'] as const) {
      if (declared[kind] !== undefined) this.#install(kind);
    }
  }

  /** @throws ServerError `HANDLER_TAKEN` when the server below serves the kind by itself */
  #install(kind: Kind): void {
    const { server } = this;
    const installed = this.#installed.get(kind);
    for (const method of METHODS[kind]) {
      const handler = server.requestHandler(method);
      if (handler === undefined || handler === installed?.get(method)) continue;
      throw new ServerError('HANDLER_TAKEN', {
        message: `${method} has a handler of its own, so ${kind} cannot be registered`,
        data: { method },
      });
    }
    if (installed !== undefined) return;
    const declared = server.getCapabilities();
    if (declared[kind] === undefined || !hasListChanged(declared, kind)) {
      server.registerCapabilities({ [kind]: kind === 'completions' ? {} : { listChanged: true } });
    }
    const handlers = new Map(this.#handlersOf(kind));
    this.#installed.set(kind, handlers);
    for (const [method, handler] of handlers) server.setRequestHandler(method, handler);
  }

  #handlersOf(kind: Kind): [string, ServerRequestHandler][] {
    switch (kind) {
      case 'tools':
        return [
          ['tools/list', ({ params }, ctx) => this.#toolHandlers.list(params['cursor'], ctx)],
          ['tools/call', (request, ctx) => this.#callTool(request, ctx)],
        ];
      case 'resources':
        return [
          ['resources/list', ({ params }, ctx) => this.#resourceHandlers.list(params['cursor'], ctx)],
          [
            'resources/templates/list',
            ({ params }) => this.#resourceHandlers.listTemplates(params['cursor']),
          ],
          ['resources/read', ({ params }, ctx) => this.#resourceHandlers.read(params, ctx)],
        ];
      case 'prompts':
        return [
          ['prompts/list', ({ params }) => this.#promptHandlers.list(params['cursor'])],
          ['prompts/get', ({ params }, ctx) => this.#promptHandlers.get(params, ctx)],
        ];
      case 'completions':
        return [['completion/complete', (request, ctx) => this.#complete(request, ctx)]];
    }
  }

  #callTool({ params }: HandledRequest, context: ServerContext): unknown {
    const allowed = this.#rateLimit?.({ method: 'tools/call', name: params['name'], context });
    if (allowed instanceof Promise) return allowed.then(() => this.#toolHandlers.call(params, context));
    return this.#toolHandlers.call(params, context);
  }

  async #complete({ params }: HandledRequest, context: ServerContext): Promise<unknown> {
    const { ref } = params as { readonly ref?: { readonly name?: unknown; readonly uri?: unknown } };
    await this.#rateLimit?.({ method: 'completion/complete', name: ref?.name ?? ref?.uri, context });
    return complete(params, {
      prompts: this.#prompts,
      resources: this.#resources,
      templates: this.#templates,
      compiler: () => this.#compiler,
    });
  }
}
