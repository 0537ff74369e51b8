import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '../documents.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import { ResourceConfigError } from './config-errors.ts';
import { jsonAnswer, type PlainAnswer, responseOf } from './plain-answer.ts';
import { ofTheResource } from './scopes.ts';
import type { DpopDemands } from './token-verifier.ts';

/** What the two discovery documents of a resource are made of. */
export interface AuthMetadataOptions {
  /** The document of the authorization server in charge, which is mirrored for clients that look here. */
  readonly oauthMetadata: OAuthMetadata;
  /** The public address of the MCP endpoint; its path shows in the address of the document. */
  readonly resourceServerUrl: URL;
  readonly serviceDocumentationUrl?: URL;
  /** Scopes that the resource knows. `offline_access` is left out: it is none of the resource's. */
  readonly scopesSupported?: readonly string[];
  /** A name for people. */
  readonly resourceName?: string;
  /** Announces what the verifier asks of proofs of possession. */
  readonly dpop?: DpopDemands;
  /** Takes an issuer that is neither https nor on this machine. For tests only. */
  readonly dangerouslyAllowInsecureIssuerUrl?: boolean;
}

const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource';
const SERVER_DOCUMENT = '/.well-known/oauth-authorization-server';
const METHODS = 'GET, HEAD, OPTIONS';
const ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;

/**
 * The document by which a resource names its authorization server (RFC 9728). Call it once at start
 * to find a wrong issuer before any request does.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`, `resource_malformed`
 * @see W228
 */
export function buildOAuthProtectedResourceMetadata(
  options: AuthMetadataOptions,
): OAuthProtectedResourceMetadata {
  const { oauthMetadata, resourceServerUrl, serviceDocumentationUrl, resourceName, dpop } = options;
  assertIssuer(oauthMetadata.issuer, options.dangerouslyAllowInsecureIssuerUrl === true);
  if (resourceServerUrl.hash !== '') {
    throw new ResourceConfigError('resource_malformed', { resource: resourceServerUrl.href });
  }
  const scopes = options.scopesSupported;
  return {
    resource: resourceServerUrl.href,
    authorization_servers: [oauthMetadata.issuer],
    ...(scopes === undefined ? {} : { scopes_supported: ofTheResource(scopes) }),
    ...(resourceName === undefined ? {} : { resource_name: resourceName }),
    ...(serviceDocumentationUrl === undefined
      ? {}
      : { resource_documentation: serviceDocumentationUrl.href }),
    ...(dpop === undefined
      ? {}
      : {
          dpop_signing_alg_values_supported: [...dpop.algorithms],
          dpop_bound_access_tokens_required: dpop.required,
        }),
  };
}

/** @throws ResourceConfigError `issuer_insecure`, `issuer_malformed` */
export function assertIssuer(issuer: string, allowInsecure: boolean): void {
  if (!URL.canParse(issuer)) throw new ResourceConfigError('issuer_malformed', { issuer, part: 'address' });
  const { protocol, hostname, hash, search } = new URL(issuer);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  if (protocol !== 'https:' && !isLocal && !allowInsecure) {
    throw new ResourceConfigError('issuer_insecure', { issuer });
  }
  if (hash !== '') throw new ResourceConfigError('issuer_malformed', { issuer, part: 'fragment' });
  if (search !== '') throw new ResourceConfigError('issuer_malformed', { issuer, part: 'query' });
}

/** Where the document of a resource is, with the resource's own path behind the well-known one. */
export function getOAuthProtectedResourceMetadataUrl(serverUrl: URL): string {
  const url = new URL(resourceDocumentPath(serverUrl), serverUrl);
  url.search = serverUrl.search;
  return url.href;
}

/** The paths that {@link metadataAnswer} answers, for routers that want them beforehand. */
export function metadataPaths({ resourceServerUrl }: AuthMetadataOptions): readonly string[] {
  return [resourceDocumentPath(resourceServerUrl), SERVER_DOCUMENT];
}

function resourceDocumentPath({ pathname }: URL): string {
  const path = withoutLastSlash(pathname);
  return path === '/' ? RESOURCE_DOCUMENT : `${RESOURCE_DOCUMENT}${path}`;
}

function withoutLastSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** What an answer depends on. */
export interface MetadataRequest {
  readonly method: string;
  /** Path of the request without its query. */
  readonly path: string;
  /** `Access-Control-Request-Headers` of a preflight. */
  readonly requestedHeaders?: string | null | undefined;
}

/** The answer to a request for either document; undefined for every other path. */
export function metadataAnswer(
  { method, path, requestedHeaders }: MetadataRequest,
  options: AuthMetadataOptions,
): PlainAnswer | undefined {
  const [resource, server] = metadataPaths(options);
  const asked = withoutLastSlash(path);
  if (asked !== resource && asked !== server) return undefined;
  // Both documents are worth nothing with a wrong issuer.
  const description = buildOAuthProtectedResourceMetadata(options);
  const document = asked === resource ? description : options.oauthMetadata;
  return documentAnswer({ method, requestedHeaders }, document);
}

/** Serves one public document: to pages of every origin, and by no other method. */
export function documentAnswer(
  { method, requestedHeaders }: Omit<MetadataRequest, 'path'>,
  document: object,
): PlainAnswer {
  if (method === 'OPTIONS') return preflightAnswer(METHODS, requestedHeaders);
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowedAnswer(method, METHODS);
  const { status, headers, body } = jsonAnswer(200, document, ANY_ORIGIN);
  return method === 'HEAD' || body === undefined ? { status, headers } : { status, headers, body };
}

/** The answer to a preflight of any origin. */
export function preflightAnswer(methods: string, requestedHeaders: string | null | undefined): PlainAnswer {
  return {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      'access-control-allow-methods': methods,
      // The list repeats what was asked for, so caches must not mix the answers up.
      ...(typeof requestedHeaders === 'string'
        ? { 'access-control-allow-headers': requestedHeaders, vary: 'Access-Control-Request-Headers' }
        : {}),
    },
  };
}

/** The answer to a method that an endpoint does not have, in OAuth's words. */
export function methodNotAllowedAnswer(method: string, allowed: string): PlainAnswer {
  const message = `The method ${method} is not allowed for this endpoint`;
  const error = new OAuthError(OAuthErrorCode.MethodNotAllowed, message);
  return jsonAnswer(405, error.toResponseObject(), { ...ANY_ORIGIN, allow: allowed });
}

/**
 * Serves the resource document and the mirror of the server's document on hosts of the form
 * `fetch(request)`. Undefined means that the path is another one.
 *
 * @throws ResourceConfigError as {@link buildOAuthProtectedResourceMetadata}, on those paths only
 * @see W228
 */
export function oauthMetadataResponse(request: Request, options: AuthMetadataOptions): Response | undefined {
  const answer = metadataAnswer(
    {
      method: request.method,
      path: new URL(request.url).pathname,
      requestedHeaders: request.headers.get('access-control-request-headers'),
    },
    options,
  );
  return answer === undefined ? undefined : responseOf(answer);
}
