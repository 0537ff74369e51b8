import { ErrorCode, type JSONRPCMessage, type JSONRPCRequest, isJSONRPCRequest } from '@portico/rpc';
import {
  type ServerCodec,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  PROTOCOL_VERSION_HEADER,
  serverCodecFor,
  unsupportedProtocolVersionError,
} from '@portico/spec';
import { versionsOf } from '../built-in-methods.ts';
import { type LegacySession, unknownCaller } from '../caller.ts';
import { createSubscriptionSlots } from '../channel.ts';
import { scopeFault } from '../scopes/scope-fault.ts';
import { errorAnswer, refusal } from './error-answers.ts';
import type { Instance } from './handler-target.ts';
import { type HttpAnswer, type HttpRequest, acceptedForms, emptyAnswer, jsonAnswer } from './http-message.ts';
import { notifyAndRelease } from './notify-and-release.ts';
import type { HandlerParts } from './modern-requests.ts';
import { progressTokenOf, serveExchange } from './serve-exchange.ts';

/** Legacy errors ride in 200: only transport faults have a status of their own. */
const legacyStatus = (): number => 200;

/** Requests of one sessionless body, served without any memory between them. */
export async function serveStateless(
  messages: readonly JSONRPCMessage[],
  request: HttpRequest,
  parts: HandlerParts,
): Promise<HttpAnswer> {
  const fault = legacyFault(messages, request, parts.supportedVersions);
  if (fault !== undefined) return fault;
  const codec = legacyCodec(request, parts.supportedVersions);
  if (codec === undefined) return refusal(400, 'No legacy revision is served here.');
  const requests = messages.filter(isJSONRPCRequest);
  if (requests.length === 0) {
    await takeNotifications(messages, request, parts);
    return emptyAnswer(202);
  }
  const [only] = requests;
  if (only !== undefined && messages.length === 1) {
    return serveOne(only, request, { parts, codec });
  }
  // One answer for all of them: nothing is done when one may not be.
  const refused = await batchScopeFault(requests, request, parts);
  if (refused !== undefined) return refused;
  const answers = requests.map(async (each) => {
    const answer = await serveOne(each, request, {
      parts: { ...parts, responseMode: 'json' },
      codec,
    });
    return 'body' in answer && answer.body !== undefined ? (JSON.parse(answer.body) as object) : {};
  });
  return jsonAnswer(200, await Promise.all(answers));
}

/** The revision a sessionless request is written in. */
export function legacyCodec(
  request: HttpRequest,
  supportedVersions: readonly string[],
): ServerCodec | undefined {
  const stated = request.header(PROTOCOL_VERSION_HEADER.toLowerCase());
  const version = stated ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  const codec = serverCodecFor(version);
  if (codec?.era === 'legacy') return codec;
  const [newest] = versionsOf('legacy', supportedVersions);
  return newest === undefined ? undefined : serverCodecFor(newest);
}

/** What is wrong with a legacy POST before anything of it is served. */
export function legacyFault(
  messages: readonly JSONRPCMessage[],
  request: HttpRequest,
  supportedVersions: readonly string[],
): HttpAnswer | undefined {
  const { json, events } = acceptedForms(request.header('accept'));
  if (request.header('accept') === undefined || !json || !events) {
    return refusal(406, 'A client accepts both application/json and text/event-stream.');
  }
  if (messages.some((message) => isJSONRPCRequest(message) && message.method === 'initialize')) {
    return undefined;
  }
  return versionFault(request, supportedVersions);
}

/** A stated version must be one that is served; a missing one is fine. */
export function versionFault(
  request: HttpRequest,
  supportedVersions: readonly string[],
): HttpAnswer | undefined {
  const stated = request.header(PROTOCOL_VERSION_HEADER.toLowerCase());
  if (stated === undefined || supportedVersions.includes(stated)) return undefined;
  const served = supportedVersions.join(', ');
  return refusal(400, `Unsupported protocol version ${JSON.stringify(stated)}; served: ${served}.`);
}

/** What is wrong with a GET before its session is looked for. */
export function listeningFault(
  request: HttpRequest,
  supportedVersions: readonly string[],
): HttpAnswer | undefined {
  if (!acceptedForms(request.header('accept') ?? '').events) {
    return refusal(406, 'A client of this stream accepts text/event-stream.');
  }
  return versionFault(request, supportedVersions);
}

/** The refusal of legacy traffic at an endpoint that serves the modern era only. */
export function rejectLegacy(
  message: JSONRPCMessage | undefined,
  supportedVersions: readonly string[],
): HttpAnswer {
  if (message === undefined || !('method' in message)) {
    return errorAnswer(400, {
      code: ErrorCode.InvalidRequest,
      message: 'One request or notification is expected.',
    });
  }
  if (!isJSONRPCRequest(message)) return emptyAnswer(202);
  const asked = message.params?.['protocolVersion'];
  const requested = typeof asked === 'string' ? asked : 'legacy';
  return errorAnswer(400, unsupportedProtocolVersionError(requested, supportedVersions), message.id);
}

async function serveOne(
  message: JSONRPCRequest,
  request: HttpRequest,
  { parts, codec }: { readonly parts: HandlerParts; readonly codec: ServerCodec },
): Promise<HttpAnswer> {
  let instance: Instance;
  try {
    instance = await parts.target.take('legacy', request);
  } catch (error) {
    parts.report(error instanceof Error ? error : new TypeError(String(error)));
    const internal = { code: ErrorCode.InternalError, message: 'Internal error' };
    return errorAnswer(500, internal, message.id);
  }
  const refused = await scopeFault([message], request, { parts, instance });
  if (refused !== undefined) {
    await instance.release();
    return refused;
  }
  const session: LegacySession = {
    caller: unknownCaller(codec),
    initialized: true,
  };
  const { open, report, clock, keepAliveMs, responseMode: mode } = parts;
  return serveExchange(
    {
      received: message,
      message: { method: message.method, params: message.params ?? {} },
      caller: session.caller,
      instance,
      open,
      report,
    },
    {
      id: message.id,
      request,
      mode,
      clock,
      keepAliveMs,
      subscriptions: createSubscriptionSlots(0),
      session,
      progressToken: progressTokenOf(message.params),
      maxReportsPerSecond: instance.server.maxReportsPerSecond,
      report,
      errorStatus: legacyStatus,
    },
  );
}

async function batchScopeFault(
  messages: readonly JSONRPCRequest[],
  request: HttpRequest,
  parts: HandlerParts,
): Promise<HttpAnswer | undefined> {
  let instance: Instance;
  try {
    instance = await parts.target.take('legacy', request);
  } catch {
    // Each request meets the same failure by itself, and answers it.
    return undefined;
  }
  const refused = await scopeFault(messages, request, { parts, instance });
  await instance.release();
  return refused;
}

async function takeNotifications(
  messages: readonly JSONRPCMessage[],
  request: HttpRequest,
  { target, report }: HandlerParts,
): Promise<void> {
  try {
    const instance = await target.take('legacy', request);
    void notifyAndRelease(instance, messages, report);
  } catch (error) {
    report(error instanceof Error ? error : new TypeError(String(error)));
  }
}
