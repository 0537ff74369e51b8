import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  StoredOAuthClientInformation,
} from '../documents.ts';
import { AuthorizationServerMismatchError, OAuthClientFlowError } from '../flow-errors.ts';
import { resolveClientMetadata, validateClientMetadataUrl } from './client-metadata.ts';
import type { OAuthClientProvider } from './provider.ts';
import { mayComeBackTo } from './registered-redirects.ts';
import { requestRegistration } from './registration.ts';
import { observe } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';
import { computeScopeUnion, isStrictScopeSuperset } from './scopes.ts';
import { isIssuer } from './server-metadata.ts';

/** Who signs in, and where. */
export interface IdentityRequest {
  readonly http: AuthorizationHttp;
  readonly provider: OAuthClientProvider;
  readonly metadata: AuthorizationServerMetadata;
  /** For a registration. */
  readonly scope: string | undefined;
  readonly nowMs: number;
  /** A browser will be sent out, so that what is chosen has to fit where it comes back to. */
  readonly sendsBrowser?: boolean;
}

/** Whether what is stored belongs to an issuer; what was stored without one is taken as its. */
export function belongsTo(stored: { readonly issuer?: string }, issuer: string): boolean {
  return stored.issuer === undefined || isIssuer(stored.issuer, issuer) || isIssuer(issuer, stored.issuer);
}

function isExpired(client: OAuthClientInformationMixed, nowMs: number): boolean {
  const { client_secret_expires_at: endS = 0 } = client;
  return endS > 0 && endS * 1_000 <= nowMs;
}

/**
 * The credentials that are stored for this issuer, which are marked as its if they are not yet.
 *
 * @throws AuthorizationServerMismatchError when they are pinned to another one
 */
export async function storedClient(
  request: IdentityRequest,
): Promise<StoredOAuthClientInformation | undefined> {
  const { provider, metadata, nowMs } = request;
  const { issuer } = metadata;
  const stored = await provider.clientInformation({ issuer });
  if (stored === undefined) return undefined;
  const canRegister = provider.saveClientInformation !== undefined;
  if (!belongsTo(stored, issuer)) {
    if (canRegister || stored.issuer === undefined) return undefined;
    throw new AuthorizationServerMismatchError(stored.issuer, issuer);
  }
  if (canRegister && isExpired(stored, nowMs)) return undefined;
  if (stored.issuer !== undefined) return stored;
  const marked = { ...stored, issuer };
  await provider.saveClientInformation?.(marked, { issuer });
  return marked;
}

/** Whether the document behind our address says what this sign-in does. */
function documentFits(provider: OAuthClientProvider, metadata: AuthorizationServerMetadata): boolean {
  const { redirectUrl, clientMetadata, addClientAuthentication } = provider;
  const listed = redirectUrl === undefined || clientMetadata.redirect_uris.includes(String(redirectUrl));
  const method = clientMetadata.token_endpoint_auth_method ?? 'none';
  const able = method === 'none' || (method === 'private_key_jwt' && addClientAuthentication !== undefined);
  const taken = metadata.token_endpoint_auth_methods_supported;
  return listed && able && (taken === undefined || taken.includes(method));
}

/** A new registration, with addresses and scopes as we write them: servers may write them another way. */
async function registered(request: IdentityRequest, endpoint: string): Promise<OAuthClientInformationMixed> {
  const { http, provider, scope } = request;
  const clientMetadata: OAuthClientMetadata = resolveClientMetadata(provider);
  const answer = await requestRegistration({ http, endpoint, clientMetadata, scope });
  const asked = computeScopeUnion(answer.scope, scope);
  const client = {
    ...answer,
    redirect_uris: clientMetadata.redirect_uris,
    ...(asked === undefined ? {} : { scope: asked }),
  };
  if (answer.token_endpoint_auth_method !== 'none') return client;
  // Nobody will ask for the secret of a client that is registered without one.
  const { client_secret: _needless, ...open } = client;
  return open;
}

/** Why a registration of ours is of no use for this sign-in. */
function misfit({ provider, scope }: IdentityRequest, stored: StoredOAuthClientInformation) {
  const { redirectUrl } = provider;
  if (redirectUrl !== undefined && !mayComeBackTo(stored, redirectUrl))
    return 'it was registered for another redirect address';
  // Servers hold clients to the scopes that they registered with, so that there is no step up from them.
  const registeredScope = 'scope' in stored ? stored.scope : undefined;
  if (registeredScope !== undefined && isStrictScopeSuperset(scope, registeredScope))
    return 'it was registered for fewer scopes';
  return undefined;
}

/** What is stored for the issuer, unless it was registered for another way back, or for less, than is wanted now. */
async function usableClient(request: IdentityRequest): Promise<StoredOAuthClientInformation | undefined> {
  const stored = await storedClient(request);
  const { provider, sendsBrowser = false } = request;
  // What was given by hand is used as it is.
  if (stored === undefined || !sendsBrowser || provider.saveClientInformation === undefined) return stored;
  const reason = misfit(request, stored);
  if (reason === undefined) return stored;
  const { issuer } = request.metadata;
  observe(request.http, { step: 'client-identity', outcome: 'missed', detail: { reason, issuer } });
  return undefined;
}

/**
 * Settles as whom to sign in: as known beforehand if that fits the way back, else by the address of our metadata document where the
 * server reads such and the document fits, else by registering, and else nobody can but the person.
 * Source: Client Registration page; W211, W222.
 *
 * @throws AuthorizationServerMismatchError
 * @throws RegistrationRejectedError
 * @throws OAuthClientFlowError `client_id_needed`, `client_metadata_url_invalid`, and what requests throw
 */
export async function chooseClient(request: IdentityRequest): Promise<StoredOAuthClientInformation> {
  const { http, provider, metadata } = request;
  const { issuer } = metadata;
  const tell = (way: string, reason: string): void => {
    observe(http, { step: 'client-identity', outcome: 'chosen', detail: { way, reason, issuer } });
  };
  const stored = await usableClient(request);
  if (stored !== undefined) {
    if (provider.saveClientInformation === undefined) tell('given', 'an id was given by hand');
    else tell('stored', 'an earlier sign-in left it');
    return stored;
  }
  const { clientMetadataUrl } = provider;
  validateClientMetadataUrl(clientMetadataUrl);
  const reads = metadata.client_id_metadata_document_supported === true;
  if (reads && clientMetadataUrl !== undefined && documentFits(provider, metadata)) {
    tell('metadata-document', 'the server reads such documents, and ours fits');
    const client = { client_id: clientMetadataUrl, issuer };
    await provider.saveClientInformation?.(client, { issuer });
    return client;
  }
  const endpoint = metadata.registration_endpoint;
  if (endpoint === undefined || provider.saveClientInformation === undefined) {
    const { redirectUrl } = provider;
    const place = redirectUrl === undefined ? {} : { redirectUrl: String(redirectUrl) };
    throw new OAuthClientFlowError('client_id_needed', {
      data: { issuer, ...place },
      step: 'client-identity',
    });
  }
  tell('registration', reads ? 'no document of ours fits, and the server registers' : 'the server registers');
  const client = { ...(await registered(request, endpoint)), issuer };
  await provider.saveClientInformation(client, { issuer });
  return client;
}
