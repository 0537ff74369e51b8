/** The `_meta` member: keys by the prefix/name grammar, values free. */
export type MetaObject = { [key: string]: unknown };

/** Id of a request on the wire. */
export type RequestId = string | number;

/** Names a call in its reports of progress. */
export type ProgressToken = string | number;

/** Opaque place in a paged list. */
export type Cursor = string;

export interface RequestMeta extends MetaObject {
  progressToken?: ProgressToken;
}

/** What the params of every request may hold. */
export interface RequestParams {
  _meta?: RequestMeta;
}

/** What the params of every notification may hold. */
export interface NotificationParams {
  _meta?: MetaObject;
}

/** What every result may hold, whatever its method. */
export interface Result {
  _meta?: MetaObject;
  [key: string]: unknown;
}

export type EmptyResult = Result;

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

/** Whether answers may be shared between users. */
export type CacheScope = 'public' | 'private';

/** How long a result stays fresh; modern wires always carry both members. */
export interface CacheableResult extends Result {
  /** Milliseconds. */
  ttlMs?: number;
  cacheScope?: CacheScope;
}

export type Role = 'user' | 'assistant';

export interface Annotations {
  audience?: Role[];
  /** From 0 (least) to 1 (most important). */
  priority?: number;
  /** ISO 8601 time. */
  lastModified?: string;
}

export interface Icon {
  /** An https or data URL. */
  src: string;
  mimeType?: string;
  /** Such as `48x48` or `any`. */
  sizes?: string[];
  theme?: 'light' | 'dark';
}

export interface Icons {
  icons?: Icon[];
}

export interface BaseMetadata {
  /** For programs. */
  name: string;
  /** For people. */
  title?: string;
}

/** Who speaks: a client or a server program. */
export interface Implementation extends BaseMetadata, Icons {
  version: string;
  description?: string;
  websiteUrl?: string;
}

export interface ProgressNotificationParams extends NotificationParams {
  progressToken: ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}

export interface CancelledNotificationParams extends NotificationParams {
  requestId?: RequestId;
  reason?: string;
}
