import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import { createPkcePair } from './pkce.ts';
import { asksOffline } from './scopes.ts';
import { parseConfidential } from './url-filter.ts';

/** The address to send the browser to, and the secret that the code is exchanged with afterwards. */
export interface StartedAuthorization {
  authorizationUrl: URL;
  codeVerifier: string;
}

/** @throws OAuthClientFlowError `pkce_unsupported`, `metadata_unusable` */
function assertAble(metadata: AuthorizationServerMetadata): void {
  const { code_challenge_methods_supported: methods, response_types_supported: types } = metadata;
  if (!types.includes('code')) {
    const data = { url: metadata.issuer, reason: 'the server gives no codes' };
    throw new OAuthClientFlowError('metadata_unusable', { data, step: 'authorization' });
  }
  if (methods?.includes('S256') === true) return;
  const data = methods === undefined ? {} : { methods };
  throw new OAuthClientFlowError('pkce_unsupported', { data, step: 'authorization' });
}

/**
 * Makes the address that the browser is sent to. PKCE with S256 is always used, and a server that does
 * not promise it is refused. Source: Authorization Code Protection; W215, W216, W217.
 *
 * @param authorizationServerUrl where `/authorize` is taken to be when no metadata is given
 * @throws OAuthClientFlowError `pkce_unsupported`, `metadata_unusable`, `url_refused`
 */
export async function startAuthorization(
  authorizationServerUrl: string | URL,
  options: {
    readonly metadata?: AuthorizationServerMetadata;
    readonly clientInformation: OAuthClientInformationMixed;
    readonly redirectUrl: string | URL;
    readonly scope?: string | undefined;
    readonly state?: string | undefined;
    /** Sent as it is given; a URL object adds a slash to a bare origin. */
    readonly resource?: string | URL | undefined;
  },
): Promise<StartedAuthorization> {
  const { metadata, clientInformation, redirectUrl, scope, state, resource } = options;
  if (metadata !== undefined) assertAble(metadata);
  const endpoint = metadata?.authorization_endpoint ?? new URL('/authorize', authorizationServerUrl).href;
  const authorizationUrl = parseConfidential(endpoint, { step: 'authorization' });
  const { codeVerifier, codeChallenge } = await createPkcePair();
  const query = authorizationUrl.searchParams;
  query.set('response_type', 'code');
  query.set('client_id', clientInformation.client_id);
  query.set('code_challenge', codeChallenge);
  query.set('code_challenge_method', 'S256');
  query.set('redirect_uri', String(redirectUrl));
  if (state !== undefined && state !== '') query.set('state', state);
  if (scope !== undefined && scope !== '') query.set('scope', scope);
  // Use while the user is away has to be agreed to each time. Source: OpenID Connect Core, section 11.
  if (asksOffline(scope)) query.append('prompt', 'consent');
  if (resource !== undefined) query.set('resource', String(resource));
  return { authorizationUrl, codeVerifier };
}
