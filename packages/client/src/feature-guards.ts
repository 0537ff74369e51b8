import { ErrorCode, ProtocolError } from '@portico/rpc';
import {
  elicitContentFault,
  hasCapability,
  isCreateMessageRequestParams,
  isCreateMessageResult,
  isElicitRequestParams,
  isElicitResult,
  isListRootsResult,
  samplingMessagesFault,
  withElicitDefaults,
} from '@portico/spec';
import type {
  ClientCapabilities,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
} from '@portico/spec';
import { getSupportedElicitationModes } from './elicitation-modes.ts';
import type { GuardedMethod, IncomingRequest } from './handlers.ts';

/**
 * Stands around a handler: refuses requests that are malformed or ask for what this side did not
 * declare, and answers that break the protocol.
 */
export type Guard = (
  request: IncomingRequest,
  capabilities: ClientCapabilities,
  handle: (request: IncomingRequest) => unknown,
) => Promise<unknown>;

function refuse(message: string): never {
  throw new ProtocolError(ErrorCode.InvalidParams, message);
}

const guardSampling: Guard = async (request, capabilities, handle): Promise<CreateMessageResult> => {
  const { params } = request;
  if (!isCreateMessageRequestParams(params)) return refuse('the sampling request is malformed');
  const withTools = params.tools !== undefined || params.toolChoice !== undefined;
  if (withTools && !hasCapability(capabilities, 'sampling.tools')) {
    return refuse('this client does not declare tools for sampling');
  }
  const fault = samplingMessagesFault(params.messages);
  if (fault !== undefined) return refuse(fault);
  const result = await handle(request);
  if (!isCreateMessageResult(result)) return refuse('the answer to the sampling request is malformed');
  if (!withTools && Array.isArray(result.content)) {
    return refuse('a sampling request without tools is answered with one block of content');
  }
  return result;
};

function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:';
}

function checkElicitation(params: ElicitRequestParams, capabilities: ClientCapabilities): void {
  const { supportsFormMode, supportsUrlMode } = getSupportedElicitationModes(capabilities.elicitation);
  if (params.mode === 'url') {
    if (!supportsUrlMode) refuse('this client does not declare elicitation by URL');
    if (!isWebAddress(params.url)) refuse('the address to open is no http or https URL');
  } else if (!supportsFormMode) {
    refuse('this client does not declare elicitation by form');
  }
}

const guardElicitation: Guard = async (request, capabilities, handle): Promise<ElicitResult> => {
  const { params } = request;
  if (!isElicitRequestParams(params)) return refuse('the elicitation request is malformed');
  checkElicitation(params, capabilities);
  const result = await handle(request);
  if (!isElicitResult(result)) return refuse('the answer to the elicitation request is malformed');
  const { content, ...rest } = result;
  // Only a form that was accepted has content.
  if (params.mode === 'url' || result.action !== 'accept') return content === undefined ? result : rest;
  const { requestedSchema } = params;
  const applyDefaults = capabilities.elicitation?.form?.['applyDefaults'] === true;
  const entered = content ?? {};
  const filled = applyDefaults ? withElicitDefaults(requestedSchema, entered) : entered;
  const fault = elicitContentFault(requestedSchema, filled);
  if (fault !== undefined) return refuse(`the entered content does not fit the form: ${fault}`);
  return filled === content ? result : { ...rest, content: filled };
};

const guardRoots: Guard = async (request, _capabilities, handle): Promise<ListRootsResult> => {
  const result = await handle(request);
  if (isListRootsResult(result) && result.roots.every(({ uri }) => uri.startsWith('file://'))) return result;
  throw new ProtocolError(ErrorCode.InternalError, 'the list of roots holds something that is no file URI');
};

/** What stands around handlers, by method. */
export const GUARDS: Readonly<Record<GuardedMethod, Guard>> = {
  'sampling/createMessage': guardSampling,
  'elicitation/create': guardElicitation,
  'roots/list': guardRoots,
};
