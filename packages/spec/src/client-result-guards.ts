import type { ElicitResult } from './elicitation.ts';
import {
  isArrayOf,
  isBoolean,
  isContentBlock,
  isNumber,
  isRecord,
  isResult,
  isRole,
  isString,
  optional,
} from './guards.ts';
import type { CreateMessageResult, ListRootsResult } from './sampling.ts';

function isSamplingBlock(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['type'] === 'tool_use') {
    return isString(value['id']) && isString(value['name']) && isRecord(value['input']);
  }
  if (value['type'] === 'tool_result') {
    return isString(value['toolUseId']) && isArrayOf(value['content'], isContentBlock);
  }
  return isContentBlock(value) && value.type !== 'resource' && value.type !== 'resource_link';
}

export function isCreateMessageResult(value: unknown): value is CreateMessageResult {
  return (
    isResult(value) &&
    isRole(value['role']) &&
    isString(value['model']) &&
    optional(value['stopReason'], isString) &&
    (isSamplingBlock(value['content']) || isArrayOf(value['content'], isSamplingBlock))
  );
}

function isRoot(value: unknown): boolean {
  return isRecord(value) && isString(value['uri']) && optional(value['name'], isString);
}

export function isListRootsResult(value: unknown): value is ListRootsResult {
  return isResult(value) && isArrayOf(value['roots'], isRoot);
}

function isFormValue(value: unknown): boolean {
  return isString(value) || isNumber(value) || isBoolean(value) || isArrayOf(value, isString);
}

function isFormContent(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isFormValue);
}

export function isElicitResult(value: unknown): value is ElicitResult {
  if (!isResult(value)) return false;
  const { action, content } = value;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return false;
  return optional(content, isFormContent);
}
