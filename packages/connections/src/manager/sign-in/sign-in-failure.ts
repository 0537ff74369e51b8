import {
  OAUTH_FLOW_ERRORS,
  OAuthClientFlowError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from '@portico/oauth';
import type { OAuthFlowErrorCode } from '@portico/oauth';
import { CONNECTIONS_ERRORS, ConnectionsError } from '../../errors.ts';
import type { SignInFailure } from './sign-in-parts.ts';

/** Characters of a server's text that are shown. */
const SHOWN_LENGTH = 300;

function failure(code: SignInFailure['code'], detail?: string): SignInFailure {
  const message = CONNECTIONS_ERRORS[code];
  return { code, message: detail === undefined || detail === '' ? message : `${message}: ${detail}` };
}

/** A text of somebody else as one line. */
function shown(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, SHOWN_LENGTH);
}

/** What some failures are besides the sign-in's own. */
const CODES: Partial<Record<OAuthFlowErrorCode, SignInFailure['code']>> = {
  no_server_metadata: 'auth_unsupported',
  client_id_needed: 'client_id_needed',
  network: 'network_error',
  answer_timeout: 'network_error',
};

/** What a sign-in failed with, as it is told to people. Source: R64, R67, R68. */
export function toSignInFailure(error: unknown): SignInFailure {
  if (error instanceof ConnectionsError && error.code === 'insecure_context') return failure(error.code);
  if (error instanceof OAuthError) return failure('auth_failed', shown(`${error.code}, ${error.message}`));
  if (error instanceof RegistrationRejectedError) {
    // Some servers have a place to register, for those whom they know.
    const isClosed = error.status === 401 || error.status === 403;
    return failure(isClosed ? 'client_id_needed' : 'auth_failed', OAUTH_FLOW_ERRORS[error.code]);
  }
  if (!(error instanceof OAuthClientFlowError)) return failure('auth_failed');
  // The table's own words only: data and message may hold what another server wrote into the callback.
  const { code } = error as OAuthClientFlowError;
  return failure(CODES[code] ?? 'auth_failed', OAUTH_FLOW_ERRORS[code]);
}

/** What a server may say of a renewal that it cannot do for now. */
const PASSING: ReadonlySet<string> = new Set<OAuthErrorCode>([
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]);

/** What a renewal that nobody refused failed with: the same may work a little later. */
export function toRenewalFailure(error: unknown): SignInFailure {
  const failed = toSignInFailure(error);
  const isPassing =
    (error instanceof OAuthError && PASSING.has(error.code)) ||
    (error instanceof OAuthClientFlowError && error.code === 'answer_unusable');
  return isPassing ? { code: 'network_error', message: failed.message } : failed;
}

/** The failure as the error that a call ends with. */
export function failureError(
  serverId: string,
  { code, message }: SignInFailure,
  cause?: unknown,
): ConnectionsError {
  return new ConnectionsError(code, { id: serverId }, { message, cause });
}
