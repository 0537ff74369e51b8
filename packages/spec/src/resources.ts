import type {
  Annotations,
  BaseMetadata,
  CacheableResult,
  Icons,
  MetaObject,
  NotificationParams,
  PaginatedResult,
  RequestParams,
} from './base.ts';
import type { InputResponseRequestParams } from './input-required.ts';

export interface Resource extends BaseMetadata, Icons {
  uri: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  /** Bytes before any encoding. */
  size?: number;
  _meta?: MetaObject;
}

/** A family of resources, named as the official SDK names it to leave room for its class. */
export interface ResourceTemplateType extends BaseMetadata, Icons {
  /** RFC 6570. */
  uriTemplate: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ResourceContents {
  uri: string;
  mimeType?: string;
  _meta?: MetaObject;
}

export interface TextResourceContents extends ResourceContents {
  text: string;
}

export interface BlobResourceContents extends ResourceContents {
  /** Base64. */
  blob: string;
}

export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Resource[];
}

export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resourceTemplates: ResourceTemplateType[];
}

export interface ReadResourceResult extends CacheableResult {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface ResourceRequestParams extends RequestParams {
  uri: string;
}

export interface ReadResourceRequestParams extends ResourceRequestParams, InputResponseRequestParams {}

export type SubscribeRequestParams = ResourceRequestParams;

export type UnsubscribeRequestParams = ResourceRequestParams;

export interface ResourceUpdatedNotificationParams extends NotificationParams {
  uri: string;
}
