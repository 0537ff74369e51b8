import type { InputRequiredResult, ReadResourceResult, Resource, Variables } from '@portico/spec';
import type { CacheHint } from '../cache-hint.ts';
import type { ServerContext } from '../context.ts';
import type { ResourceTemplate } from '../resource-template.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import type { Registration } from './registry.ts';

type ReadOutcome = ReadResourceResult | InputRequiredResult;

/** What clients are told of a resource. */
export type ResourceMetadata = Omit<Resource, 'uri' | 'name'>;

/** Reads one resource. */
export type ReadResourceCallback = (uri: URL, context: ServerContext) => ReadOutcome | Promise<ReadOutcome>;

/** Reads one resource of a template, with the decoded variables of its URI. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  context: ServerContext,
) => ReadOutcome | Promise<ReadOutcome>;

export interface ResourceRecord {
  readonly name: string;
  readonly metadata: ResourceMetadata;
  readonly cacheHint: CacheHint | undefined;
  readonly scopeChallenge: ScopeChallengeHandler | undefined;
  readonly read: ReadResourceCallback;
}

export interface ResourceTemplateRecord {
  readonly template: ResourceTemplate;
  readonly metadata: ResourceMetadata;
  readonly cacheHint: CacheHint | undefined;
  readonly scopeChallenge: ScopeChallengeHandler | undefined;
  readonly read: ReadResourceTemplateCallback;
}

/** Handle of a registered resource. Each change is announced to clients. */
export interface RegisteredResource {
  readonly name: string;
  readonly uri: string;
  readonly metadata: ResourceMetadata;
  readonly scopeChallenge: ScopeChallengeHandler | undefined;
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  update(updates: {
    readonly name?: string;
    readonly title?: string;
    /** A new URI; null removes the resource. */
    readonly uri?: string | null;
    readonly metadata?: ResourceMetadata;
    /** Null takes the need for scopes away. */
    readonly scopeChallenge?: ScopeChallengeHandler | null;
    readonly callback?: ReadResourceCallback;
    readonly enabled?: boolean;
  }): void;
  remove(): void;
}

/** Handle of a registered resource template. Each change is announced to clients. */
export interface RegisteredResourceTemplate {
  readonly name: string;
  readonly resourceTemplate: ResourceTemplate;
  readonly metadata: ResourceMetadata;
  readonly scopeChallenge: ScopeChallengeHandler | undefined;
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  update(updates: {
    /** A new name; null removes the template. */
    readonly name?: string | null;
    readonly title?: string;
    readonly template?: ResourceTemplate;
    readonly metadata?: ResourceMetadata;
    /** Null takes the need for scopes away. */
    readonly scopeChallenge?: ScopeChallengeHandler | null;
    readonly callback?: ReadResourceTemplateCallback;
    readonly enabled?: boolean;
  }): void;
  remove(): void;
}

export function resourceHandle(registration: Registration<ResourceRecord>): RegisteredResource {
  return {
    get name() {
      return registration.value.name;
    },
    get uri() {
      return registration.key;
    },
    get metadata() {
      return registration.value.metadata;
    },
    get scopeChallenge() {
      return registration.value.scopeChallenge;
    },
    get enabled() {
      return registration.enabled;
    },
    enable: () => registration.change({ enabled: true }),
    disable: () => registration.change({ enabled: false }),
    remove: () => registration.change({ key: null }),
    update({ name, title, uri, metadata, scopeChallenge, callback, enabled }) {
      const before = registration.value;
      registration.change({
        key: uri,
        enabled,
        value: {
          name: name ?? before.name,
          metadata: titled(metadata ?? before.metadata, title),
          cacheHint: before.cacheHint,
          scopeChallenge: changed(before.scopeChallenge, scopeChallenge),
          read: callback ?? before.read,
        },
      });
    },
  };
}

export function resourceTemplateHandle(
  registration: Registration<ResourceTemplateRecord>,
): RegisteredResourceTemplate {
  return {
    get name() {
      return registration.key;
    },
    get resourceTemplate() {
      return registration.value.template;
    },
    get metadata() {
      return registration.value.metadata;
    },
    get scopeChallenge() {
      return registration.value.scopeChallenge;
    },
    get enabled() {
      return registration.enabled;
    },
    enable: () => registration.change({ enabled: true }),
    disable: () => registration.change({ enabled: false }),
    remove: () => registration.change({ key: null }),
    update({ name, title, template, metadata, scopeChallenge, callback, enabled }) {
      const before = registration.value;
      registration.change({
        key: name,
        enabled,
        value: {
          template: template ?? before.template,
          metadata: titled(metadata ?? before.metadata, title),
          cacheHint: before.cacheHint,
          scopeChallenge: changed(before.scopeChallenge, scopeChallenge),
          read: callback ?? before.read,
        },
      });
    },
  };
}

function titled(metadata: ResourceMetadata, title: string | undefined): ResourceMetadata {
  return title === undefined ? metadata : { ...metadata, title };
}

function changed(
  before: ScopeChallengeHandler | undefined,
  change: ScopeChallengeHandler | null | undefined,
): ScopeChallengeHandler | undefined {
  return change === undefined ? before : (change ?? undefined);
}
