import {
  jsonAnswer,
  OAuthError,
  OAuthErrorCode,
  type PlainAnswer,
  UpstreamError,
} from '@portico/oauth/resource';

/** Answers with secrets are kept nowhere. */
export const NO_STORE: Readonly<Record<string, string>> = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** What is read by pages of every origin. */
export const ANY_ORIGIN: Readonly<Record<string, string>> = { 'access-control-allow-origin': '*' };

const STATUS: Readonly<Record<string, number>> = {
  [OAuthErrorCode.ServerError]: 500,
  [OAuthErrorCode.TemporarilyUnavailable]: 503,
  [OAuthErrorCode.TooManyRequests]: 429,
};

/** What clients are told of an error: everything that is no OAuthError is this side's fault. */
export function toOAuthError(error: unknown, report: (error: Error) => void): OAuthError {
  if (error instanceof OAuthError) return error;
  report(error instanceof Error ? error : new TypeError(String(error)));
  return error instanceof UpstreamError
    ? new OAuthError(OAuthErrorCode.TemporarilyUnavailable, 'The server behind this one gave no answer.')
    : new OAuthError(OAuthErrorCode.ServerError, 'Internal Server Error');
}

/** An error as the answer of an endpoint. */
export function errorAnswer(error: OAuthError, headers: Readonly<Record<string, string>> = {}): PlainAnswer {
  const status = STATUS[error.code] ?? 400;
  return jsonAnswer(status, error.toResponseObject(), { ...NO_STORE, ...headers });
}

/** @throws OAuthError always */
export function refuse(code: OAuthErrorCode, message: string): never {
  throw new OAuthError(code, message);
}
