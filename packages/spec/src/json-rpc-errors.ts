import { ErrorCode } from '@portico/rpc';

/** The numbers of JSON-RPC itself, each by its own name. */
export const PARSE_ERROR = ErrorCode.ParseError;
export const INVALID_REQUEST = ErrorCode.InvalidRequest;
export const METHOD_NOT_FOUND = ErrorCode.MethodNotFound;
export const INVALID_PARAMS = ErrorCode.InvalidParams;
export const INTERNAL_ERROR = ErrorCode.InternalError;
