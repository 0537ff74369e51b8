import type { FetchLike } from '@portico/spec';
import type { AuthorizationServerMetadata, OAuthMetadata } from '../documents.ts';
import { IssuerMismatchError } from '../flow-errors.ts';
import type { JsonDocument } from './json-document.ts';
import { withoutBrokenLists } from './json-document.ts';
import { searchMetadata } from './metadata-search.ts';
import type { TriedAddress } from './metadata-search.ts';
import type { AuthorizationHttp } from './requests.ts';

const LISTS = [
  'scopes_supported',
  'response_types_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'dpop_signing_alg_values_supported',
];
/** Why a document counts. */
const REASONS = {
  oauth: 'it is the OAuth document of the issuer',
  oidc: 'it is the OpenID document of the issuer',
} as const;
/** A proxy says this of hosts that are not there. */
const BAD_GATEWAY: ReadonlySet<number> = new Set([502]);

function readDocument(document: JsonDocument): AuthorizationServerMetadata | string {
  for (const member of ['issuer', 'authorization_endpoint', 'token_endpoint']) {
    if (typeof document[member] !== 'string') return `it has no ${member}`;
  }
  if ('registration_endpoint' in document && typeof document['registration_endpoint'] !== 'string') {
    const { registration_endpoint: _unusable, ...rest } = document;
    return readDocument(rest);
  }
  const { response_types_supported: types = ['code'], ...rest } = withoutBrokenLists(document, LISTS);
  return { ...rest, response_types_supported: types } as AuthorizationServerMetadata;
}

/**
 * Where an issuer's metadata may be, in the order of asking. Source: authorization-server-discovery page.
 *
 * @throws TypeError when the address is none
 */
export function buildDiscoveryUrls(
  authorizationServerUrl: string | URL,
): { url: URL; type: 'oauth' | 'oidc' }[] {
  const { origin, pathname } = new URL(authorizationServerUrl);
  const path = pathname.replace(/\/$/, '');
  const oauth = '/.well-known/oauth-authorization-server';
  const oidc = '/.well-known/openid-configuration';
  const at = (place: string): URL => new URL(place, origin);
  if (path === '') {
    return [
      { url: at(oauth), type: 'oauth' },
      { url: at(oidc), type: 'oidc' },
    ];
  }
  return [
    { url: at(oauth + path), type: 'oauth' },
    { url: at(oidc + path), type: 'oidc' },
    { url: at(path + oidc), type: 'oidc' },
  ];
}

/**
 * Issuers are compared as text. The one exception is a slash after a bare address that was made from a
 * URL object, which always has one.
 */
export function isIssuer(received: string, asked: string): boolean {
  return received === asked || (asked.endsWith('/') && received === asked.slice(0, -1));
}

/** What a search for the metadata of an authorization server is told. */
export interface ServerMetadataSearch {
  readonly http: AuthorizationHttp;
  readonly protocolVersion?: string | undefined;
  /** Takes documents of another issuer: for servers that are known to be set up wrongly. */
  readonly skipIssuerValidation?: boolean | undefined;
  /** The MCP server's own origin, when that is what is asked. */
  readonly trustedOrigin?: string | undefined;
  readonly tried: TriedAddress[];
}

/** Looks for the metadata of an issuer. @throws IssuerMismatchError, and as `searchMetadata` */
export async function findServerMetadata(
  authorizationServerUrl: string | URL,
  options: ServerMetadataSearch,
): Promise<AuthorizationServerMetadata | undefined> {
  const asked = String(authorizationServerUrl);
  const found = await searchMetadata({
    ...options,
    step: 'server-metadata',
    places: buildDiscoveryUrls(authorizationServerUrl).map(({ url, type }) => ({
      url,
      reason: REASONS[type],
    })),
    missing: BAD_GATEWAY,
    read(document) {
      const metadata = readDocument(document);
      if (typeof metadata === 'string' || options.skipIssuerValidation === true) return metadata;
      // Somebody else's document: whatever it says must not be used, and asking on would hide that.
      if (!isIssuer(metadata.issuer, asked))
        throw new IssuerMismatchError('metadata', asked, metadata.issuer);
      return metadata;
    },
  });
  return found?.document;
}

/**
 * Fetches the metadata of an authorization server by OAuth's or OpenID's document; undefined when it has
 * neither.
 *
 * @throws IssuerMismatchError when the document names another issuer than it was asked for
 * @throws OAuthClientFlowError `network`, `answer_timeout`, `answer_too_large`, `url_refused`, `answer_unusable`
 */
export function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  options: {
    readonly fetchFn?: FetchLike;
    readonly protocolVersion?: string;
    /** Weakens security. */
    readonly skipIssuerValidation?: boolean;
  } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const { fetchFn, protocolVersion, skipIssuerValidation } = options;
  const search = { http: { fetchFn }, protocolVersion, skipIssuerValidation, tried: [] };
  return findServerMetadata(authorizationServerUrl, search);
}

/**
 * Fetches OAuth's document alone, and does not look at its issuer.
 *
 * @deprecated {@link discoverAuthorizationServerMetadata} looks everywhere and checks
 * @throws OAuthClientFlowError `network`, `answer_timeout`, `answer_too_large`, `url_refused`, `answer_unusable`
 */
export async function discoverOAuthMetadata(
  issuer: string | URL,
  options: { readonly authorizationServerUrl?: string | URL; readonly protocolVersion?: string } = {},
  fetchFn?: FetchLike,
): Promise<OAuthMetadata | undefined> {
  const at = options.authorizationServerUrl ?? issuer;
  const atPath = buildDiscoveryUrls(at).filter(({ type }) => type === 'oauth');
  const atRoot = buildDiscoveryUrls(new URL('/', at)).filter(({ type }) => type === 'oauth');
  const urls = [...new Map([...atPath, ...atRoot].map(({ url }) => [url.href, url])).values()];
  const { protocolVersion } = options;
  const found = await searchMetadata({
    http: { fetchFn },
    step: 'server-metadata',
    places: urls.map((url) => ({ url, reason: REASONS.oauth })),
    protocolVersion,
    read: readDocument,
    tried: [],
  });
  return found?.document;
}
