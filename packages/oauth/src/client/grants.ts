import type { FetchLike } from '@portico/spec';
import type { AuthorizationServerMetadata, OAuthClientInformationMixed, OAuthTokens } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import { assumedMetadata } from './assumed-metadata.ts';
import { validateAuthorizationResponseIssuer } from './callback-issuer.ts';
import type { DpopSession } from './dpop-session.ts';
import type { AddClientAuthentication, OAuthClientProvider } from './provider.ts';
import { requestTokens } from './token-endpoint.ts';

/** What the functions for one grant have in common. */
export interface GrantOptions {
  readonly metadata?: AuthorizationServerMetadata;
  readonly clientInformation: OAuthClientInformationMixed;
  /** Sent as it is given; a URL object adds a slash to a bare origin. */
  readonly resource?: string | URL;
  readonly addClientAuthentication?: AddClientAuthentication | undefined;
  readonly dpop?: DpopSession;
  readonly fetchFn?: FetchLike;
}

/**
 * The metadata, or the least of it that a token request needs, for those who know that a server has none.
 * A sign-in never guesses; this is for calls by hand, whose caller names the server.
 */
function metadataOr(
  metadata: AuthorizationServerMetadata | undefined,
  server: string | URL,
): AuthorizationServerMetadata {
  return metadata ?? assumedMetadata(server);
}

function common(
  server: string | URL,
  options: Omit<GrantOptions, 'clientInformation'>,
): {
  readonly metadata: AuthorizationServerMetadata;
  readonly http: { readonly fetchFn: FetchLike | undefined };
  readonly resource: string | undefined;
  readonly addClientAuthentication: AddClientAuthentication | undefined;
  readonly dpop: DpopSession | undefined;
} {
  const { resource, addClientAuthentication, dpop, fetchFn } = options;
  return {
    metadata: metadataOr(options.metadata, server),
    http: { fetchFn },
    resource: resource === undefined ? undefined : String(resource),
    addClientAuthentication,
    dpop,
  };
}

/** The parameters by which a code is exchanged. */
export function prepareAuthorizationCodeRequest(
  authorizationCode: string,
  codeVerifier: string,
  redirectUri: string | URL,
): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code: authorizationCode,
    code_verifier: codeVerifier,
    redirect_uri: String(redirectUri),
  });
}

/**
 * Exchanges a code for tokens.
 *
 * @throws IssuerMismatchError before anything is sent
 * @throws OAuthError, OAuthClientFlowError as a sign-in's token request
 */
export async function exchangeAuthorization(
  authorizationServerUrl: string | URL,
  options: GrantOptions & {
    readonly authorizationCode: string;
    /** From the callback, after form-decoding. */
    readonly iss?: string;
    readonly codeVerifier: string;
    readonly redirectUri: string | URL;
  },
): Promise<OAuthTokens> {
  const { metadata, iss, authorizationCode, codeVerifier, redirectUri } = options;
  checkIssuer(metadata, iss);
  return requestTokens({
    ...common(authorizationServerUrl, options),
    step: 'token',
    params: prepareAuthorizationCodeRequest(authorizationCode, codeVerifier, redirectUri),
    client: options.clientInformation,
  });
}

function checkIssuer(metadata: AuthorizationServerMetadata | undefined, iss: string | undefined): void {
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
}

/**
 * Exchanges a refresh token for a new access token. Without a new refresh token in the answer the old one
 * is in the result, without scopes those that were asked for.
 *
 * @throws OAuthError, OAuthClientFlowError as a sign-in's token request
 */
export async function refreshAuthorization(
  authorizationServerUrl: string | URL,
  options: GrantOptions & {
    readonly refreshToken: string;
    /** Fewer scopes than were granted; by default all of them stay. */
    readonly scope?: string;
  },
): Promise<OAuthTokens> {
  const { refreshToken, scope = '' } = options;
  const params = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  if (scope !== '') params.set('scope', scope);
  const tokens = await requestTokens({
    ...common(authorizationServerUrl, options),
    step: 'refresh',
    params,
    client: options.clientInformation,
  });
  return { refresh_token: refreshToken, ...(scope === '' ? {} : { scope }), ...tokens };
}

/**
 * Gets tokens by whatever grant a provider prepares, else by the code that is given.
 *
 * @throws IssuerMismatchError before a code is sent
 * @throws OAuthClientFlowError `provider_incomplete` when there is neither a grant nor a code
 * @throws OAuthError, OAuthClientFlowError as a sign-in's token request
 */
export async function fetchToken(
  provider: OAuthClientProvider,
  authorizationServerUrl: string | URL,
  options: {
    readonly metadata?: AuthorizationServerMetadata;
    readonly resource?: string | URL;
    readonly authorizationCode?: string;
    readonly iss?: string;
    readonly scope?: string;
    readonly fetchFn?: FetchLike;
  } = {},
): Promise<OAuthTokens> {
  const { authorizationCode, iss, metadata } = options;
  if (authorizationCode !== undefined) checkIssuer(metadata, iss);
  const params = await grantOf(provider, options.scope ?? provider.clientMetadata.scope, authorizationCode);
  const shared = common(authorizationServerUrl, options);
  return requestTokens({
    ...shared,
    step: 'token',
    params,
    client: await provider.clientInformation({ issuer: shared.metadata.issuer }),
    addClientAuthentication: boundAuthentication(provider),
    dpop: await provider.dpop?.(),
  });
}

/** The provider's own way to show who it is, as a function that can be handed on. */
export function boundAuthentication(provider: OAuthClientProvider): AddClientAuthentication | undefined {
  const { addClientAuthentication } = provider;
  return addClientAuthentication?.bind(provider);
}

/**
 * The grant that a provider prepares, else that of a code.
 *
 * @throws OAuthClientFlowError `provider_incomplete`
 */
export async function grantOf(
  provider: OAuthClientProvider,
  scope: string | undefined,
  authorizationCode: string | undefined,
): Promise<URLSearchParams> {
  const prepared = await provider.prepareTokenRequest?.(scope);
  if (prepared !== undefined) return prepared;
  const { redirectUrl } = provider;
  const member = authorizationCode === undefined ? 'prepareTokenRequest' : 'redirectUrl';
  if (authorizationCode === undefined || redirectUrl === undefined) {
    throw new OAuthClientFlowError('provider_incomplete', { data: { member }, step: 'token' });
  }
  return prepareAuthorizationCodeRequest(authorizationCode, await provider.codeVerifier(), redirectUrl);
}
