import { type Clock, systemClock } from '@portico/rpc';
import type { AuthInfo } from '../auth-info.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import { isMeantFor } from './audience.ts';
import { hasAllScopes, type ImpliedScopes, withImplied } from './scopes.ts';
import type { OAuthTokenVerifier, TokenPresentation } from './token-verifier.ts';

/** What a gate in front of an MCP endpoint asks of tokens. */
export interface BearerAuthOptions {
  readonly verifier: OAuthTokenVerifier;
  /** Scopes that every request needs; a token that lacks one is refused with 403. */
  readonly requiredScopes?: readonly string[];
  /**
   * Where the resource describes itself, for challenges. Handlers find it as
   * `authInfo.resourceMetadataUrl`, so that challenges of single operations name it, too.
   */
  readonly resourceMetadataUrl?: string;
}

export interface VerifyBearerTokenOptions extends BearerAuthOptions {
  /**
   * Takes tokens for this resource only, usually the address of the MCP endpoint. A token that is for
   * another one is refused with 401, and so is one that does not say, unless the verifier vouches.
   */
  readonly expectedResource?: URL;
  /**
   * Which scopes a scope includes. They are added to `authInfo.scopes`, so that whatever looks there
   * sees what the token is good for.
   */
  readonly impliedScopes?: ImpliedScopes;
  readonly clock?: Clock;
  /** Told of failures of the verifier itself, which clients see as a bare 500. Must not throw. */
  readonly onerror?: (error: Error) => void;
}

/** Longest token that is looked at, in characters. Node refuses longer headers by itself. */
const MAX_TOKEN_LENGTH = 16_384;

/**
 * Verifies the token of an `Authorization` header: form, verifier, end, resource and scopes, in that
 * order. `requireBearerAuth` also answers what is refused.
 *
 * @param authorizationHeader the whole value; nothing else is looked at, least of all the query
 * @throws OAuthError `invalid_token`, `insufficient_scope`, or what the verifier threw
 * @see W229, W230, W231
 */
export function verifyBearerToken(
  authorizationHeader: string | null | undefined,
  options: VerifyBearerTokenOptions,
): Promise<AuthInfo> {
  return verifyPresentedToken(authorizationHeader, options);
}

/** The same for a request that may prove possession of its token. */
export async function verifyPresentedToken(
  authorizationHeader: string | null | undefined,
  options: VerifyBearerTokenOptions,
  presented?: Omit<TokenPresentation, 'scheme'>,
): Promise<AuthInfo> {
  const { verifier } = options;
  const takesProofs = verifier.dpop !== undefined && presented !== undefined;
  const { scheme, token } = credentialsOf(authorizationHeader, takesProofs);
  let info: AuthInfo;
  try {
    const presentation = presented === undefined ? undefined : { ...presented, scheme };
    info = await verifier.verifyAccessToken(token, presentation);
  } catch (error) {
    throw withoutToken(error, token);
  }
  assertUsable(info, options);
  return completed(info, options);
}

function credentialsOf(
  header: string | null | undefined,
  takesProofs: boolean,
): { readonly scheme: 'Bearer' | 'DPoP'; readonly token: string } {
  if (header === undefined || header === null || header === '') {
    throw invalidToken('The Authorization header is missing.');
  }
  const [, scheme = '', token] = /^(bearer|dpop) +([\u0021-\u002B\u002D-\u007E]+) *$/i.exec(header) ?? [];
  const isProved = scheme.toLowerCase() === 'dpop';
  if (token === undefined || token.length > MAX_TOKEN_LENGTH || (isProved && !takesProofs)) {
    throw invalidToken('The Authorization header must be "Bearer" and a token.');
  }
  return { scheme: isProved ? 'DPoP' : 'Bearer', token };
}

/** @throws OAuthError; TypeError for a verifier that answers nonsense, which is this side's fault */
function assertUsable(info: AuthInfo, options: VerifyBearerTokenOptions): void {
  if (!Array.isArray(info?.scopes)) throw new TypeError('The verifier answered without scopes.');
  const { expectedResource, verifier, clock = systemClock } = options;
  const { expiresAt } = info;
  if (typeof expiresAt !== 'number' || Number.isNaN(expiresAt)) {
    throw invalidToken('The token has no end.');
  }
  if (expiresAt * 1000 <= clock.now()) throw invalidToken('The token has expired.');
  if (expectedResource === undefined) return;
  const meant = isMeantFor(info, expectedResource);
  if (meant ?? verifier.vouchesForAudience === true) return;
  throw invalidToken('The token is not for this resource.');
}

/** Adds what the gate knows, in a new object; without anything to add it stays the verifier's own. */
function completed(
  info: AuthInfo,
  { requiredScopes = [], impliedScopes, resourceMetadataUrl }: VerifyBearerTokenOptions,
): AuthInfo {
  const scopes = impliedScopes === undefined ? info.scopes : withImplied(info.scopes, impliedScopes);
  if (!hasAllScopes(scopes, requiredScopes)) {
    throw new OAuthError(OAuthErrorCode.InsufficientScope, 'The token grants too few scopes.');
  }
  const stamped = resourceMetadataUrl !== undefined && info.resourceMetadataUrl === undefined;
  if (!stamped && impliedScopes === undefined) return info;
  return { ...info, scopes, ...(stamped ? { resourceMetadataUrl } : {}) };
}

/** What a verifier says of a token may hold the token, which has no place in answers. */
function withoutToken(error: unknown, token: string): unknown {
  if (!(error instanceof OAuthError) || !error.message.includes(token)) return error;
  return new OAuthError(error.code, error.message.replaceAll(token, '…'), error.errorUri);
}

function invalidToken(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}
