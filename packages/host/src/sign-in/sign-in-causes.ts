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

/** Clocks that differ by more than this are why proofs, codes and assertions are refused, milliseconds. */
const MAX_SKEW_MS = 300_000;

/** What a server may say of something that is good by its own clock only. */
const CLOCK_REFUSALS: ReadonlySet<string> = new Set([
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_grant',
  'invalid_request',
  'invalid_token',
]);

/** Words by which servers refuse a proof or assertion that was made at another time than theirs. */
const CLOCK_WORDS = /\b(iat|nbf|clock|in the future|not yet valid)\b/i;

/** Words by which servers say that the way back is not as registered; not those that repeat the request. */
const REDIRECT_WORDS =
  /redirect(_uri|ion uri| uri)?\b(?!=).{0,40}\b(mismatch|match|invalid|wrong|differ|registered|allowed)/i;

/**
 * Which of the causes that people are told an attempt failed with (K43).
 *
 * @param skewMs how far the clock of the server that failed it is ahead of ours, milliseconds
 */
export function signInCause(error: unknown, skewMs = 0): SignInCause {
  const errors = chainOf(error);
  return (
    firstOf(errors, (each) => causeOfServer(each, skewMs)) ??
    firstOf(errors, causeOfConnection) ??
    firstOf(errors, causeOfFlow) ??
    'other'
  );
}

function causeOfServer(error: unknown, skewMs: number): SignInCause | undefined {
  if (!OAuthError.isInstance(error)) return undefined;
  if (CLOCK_WORDS.test(error.message)) return 'wrong_clock';
  if (Math.abs(skewMs) > MAX_SKEW_MS && CLOCK_REFUSALS.has(error.code)) return 'wrong_clock';
  if (/^invalid_(request|grant)$/.test(error.code) && REDIRECT_WORDS.test(error.message))
    return 'redirect_mismatch';
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
