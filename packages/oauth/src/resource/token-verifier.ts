import type { AuthInfo } from '../auth-info.ts';

/** How a request presents its token, for verifiers that look at more than the token itself. */
export interface TokenPresentation {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly method: string;
  /** Address of the request as its client sees it, without query and fragment. */
  readonly url: string;
  /** Text of the `DPoP` header. */
  readonly proof?: string;
}

/** What a resource asks of proofs of possession (RFC 9449). */
export interface DpopDemands {
  /** Signature algorithms that proofs may use. */
  readonly algorithms: readonly string[];
  /** Whether tokens without a proof are refused. */
  readonly required: boolean;
}

/**
 * Finds out what an access token stands for. The one thing an MCP server has to bring to be an OAuth
 * resource; `@portico/oauth/resource/jwt` and `/introspection` hold two.
 */
export interface OAuthTokenVerifier {
  /**
   * What the token stands for. A token without `expiresAt` is refused by the gate.
   *
   * @param presentation given by gates to verifiers with {@link OAuthTokenVerifier.dpop}, and not by
   *   {@link verifyBearerToken} alone
   * @throws OAuthError `invalid_token` for a token that is unknown, revoked or forged (answered 401);
   *   anything that is no `OAuthError` is this side's fault (answered 500)
   */
  verifyAccessToken(token: string, presentation?: TokenPresentation): Promise<AuthInfo>;
  /**
   * True when the verifier makes sure by itself that tokens are for this resource. Without it a gate
   * with `expectedResource` refuses tokens that come back with neither resource nor audience.
   */
  readonly vouchesForAudience?: boolean;
  /** Present when the verifier checks proofs of possession; the gate then takes the `DPoP` scheme. */
  readonly dpop?: DpopDemands;
}
