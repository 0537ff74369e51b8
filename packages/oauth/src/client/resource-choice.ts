import { checkResourceAllowed, resourceUrlFromServerUrl } from '@portico/spec';
import type { OAuthProtectedResourceMetadata } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { OAuthClientProvider } from './provider.ts';

/** The name of a server without a document: its address without fragment, and without a bare slash, which a URL object adds. */
function canonicalServerUri(serverUrl: string | URL): string {
  const { href, pathname, search } = resourceUrlFromServerUrl(serverUrl);
  return pathname === '/' && search === '' ? href.slice(0, -1) : href;
}

/**
 * Looks whether a resource document is about a server: same origin, and a path that holds the server's on
 * the borders of segments. Source: W209, RFC 9728 section 3.3.
 *
 * @throws OAuthClientFlowError `resource_mismatch`
 */
export function assertResourceCovers(
  serverUrl: string | URL,
  { resource }: OAuthProtectedResourceMetadata,
): void {
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (checkResourceAllowed({ requestedResource, configuredResource: resource })) return;
  const data = { expected: requestedResource.href, received: resource };
  throw new OAuthClientFlowError('resource_mismatch', { data, step: 'resource-metadata' });
}

/**
 * What to send as `resource`: the document's text byte for byte, since servers compare bytes, else the
 * server's own address. A provider's hook may replace or drop it. Source: W216.
 *
 * @throws OAuthClientFlowError `resource_mismatch`
 * @throws what the hook throws
 */
export async function chooseResource(
  serverUrl: string | URL,
  provider: Pick<OAuthClientProvider, 'validateResourceURL'>,
  metadata: OAuthProtectedResourceMetadata | undefined,
): Promise<string | undefined> {
  const server = resourceUrlFromServerUrl(serverUrl);
  const known = metadata === undefined ? canonicalServerUri(serverUrl) : metadata.resource;
  if (provider.validateResourceURL === undefined) {
    if (metadata !== undefined) assertResourceCovers(serverUrl, metadata);
    return known;
  }
  const chosen = await provider.validateResourceURL(server, metadata?.resource);
  if (chosen === undefined) return undefined;
  // A URL object forgets how its text was written.
  return chosen.href === new URL(known).href ? known : canonicalServerUri(chosen);
}

/**
 * The resource as a URL object, for those who do a sign-in by hand; undefined without a document. A URL
 * object adds a slash to a bare origin: send the document's own text.
 *
 * @throws OAuthClientFlowError `resource_mismatch`
 */
export async function selectResourceURL(
  serverUrl: string | URL,
  provider: Pick<OAuthClientProvider, 'validateResourceURL'>,
  resourceMetadata?: OAuthProtectedResourceMetadata,
): Promise<URL | undefined> {
  if (provider.validateResourceURL === undefined && resourceMetadata === undefined) return undefined;
  const resource = await chooseResource(serverUrl, provider, resourceMetadata);
  return resource === undefined ? undefined : new URL(resource);
}
