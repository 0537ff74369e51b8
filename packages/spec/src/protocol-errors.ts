import { ErrorCode } from '@portico/rpc';
import type { ClientCapabilities } from './capabilities.ts';

/** Every error number that MCP gives a meaning, whatever the revision. */
export const ProtocolErrorCode = {
  ...ErrorCode,
  /** Modern: a header is missing, malformed or unlike the body. */
  HeaderMismatch: -32020,
  /** Modern: the request cannot be served without a capability the client did not declare. */
  MissingRequiredClientCapability: -32021,
  /** Modern: the server does not serve this revision. */
  UnsupportedProtocolVersion: -32022,
  /** Only received, from servers of earlier revisions; modern ones answer InvalidParams. */
  ResourceNotFound: -32002,
  /** Revision 2025-11-25 only. */
  UrlElicitationRequired: -32042,
} as const;

export type ProtocolErrorCode = (typeof ProtocolErrorCode)[keyof typeof ProtocolErrorCode];

/** The `error` member of an answer. */
export interface WireError {
  code: number;
  message: string;
  data?: unknown;
}

export interface UnsupportedProtocolVersionErrorData {
  /** Every revision the server serves. */
  supported: string[];
  requested: string;
}

export interface MissingRequiredClientCapabilityErrorData {
  /** Only what is missing. */
  requiredCapabilities: ClientCapabilities;
}

/** The answer to a request in a revision that is not served. */
export function unsupportedProtocolVersionError(requested: string, supported: readonly string[]): WireError {
  const data: UnsupportedProtocolVersionErrorData = { supported: [...supported], requested };
  const message = `Unsupported protocol version: ${requested}`;
  return { code: ProtocolErrorCode.UnsupportedProtocolVersion, message, data };
}

/** The answer to a request whose client lacks a capability that serving it needs. */
export function missingRequiredClientCapabilityError(requiredCapabilities: ClientCapabilities): WireError {
  const data: MissingRequiredClientCapabilityErrorData = { requiredCapabilities };
  const names = Object.keys(requiredCapabilities).join(', ');
  const message = `Missing required client capability: ${names}`;
  return { code: ProtocolErrorCode.MissingRequiredClientCapability, message, data };
}

/** The answer to a request whose headers do not fit its body. */
export function headerMismatchError(detail: string): WireError {
  return { code: ProtocolErrorCode.HeaderMismatch, message: `Header mismatch: ${detail}` };
}

const MODERN_ONLY: readonly number[] = [
  ProtocolErrorCode.HeaderMismatch,
  ProtocolErrorCode.MissingRequiredClientCapability,
  ProtocolErrorCode.UnsupportedProtocolVersion,
];

/** Whether only a modern server sends this number, so that it proves the era. */
export function isModernErrorCode(code: number): boolean {
  return MODERN_ONLY.includes(code);
}
