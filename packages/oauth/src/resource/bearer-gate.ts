import type { AuthInfo } from '../auth-info.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import { type VerifyBearerTokenOptions, verifyPresentedToken } from './bearer-auth.ts';
import { bearerChallenge, type Challenge, dpopChallenge } from './challenge-header.ts';
import { DpopNonceError } from './dpop-nonce-error.ts';
import { jsonAnswer, type PlainAnswer, responseOf } from './plain-answer.ts';
import type { DpopDemands, TokenPresentation } from './token-verifier.ts';

/** What a gate looks at of a request. */
export interface PresentedCredentials {
  readonly authorization: string | null | undefined;
  readonly method: string;
  /** The address as the server sees it; query and fragment do not matter. */
  readonly url: string;
  readonly dpop?: string | null | undefined;
}

/** Who is there, or the answer that turns the request away. */
export type BearerVerdict = { readonly authInfo: AuthInfo } | { readonly refusal: PlainAnswer };

/** What a challenge needs of the options of a gate. */
export interface ChallengeOptions {
  readonly requiredScopes?: readonly string[] | undefined;
  readonly resourceMetadataUrl?: string | undefined;
  /** Set where proofs of possession are taken. */
  readonly dpop?: DpopDemands | undefined;
}

/** RFC 9449: it is the proof that is wrong. */
const FAULTS_OF_PROOFS: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidDpopProof,
  OAuthErrorCode.UseDpopNonce,
]);

const STATUS: Readonly<Record<string, number>> = {
  [OAuthErrorCode.InvalidToken]: 401,
  [OAuthErrorCode.InvalidDpopProof]: 401,
  [OAuthErrorCode.UseDpopNonce]: 401,
  [OAuthErrorCode.InsufficientScope]: 403,
  [OAuthErrorCode.ServerError]: 500,
};

/** The answer to a request whose token was refused: 401 and 403 with a challenge, 500 for faults of this side. */
export function challengeAnswer(error: unknown, options: ChallengeOptions = {}): PlainAnswer {
  if (!(error instanceof OAuthError)) {
    const fault = new OAuthError(OAuthErrorCode.ServerError, 'Internal Server Error');
    return jsonAnswer(500, fault.toResponseObject());
  }
  const status = STATUS[error.code] ?? 400;
  const body = error.toResponseObject();
  if (status !== 401 && status !== 403) return jsonAnswer(status, body);
  return jsonAnswer(status, body, {
    'www-authenticate': challengeOf(error, options),
    ...(error instanceof DpopNonceError ? { 'dpop-nonce': error.nonce } : {}),
  });
}

/** One challenge for each scheme that would be taken. */
function challengeOf(
  error: OAuthError,
  { requiredScopes = [], resourceMetadataUrl, dpop }: ChallengeOptions,
): string {
  const challenge: Challenge = {
    error: error.code,
    description: error.message,
    scopes: requiredScopes,
    resourceMetadataUrl,
  };
  if (dpop === undefined) return bearerChallenge(challenge);
  const proved = dpopChallenge(challenge, dpop.algorithms);
  const onlyProved = dpop.required || FAULTS_OF_PROOFS.has(error.code);
  return onlyProved ? proved : `${bearerChallenge(challenge)}, ${proved}`;
}

/**
 * The answer to a refused token, as a web `Response`: 401 `invalid_token` and 403
 * `insufficient_scope` with a challenge, 500 for `server_error` and for anything that is no
 * `OAuthError`, 400 for the rest.
 */
export function bearerAuthChallengeResponse(
  error: unknown,
  options?: Pick<VerifyBearerTokenOptions, 'requiredScopes' | 'resourceMetadataUrl'>,
): Response {
  return responseOf(challengeAnswer(error, options));
}

/** The gate that all adapters share. It never rejects. */
export function createBearerGate(
  options: VerifyBearerTokenOptions,
): (presented: PresentedCredentials) => Promise<BearerVerdict> {
  // Copied once: a caller without options fails at start, and later changes have no effect.
  const settled = { ...options, requiredScopes: [...(options.requiredScopes ?? [])] };
  const { requiredScopes, resourceMetadataUrl, verifier } = settled;
  const { dpop } = verifier;
  return async (credentials) => {
    try {
      const presented = dpop === undefined ? undefined : possessionOf(credentials, settled.expectedResource);
      return { authInfo: await verifyPresentedToken(credentials.authorization, settled, presented) };
    } catch (error) {
      if (!(error instanceof OAuthError)) {
        settled.onerror?.(error instanceof Error ? error : new TypeError(String(error)));
      }
      return { refusal: challengeAnswer(error, { requiredScopes, resourceMetadataUrl, dpop }) };
    }
  };
}

/** What a proof is checked against. */
function possessionOf(
  { method, url, dpop }: PresentedCredentials,
  publicUrl: URL | undefined,
): Omit<TokenPresentation, 'scheme'> {
  return { method, url: addressSeen(url, publicUrl), ...(typeof dpop === 'string' ? { proof: dpop } : {}) };
}

/** Behind a proxy the server sees another origin than the client, who made its proof for the public one. */
function addressSeen(url: string, publicUrl: URL | undefined): string {
  const base = publicUrl ?? new URL('http://localhost');
  const { origin, pathname } = URL.canParse(url, base.href) ? new URL(url, base) : base;
  return `${publicUrl?.origin ?? origin}${pathname}`;
}

/**
 * A gate for hosts of the form `fetch(request)`: it answers who is there, to be handed to the handler
 * as `{ authInfo }`, or the finished answer.
 *
 * @see W229, W230, W231, W232
 */
export function requireBearerAuth(
  options: VerifyBearerTokenOptions,
): (request: Request) => Promise<AuthInfo | Response> {
  const gate = createBearerGate(options);
  return async ({ headers, method, url }) => {
    // Repeated headers come joined; Node keeps the first, so that one counts here, too.
    const [authorization] = (headers.get('authorization') ?? '').split(',');
    const verdict = await gate({ authorization, method, url, dpop: headers.get('dpop') });
    return 'authInfo' in verdict ? verdict.authInfo : responseOf(verdict.refusal);
  };
}
