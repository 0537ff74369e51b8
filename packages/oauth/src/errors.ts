import { BrandedError } from '@portico/rpc';
import type { OAuthErrorResponse } from './documents.ts';

/** Error codes that OAuth servers put on the wire, by name. Source: RFC 6749, 6750, 7009, 7591, 8707 and 9449. */
export const OAuthErrorCode = {
  InvalidRequest: 'invalid_request',
  InvalidClient: 'invalid_client',
  InvalidGrant: 'invalid_grant',
  UnauthorizedClient: 'unauthorized_client',
  UnsupportedGrantType: 'unsupported_grant_type',
  InvalidScope: 'invalid_scope',
  AccessDenied: 'access_denied',
  ServerError: 'server_error',
  TemporarilyUnavailable: 'temporarily_unavailable',
  UnsupportedResponseType: 'unsupported_response_type',
  UnsupportedTokenType: 'unsupported_token_type',
  InvalidToken: 'invalid_token',
  MethodNotAllowed: 'method_not_allowed',
  TooManyRequests: 'too_many_requests',
  InvalidClientMetadata: 'invalid_client_metadata',
  InvalidRedirectUri: 'invalid_redirect_uri',
  InsufficientScope: 'insufficient_scope',
  InvalidTarget: 'invalid_target',
  InvalidDpopProof: 'invalid_dpop_proof',
  UseDpopNonce: 'use_dpop_nonce',
} as const;

export type OAuthErrorCode = (typeof OAuthErrorCode)[keyof typeof OAuthErrorCode];

/**
 * What an authorization server or a protected resource said in OAuth's own words. What fails on
 * this side of the wire is an {@link OAuthClientFlowError} instead.
 */
export class OAuthError extends BrandedError {
  static readonly brand: string = 'OAuthError';
  /** One of {@link OAuthErrorCode}, or a code of the server's own. */
  readonly code: string;
  /** Page that explains the error, as the server names it: untrusted text. */
  readonly errorUri: string | undefined;

  /**
   * @param code the `error` of the answer
   * @param message its `error_description`: untrusted text, fit for a log and for people only after escaping
   * @param errorUri its `error_uri`
   */
  constructor(code: string, message: string, errorUri?: string) {
    super(message);
    this.name = 'OAuthError';
    this.code = code;
    this.errorUri = errorUri;
  }

  /** The body by which a server says this. */
  toResponseObject(): OAuthErrorResponse {
    return {
      error: this.code,
      error_description: this.message,
      ...(this.errorUri === undefined ? {} : { error_uri: this.errorUri }),
    };
  }
}
