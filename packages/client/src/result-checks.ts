import {
  isCallToolResult,
  isCompleteResult,
  isDiscoverResult,
  isGetPromptResult,
  isListPromptsResult,
  isListResourceTemplatesResult,
  isListResourcesResult,
  isListToolsResult,
  isReadResourceResult,
  isRecord,
} from '@portico/spec';
import type {
  CallToolResult,
  CompleteResult,
  DiscoverResult,
  EmptyResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ListToolsResult,
  ReadResourceResult,
  Result,
} from '@portico/spec';
import { SdkError } from './errors.ts';

/** What the protocol's own requests are answered with. */
export interface ResultTypeMap {
  ping: EmptyResult;
  'server/discover': DiscoverResult;
  'tools/list': ListToolsResult;
  'tools/call': CallToolResult;
  'resources/list': ListResourcesResult;
  'resources/templates/list': ListResourceTemplatesResult;
  'resources/read': ReadResourceResult;
  'resources/subscribe': EmptyResult;
  'resources/unsubscribe': EmptyResult;
  'prompts/list': ListPromptsResult;
  'prompts/get': GetPromptResult;
  'completion/complete': CompleteResult;
  'logging/setLevel': EmptyResult;
}

const CHECKS: Readonly<Record<keyof ResultTypeMap, (value: unknown) => boolean>> = {
  ping: isRecord,
  'server/discover': isDiscoverResult,
  'tools/list': isListToolsResult,
  'tools/call': isCallToolResult,
  'resources/list': isListResourcesResult,
  'resources/templates/list': isListResourceTemplatesResult,
  'resources/read': isReadResourceResult,
  'resources/subscribe': isRecord,
  'resources/unsubscribe': isRecord,
  'prompts/list': isListPromptsResult,
  'prompts/get': isGetPromptResult,
  'completion/complete': isCompleteResult,
  'logging/setLevel': isRecord,
};

/** Whether the protocol itself says what answers the method. */
export function isResultKnown(method: string): method is keyof ResultTypeMap {
  return Object.hasOwn(CHECKS, method);
}

/** An interim result that the caller asked to see is not held against the final one's form. */
export function isInterim(result: Result): boolean {
  return result['resultType'] === 'input_required' || result['resultType'] === 'task';
}

/** @throws SdkError `INVALID_RESULT` when the result breaks the protocol */
export function checkResult<Method extends keyof ResultTypeMap>(
  method: Method,
  result: Result,
): ResultTypeMap[Method] {
  if (CHECKS[method](result) || isInterim(result)) return result as ResultTypeMap[Method];
  throw new SdkError('INVALID_RESULT', { message: `the answer to ${method} breaks the protocol` });
}
