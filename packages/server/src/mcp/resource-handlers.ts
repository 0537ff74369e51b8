import { ErrorCode, ProtocolError } from '@portico/rpc';
import type {
  InputRequiredResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Variables,
} from '@portico/spec';
import type { CacheHint } from '../cache-hint.ts';
import type { ServerContext } from '../context.ts';
import { isInputRequired } from '../input-required.ts';
import { pageOf } from './pages.ts';
import type { Registry } from './registry.ts';
import type { ResourceRecord, ResourceTemplateRecord } from './resource-registration.ts';

export interface ResourceHandlersOptions {
  readonly resources: Registry<ResourceRecord>;
  readonly templates: Registry<ResourceTemplateRecord>;
  readonly pageSize: number | undefined;
  readonly report: (error: Error) => void;
}

/** A resource, or a template and what the URI says of its variables. */
type FoundResource =
  | { readonly uri: URL; readonly record: ResourceRecord }
  | { readonly uri: URL; readonly record: ResourceTemplateRecord; readonly variables: Variables };

/** What a URI leads to. Exact URIs come before templates. */
export function findResource(
  uri: unknown,
  { resources, templates }: Pick<ResourceHandlersOptions, 'resources' | 'templates'>,
): FoundResource | undefined {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return undefined;
  const parsed = new URL(uri);
  const resource = resources.find(uri) ?? resources.find(parsed.toString());
  if (resource !== undefined) return { uri: parsed, record: resource };
  for (const { value } of templates.list()) {
    const variables = value.template.uriTemplate.match(uri);
    if (variables !== null) return { uri: parsed, record: value, variables };
  }
  return undefined;
}

/** Listing and reading of registered resources and templates. */
export class ResourceHandlers {
  readonly #options: ResourceHandlersOptions;

  constructor(options: ResourceHandlersOptions) {
    this.#options = options;
  }

  /** `resources/list`: registered resources, then what the templates list. */
  async list(cursor: unknown, context: ServerContext): Promise<ListResourcesResult> {
    const { resources, templates, pageSize } = this.#options;
    const all: Resource[] = resources
      .list()
      .map(({ key, value }) => ({ ...value.metadata, uri: key, name: value.name }));
    for (const { value } of templates.list()) all.push(...(await this.#listTemplate(value, context)));
    const revision = resources.revision + templates.revision;
    const { items, nextCursor } = pageOf(all, cursor, { revision, pageSize });
    return { resources: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  /** `resources/templates/list`. */
  listTemplates(cursor: unknown): ListResourceTemplatesResult {
    const { templates, pageSize } = this.#options;
    const all: ResourceTemplateType[] = templates.list().map(({ key, value }) => {
      const { size: _size, ...metadata } = value.metadata;
      return { ...metadata, name: key, uriTemplate: value.template.uriTemplate.toString() };
    });
    const { items, nextCursor } = pageOf(all, cursor, { revision: templates.revision, pageSize });
    return { resourceTemplates: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  /**
   * `resources/read`. Exact URIs come before templates.
   * @throws ProtocolError -32602 with the URI in `data` when nothing has it
   */
  async read(
    params: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    const { uri } = params;
    if (typeof uri !== 'string' || !URL.canParse(uri)) {
      throw new ProtocolError(ErrorCode.InvalidParams, 'Reading needs the URI of a resource.');
    }
    const found = findResource(uri, this.#options);
    if (found !== undefined) {
      const { record } = found;
      const result =
        'variables' in found
          ? await found.record.read(found.uri, found.variables, context)
          : await found.record.read(found.uri, context);
      return withHint(result, record.cacheHint);
    }
    throw new ProtocolError(ErrorCode.InvalidParams, `Resource not found: ${uri}`, { uri });
  }

  /** A template whose listing fails costs only its own resources. */
  async #listTemplate(record: ResourceTemplateRecord, context: ServerContext): Promise<Resource[]> {
    const { listCallback } = record.template;
    if (listCallback === undefined) return [];
    try {
      const { resources } = await listCallback(context);
      return resources.map((resource) => ({ ...record.metadata, ...resource }));
    } catch (error) {
      this.#options.report(error instanceof Error ? error : new TypeError(String(error)));
      return [];
    }
  }
}

function withHint(
  result: ReadResourceResult | InputRequiredResult,
  hint: CacheHint | undefined,
): ReadResourceResult | InputRequiredResult {
  if (hint === undefined || isInputRequired(result)) return result;
  return { ...hint, ...result };
}
