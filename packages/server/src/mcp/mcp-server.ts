import type { Transport } from '@portico/rpc';
import type { Implementation, LoggingMessageNotificationParams, ServerCapabilities } from '@portico/spec';
import { assertCacheHint, type CacheHint } from '../cache-hint.ts';
import type { ServerContext } from '../context.ts';
import type { HandledRequest } from '../dispatcher.ts';
import type { ResourceTemplate } from '../resource-template.ts';
import type { SchemaDirection } from '../schema/convert-schema.ts';
import { assertUsable, type SchemaCompiler, createSchemaCompiler } from '../schema/schema-compiler.ts';
import type { JsonSchema, SchemaDefinition } from '../schema/standard-schema.ts';
import type { ServerOptions } from '../server.ts';
import { Server } from '../typed-server.ts';
import { complete, offersCompletions } from './completion-handler.ts';
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
import {
  type RegisteredTool,
  type ToolCallback,
  type ToolConfig,
  type ToolRecord,
  toolHandle,
  toolRecord,
} from './tool-registration.ts';

export interface McpServerOptions extends ServerOptions {
  /** Entries a page of each list. Default: everything on one page. */
  readonly pageSize?: number;
  /** Where definitions are made ready. Share one among servers that share schema objects. */
  readonly schemaCompiler?: SchemaCompiler;
}

/** What `registerResource` takes beside the descriptive fields. */
export type ResourceConfig = ResourceMetadata & { readonly cacheHint?: CacheHint };

/**
 * An MCP server made of registered tools, resources and prompts. It serves both eras, over any
 * number of connections, and advertises exactly what is registered.
 */
export class McpServer {
  /** The low-level server below; its own handlers win over registered things of that kind. */
  readonly server: Server;
  readonly #tools: Registry<ToolRecord>;
  readonly #resources: Registry<ResourceRecord>;
  readonly #templates: Registry<ResourceTemplateRecord>;
  readonly #prompts: Registry<PromptRecord>;
  readonly #toolHandlers: ToolHandlers;
  readonly #resourceHandlers: ResourceHandlers;
  readonly #promptHandlers: PromptHandlers;
  readonly #installed = new Set<'tools' | 'resources' | 'prompts' | 'completions'>();
  #compiler: SchemaCompiler;

  constructor(info: Implementation, options: McpServerOptions = {}) {
    const { pageSize, schemaCompiler, ...serverOptions } = options;
    this.server = new Server(info, serverOptions);
    this.#compiler = schemaCompiler ?? createSchemaCompiler(options.jsonSchemaValidator);
    const compiler = (): SchemaCompiler => this.#compiler;
    const report = (error: Error): void => this.server.onerror?.(error);
    const announceResources = (): void => this.#announce('resources');
    this.#tools = new Registry('tool', () => this.#announce('tools'));
    this.#resources = new Registry('resource', announceResources);
    this.#templates = new Registry('resource template', announceResources);
    this.#prompts = new Registry('prompt', () => this.#announce('prompts'));
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
    return this.server.connect(transport);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  isConnected(): boolean {
    return this.server.isConnected();
  }

  /** Makes definitions ready in a memory that outlives this server. */
  useSchemaCompiler(compiler: SchemaCompiler): void {
    this.#compiler = compiler;
  }

  /** The input schema that a tool advertises, when it has one. */
  toolInputSchemaJson(name: string): JsonSchema | undefined {
    return this.#toolHandlers.inputSchema(name);
  }

  /**
   * Adds a tool. With an `inputSchema` the callback gets checked arguments, then the context;
   * without one only the context. What it throws becomes an error result.
   *
   * @throws ServerError `ALREADY_REGISTERED`, `INVALID_SCHEMA` for a value that is no schema
   */
  registerTool<Input extends SchemaDefinition | undefined = undefined>(
    name: string,
    config: ToolConfig<Input>,
    callback: ToolCallback<Input>,
  ): RegisteredTool {
    this.#assertUsable(config.inputSchema, 'input', `input schema of tool ${name}`);
    this.#assertUsable(config.outputSchema, 'output', `output schema of tool ${name}`);
    this.#install('tools');
    return toolHandle(this.#tools.add(name, toolRecord(config, callback)), callback);
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
    ...[target, { cacheHint, ...metadata }, callback]:
      | [string, ResourceConfig, ReadResourceCallback]
      | [ResourceTemplate, ResourceConfig, ReadResourceTemplateCallback]
  ): RegisteredResource | RegisteredResourceTemplate {
    assertCacheHint(cacheHint);
    this.#install('resources');
    if (typeof target === 'string') {
      const read = callback as ReadResourceCallback;
      return resourceHandle(this.#resources.add(target, { name, metadata, cacheHint, read }));
    }
    const read = callback as ReadResourceTemplateCallback;
    const record: ResourceTemplateRecord = { template: target, metadata, cacheHint, read };
    if (offersCompletions(record)) this.#install('completions');
    return resourceTemplateHandle(this.#templates.add(name, record));
  }

  /** Adds a prompt; its arguments are text. @throws ServerError `ALREADY_REGISTERED`, `INVALID_SCHEMA` */
  registerPrompt<Args extends SchemaDefinition | undefined = undefined>(
    name: string,
    config: PromptConfig<Args>,
    callback: PromptCallback<Args>,
  ): RegisteredPrompt {
    this.#assertUsable(config.argsSchema, 'input', `schema of the arguments of prompt ${name}`);
    this.#install('prompts');
    const record = promptRecord(config, callback);
    if (offersCompletions(record)) this.#install('completions');
    return promptHandle(this.#prompts.add(name, record), callback);
  }

  /** Sends a log message to legacy clients that want its level. */
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

  #assertUsable(schema: unknown, direction: SchemaDirection, what: string): void {
    assertUsable(schema, direction, { compiler: this.#compiler, what });
  }

  #announce(kind: 'tools' | 'resources' | 'prompts'): void {
    if (this.server.getCapabilities()[kind]?.listChanged !== true) return;
    this.server.events.publish({ kind: `${kind}_list_changed` });
  }

  /** A declared capability has working, if empty, lists. */
  #installDeclared(declared: ServerCapabilities): void {
    for (const kind of ['tools', 'resources', 'prompts', 'completions'] as const) {
      if (declared[kind] !== undefined) this.#install(kind);
    }
  }

  #install(kind: 'tools' | 'resources' | 'prompts' | 'completions'): void {
    if (this.#installed.has(kind)) return;
    const { server } = this;
    const declared = server.getCapabilities();
    if (declared[kind] === undefined || !hasListChanged(declared, kind)) {
      server.registerCapabilities({ [kind]: kind === 'completions' ? {} : { listChanged: true } });
    }
    this.#installed.add(kind);
    for (const [method, handler] of this.#handlersOf(kind)) {
      if (!server.hasRequestHandler(method)) server.setRequestHandler(method, handler);
    }
  }

  #handlersOf(
    kind: 'tools' | 'resources' | 'prompts' | 'completions',
  ): [string, (request: HandledRequest, context: ServerContext) => unknown][] {
    switch (kind) {
      case 'tools':
        return [
          ['tools/list', ({ params }, ctx) => this.#toolHandlers.list(params['cursor'], ctx)],
          ['tools/call', ({ params }, ctx) => this.#toolHandlers.call(params, ctx)],
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
        return [['completion/complete', ({ params }) => this.#complete(params)]];
    }
  }

  #complete(params: Readonly<Record<string, unknown>>): Promise<unknown> {
    return complete(params, {
      prompts: this.#prompts,
      resources: this.#resources,
      templates: this.#templates,
      compiler: () => this.#compiler,
    });
  }
}

/** An explicit `listChanged: false` is a decision of the server's author. */
function hasListChanged(
  declared: ServerCapabilities,
  kind: 'tools' | 'resources' | 'prompts' | 'completions',
): boolean {
  return kind === 'completions' || declared[kind]?.listChanged !== undefined;
}
