import type { SignInCause } from '@portico/api';
import { OAuthClientFlowError, OAuthError, RegistrationRejectedError } from '@portico/oauth';
import type { OAuthFlowErrorCode } from '@portico/oauth';
import { isHostError } from '../errors.ts';

/** Most causes of an error that are looked through. */
const MAX_DEPTH = 8;

/** Failures of this side; those that are not here need a closer look. */
const FLOW_CAUSES: Partial<Readonly<Record<OAuthFlowErrorCode, SignInCause>>> = {
  no_server_metadata: 'no_metadata',
  metadata_unusable: 'no_metadata',
  resource_mismatch: 'no_metadata',
  issuer_mismatch: 'issuer_mismatch',
  authorization_server_mismatch: 'issuer_mismatch',
  url_refused: 'address_refused',
  insecure_token_endpoint: 'address_refused',
  client_id_needed: 'client_id_needed',
  state_mismatch: 'unknown_state',
  callback_incomplete: 'unknown_state',
  answer_timeout: 'not_reached',
  answer_unusable: 'server_failed',
  answer_too_large: 'server_failed',
  insufficient_scope: 'scope_too_small',
};

/** What servers say in OAuth's own words. */
const SERVER_CAUSES: Readonly<Record<string, SignInCause>> = {
  access_denied: 'access_denied',
  invalid_grant: 'invalid_grant',
  invalid_scope: 'scope_too_small',
  insufficient_scope: 'scope_too_small',
  invalid_redirect_uri: 'redirect_mismatch',
  server_error: 'server_failed',
  temporarily_unavailable: 'server_failed',
  too_many_requests: 'server_failed',
};

/** What certificates and handshakes fail with, by the names of Node and OpenSSL. */
const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH)/;

/** Certificates that are good at another time than it is here. */
const CLOCK_CODE = /^CERT_NOT_YET_VALID$/;

/** Words by which servers refuse a proof or assertion that was made at another time than theirs. */
const CLOCK_WORDS = /\b(iat|nbf|clock|in the future|not yet valid)\b/i;

/** Which of the causes that people are told an attempt failed with (K43). */
export function signInCause(error: unknown): SignInCause {
  const errors = chainOf(error);
  return (
    firstOf(errors, causeOfServer) ??
    firstOf(errors, causeOfConnection) ??
    firstOf(errors, causeOfFlow) ??
    'other'
  );
}

function causeOfServer(error: unknown): SignInCause | undefined {
  if (!OAuthError.isInstance(error)) return undefined;
  if (CLOCK_WORDS.test(error.message)) return 'wrong_clock';
  if (error.code === 'invalid_request' && /redirect_uri/i.test(error.message)) return 'redirect_mismatch';
  return Object.hasOwn(SERVER_CAUSES, error.code) ? SERVER_CAUSES[error.code] : undefined;
}

function causeOfConnection(error: unknown): SignInCause | undefined {
  if (isHostError(error, 'address_refused')) return 'address_refused';
  const code = codeOf(error);
  if (CLOCK_CODE.test(code)) return 'wrong_clock';
  return TLS_CODE.test(code) ? 'tls' : undefined;
}

function causeOfFlow(error: unknown): SignInCause | undefined {
  if (RegistrationRejectedError.isInstance(error)) {
    return /invalid_redirect_uri/.test(error.body) ? 'redirect_mismatch' : 'registration_refused';
  }
  if (!OAuthClientFlowError.isInstance(error)) return undefined;
  if (error.code === 'network') return 'not_reached';
  return Object.hasOwn(FLOW_CAUSES, error.code) ? FLOW_CAUSES[error.code as OAuthFlowErrorCode] : undefined;
}

function firstOf<T>(errors: readonly unknown[], find: (error: unknown) => T | undefined): T | undefined {
  for (const error of errors) {
    const found = find(error);
    if (found !== undefined) return found;
  }
  return undefined;
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_DEPTH; at = at.cause) chain.push(at);
  return chain;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
