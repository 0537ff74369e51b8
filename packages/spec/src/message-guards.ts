import type { NotificationParams, RequestParams } from './base.ts';
import { isNumber, isRecord, optional } from './guards.ts';
import type { InitializeRequestParams } from './lifecycle.ts';
import { isInitializeRequestParams, isRequestParams } from './param-guards.ts';
import type { CompleteRequestParams, PromptReference, ResourceTemplateReference } from './prompts.ts';
import type { TaskMetadata } from './tasks.ts';

/** The legacy opening, with or without its JSON-RPC frame. */
export function isInitializeRequest(
  value: unknown,
): value is { method: 'initialize'; params: InitializeRequestParams } {
  return isRecord(value) && value['method'] === 'initialize' && isInitializeRequestParams(value['params']);
}

/** The end of the legacy opening, with or without its JSON-RPC frame. */
export function isInitializedNotification(
  value: unknown,
): value is { method: 'notifications/initialized'; params?: NotificationParams } {
  return (
    isRecord(value) &&
    value['method'] === 'notifications/initialized' &&
    optional(value['params'], (params) => isRecord(params) && optional(params['_meta'], isRecord))
  );
}

/** Params that may ask for a task. @deprecated Words of revision 2025-11-25, which nothing here acts on. */
export function isTaskAugmentedRequestParams(
  value: unknown,
): value is RequestParams & { task?: TaskMetadata } {
  return (
    isRequestParams(value) &&
    optional(value['task'], (task) => isRecord(task) && optional(task['ttl'], isNumber))
  );
}

/** `completion/complete` as it is sent, whatever it refers to. */
interface CompleteMessage {
  method: 'completion/complete';
  params: CompleteRequestParams;
}
type Referring<Reference> = CompleteMessage & { params: { ref: Reference } };

/** @throws TypeError unless a prompt's argument is to be completed */
export function assertCompleteRequestPrompt(
  request: CompleteMessage,
): asserts request is Referring<PromptReference> {
  assertReference(request, 'ref/prompt');
}

/** @throws TypeError unless a resource template's variable is to be completed */
export function assertCompleteRequestResourceTemplate(
  request: CompleteMessage,
): asserts request is Referring<ResourceTemplateReference> {
  assertReference(request, 'ref/resource');
}

function assertReference({ params }: CompleteMessage, type: string): void {
  if (params.ref.type === type) return;
  throw new TypeError(`the request completes for a ${params.ref.type}, not for a ${type}`);
}
