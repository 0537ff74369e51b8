/** The resource side of authorization, which is still to come. */
export const AUTHORIZATION_NAMES: ReadonlySet<string> = new Set([
  'bearerAuthChallengeResponse',
  'buildOAuthProtectedResourceMetadata',
  'getOAuthProtectedResourceMetadataUrl',
  'oauthMetadataResponse',
  'requireBearerAuth',
  'requireScopes',
  'verifyBearerToken',
]);

/** Types of authorization, which come with it. */
export const AUTHORIZATION_TYPES: ReadonlySet<string> = new Set([
  'AuthInfo',
  'AuthMetadataOptions',
  'AuthorizationServerMetadata',
  'BearerAuthOptions',
  'IdJagTokenExchangeResponse',
  'OAuthClientInformation',
  'OAuthClientInformationFull',
  'OAuthClientInformationMixed',
  'OAuthClientMetadata',
  'OAuthClientRegistrationError',
  'OAuthErrorResponse',
  'OAuthMetadata',
  'OAuthProtectedResourceMetadata',
  'OAuthTokenRevocationRequest',
  'OAuthTokenVerifier',
  'OAuthTokens',
  'OpenIdProviderDiscoveryMetadata',
  'OpenIdProviderMetadata',
  'ScopeChallenge',
  'ScopeChallengeHandler',
  'StoredOAuthClientInformation',
  'StoredOAuthTokens',
  'VerifyBearerTokenOptions',
]);

/** Names of another kind than the official ones, each with the reason. */
export const DIFFERENT_KINDS: Readonly<Record<string, 'class' | 'function' | 'constant'>> = {};

/** Names that are still to be built, by entry; this list only shrinks. */
export const NOT_YET_NAMES: Readonly<Record<string, readonly string[]>> = {
  server: ['OAuthError', 'OAuthErrorCode'],
};
