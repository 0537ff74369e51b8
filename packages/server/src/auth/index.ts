export { createAuthRouter, createOAuthMetadata } from './auth-router.ts';
export type { AuthEndpoint, AuthRouter, AuthRouterOptions } from './auth-router.ts';
export { InMemoryOAuthProvider } from './in-memory-provider.ts';
export type { AuthorizationDecision, InMemoryOAuthProviderOptions } from './in-memory-provider.ts';
export type {
  AuthorizationParams,
  AuthorizationResponse,
  OAuthRegisteredClientsStore,
  OAuthServerProvider,
} from './provider.ts';
export { ProxyOAuthServerProvider } from './proxy-provider.ts';
export type { ProxyEndpoints, ProxyOptions } from './proxy-provider.ts';
export { redirectUriMatches } from './redirect-uris.ts';
export type { ClientRegistrationOptions } from './registration-endpoint.ts';
