import type { ElicitRequestParams } from './elicitation.ts';
import {
  isArrayOf,
  isBoolean,
  isImplementation,
  isLoggingLevel,
  isNumber,
  isProgressToken,
  isRecord,
  isRole,
  isString,
  isStringMap,
  optional,
} from './guards.ts';
import type { InitializeRequestParams, LoggingMessageNotificationParams } from './lifecycle.ts';
import type { CompleteRequestParams, GetPromptRequestParams } from './prompts.ts';
import type { ResourceRequestParams } from './resources.ts';
import { isCapabilities } from './result-guards.ts';
import type { CreateMessageRequestParams } from './sampling.ts';
import type { SubscriptionFilter, SubscriptionsListenRequestParams } from './subscriptions.ts';
import type { CallToolRequestParams } from './tools.ts';

/** What the params of every request may be: an object whose `_meta` is sound. */
export function isRequestParams(value: unknown): value is { readonly [key: string]: unknown } {
  if (!isRecord(value)) return false;
  const meta = value['_meta'];
  if (meta === undefined) return true;
  return isRecord(meta) && optional(meta['progressToken'], isProgressToken);
}

function isInputResponses(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isRecord);
}

function hasInputs(value: { readonly [key: string]: unknown }): boolean {
  return optional(value['inputResponses'], isInputResponses) && optional(value['requestState'], isString);
}

export function isCallToolRequestParams(value: unknown): value is CallToolRequestParams {
  return (
    isRequestParams(value) &&
    isString(value['name']) &&
    optional(value['arguments'], isRecord) &&
    optional(value['task'], isRecord) &&
    hasInputs(value)
  );
}

/** Params of `resources/read`, `resources/subscribe` and `resources/unsubscribe`. */
export function isResourceRequestParams(value: unknown): value is ResourceRequestParams {
  return isRequestParams(value) && isString(value['uri']) && hasInputs(value);
}

export function isGetPromptRequestParams(value: unknown): value is GetPromptRequestParams {
  return (
    isRequestParams(value) &&
    isString(value['name']) &&
    optional(value['arguments'], isStringMap) &&
    hasInputs(value)
  );
}

/** Params of the four list requests; missing params count as the first page. */
export function isPaginatedRequestParams(value: unknown): value is { cursor?: string } {
  return value === undefined || (isRequestParams(value) && optional(value['cursor'], isString));
}

function isCompletionReference(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['type'] === 'ref/prompt') return isString(value['name']);
  return value['type'] === 'ref/resource' && isString(value['uri']);
}

export function isCompleteRequestParams(value: unknown): value is CompleteRequestParams {
  if (!isRequestParams(value) || !isCompletionReference(value['ref'])) return false;
  const { argument, context } = value;
  if (!isRecord(argument) || !isString(argument['name']) || !isString(argument['value'])) {
    return false;
  }
  return optional(context, (given) => isRecord(given) && optional(given['arguments'], isStringMap));
}

export function isInitializeRequestParams(value: unknown): value is InitializeRequestParams {
  return (
    isRequestParams(value) &&
    isString(value['protocolVersion']) &&
    isCapabilities(value['capabilities']) &&
    isImplementation(value['clientInfo'])
  );
}

export function isSubscriptionFilter(value: unknown): value is SubscriptionFilter {
  return (
    isRecord(value) &&
    optional(value['toolsListChanged'], isBoolean) &&
    optional(value['promptsListChanged'], isBoolean) &&
    optional(value['resourcesListChanged'], isBoolean) &&
    optional(value['resourceSubscriptions'], (uris) => isArrayOf(uris, isString)) &&
    optional(value['taskIds'], (ids) => isArrayOf(ids, isString))
  );
}

export function isSubscriptionsListenRequestParams(
  value: unknown,
): value is SubscriptionsListenRequestParams {
  return isRequestParams(value) && isSubscriptionFilter(value['notifications']);
}

export function isLoggingMessageNotificationParams(
  value: unknown,
): value is LoggingMessageNotificationParams {
  return (
    isRecord(value) &&
    isLoggingLevel(value['level']) &&
    optional(value['logger'], isString) &&
    'data' in value
  );
}

function isSamplingMessage(value: unknown): boolean {
  if (!isRecord(value) || !isRole(value['role'])) return false;
  const { content } = value;
  return isRecord(content) || isArrayOf(content, isRecord);
}

export function isCreateMessageRequestParams(value: unknown): value is CreateMessageRequestParams {
  return (
    isRequestParams(value) &&
    isArrayOf(value['messages'], isSamplingMessage) &&
    isNumber(value['maxTokens']) &&
    optional(value['systemPrompt'], isString) &&
    optional(value['temperature'], isNumber) &&
    optional(value['modelPreferences'], isRecord) &&
    optional(value['stopSequences'], (words) => isArrayOf(words, isString)) &&
    optional(value['tools'], Array.isArray)
  );
}

function isTitledConst(value: unknown): boolean {
  return isRecord(value) && isString(value['const']) && isString(value['title']);
}

function isMultiSelect(items: unknown): boolean {
  if (!isRecord(items)) return false;
  return isArrayOf(items['enum'], isString) || isArrayOf(items['anyOf'], isTitledConst);
}

/** A flat field: text, number, flag, or a choice of one or several words. */
function isPrimitiveSchema(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'string':
      return (
        optional(value['enum'], (words) => isArrayOf(words, isString)) &&
        optional(value['oneOf'], (choices) => isArrayOf(choices, isTitledConst))
      );
    case 'number':
    case 'integer':
    case 'boolean':
      return true;
    case 'array':
      return isMultiSelect(value['items']);
    default:
      return false;
  }
}

/** Form mode when no mode is given. */
export function isElicitRequestParams(value: unknown): value is ElicitRequestParams {
  if (!isRequestParams(value) || !isString(value['message'])) return false;
  if (value['mode'] === 'url') return isString(value['url']);
  if (value['mode'] !== undefined && value['mode'] !== 'form') return false;
  const schema = value['requestedSchema'];
  return (
    isRecord(schema) &&
    schema['type'] === 'object' &&
    isRecord(schema['properties']) &&
    Object.values(schema['properties']).every(isPrimitiveSchema) &&
    optional(schema['required'], (names) => isArrayOf(names, isString))
  );
}
