export type { AuthInfo } from './auth-info.ts';
export { createPkcePair } from './client/pkce.ts';
export type { PkcePair } from './client/pkce.ts';
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
