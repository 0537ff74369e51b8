import { type Clock, ErrorCode, type JSONRPCNotification, type JSONRPCRequest } from '@portico/rpc';
import {
  checkParamHeaders,
  serverCodecFor,
  type headerMismatchError,
  readProtocolVersion,
} from '@portico/spec';
import type { SubscriptionSlots } from '../channel.ts';
import { versionsOf } from '../built-in-methods.ts';
import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import { scopeFault } from '../scopes/scope-fault.ts';
import type { ServerEventBus } from '../server-events.ts';
import { toWireError } from '../wire-error.ts';
import { errorAnswer, modernStatus } from './error-answers.ts';
import { notifyAndRelease } from './notify-and-release.ts';
import type { ResponseMode } from './exchange.ts';
import type { HandlerTarget, Instance } from './handler-target.ts';
import { type HttpAnswer, type HttpRequest, acceptedForms, emptyAnswer } from './http-message.ts';
import { type CheckedModernRequest, checkModernRequest } from './modern-request-check.ts';
import { type OpenExchanges, progressTokenOf, serveExchange } from './serve-exchange.ts';

/** What all ways of serving need of their handler. */
export interface HandlerParts {
  readonly target: HandlerTarget;
  readonly bus: ServerEventBus;
  readonly clock: Clock;
  readonly keepAliveMs: number;
  readonly responseMode: ResponseMode;
  readonly subscriptions: SubscriptionSlots;
  readonly open: OpenExchanges;
  readonly supportedVersions: readonly string[];
  readonly scopeChallenge: ScopeChallengeHandler | undefined;
  readonly report: (error: Error) => void;
}

/** Serves one modern request: envelope and headers first, then the instance, then the handler. */
export async function serveModernRequest(
  message: JSONRPCRequest,
  request: HttpRequest,
  parts: HandlerParts,
): Promise<HttpAnswer> {
  const { id } = message;
  let checked: CheckedModernRequest;
  try {
    checked = checkModernRequest(message, (name) => request.header(name), parts.supportedVersions);
  } catch (error) {
    return errorAnswer(400, toWireError(error), id);
  }
  if (!checked.ok) return errorAnswer(400, checked.error, id);
  const mode = modeFor(request, parts.responseMode);
  if (mode === undefined) {
    const text = 'The answer is JSON or an event stream, and neither is accepted.';
    return errorAnswer(406, { code: ErrorCode.InvalidRequest, message: text }, id);
  }
  let instance: Instance;
  try {
    instance = await parts.target.take('modern', request);
  } catch (error) {
    parts.report(error instanceof Error ? error : new TypeError(String(error)));
    return errorAnswer(500, { code: ErrorCode.InternalError, message: 'Internal error' }, id);
  }
  const fault = parameterMismatch(message, request, instance);
  if (fault !== undefined) {
    await instance.release();
    return errorAnswer(400, fault, id);
  }
  const refused = scopeFault([message], request, { parts, instance });
  if (refused !== undefined) {
    const answer = await refused;
    if (answer !== undefined) {
      await instance.release();
      return answer;
    }
  }
  const { caller, params } = checked.request;
  const { open, report, clock, keepAliveMs, subscriptions, bus } = parts;
  return serveExchange(
    { received: message, message: { method: message.method, params }, caller, instance, open, report },
    {
      id,
      request,
      mode,
      clock,
      keepAliveMs,
      subscriptions,
      events: bus,
      servedVersions: parts.supportedVersions,
      progressToken: progressTokenOf(message.params),
      maxReportsPerSecond: instance.server.maxReportsPerSecond,
      report,
      errorStatus: modernStatus,
    },
  );
}

/** Takes one modern notification. None of the protocol's own comes this way; vendors' may. */
export async function takeModernNotification(
  message: JSONRPCNotification,
  request: HttpRequest,
  parts: HandlerParts,
): Promise<HttpAnswer> {
  const [newest = ''] = versionsOf('modern', parts.supportedVersions);
  const codec = serverCodecFor(readProtocolVersion(message.params) ?? newest);
  const mismatch = codec?.checkHeaders((name) => request.header(name.toLowerCase()), message);
  if (mismatch !== undefined) return errorAnswer(400, mismatch);
  try {
    const instance = await parts.target.take('modern', request);
    void notifyAndRelease(instance, [message], parts.report);
  } catch (error) {
    // Whatever becomes of a notification, its sender is not told.
    parts.report(error instanceof Error ? error : new TypeError(String(error)));
  }
  return emptyAnswer(202);
}

function parameterMismatch(
  { method, params }: JSONRPCRequest,
  request: HttpRequest,
  instance: Instance,
): ReturnType<typeof headerMismatchError> | undefined {
  const name = params?.['name'];
  if (method !== 'tools/call' || typeof name !== 'string') return undefined;
  const marked = instance.paramHeaders(name);
  if (marked.length === 0) return undefined;
  return checkParamHeaders(marked, params?.['arguments'], (header) => request.header(header.toLowerCase()));
}

/** A client that accepts only one form gets that form. */
function modeFor(request: HttpRequest, mode: ResponseMode): ResponseMode | undefined {
  const { json, events } = acceptedForms(request.header('accept'));
  if (json && events) return mode;
  if (json) return 'json';
  return events ? 'sse' : undefined;
}
