export { BrandedError } from './branded-error.ts';
export type { Clock, Timer } from './clock.ts';
export { isPromiseLike, reportGuarded, runGuarded } from './callbacks.ts';
export type { Report } from './callbacks.ts';
export { createPeer } from './create-peer.ts';
export { ErrorCode, ProtocolError, RPC_ERRORS, RpcError, isProtocolError, isRpcError } from './errors.ts';
export type { RpcErrorCode, RpcErrorData } from './errors.ts';
export { ExchangeScope } from './exchange-scope.ts';
export { FaultReporter } from './fault-reporter.ts';
export { RequestReports } from './request-reports.ts';
export type { RequestReportsOptions } from './request-reports.ts';
export {
  ReadBuffer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  deserializeMessage,
  parseJSONRPCMessage,
  serializeLine,
} from './framing.ts';
export { DEFAULT_RECEIVE_LIMITS, DEFAULT_REQUEST_TIMEOUT_MSEC, receiveLimits } from './limits.ts';
export type { ReceiveLimits } from './limits.ts';
export { InMemoryTransport, createMemoryTransportPair } from './memory-transport.ts';
export {
  JSONRPC_VERSION,
  isJSONRPCErrorResponse,
  isJSONRPCMessage,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  isRequestId,
} from './message.ts';
export type {
  JSONRPCErrorObject,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCParams,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  RequestId,
} from './message.ts';
export { OpenTable } from './open-table.ts';
export { parseMessage, parseMessages, serializeMessage, toErrorResponse } from './parse-message.ts';
export type { ParseOptions } from './parse-message.ts';
export type {
  CancelMode,
  Peer,
  PeerNotifyOptions,
  PeerOptions,
  PeerRequestOptions,
  Progress,
  ProgressCallback,
  RequestContext,
} from './peer.ts';
export { createSystemClock, systemClock } from './system-clock.ts';
export type { MessageExtraInfo, Transport, TransportSendOptions } from './transport.ts';
export { WrappedTransport } from './wrapped-transport.ts';
export type { TransportWatch } from './wrapped-transport.ts';
export { DEFAULT_MAX_LINE_BYTES, createLineReader } from './line-reader.ts';
export type { LineReader, LineReaderOptions } from './line-reader.ts';
export { createPortTransport } from './port-transport.ts';
export type { PortEvent, PortLike, PortTransportOptions } from './port-transport.ts';
export { createSseParser } from './sse-parser.ts';
export type { SseEvent, SseParser, SseParserOptions } from './sse-parser.ts';
export { createWindowTransport } from './window-transport.ts';
export type {
  WindowMessageEvent,
  WindowMessageSource,
  WindowTarget,
  WindowTransportOptions,
} from './window-transport.ts';
