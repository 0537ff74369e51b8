import type { OAuthClientMetadata } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { OAuthClientProvider } from './provider.ts';
import { isLoopbackHost } from './url-filter.ts';

function isNative(redirect: string): boolean {
  if (!URL.canParse(redirect)) return false;
  const { protocol, hostname } = new URL(redirect);
  return (protocol !== 'http:' && protocol !== 'https:') || isLoopbackHost(hostname);
}

/**
 * The provider's client metadata with what a registration needs beside: `application_type` from where the
 * browser comes back to, and the grants of a code and of refreshing for clients with a user. What the
 * provider says itself stays. Source: W213.
 */
export function resolveClientMetadata(
  provider: Pick<OAuthClientProvider, 'clientMetadata' | 'redirectUrl'>,
): OAuthClientMetadata {
  const { clientMetadata, redirectUrl } = provider;
  const grants = redirectUrl === undefined ? undefined : ['authorization_code', 'refresh_token'];
  const grantTypes = clientMetadata.grant_types ?? grants;
  const derived = (clientMetadata.redirect_uris ?? []).some(isNative) ? 'native' : 'web';
  return {
    ...clientMetadata,
    ...(grantTypes === undefined ? {} : { grant_types: grantTypes }),
    application_type: clientMetadata.application_type ?? derived,
  };
}

/** Whether a text is an https address with a path: fit to be a client's id. */
export function isHttpsUrl(value?: string): boolean {
  if (value === undefined || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === 'https:' && pathname !== '/';
}

/**
 * Looks at the address of a client's metadata document; without one there is nothing to look at.
 * Source: Client Registration page; W212.
 *
 * @throws OAuthClientFlowError `client_metadata_url_invalid`
 */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (url === undefined || url === '' || isHttpsUrl(url)) return;
  throw new OAuthClientFlowError('client_metadata_url_invalid', { data: { url }, step: 'client-identity' });
}

/** A document by which a client describes itself, under the address that is its id. */
export type ClientMetadataDocument = OAuthClientMetadata & {
  readonly client_id: string;
  readonly client_name: string;
};

/**
 * Makes the document that a client publishes under its id. Source: Client Registration page; W212.
 *
 * @param url https with a path; written into the document as it is
 * @throws OAuthClientFlowError `client_metadata_url_invalid`
 */
export function buildClientMetadataDocument(
  url: string,
  metadata: OAuthClientMetadata & { readonly client_name: string },
): ClientMetadataDocument {
  if (!isHttpsUrl(url)) {
    throw new OAuthClientFlowError('client_metadata_url_invalid', { data: { url }, step: 'client-identity' });
  }
  return {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...metadata,
    client_id: url,
  };
}
