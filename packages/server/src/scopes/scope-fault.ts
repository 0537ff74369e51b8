import { ErrorCode, type JSONRPCMessage, isJSONRPCRequest } from '@portico/rpc';
import { errorAnswer } from '../http/error-answers.ts';
import type { HttpAnswer, HttpRequest } from '../http/http-message.ts';
import { findScopeRefusal, type ScopeHandlers } from './find-scope-challenge.ts';
import type { ScopeChallengeHandler } from './scope-challenge.ts';

/** Where scopes are asked for. */
export interface ScopeSources {
  readonly parts: {
    readonly scopeChallenge: ScopeChallengeHandler | undefined;
    readonly report: (error: Error) => void;
  };
  readonly instance: { readonly scopeChallenge: ScopeChallengeHandler | undefined };
}

/**
 * The answer to messages of which one lacks scopes, before any of them is served. Undefined at once
 * when nobody objects, so that the common case waits for nothing.
 */
export function scopeFault(
  messages: readonly JSONRPCMessage[],
  { authInfo }: HttpRequest,
  { parts, instance }: ScopeSources,
): Promise<HttpAnswer | undefined> | undefined {
  const handlers: ScopeHandlers = [parts.scopeChallenge, instance.scopeChallenge];
  if (handlers.every((handler) => handler === undefined)) return undefined;
  const requests = messages.filter(isJSONRPCRequest);
  const failed = (error: unknown): HttpAnswer => {
    parts.report(error instanceof Error ? error : new TypeError(String(error)));
    const [first] = requests;
    return errorAnswer(500, { code: ErrorCode.InternalError, message: 'Internal error' }, first?.id);
  };
  try {
    const found = findScopeRefusal(requests, authInfo, handlers);
    return found === undefined ? undefined : Promise.resolve(found).catch(failed);
  } catch (error) {
    return Promise.resolve(failed(error));
  }
}
