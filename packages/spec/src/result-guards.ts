import type { ClientCapabilities, ServerCapabilities } from './capabilities.ts';
import {
  isAnnotations,
  isArrayOf,
  isBoolean,
  isContentBlock,
  isImplementation,
  isNamed,
  isNumber,
  isPage,
  isRecord,
  isResource,
  isResourceContents,
  isResult,
  isRole,
  isString,
  optional,
} from './guards.ts';
import type { InputRequest, InputRequests, InputRequiredResult } from './input-required.ts';
import type { DiscoverResult, InitializeResult } from './lifecycle.ts';
import type {
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from './prompts.ts';
import type {
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceResult,
  ResourceTemplateType,
} from './resources.ts';
import type { CallToolResult, ListToolsResult, Tool } from './tools.ts';

/** Whether the tool is well formed; its schemas are only looked at from outside. */
export function isTool(value: unknown): value is Tool {
  return (
    isNamed(value) &&
    isRecord(value['inputSchema']) &&
    value['inputSchema']['type'] === 'object' &&
    optional(value['outputSchema'], isRecord) &&
    optional(value['annotations'], isRecord) &&
    optional(value['execution'], isRecord)
  );
}

export function isCallToolResult(value: unknown): value is CallToolResult {
  return (
    isResult(value) && isArrayOf(value['content'], isContentBlock) && optional(value['isError'], isBoolean)
  );
}

/**
 * A page of tools. Items may be anything: one bad tool must not cost the page, so each is to be
 * looked at with {@link isTool}.
 */
export function isListToolsResult(value: unknown): value is ListToolsResult {
  return isPage(value) && Array.isArray(value['tools']);
}

export function isListResourcesResult(value: unknown): value is ListResourcesResult {
  return isPage(value) && isArrayOf(value['resources'], isResource);
}

export function isResourceTemplate(value: unknown): value is ResourceTemplateType {
  return (
    isNamed(value) &&
    isString(value['uriTemplate']) &&
    optional(value['mimeType'], isString) &&
    optional(value['annotations'], isAnnotations)
  );
}

export function isListResourceTemplatesResult(value: unknown): value is ListResourceTemplatesResult {
  return isPage(value) && isArrayOf(value['resourceTemplates'], isResourceTemplate);
}

export function isReadResourceResult(value: unknown): value is ReadResourceResult {
  return isResult(value) && isArrayOf(value['contents'], isResourceContents);
}

function isPromptArgument(value: unknown): value is PromptArgument {
  return isNamed(value) && optional(value['required'], isBoolean);
}

export function isPrompt(value: unknown): value is Prompt {
  return isNamed(value) && optional(value['arguments'], (prompts) => isArrayOf(prompts, isPromptArgument));
}

export function isListPromptsResult(value: unknown): value is ListPromptsResult {
  return isPage(value) && isArrayOf(value['prompts'], isPrompt);
}

function isPromptMessage(value: unknown): value is PromptMessage {
  return isRecord(value) && isRole(value['role']) && isContentBlock(value['content']);
}

export function isGetPromptResult(value: unknown): value is GetPromptResult {
  return (
    isResult(value) &&
    isArrayOf(value['messages'], isPromptMessage) &&
    optional(value['description'], isString)
  );
}

export function isCompleteResult(value: unknown): value is CompleteResult {
  if (!isResult(value) || !isRecord(value['completion'])) return false;
  const { values, total, hasMore } = value['completion'];
  return isArrayOf(values, isString) && optional(total, isNumber) && optional(hasMore, isBoolean);
}

/** Every declared capability must be an object; what is inside is up to each capability. */
export function isCapabilities(value: unknown): value is ClientCapabilities & ServerCapabilities {
  if (!isRecord(value)) return false;
  for (const name in value) if (!isRecord(value[name])) return false;
  return true;
}

export function isInitializeResult(value: unknown): value is InitializeResult {
  return (
    isResult(value) &&
    isString(value['protocolVersion']) &&
    isCapabilities(value['capabilities']) &&
    isImplementation(value['serverInfo']) &&
    optional(value['instructions'], isString)
  );
}

export function isDiscoverResult(value: unknown): value is DiscoverResult {
  return (
    isResult(value) &&
    isArrayOf(value['supportedVersions'], isString) &&
    isCapabilities(value['capabilities']) &&
    optional(value['instructions'], isString)
  );
}

const INPUT_METHODS: readonly unknown[] = ['sampling/createMessage', 'roots/list', 'elicitation/create'];

function isInputRequest(value: unknown): value is InputRequest {
  if (!isRecord(value) || !INPUT_METHODS.includes(value['method'])) return false;
  const { method, params } = value;
  return method === 'roots/list' ? optional(params, isRecord) : isRecord(params);
}

/** Open questions by key, each well formed. */
export function isInputRequests(value: unknown): value is InputRequests {
  return isRecord(value) && Object.values(value).every(isInputRequest);
}

/** An interim result with at least one of its two members, and every input request well formed. */
export function isInputRequiredResult(value: unknown): value is InputRequiredResult {
  if (!isResult(value) || value['resultType'] !== 'input_required') return false;
  const { inputRequests, requestState } = value;
  if (inputRequests === undefined && requestState === undefined) return false;
  return optional(requestState, isString) && optional(inputRequests, isInputRequests);
}
