import { isRequestId } from '@portico/rpc';
import type { Annotations, Icon, Implementation, PaginatedResult, ProgressToken, Role } from './base.ts';
import type { ContentBlock } from './content.ts';
import type { LoggingLevel } from './lifecycle.ts';
import type { BlobResourceContents, Resource, TextResourceContents } from './resources.ts';

/** An object that is no array, whose members are unknown. */
export type UnknownRecord = { readonly [key: string]: unknown };

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when the member is missing or passes. */
export function optional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isArrayOf(value: unknown, check: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(check);
}

/** True when every value of the record is text. */
export function isStringMap(value: unknown): value is { [key: string]: string } {
  return isRecord(value) && Object.values(value).every(isString);
}

/** Text and whole numbers, as ids of requests are. */
export const isProgressToken: (value: unknown) => value is ProgressToken = isRequestId;

export function isRole(value: unknown): value is Role {
  return value === 'user' || value === 'assistant';
}

/** Every log level, least severe first. */
export const LOGGING_LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (LOGGING_LEVELS as readonly unknown[]).includes(value);
}

export function isAnnotations(value: unknown): value is Annotations {
  return (
    isRecord(value) &&
    optional(value['audience'], (audience) => isArrayOf(audience, isRole)) &&
    optional(value['priority'], isNumber) &&
    optional(value['lastModified'], isString)
  );
}

function isIcon(value: unknown): value is Icon {
  return (
    isRecord(value) &&
    isString(value['src']) &&
    optional(value['mimeType'], isString) &&
    optional(value['sizes'], (sizes) => isArrayOf(sizes, isString)) &&
    optional(value['theme'], (theme) => theme === 'light' || theme === 'dark')
  );
}

/** Name, title, icons and `_meta`, which all named things share. */
export function isNamed(value: unknown): value is UnknownRecord & { name: string } {
  return (
    isRecord(value) &&
    isString(value['name']) &&
    optional(value['title'], isString) &&
    optional(value['description'], isString) &&
    optional(value['icons'], (icons) => isArrayOf(icons, isIcon)) &&
    optional(value['_meta'], isRecord)
  );
}

export function isImplementation(value: unknown): value is Implementation {
  return isNamed(value) && isString(value['version']) && optional(value['websiteUrl'], isString);
}

export function isResource(value: unknown): value is Resource {
  return (
    isNamed(value) &&
    isString(value['uri']) &&
    optional(value['mimeType'], isString) &&
    optional(value['size'], isNumber) &&
    optional(value['annotations'], isAnnotations)
  );
}

export function isResourceContents(value: unknown): value is TextResourceContents | BlobResourceContents {
  return (
    isRecord(value) &&
    isString(value['uri']) &&
    optional(value['mimeType'], isString) &&
    optional(value['_meta'], isRecord) &&
    (isString(value['text']) || isString(value['blob']))
  );
}

function hasContentFrame(value: UnknownRecord): boolean {
  return optional(value['annotations'], isAnnotations) && optional(value['_meta'], isRecord);
}

/** True for the content kinds of tool results and prompts; unknown kinds are false. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'text':
      return isString(value['text']) && hasContentFrame(value);
    case 'image':
    case 'audio':
      return isString(value['data']) && isString(value['mimeType']) && hasContentFrame(value);
    case 'resource_link':
      return isResource(value);
    case 'resource':
      return isResourceContents(value['resource']) && hasContentFrame(value);
    default:
      return false;
  }
}

/** What every result may be, beside its own members. */
export function isResult(value: unknown): value is UnknownRecord {
  return isRecord(value) && optional(value['_meta'], isRecord);
}

/** A page of a list, its items aside. */
export function isPage(value: unknown): value is PaginatedResult {
  return isResult(value) && optional(value['nextCursor'], isString);
}
