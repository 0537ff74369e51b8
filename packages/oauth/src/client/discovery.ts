import type { FetchLike } from '@portico/spec';
import type { AuthorizationServerMetadata, OAuthProtectedResourceMetadata } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { TriedAddress } from './metadata-search.ts';
import type { AuthorizationHttp } from './requests.ts';
import { describeTried, findResourceMetadata } from './resource-metadata.ts';
import { findServerMetadata } from './server-metadata.ts';
import { filterUrl } from './url-filter.ts';

/** Who is in charge of a server, and what both say of themselves. */
export interface OAuthServerInfo {
  /** The issuer: from the resource document, else the MCP server's own origin. */
  authorizationServerUrl: string;
  authorizationServerMetadata?: AuthorizationServerMetadata;
  /** Missing when the server has no resource document. */
  resourceMetadata?: OAuthProtectedResourceMetadata;
}

/** What was found, in a form that can be kept over a redirect, together with the verifier. */
export interface OAuthDiscoveryState extends OAuthServerInfo {
  /** Where the resource document was. */
  resourceMetadataUrl?: string;
}

/** What a discovery is told. */
export interface DiscoveryOptions {
  readonly http: AuthorizationHttp;
  readonly resourceMetadataUrl?: string | URL | undefined;
  readonly skipIssuerMetadataValidation?: boolean | undefined;
  /** Looks at the resource document before anything it names is asked. Throws to refuse it. */
  readonly checkResource?: (metadata: OAuthProtectedResourceMetadata) => void | Promise<void>;
}

function issuerOf(metadata: OAuthProtectedResourceMetadata, url: URL): string {
  const issuer = metadata.authorization_servers?.[0];
  if (issuer !== undefined) return issuer;
  const data = { url: url.href, reason: 'it names no authorization server' };
  throw new OAuthClientFlowError('metadata_unusable', { data, step: 'resource-metadata' });
}

/**
 * Finds out who is in charge of a server. Without a resource document its origin is tried as the issuer,
 * as servers of the first revisions have it; no endpoint is ever guessed. Source: W208, W209, W210.
 *
 * @throws OAuthClientFlowError `no_server_metadata` with everything that was tried, `metadata_unusable`,
 *   `url_refused`, `network`, `answer_timeout`, `answer_too_large`, `answer_unusable`
 * @throws IssuerMismatchError
 */
export async function discover(
  serverUrl: string | URL,
  options: DiscoveryOptions,
): Promise<OAuthDiscoveryState & { readonly authorizationServerMetadata: AuthorizationServerMetadata }> {
  const { http, resourceMetadataUrl, skipIssuerMetadataValidation } = options;
  const tried: TriedAddress[] = [];
  const resource = await findResourceMetadata(serverUrl, { http, resourceMetadataUrl, tried });
  if (resource !== undefined) await options.checkResource?.(resource.document);
  const { origin } = new URL(serverUrl);
  const issuer = resource === undefined ? `${origin}/` : issuerOf(resource.document, resource.url);
  const trustedOrigin = resource === undefined ? origin : undefined;
  await filterUrl(issuer, { step: 'server-metadata', trustedOrigin });
  const skipIssuerValidation = skipIssuerMetadataValidation;
  const metadata = await findServerMetadata(issuer, { http, skipIssuerValidation, trustedOrigin, tried });
  if (metadata === undefined) {
    const message = `No authorization server could be found for this MCP server. ${describeTried(tried)}`;
    throw new OAuthClientFlowError('no_server_metadata', {
      message,
      data: { tried },
      step: 'server-metadata',
    });
  }
  return {
    authorizationServerUrl: issuer,
    authorizationServerMetadata: metadata,
    ...(resource === undefined
      ? {}
      : { resourceMetadata: resource.document, resourceMetadataUrl: resource.url.href }),
  };
}

/**
 * Finds out who is in charge of a server, outside of a sign-in, such as to take a token back. Whether the
 * resource document fits the server is looked at by `selectResourceURL`.
 *
 * @throws as a sign-in: OAuthClientFlowError `no_server_metadata`, `metadata_unusable`, `url_refused`,
 *   `network`, `answer_timeout`, `answer_too_large`, `answer_unusable`; IssuerMismatchError
 */
export function discoverOAuthServerInfo(
  serverUrl: string | URL,
  opts: {
    readonly resourceMetadataUrl?: URL;
    readonly fetchFn?: FetchLike;
    /** Weakens security: see `skipIssuerMetadataValidation` of `auth`. */
    readonly skipIssuerMetadataValidation?: boolean;
  } = {},
): Promise<OAuthServerInfo> {
  const { fetchFn, ...rest } = opts;
  return discover(serverUrl, { http: { fetchFn }, ...rest });
}
