import { type ListResourcesResult, UriTemplate } from '@portico/spec';
import type { CompleteCallback } from './completable.ts';
import type { ServerContext } from './context.ts';

/** Lists the resources a template stands for. */
export type ListResourcesCallback = (
  context: ServerContext,
) => ListResourcesResult | Promise<ListResourcesResult>;

/** What a resource template can do beside being read. */
export interface ResourceTemplateCallbacks {
  /** Undefined when the resources cannot be listed; it must be said explicitly. */
  readonly list: ListResourcesCallback | undefined;
  /** Completions by variable name. */
  readonly complete?: Readonly<Record<string, CompleteCallback>>;
}

/** A family of resources under one URI template. */
export class ResourceTemplate {
  readonly #uriTemplate: UriTemplate;
  readonly #callbacks: ResourceTemplateCallbacks;

  /** @throws SdkError `INVALID_URI_TEMPLATE` */
  constructor(uriTemplate: string | UriTemplate, callbacks: ResourceTemplateCallbacks) {
    this.#uriTemplate = typeof uriTemplate === 'string' ? new UriTemplate(uriTemplate) : uriTemplate;
    this.#callbacks = callbacks;
  }

  get uriTemplate(): UriTemplate {
    return this.#uriTemplate;
  }

  get listCallback(): ListResourcesCallback | undefined {
    return this.#callbacks.list;
  }

  /** The completion source of one variable. */
  completeCallback(variable: string): CompleteCallback | undefined {
    const { complete } = this.#callbacks;
    return complete !== undefined && Object.hasOwn(complete, variable) ? complete[variable] : undefined;
  }

  /** True when at least one variable has a completion source. */
  get hasCompletions(): boolean {
    return Object.keys(this.#callbacks.complete ?? {}).length > 0;
  }
}
