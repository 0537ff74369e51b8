export type { AuthInfo } from '../auth-info.ts';
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
} from '../documents.ts';
export { OAuthError, OAuthErrorCode } from '../errors.ts';
export { verifyBearerToken } from './bearer-auth.ts';
export type { BearerAuthOptions, VerifyBearerTokenOptions } from './bearer-auth.ts';
export {
  bearerAuthChallengeResponse,
  challengeAnswer,
  createBearerGate,
  requireBearerAuth,
} from './bearer-gate.ts';
export type { BearerVerdict, ChallengeOptions, PresentedCredentials } from './bearer-gate.ts';
export { RESOURCE_CONFIG_ERRORS, ResourceConfigError } from './config-errors.ts';
export type { ResourceConfigErrorCode, ResourceConfigErrorData } from './config-errors.ts';
export { DpopNonceError } from './dpop-nonce-error.ts';
export {
  assertIssuer,
  buildOAuthProtectedResourceMetadata,
  documentAnswer,
  getOAuthProtectedResourceMetadataUrl,
  metadataAnswer,
  metadataPaths,
  methodNotAllowedAnswer,
  oauthMetadataResponse,
  preflightAnswer,
} from './metadata.ts';
export type { AuthMetadataOptions, MetadataRequest } from './metadata.ts';
export { jsonAnswer, responseOf } from './plain-answer.ts';
export type { PlainAnswer } from './plain-answer.ts';
export { isScopeToken, ofTheResource, scopeWords } from './scopes.ts';
export type { ImpliedScopes } from './scopes.ts';
export { createExpiringMap } from './expiring-map.ts';
export type { ExpiringMap } from './expiring-map.ts';
export { askUpstream, isConfidential, jsonObjectOf, UPSTREAM_ERRORS, UpstreamError } from './upstream.ts';
export type { UpstreamAnswer, UpstreamErrorCode, UpstreamOptions } from './upstream.ts';
export { base64url } from './base64url.ts';
export { sha256 } from './sha256.ts';
export type { DpopDemands, OAuthTokenVerifier, TokenPresentation } from './token-verifier.ts';
