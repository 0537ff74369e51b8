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

/** The side that serves requests. */
interface ServingSide {
  readonly capabilities: ClientCapabilities;
  /** Tells whoever watches the client. */
  readonly report: (error: Error) => void;
}

/**
 * Stands around a handler: refuses requests that are malformed or ask for what this side did not
 * declare, and answers that break the protocol.
 */
export type Guard = (
  request: IncomingRequest,
  side: ServingSide,
  handle: (request: IncomingRequest) => unknown,
) => Promise<unknown>;

function refuse(message: string): never {
  throw new ProtocolError(ErrorCode.InvalidParams, message);
}

const guardSampling: Guard = async (request, { capabilities }, handle): Promise<CreateMessageResult> => {
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

function checkMode({ mode }: ElicitRequestParams, { elicitation }: ClientCapabilities): void {
  const { supportsFormMode, supportsUrlMode } = getSupportedElicitationModes(elicitation);
  if (mode === 'url' && !supportsUrlMode) refuse('this client does not declare elicitation by URL');
  if (mode !== 'url' && !supportsFormMode) refuse('this client does not declare elicitation by form');
}

const guardElicitation: Guard = async (request, { capabilities, report }, handle): Promise<ElicitResult> => {
  const { params } = request;
  if (!isElicitRequestParams(params)) return refuse('the elicitation request is malformed');
  checkMode(params, capabilities);
  // Nobody is to be shown it, and what the server does may go on without.
  if (params.mode === 'url' && !isWebAddress(params.url)) {
    report(
      new ProtocolError(ErrorCode.InvalidParams, 'the server asked to open what is no http or https URL'),
    );
    return { action: 'decline' };
  }
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

const guardRoots: Guard = async (request, _side, handle): Promise<ListRootsResult> => {
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
