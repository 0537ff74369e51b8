import { systemClock } from '@portico/rpc';
import type { AuthorizationServerMetadata, StoredOAuthClientInformation } from '../documents.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import { AuthorizationServerMismatchError, OAuthClientFlowError } from '../flow-errors.ts';
import { assumedMetadata } from './assumed-metadata.ts';
import { startAuthorization } from './authorization-request.ts';
import { validateAuthorizationResponseIssuer } from './callback-issuer.ts';
import { chooseClient, storedClient } from './client-identity.ts';
import type { IdentityRequest } from './client-identity.ts';
import { discover } from './discovery.ts';
import type { OAuthDiscoveryState } from './discovery.ts';
import { watchFailures } from './failure-steps.ts';
import { boundAuthentication, grantOf } from './grants.ts';
import { invalidate } from './invalidation.ts';
import type { OAuthClientProvider } from './provider.ts';
import { alone, refreshStored, stampTokens, storedTokens } from './refresh.ts';
import type { RenewalOutcome } from './refresh.ts';
import { observe, shownUrl } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';
import { assertResourceCovers, chooseResource } from './resource-choice.ts';
import { chooseScope } from './scopes.ts';
import { findServerMetadata, isIssuer } from './server-metadata.ts';
import { requestTokens } from './token-endpoint.ts';
import { filterUrl } from './url-filter.ts';

/** What a sign-in is told. */
export interface AuthOptions extends AuthorizationHttp {
  readonly serverUrl: string | URL;
  /** From the callback: exchanged for tokens. */
  readonly authorizationCode?: string | undefined;
  /** From the callback, after form-decoding. */
  readonly iss?: string | undefined;
  /** What to ask for, in place of what the resource lists. */
  readonly scope?: string | undefined;
  /** From the server's challenge. */
  readonly resourceMetadataUrl?: URL | undefined;
  /** Takes metadata of another issuer than was asked for. Weakens security; for servers that are set up wrongly. */
  readonly skipIssuerMetadataValidation?: boolean | undefined;
  /** Asks the person although there is a refresh token: a refresh grants no more than before. */
  readonly forceReauthorization?: boolean | undefined;
  /**
   * Ours: where no document is found at all, takes the MCP server's own origin for the authorization
   * server, with `/authorize`, `/token`, `/register` and S256. Only for servers of the first revision with
   * authorization that are known to be so: nothing promises that they check the verifier. Off by default.
   */
  readonly assumeEndpoints?: boolean | undefined;
  /** Ours: finds out anew who is in charge although that was kept, since a token of then is refused now. */
  readonly rediscover?: boolean | undefined;
  /** Ours: a refresh that its server could not do for now fails, in place of asking the person. Off by default. */
  readonly failWithServer?: boolean | undefined;
  /** Ours: the access token that the server refused. When a newer one is stored by now, that is all it takes. */
  readonly staleToken?: string | undefined;
}

/** There are tokens now, or somebody was sent to sign in. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT';

/** A sign-in that knows whom it deals with. */
export interface Setting {
  readonly provider: OAuthClientProvider;
  readonly options: AuthOptions;
  readonly discovery: OAuthDiscoveryState;
  readonly metadata: AuthorizationServerMetadata;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
  readonly nowMs: () => number;
}

/** What was found out before, completed where parts of it are missing. */
async function restore(known: OAuthDiscoveryState, options: AuthOptions): Promise<OAuthDiscoveryState> {
  if (known.authorizationServerMetadata !== undefined) return known;
  const { authorizationServerUrl } = known;
  const skipIssuerValidation = options.skipIssuerMetadataValidation;
  const search = { http: options, skipIssuerValidation, tried: [] };
  const metadata = await findServerMetadata(authorizationServerUrl, search);
  return metadata === undefined ? known : { ...known, authorizationServerMetadata: metadata };
}

async function find(provider: OAuthClientProvider, options: AuthOptions): Promise<OAuthDiscoveryState> {
  const { serverUrl, resourceMetadataUrl, skipIssuerMetadataValidation } = options;
  const found = discover(serverUrl, {
    http: options,
    resourceMetadataUrl,
    skipIssuerMetadataValidation,
    checkResource(metadata) {
      if (provider.validateResourceURL === undefined) assertResourceCovers(serverUrl, metadata);
    },
  });
  return options.assumeEndpoints === true ? found.catch((error) => assume(serverUrl, error)) : found;
}

/** @throws what the discovery failed with, unless it found nothing at all */
function assume(serverUrl: string | URL, error: unknown): OAuthDiscoveryState {
  if (!(error instanceof OAuthClientFlowError && error.code === 'no_server_metadata')) throw error;
  const { origin } = new URL(serverUrl);
  return {
    authorizationServerUrl: origin,
    authorizationServerMetadata: {
      ...assumedMetadata(origin),
      registration_endpoint: new URL('/register', origin).href,
      code_challenge_methods_supported: ['S256'],
    },
  };
}

/**
 * A code and its verifier belong to the server that the browser was sent to.
 *
 * @throws AuthorizationServerMismatchError
 */
function assertSameServer(provider: OAuthClientProvider, recorded: string | undefined, issuer: string): void {
  if (recorded === undefined) {
    if (provider.saveDiscoveryState === undefined && provider.saveAttempt === undefined) return;
    throw new AuthorizationServerMismatchError('(nothing was kept)', issuer);
  }
  const same = isIssuer(recorded, issuer) || isIssuer(issuer, recorded);
  if (!same) throw new AuthorizationServerMismatchError(recorded, issuer);
}

function requireMetadata({
  authorizationServerUrl,
  authorizationServerMetadata,
}: OAuthDiscoveryState): AuthorizationServerMetadata {
  if (authorizationServerMetadata !== undefined) return authorizationServerMetadata;
  const tried = [{ url: authorizationServerUrl, reason: 'no metadata there' }];
  throw new OAuthClientFlowError('no_server_metadata', { data: { tried }, step: 'server-metadata' });
}

/** Finds out with whom the sign-in deals and what it asks for. */
export async function settle(provider: OAuthClientProvider, options: AuthOptions): Promise<Setting> {
  const { serverUrl, authorizationCode, clock = systemClock } = options;
  const known = options.rediscover === true ? undefined : await provider.discoveryState?.();
  const discovery = known === undefined ? await find(provider, options) : await restore(known, options);
  const metadata = requireMetadata(discovery);
  const { issuer } = metadata;
  if (authorizationCode !== undefined) {
    const recorded = known?.authorizationServerMetadata?.issuer ?? known?.authorizationServerUrl;
    assertSameServer(provider, recorded, issuer);
  }
  await provider.saveAuthorizationServerUrl?.(issuer);
  if (discovery !== known) await provider.saveDiscoveryState?.(discovery);
  const resource = await chooseResource(serverUrl, provider, discovery.resourceMetadata);
  if (resource !== undefined) await provider.saveResourceUrl?.(resource);
  const scope = chooseScope({
    requested: options.scope,
    resourceMetadata: discovery.resourceMetadata,
    serverMetadata: metadata,
    clientMetadata: provider.clientMetadata,
  });
  return { provider, options, discovery, metadata, resource, scope, nowMs: () => clock.now() };
}

/** As whom the sign-in goes on. */
export function identity({ provider, options, metadata, scope, nowMs }: Setting): IdentityRequest {
  return { http: options, provider, metadata, scope, nowMs: nowMs() };
}

/** Gets tokens by the code, or by a grant that needs nobody. */
export async function fetchAndSave(setting: Setting, client: StoredOAuthClientInformation): Promise<void> {
  const { provider, options, metadata, resource, scope, nowMs } = setting;
  const { issuer } = metadata;
  const attempt = await provider.attempt?.();
  const tokens = await requestTokens({
    http: options,
    step: 'token',
    metadata,
    params: await grantOf(provider, scope, options.authorizationCode),
    client,
    resource,
    addClientAuthentication: boundAuthentication(provider),
    dpop: await provider.dpop?.(),
  });
  const asked = attempt === undefined ? (options.scope ?? undefined) : attempt.scope;
  await provider.saveTokens(stampTokens(tokens, { issuer, nowMs: nowMs(), scope: asked }), { issuer });
}

/** The second half of a sign-in with a person: the browser came back with a code. */
async function exchangeCode(setting: Setting): Promise<AuthResult> {
  const { options, metadata } = setting;
  // Before the code is sent anywhere.
  validateAuthorizationResponseIssuer({
    iss: options.iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  observe(options, { step: 'callback', outcome: 'used', detail: { issuer: metadata.issuer } });
  const client = await storedClient(identity(setting));
  if (client === undefined) {
    const data = { issuer: metadata.issuer };
    throw new OAuthClientFlowError('client_id_needed', { data, step: 'token' });
  }
  // Alone, so that a refresh of the grant before cannot put its tokens over these.
  await alone(setting.provider, () => fetchAndSave(setting, client));
  return 'AUTHORIZED';
}

/** The first half of a sign-in with a person. */
async function sendToSignIn(setting: Setting, client: StoredOAuthClientInformation): Promise<AuthResult> {
  const { provider, options, discovery, metadata, resource, scope } = setting;
  const { redirectUrl } = provider;
  if (redirectUrl === undefined) {
    throw new OAuthClientFlowError('provider_incomplete', {
      data: { member: 'redirectUrl' },
      step: 'authorization',
    });
  }
  const { issuer } = metadata;
  const state = await provider.state?.();
  const started = await startAuthorization(issuer, {
    metadata,
    clientInformation: client,
    state,
    redirectUrl,
    scope,
    resource,
  });
  const { authorizationUrl, codeVerifier } = started;
  await filterUrl(metadata.authorization_endpoint, { step: 'authorization', checkUrl: options.checkUrl });
  if (provider.saveAttempt === undefined) await provider.saveCodeVerifier(codeVerifier);
  else
    await provider.saveAttempt({
      state,
      codeVerifier,
      redirectUrl: String(redirectUrl),
      issuer,
      client,
      discovery,
      scope,
    });
  observe(options, {
    step: 'authorization',
    outcome: 'asked',
    detail: {
      issuer,
      ...(scope === undefined ? {} : { scope }),
      // Its query may hold a key, as addresses of servers sometimes do.
      ...(resource === undefined ? {} : { resource: shownUrl(new URL(resource)) }),
      redirect: shownUrl(new URL(redirectUrl)),
    },
  });
  await provider.redirectToAuthorization(authorizationUrl);
  return 'REDIRECT';
}

async function signIn(provider: OAuthClientProvider, options: AuthOptions): Promise<AuthResult> {
  const setting = await settle(provider, options);
  if (options.authorizationCode !== undefined) return exchangeCode(setting);
  if (provider.redirectUrl === undefined) {
    await fetchAndSave(setting, await chooseClient(identity(setting)));
    return 'AUTHORIZED';
  }
  if (options.forceReauthorization !== true) {
    const outcome = await refreshIfStored(setting).catch((error: unknown): RenewalOutcome => {
      if (isServersFault(error) && options.failWithServer !== true) return 'impossible';
      throw error;
    });
    if (outcome === 'renewed') return 'AUTHORIZED';
    // As whom has to be settled anew, where that was what the server refused.
    if (outcome === 'refused') return signIn(provider, { ...options, forceReauthorization: true });
  }
  return sendToSignIn(setting, await chooseClient({ ...identity(setting), sendsBrowser: true }));
}

/** Refreshes as whoever got the tokens, wherever browsers come back to by now. */
async function refreshIfStored(setting: Setting): Promise<RenewalOutcome> {
  const { provider, options, metadata, resource, nowMs } = setting;
  if ((await storedTokens(provider, metadata.issuer)) === undefined) return 'impossible';
  const client = await chooseClient(identity(setting));
  const { staleToken } = options;
  return refreshStored({ http: options, provider, metadata, client, resource, nowMs, staleToken });
}

/** What a server says of a refresh that it could not do, although nothing is void. */
function isServersFault(error: unknown): boolean {
  return error instanceof OAuthError && error.code === OAuthErrorCode.ServerError;
}

/**
 * Signs in to a server: finds out who is in charge, settles as whom, and refreshes, exchanges a code, or
 * sends the person to sign in. When the server finds what is stored void, that is let go, and the sign-in
 * begins once more. What belongs to an attempt is let go when its code cannot be exchanged. Source: W227.
 *
 * @throws OAuthError what a server says in OAuth's words
 * @throws OAuthClientFlowError with `code` and `step`; IssuerMismatchError, AuthorizationServerMismatchError,
 *   InsecureTokenEndpointError and RegistrationRejectedError are such
 * @throws what a member of the provider throws
 */
export async function auth(provider: OAuthClientProvider, options: AuthOptions): Promise<AuthResult> {
  const watched = watchFailures(options);
  try {
    return await signInAgain(provider, watched.options);
  } catch (error) {
    watched.tellFailure(error);
    throw error;
  }
}

/** Begins once more when what is stored turns out to be void. */
async function signInAgain(provider: OAuthClientProvider, options: AuthOptions): Promise<AuthResult> {
  try {
    return await signIn(provider, options);
  } catch (error) {
    if (options.authorizationCode !== undefined) {
      await provider.invalidateCredentials?.('verifier');
      // A bad code says nothing of tokens that are stored.
      if (!(error instanceof OAuthError && error.code === OAuthErrorCode.InvalidGrant))
        await invalidate(provider, error);
      throw error;
    }
    // What a machine has was given to it: asking again with the same would end the same.
    if (!(await invalidate(provider, error)) || provider.redirectUrl === undefined) throw error;
    return signIn(provider, { ...options, forceReauthorization: true });
  }
}
