import type { FetchLike } from '@portico/spec';
import type { OAuthTokens } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import { applyClientAuthentication } from './client-authentication.ts';
import type { ClientAuthMethod } from './client-authentication.ts';
import { parseDocument } from './json-document.ts';
import { errorFromText, errorOf, readTokens } from './oauth-answers.ts';
import { send, shownUrl } from './requests.ts';
import type { AuthorizationAnswer } from './requests.ts';
import { discoverAuthorizationServerMetadata } from './server-metadata.ts';
import { assertSecureTokenEndpoint } from './token-endpoint.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
/** The grant by which an assertion is exchanged. Source: RFC 7523, section 2.1. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** An exchange of a person's identity for a grant at another server. */
export interface RequestJwtAuthGrantOptions {
  /** Of the identity provider. */
  readonly tokenEndpoint: string | URL;
  /** The issuer of the MCP server's authorization server. */
  readonly audience: string | URL;
  /** The MCP server. */
  readonly resource: string | URL;
  /** From when the person signed in to the identity provider. */
  readonly idToken: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  readonly fetchFn?: FetchLike | undefined;
}

export interface DiscoverAndRequestJwtAuthGrantOptions extends Omit<
  RequestJwtAuthGrantOptions,
  'tokenEndpoint'
> {
  /** The issuer of the identity provider. */
  readonly idpUrl: string | URL;
}

/** A grant for another server. */
export interface JwtAuthGrantResult {
  jwtAuthGrant: string;
  /** Lifetime in seconds. */
  expiresIn?: number;
  scope?: string;
}

/** One form for a token endpoint. @throws OAuthError what the server answers */
async function post(
  tokenEndpoint: string | URL,
  parts: {
    readonly params: URLSearchParams;
    readonly headers?: Headers;
    readonly fetchFn: FetchLike | undefined;
  },
): Promise<AuthorizationAnswer> {
  const url = assertSecureTokenEndpoint(tokenEndpoint);
  const headers = parts.headers ?? new Headers();
  headers.set('content-type', 'application/x-www-form-urlencoded');
  headers.set('accept', 'application/json');
  const http = { fetchFn: parts.fetchFn };
  const answer = await send(http, { step: 'token', url, headers, body: parts.params });
  if (answer.status < 200 || answer.status > 299) throw errorFromText(answer.text, answer.status);
  return answer;
}

function unusable({ url, status, text }: AuthorizationAnswer, reason: string): Error {
  const data = { url: shownUrl(url), status, reason };
  return errorOf(parseDocument(text)) ?? new OAuthClientFlowError('answer_unusable', { data, step: 'token' });
}

/**
 * Exchanges a person's ID token for a grant at the MCP server's authorization server. Source: Enterprise-
 * Managed Authorization; RFC 8693; W225.
 *
 * @throws OAuthError what the identity provider answers
 * @throws InsecureTokenEndpointError
 * @throws OAuthClientFlowError `answer_unusable`, `network`, `answer_timeout`, `answer_too_large`
 */
export async function requestJwtAuthorizationGrant(
  options: RequestJwtAuthGrantOptions,
): Promise<JwtAuthGrantResult> {
  const { tokenEndpoint, audience, resource, idToken, clientId, clientSecret, scope, fetchFn } = options;
  const params = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: ID_JAG,
    audience: String(audience),
    resource: String(resource),
    subject_token: idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    client_id: clientId,
  });
  if (clientSecret !== undefined && clientSecret !== '') params.set('client_secret', clientSecret);
  if (scope !== undefined && scope !== '') params.set('scope', scope);
  const answer = await post(tokenEndpoint, { params, fetchFn });
  const document = parseDocument(answer.text);
  // What is no access token has the type N_A here. Source: RFC 8693, section 2.2.1.
  const tokens = readTokens({ token_type: 'N_A', ...document });
  if (tokens === undefined || document?.['issued_token_type'] !== ID_JAG) {
    throw unusable(answer, 'it holds no grant for another server');
  }
  const { access_token: jwtAuthGrant, expires_in: expiresIn, scope: granted } = tokens;
  return {
    jwtAuthGrant,
    ...(expiresIn === undefined ? {} : { expiresIn }),
    ...(granted === undefined ? {} : { scope: granted }),
  };
}

/**
 * As {@link requestJwtAuthorizationGrant}, with the token endpoint from the identity provider's metadata.
 *
 * @throws OAuthClientFlowError `no_server_metadata` besides
 * @throws IssuerMismatchError
 */
export async function discoverAndRequestJwtAuthGrant(
  options: DiscoverAndRequestJwtAuthGrantOptions,
): Promise<JwtAuthGrantResult> {
  const { idpUrl, ...rest } = options;
  const { fetchFn } = rest;
  const metadata = await discoverAuthorizationServerMetadata(
    idpUrl,
    fetchFn === undefined ? {} : { fetchFn },
  );
  if (metadata === undefined) {
    const tried = [{ url: String(idpUrl), reason: 'no metadata of an identity provider' }];
    throw new OAuthClientFlowError('no_server_metadata', { data: { tried }, step: 'server-metadata' });
  }
  return requestJwtAuthorizationGrant({ ...rest, tokenEndpoint: metadata.token_endpoint });
}

/**
 * Exchanges such a grant for an access token at the MCP server's authorization server. Source: Enterprise-
 * Managed Authorization; RFC 7523; W225.
 *
 * @throws OAuthError what the server answers
 * @throws InsecureTokenEndpointError
 * @throws OAuthClientFlowError `client_auth_unsupported`, `answer_unusable`, `network`, `answer_timeout`,
 *   `answer_too_large`
 */
export async function exchangeJwtAuthGrant(options: {
  readonly tokenEndpoint: string | URL;
  readonly jwtAuthGrant: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** `client_secret_basic` by default; `none` for clients without a secret. */
  readonly authMethod?: ClientAuthMethod;
  readonly fetchFn?: FetchLike;
}): Promise<OAuthTokens> {
  const {
    tokenEndpoint,
    jwtAuthGrant,
    clientId,
    clientSecret,
    authMethod = 'client_secret_basic',
    fetchFn,
  } = options;
  if (authMethod !== 'none' && clientSecret === undefined) {
    throw new OAuthClientFlowError('client_auth_unsupported', {
      data: { supported: [authMethod] },
      step: 'token',
    });
  }
  const params = new URLSearchParams({ grant_type: JWT_BEARER, assertion: jwtAuthGrant });
  const headers = new Headers();
  const client = {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  };
  applyClientAuthentication(authMethod, client, { headers, params });
  const answer = await post(tokenEndpoint, { params, headers, fetchFn });
  const tokens = readTokens(parseDocument(answer.text));
  if (tokens === undefined) throw unusable(answer, 'it holds no token');
  return tokens;
}
