import type { FetchLike } from '@portico/spec';
import type { OAuthProtectedResourceMetadata } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { JsonDocument } from './json-document.ts';
import { withoutBrokenLists } from './json-document.ts';
import { searchMetadata } from './metadata-search.ts';
import type { FoundMetadata, MetadataPlace, TriedAddress } from './metadata-search.ts';
import type { AuthorizationHttp } from './requests.ts';

const LISTS = ['scopes_supported', 'bearer_methods_supported', 'dpop_signing_alg_values_supported'];

function readDocument(document: JsonDocument): OAuthProtectedResourceMetadata | string {
  const { resource, authorization_servers: servers } = document;
  if (typeof resource !== 'string' || !URL.canParse(resource)) return 'it names no resource';
  const lists = servers === undefined ? LISTS : [...LISTS, 'authorization_servers'];
  return withoutBrokenLists(document, lists) as OAuthProtectedResourceMetadata;
}

/**
 * Where a server's resource document may be, in the order of asking: at the server's path, then at its
 * root. Source: authorization-server-discovery page, RFC 9728 section 3.1.
 */
function resourceMetadataPlaces(serverUrl: string | URL): readonly MetadataPlace[] {
  const { origin, pathname, search } = new URL(serverUrl);
  const root = new URL('/.well-known/oauth-protected-resource', origin);
  const atRoot = { url: root, reason: 'it is at the root of the server' };
  const path = pathname.replace(/\/$/, '');
  if (path === '') return [atRoot];
  const url = new URL(root.pathname + path + search, origin);
  return [{ url, reason: 'it is at the path of the server' }, atRoot];
}

/** What a search for the resource document is told. */
export interface ResourceMetadataSearch {
  readonly http: AuthorizationHttp;
  /** From the server's challenge: it comes first. */
  readonly resourceMetadataUrl?: string | URL | undefined;
  readonly protocolVersion?: string | undefined;
  readonly tried: TriedAddress[];
}

/** Looks for the document by which a server describes itself as a resource. @throws as `searchMetadata` */
export function findResourceMetadata(
  serverUrl: string | URL,
  { http, resourceMetadataUrl, protocolVersion, tried }: ResourceMetadataSearch,
): Promise<FoundMetadata<OAuthProtectedResourceMetadata> | undefined> {
  const reason = 'the challenge of the server names it';
  const named = resourceMetadataUrl === undefined ? [] : [{ url: new URL(resourceMetadataUrl), reason }];
  const known = resourceMetadataPlaces(serverUrl).filter(({ url }) => url.href !== named[0]?.url.href);
  const trustedOrigin = new URL(serverUrl).origin;
  const places = [...named, ...known];
  const step = 'resource-metadata';
  return searchMetadata({ http, step, places, protocolVersion, trustedOrigin, read: readDocument, tried });
}

/**
 * Fetches the document by which a server describes itself as a resource. Whether it fits the server is
 * not looked at here.
 *
 * @throws OAuthClientFlowError `no_server_metadata` when there is none, and as `searchMetadata`
 */
export async function discoverOAuthProtectedResourceMetadata(
  serverUrl: string | URL,
  opts: { readonly protocolVersion?: string; readonly resourceMetadataUrl?: string | URL } = {},
  fetchFn?: FetchLike,
): Promise<OAuthProtectedResourceMetadata> {
  const tried: TriedAddress[] = [];
  const found = await findResourceMetadata(serverUrl, { ...opts, http: { fetchFn }, tried });
  if (found !== undefined) return found.document;
  throw new OAuthClientFlowError('no_server_metadata', {
    message: `The server has no resource document. ${describeTried(tried)}`,
    data: { tried },
    step: 'resource-metadata',
  });
}

/** One sentence that lists what was asked in vain. */
export function describeTried(tried: readonly TriedAddress[]): string {
  const parts = tried.map(({ url, status, reason }) => {
    return `${url} (${status === undefined ? reason : `${status}, ${reason}`})`;
  });
  return `Tried: ${parts.join('; ')}.`;
}
