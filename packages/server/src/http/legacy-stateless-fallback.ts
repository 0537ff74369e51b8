import { OpenTable, reportGuarded, systemClock } from '@portico/rpc';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@portico/spec';
import { createSubscriptionSlots } from '../channel.ts';
import { InMemoryServerEventBus } from '../server-events.ts';
import type { McpHandlerRequestOptions } from './create-mcp-handler.ts';
import { bodyRefusal, methodNotAllowed, refusal, refusedRequest } from './error-answers.ts';
import { DEFAULT_KEEP_ALIVE_MS } from './event-stream.ts';
import { fromWebRequest, toWebResponse } from './fetch-face.ts';
import { type McpServerFactory, handlerTarget } from './handler-target.ts';
import { refuseForeignHost } from './host-guard.ts';
import { DEFAULT_MAX_REQUEST_BODY_SIZE, type HttpAnswer, type HttpRequest } from './http-message.ts';
import { legacyCodec, serveStateless } from './legacy-requests.ts';
import type { HandlerParts } from './modern-requests.ts';
import { contentFault, readMessages } from './read-messages.ts';

/** Serves legacy web requests. */
export type LegacyHttpHandler = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

export interface LegacyStatelessFallbackOptions {
  /** Largest request body, in bytes. Default 4 MiB. Bodies that come parsed are not measured. */
  readonly maxRequestBodySize?: number;
}

/**
 * The sessionless legacy half of `createMcpHandler` by itself: one server from the factory for each
 * POST, no GET and no DELETE. Route to it with `isLegacyRequest`.
 *
 * @param onerror faults and refusals, for reporting only
 */
export function legacyStatelessFallback(
  factory: McpServerFactory,
  onerror?: (error: Error) => void,
  options: LegacyStatelessFallbackOptions = {},
): LegacyHttpHandler {
  const report = (error: Error): void => reportGuarded(onerror, error);
  const parts: HandlerParts = {
    target: handlerTarget(factory, { shareOne: false, onShared: () => undefined, report }),
    bus: new InMemoryServerEventBus(report),
    clock: systemClock,
    keepAliveMs: DEFAULT_KEEP_ALIVE_MS,
    responseMode: 'auto',
    subscriptions: createSubscriptionSlots(0),
    open: new OpenTable(),
    supportedVersions: SUPPORTED_PROTOCOL_VERSIONS,
    scopeChallenge: undefined,
    report,
  };
  const maxBodyBytes = options.maxRequestBodySize ?? DEFAULT_MAX_REQUEST_BODY_SIZE;
  return async (request, requestOptions) => {
    const answer = await serve(fromWebRequest(request, requestOptions), parts, maxBodyBytes);
    if (answer.status >= 400)
      report(refusedRequest(answer.status, 'body' in answer ? answer.body : undefined));
    return toWebResponse(answer);
  };
}

async function serve(request: HttpRequest, parts: HandlerParts, maxBodyBytes: number): Promise<HttpAnswer> {
  const foreign = refuseForeignHost(
    { host: request.header('host'), origin: request.header('origin') },
    { allowedHosts: ['*'] },
  );
  if (foreign !== undefined) return refusal(403, foreign);
  if (request.method !== 'POST') return methodNotAllowed('POST');
  const fault = contentFault(request);
  if (fault !== undefined) return fault;
  const takesArrays = (): boolean => legacyCodec(request, parts.supportedVersions)?.acceptsBatches === true;
  try {
    const { messages } = await readMessages(request, { maxBodyBytes, maxDepth: undefined }, takesArrays);
    return await serveStateless(messages, request, parts);
  } catch (error) {
    return bodyRefusal(error);
  }
}
