export type { AuthInfo } from './auth-info.ts';
export {
  extractResourceMetadataUrl,
  extractWWWAuthenticateParams,
  parseChallenges,
  readChallenge,
  wantsNonce,
} from './challenge.ts';
export type { Challenge, ChallengeParams } from './challenge.ts';
export { auth } from './client/auth.ts';
export type { AuthOptions, AuthResult } from './client/auth.ts';
export { startAuthorization } from './client/authorization-request.ts';
export type { StartedAuthorization } from './client/authorization-request.ts';
export { finishAuthorization } from './client/callback.ts';
export type { CallbackCode, FinishOptions } from './client/callback.ts';
export { validateAuthorizationResponseIssuer } from './client/callback-issuer.ts';
export { selectClientAuthMethod } from './client/client-authentication.ts';
export type { ClientAuthMethod } from './client/client-authentication.ts';
export {
  buildClientMetadataDocument,
  isHttpsUrl,
  resolveClientMetadata,
  validateClientMetadataUrl,
} from './client/client-metadata.ts';
export type { ClientMetadataDocument } from './client/client-metadata.ts';
export { discoverOAuthServerInfo } from './client/discovery.ts';
export type { OAuthDiscoveryState, OAuthServerInfo } from './client/discovery.ts';
export { DPOP_SUPPORTED_ALGS, accessTokenHash, generateDpopKeyPair } from './client/dpop-keys.ts';
export type { DpopAlg, DpopKeyPair, GenerateDpopKeyPairOptions } from './client/dpop-keys.ts';
export { DpopSession, isDpopNonceChallenge } from './client/dpop-session.ts';
export type { DpopProofRequest } from './client/dpop-session.ts';
export {
  exchangeAuthorization,
  fetchToken,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
} from './client/grants.ts';
export type { GrantOptions } from './client/grants.ts';
export { parseErrorResponse } from './client/oauth-answers.ts';
export { createPkcePair } from './client/pkce.ts';
export type { PkcePair } from './client/pkce.ts';
export { isOAuthClientProvider } from './client/provider.ts';
export type {
  AddClientAuthentication,
  AuthProvider,
  AuthorizationAttempt,
  CredentialScope,
  InsufficientScopeContext,
  OAuthClientInformationContext,
  OAuthClientProvider,
  UnauthorizedContext,
} from './client/provider.ts';
export { hasExpired, isRenewalDue } from './client/refresh.ts';
export { registerClient } from './client/registration.ts';
export { refreshBeforeUse, renewTokens } from './client/renewal.ts';
export type { RenewalOutcome } from './client/refresh.ts';
export { DEFAULT_AUTHORIZATION_LIMITS } from './client/requests.ts';
export type { AuthorizationHttp, AuthorizationLimits } from './client/requests.ts';
export { selectResourceURL } from './client/resource-choice.ts';
export { discoverOAuthProtectedResourceMetadata } from './client/resource-metadata.ts';
export { computeScopeUnion, isStrictScopeSuperset } from './client/scopes.ts';
export {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
} from './client/server-metadata.ts';
export { assertSecureTokenEndpoint } from './client/token-endpoint.ts';
export { isLoopbackHost } from './client/url-filter.ts';
export type { UrlCheck } from './client/url-filter.ts';
export type {
  AuthorizationServerMetadata,
  IdJagTokenExchangeResponse,
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientRegistrationError,
  OAuthErrorResponse,
  OAuthMetadata,
  OAuthProtectedResourceMetadata,
  OAuthTokenRevocationRequest,
  OAuthTokens,
  OpenIdProviderDiscoveryMetadata,
  OpenIdProviderMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from './documents.ts';
export { OAuthError, OAuthErrorCode } from './errors.ts';
export {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  InsufficientScopeError,
  IssuerMismatchError,
  OAUTH_FLOW_ERRORS,
  OAuthClientFlowError,
  RegistrationRejectedError,
  UnauthorizedError,
} from './flow-errors.ts';
export type { OAuthFlowErrorCode, OAuthFlowErrorData, OAuthFlowErrorOptions } from './flow-errors.ts';
export type {
  AuthorizationEvent,
  AuthorizationObserver,
  AuthorizationOutcome,
  AuthorizationStep,
} from './steps.ts';
export {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
} from './client/client-credentials.ts';
export type {
  ClientCredentialsProviderOptions,
  PrivateKeyJwtProviderOptions,
  StaticPrivateKeyJwtProviderOptions,
} from './client/client-credentials.ts';
export type { MachineProviderOptions } from './client/machine-provider.ts';
export { createPrivateKeyJwtAuth } from './client/private-key-jwt.ts';
export type { PrivateKeyJwtOptions } from './client/private-key-jwt.ts';
export type { SigningKey } from './client/sign-jwt.ts';
export { createIndexedDbLeases } from './client/indexed-db-leases.ts';
export type { IndexedDbLeaseOptions } from './client/indexed-db-leases.ts';
export { createIndexedDbTokenStore } from './client/indexed-db-token-store.ts';
export type { ClosableTokenStore } from './client/indexed-db-token-store.ts';
export { createLeaseLocks } from './client/lease-locks.ts';
export type { Lease, LeaseLockOptions, LeaseStore } from './client/lease-locks.ts';
export { createLocalLocks, createWebLocks } from './client/locks.ts';
export type { LockManagerLike, Locks } from './client/locks.ts';
export { revokeToken, signOut } from './client/revocation.ts';
export type { RevocationRequest, SignOutOptions, SignOutReport } from './client/revocation.ts';
export { createOAuthProvider } from './client/stored-provider.ts';
export type { OAuthProviderOptions } from './client/stored-provider.ts';
export { accountStore, createMemoryTokenStore } from './client/token-store.ts';
export type { TokenStore } from './client/token-store.ts';
export { CrossAppAccessProvider, WorkloadIdentityProvider } from './client/assertion-providers.ts';
export type {
  AssertionCallback,
  CrossAppAccessContext,
  CrossAppAccessProviderOptions,
  WorkloadAssertionContext,
  WorkloadIdentityProviderOptions,
} from './client/assertion-providers.ts';
export {
  discoverAndRequestJwtAuthGrant,
  exchangeJwtAuthGrant,
  requestJwtAuthorizationGrant,
} from './client/cross-app-access.ts';
export type {
  DiscoverAndRequestJwtAuthGrantOptions,
  JwtAuthGrantResult,
  RequestJwtAuthGrantOptions,
} from './client/cross-app-access.ts';
export { createTabLocks } from './client/tab-locks.ts';
export type { TabLockOptions } from './client/tab-locks.ts';
export { withDpop, withDpopFromProvider } from './client/with-dpop.ts';
export type { DpopSessionSource, DpopTokenSource } from './client/with-dpop.ts';
export { withOAuth } from './client/with-oauth.ts';
