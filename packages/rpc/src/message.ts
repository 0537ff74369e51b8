/** The only value of the `jsonrpc` member. */
export const JSONRPC_VERSION = '2.0';

/** A request id: text or a whole number, never null (JSON-RPC as MCP narrows it). */
export type RequestId = string | number;

/** Named parameters; JSON-RPC's positional form is not used by any protocol here. */
export type JSONRPCParams = { readonly [key: string]: unknown };

export interface JSONRPCRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JSONRPCParams;
}

export interface JSONRPCNotification {
  jsonrpc: '2.0';
  method: string;
  params?: JSONRPCParams;
}

export interface JSONRPCResultResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: unknown;
}

/** The `error` member of an error response. */
export interface JSONRPCErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

export interface JSONRPCErrorResponse {
  jsonrpc: '2.0';
  /** Missing (or null, from other implementations) when the request's id could not be read. */
  id?: RequestId | null;
  error: JSONRPCErrorObject;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

/** True for an object that is neither null nor an array. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for text and whole numbers. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}

function hasValidParams(message: Record<string, unknown>): boolean {
  const params = message['params'];
  return params === undefined || isRecord(params);
}

function hasNoAnswer(message: Record<string, unknown>): boolean {
  return message['result'] === undefined && message['error'] === undefined;
}

/** True for a well-formed request: version, method, id, object params, no answer members. */
export function isJSONRPCRequest(value: unknown): value is JSONRPCRequest {
  return (
    isRecord(value) &&
    value['jsonrpc'] === '2.0' &&
    typeof value['method'] === 'string' &&
    isRequestId(value['id']) &&
    hasValidParams(value) &&
    hasNoAnswer(value)
  );
}

/** True for a well-formed notification, which is a request without any `id` member. */
export function isJSONRPCNotification(value: unknown): value is JSONRPCNotification {
  return (
    isRecord(value) &&
    value['jsonrpc'] === '2.0' &&
    typeof value['method'] === 'string' &&
    value['id'] === undefined &&
    hasValidParams(value) &&
    hasNoAnswer(value)
  );
}

/** True for a well-formed success answer. */
export function isJSONRPCResultResponse(value: unknown): value is JSONRPCResultResponse {
  return (
    isRecord(value) &&
    value['jsonrpc'] === '2.0' &&
    isRequestId(value['id']) &&
    value['result'] !== undefined &&
    value['error'] === undefined &&
    value['method'] === undefined
  );
}

function isErrorObject(value: unknown): value is JSONRPCErrorObject {
  return isRecord(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}

/** True for a well-formed error answer; its id may be missing or null. */
export function isJSONRPCErrorResponse(value: unknown): value is JSONRPCErrorResponse {
  return (
    isRecord(value) &&
    value['jsonrpc'] === '2.0' &&
    (value['id'] === undefined || value['id'] === null || isRequestId(value['id'])) &&
    isErrorObject(value['error']) &&
    value['result'] === undefined &&
    value['method'] === undefined
  );
}

/** True for either kind of answer. */
export function isJSONRPCResponse(value: unknown): value is JSONRPCResponse {
  return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value);
}

/** True when the value has exactly one of the four message forms. */
export function isJSONRPCMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}
