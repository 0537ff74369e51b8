import {
  ErrorCode,
  type JSONRPCErrorObject,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  isJSONRPCMessage,
  isJSONRPCRequest,
  isProtocolError,
} from '@portico/rpc';
import {
  type MessageClassification,
  PROTOCOL_VERSION_HEADER,
  SUPPORTED_PROTOCOL_VERSIONS,
  codecFor,
  hasEnvelope,
  headerMismatchError,
  readProtocolVersion,
} from '@portico/spec';
import { checkModernRequest } from './modern-request-check.ts';

/** One HTTP request, as far as its era can be told from it. */
export interface InboundHttpRequest {
  readonly httpMethod: string;
  readonly protocolVersionHeader?: string | undefined;
  readonly mcpMethodHeader?: string | undefined;
  readonly mcpNameHeader?: string | undefined;
  /** The body, parsed. */
  readonly body?: unknown;
}

export type InboundLegacyRouteReason =
  | 'http-method'
  | 'initialize'
  | 'no-claim'
  | 'notification'
  | 'batch'
  | 'response';

/** Legacy traffic, and why it is that. */
export interface InboundLegacyRoute {
  readonly kind: 'legacy';
  readonly reason: InboundLegacyRouteReason;
  /** The version that the request names, where it names one. */
  readonly requestedVersion?: string;
}

/** One modern message. */
export type InboundModernRoute =
  | {
      readonly kind: 'modern';
      readonly messageKind: 'request';
      readonly message: JSONRPCRequest;
      readonly classification: MessageClassification;
    }
  | {
      readonly kind: 'modern';
      readonly messageKind: 'notification';
      readonly message: JSONRPCNotification;
      readonly classification: MessageClassification;
    };

/** The checks of a request, in the order of their answers. */
export type InboundValidationRung =
  | 'http-method'
  | 'jsonrpc-shape'
  | 'era-classification'
  | 'envelope'
  | 'method-registry'
  | 'request-params'
  | 'standard-header-validation'
  | 'client-capabilities'
  | 'param-header-validation';

/** A request that is answered with an error whatever the server offers. */
export interface InboundLadderRejection {
  readonly kind: 'reject';
  /** The check that it failed. */
  readonly rung: InboundValidationRung;
  /** Names the case, for tests and logs. */
  readonly cell: string;
  readonly httpStatus: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Whether the specification settles the code. */
  readonly settled: boolean;
}

export type InboundClassificationOutcome = InboundLegacyRoute | InboundModernRoute | InboundLadderRejection;

/**
 * Tells the era of one HTTP request and, for modern ones, whether its envelope and headers fit. The
 * body decides; the version header is cross-checked, and counts where a body says nothing. Never
 * throws. Content type and size are not looked at: check those first.
 *
 * @param options.supportedVersions revisions served, newest first; default: all
 */
export function classifyInboundRequest(
  request: InboundHttpRequest,
  {
    supportedVersions = SUPPORTED_PROTOCOL_VERSIONS,
  }: { readonly supportedVersions?: readonly string[] } = {},
): InboundClassificationOutcome {
  const { httpMethod, protocolVersionHeader: stated, body } = request;
  if (httpMethod.toUpperCase() !== 'POST') return legacyRoute('http-method', stated);
  if (Array.isArray(body)) return classifyArray(body, stated, supportedVersions);
  if (!isJSONRPCMessage(body)) return malformed('The body is no JSON-RPC message.');
  const route = classifyMessage(body, stated, supportedVersions);
  if (route.kind !== 'modern' || route.messageKind !== 'request') return route;
  return validated(route, request, supportedVersions);
}

/** The era of one message whose form has been checked. */
export function classifyMessage(
  message: JSONRPCMessage,
  stated: string | undefined,
  supportedVersions: readonly string[],
): InboundClassificationOutcome {
  const statesModern = isServedModern(stated, supportedVersions);
  if (!('method' in message)) {
    if (!statesModern) return legacyRoute('response', stated);
    return malformed('Answers are not posted in this revision.');
  }
  const claims = hasEnvelope(message.params);
  if (!isJSONRPCRequest(message)) {
    if (!statesModern && !claims) return legacyRoute('notification', stated);
    return { kind: 'modern', messageKind: 'notification', message, classification: modern(message, stated) };
  }
  const isOpening = message.method === 'initialize';
  if (!claims && !statesModern) {
    const asked = message.params?.['protocolVersion'];
    if (isOpening) return legacyRoute('initialize', typeof asked === 'string' ? asked : stated);
    return legacyRoute('no-claim', stated);
  }
  if (claims || !isOpening) {
    return { kind: 'modern', messageKind: 'request', message, classification: modern(message, stated) };
  }
  const error = headerMismatchError(`initialize is not part of revision ${String(stated)}`);
  return rejection('era-classification', 'initialize-with-modern-header', error);
}

function classifyArray(
  body: readonly unknown[],
  stated: string | undefined,
  supportedVersions: readonly string[],
): InboundClassificationOutcome {
  const enveloped = body.some(
    (each) => isJSONRPCMessage(each) && 'method' in each && hasEnvelope(each.params),
  );
  if (!enveloped && !isServedModern(stated, supportedVersions)) return legacyRoute('batch', stated);
  return malformed('Arrays of messages are not part of this revision.');
}

function validated(
  route: Extract<InboundModernRoute, { messageKind: 'request' }>,
  request: InboundHttpRequest,
  supportedVersions: readonly string[],
): InboundClassificationOutcome {
  const { message } = route;
  const given: Readonly<Record<string, string | undefined>> = {
    [PROTOCOL_VERSION_HEADER.toLowerCase()]: request.protocolVersionHeader,
    'mcp-method': request.mcpMethodHeader,
    'mcp-name': request.mcpNameHeader,
  };
  const expected = expectedHeaders(message);
  try {
    // Whoever leaves a header out of the description has not said that it is missing.
    const checked = checkModernRequest(message, (name) => given[name] ?? expected[name], supportedVersions);
    if (checked.ok) return route;
    return rejection('standard-header-validation', 'header-mismatch', checked.error);
  } catch (error) {
    if (isProtocolError(error)) return rejection('envelope', 'envelope-refused', error);
    return rejection('envelope', 'envelope-refused', {
      code: ErrorCode.InternalError,
      message: 'Internal error',
    });
  }
}

function expectedHeaders(message: JSONRPCRequest): Readonly<Record<string, string>> {
  const codec = codecFor(readProtocolVersion(message.params) ?? '');
  const headers = codec?.headersFor(message) ?? {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function isServedModern(stated: string | undefined, supportedVersions: readonly string[]): boolean {
  return stated !== undefined && codecFor(stated)?.era === 'modern' && supportedVersions.includes(stated);
}

function modern(
  message: JSONRPCRequest | JSONRPCNotification,
  stated: string | undefined,
): MessageClassification {
  const revision = readProtocolVersion(message.params) ?? stated;
  return revision === undefined ? { era: 'modern' } : { era: 'modern', revision };
}

function legacyRoute(
  reason: InboundLegacyRouteReason,
  requestedVersion: string | undefined,
): InboundLegacyRoute {
  return requestedVersion === undefined
    ? { kind: 'legacy', reason }
    : { kind: 'legacy', reason, requestedVersion };
}

function malformed(message: string): InboundLadderRejection {
  return rejection('jsonrpc-shape', 'not-one-message', { code: ErrorCode.InvalidRequest, message });
}

function rejection(
  rung: InboundValidationRung,
  cell: string,
  { code, message, data }: Pick<JSONRPCErrorObject, 'code' | 'message'> & { readonly data?: unknown },
): InboundLadderRejection {
  const common = { kind: 'reject', rung, cell, httpStatus: 400, code, message, settled: true } as const;
  return data === undefined ? common : { ...common, data };
}
