import { type Clock, systemClock } from '@portico/rpc';
import {
  assertIssuer,
  documentAnswer,
  jsonAnswer,
  metadataAnswer,
  metadataPaths,
  methodNotAllowedAnswer,
  OAuthError,
  OAuthErrorCode,
  type OAuthMetadata,
  type PlainAnswer,
  preflightAnswer,
  responseOf,
} from '@portico/oauth/resource';
import { authorizationAnswer } from './authorization-endpoint.ts';
import { ANY_ORIGIN, errorAnswer, toOAuthError } from './oauth-answers.ts';
import type { OAuthServerProvider } from './provider.ts';
import { type ClientRegistrationOptions, registrationAnswer } from './registration-endpoint.ts';
import { revocationAnswer } from './revocation-endpoint.ts';
import { createTokenEndpoint } from './token-endpoint.ts';

/** The endpoints that can be limited. */
export type AuthEndpoint = 'authorize' | 'token' | 'register' | 'revoke';

export interface AuthRouterOptions {
  readonly provider: OAuthServerProvider;
  /** The issuer: https, or http on this machine, without query and fragment. */
  readonly issuerUrl: URL;
  /** Where the endpoints are, when not at the issuer's origin. */
  readonly baseUrl?: URL;
  readonly serviceDocumentationUrl?: URL;
  /** Scopes that may be asked for. Default: any. */
  readonly scopesSupported?: readonly string[];
  readonly resourceName?: string;
  /** The MCP server whose document is served beside. Default: `baseUrl`, else the issuer. */
  readonly resourceServerUrl?: URL;
  readonly clientRegistrationOptions?: ClientRegistrationOptions;
  /** Asked before each request to an endpoint; false is answered with 429. Default: all pass. */
  readonly allow?: (endpoint: AuthEndpoint, request: Request) => boolean | Promise<boolean>;
  /** Told of what was answered as a server error. Must not throw. */
  readonly onerror?: (error: Error) => void;
  readonly clock?: Clock;
  /** Takes an issuer that is neither https nor on this machine. For tests only. */
  readonly dangerouslyAllowInsecureIssuerUrl?: boolean;
}

/** An authorization server as a part of a server. Mount it at the root of its origin. */
export interface AuthRouter {
  /** Undefined for every path that is none of its. May be taken off the object. */
  readonly fetch: (request: Request) => Promise<Response | undefined>;
  /** All of its paths. */
  readonly paths: readonly string[];
  /** What it says of itself. */
  readonly metadata: OAuthMetadata;
}

/**
 * What the router says of itself (RFC 8414).
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`
 */
export function createOAuthMetadata(options: AuthRouterOptions): OAuthMetadata {
  const { provider, issuerUrl, baseUrl = issuerUrl, serviceDocumentationUrl, scopesSupported } = options;
  assertIssuer(issuerUrl.href, options.dangerouslyAllowInsecureIssuerUrl === true);
  const at = (path: string): string => new URL(path, baseUrl).href;
  const methods = ['client_secret_post', 'client_secret_basic', 'none'];
  return {
    issuer: issuerUrl.href,
    authorization_endpoint: at('/authorize'),
    token_endpoint: at('/token'),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    authorization_response_iss_parameter_supported:
      provider.authorizationResponseIssParameterSupported ?? true,
    ...(provider.clientsStore.registerClient === undefined ? {} : { registration_endpoint: at('/register') }),
    ...(provider.revokeToken === undefined
      ? {}
      : { revocation_endpoint: at('/revoke'), revocation_endpoint_auth_methods_supported: methods }),
    ...(scopesSupported === undefined ? {} : { scopes_supported: scopesSupported }),
    ...(serviceDocumentationUrl === undefined ? {} : { service_documentation: serviceDocumentationUrl.href }),
  };
}

interface Endpoint {
  readonly name: AuthEndpoint;
  readonly methods: readonly string[];
  /** Whether pages of every origin may ask. */
  readonly forPages: boolean;
  readonly answer: (request: Request) => Promise<PlainAnswer>;
}

/**
 * A small authorization server for tests and local use, or one that asks another in the background.
 * For anything that people rely on, use a server that does nothing else.
 *
 * @throws ResourceConfigError `issuer_insecure`, `issuer_malformed`
 * @see W233
 */
export function createAuthRouter(options: AuthRouterOptions): AuthRouter {
  const metadata = createOAuthMetadata(options);
  const endpoints = endpointsOf(metadata, options);
  const report = (error: Error): void => options.onerror?.(error);
  const { issuerUrl, baseUrl, resourceServerUrl, resourceName, scopesSupported } = options;
  const documents = {
    oauthMetadata: metadata,
    resourceServerUrl: resourceServerUrl ?? baseUrl ?? issuerUrl,
    dangerouslyAllowInsecureIssuerUrl: true, // looked at above
    ...(resourceName === undefined ? {} : { resourceName }),
    ...(scopesSupported === undefined ? {} : { scopesSupported }),
  };
  const ownDocument = `/.well-known/oauth-authorization-server${issuerUrl.pathname.replace(/\/$/, '')}`;
  const answer = async (request: Request): Promise<PlainAnswer | undefined> => {
    const { method, headers } = request;
    const { pathname: path } = new URL(request.url);
    const requestedHeaders = headers.get('access-control-request-headers');
    if (path === ownDocument) return documentAnswer({ method, requestedHeaders }, metadata);
    const endpoint = endpoints.get(path);
    if (endpoint === undefined) return metadataAnswer({ method, path, requestedHeaders }, documents);
    const allowed = endpoint.methods.join(', ');
    if (method === 'OPTIONS' && endpoint.forPages) return preflightAnswer(allowed, requestedHeaders);
    if (!endpoint.methods.includes(method)) return methodNotAllowedAnswer(method, allowed);
    return limited(endpoint, request, { allow: options.allow, report });
  };
  return {
    metadata,
    paths: [...endpoints.keys(), ownDocument, ...metadataPaths(documents)],
    fetch: async (request) => {
      const found = await answer(request);
      return found === undefined ? undefined : responseOf(found);
    },
  };
}

async function limited(
  { name, forPages, answer }: Endpoint,
  request: Request,
  { allow, report }: { readonly allow: AuthRouterOptions['allow']; readonly report: (error: Error) => void },
): Promise<PlainAnswer> {
  try {
    if ((await allow?.(name, request)) === false) {
      throw new OAuthError(OAuthErrorCode.TooManyRequests, 'Too many requests. Try again later.');
    }
    return await answer(request);
  } catch (error) {
    const told = toOAuthError(error, report);
    const shared = forPages ? ANY_ORIGIN : {};
    if (told.code === OAuthErrorCode.InvalidClient && request.headers.has('authorization')) {
      const challenge = { ...shared, 'cache-control': 'no-store', 'www-authenticate': 'Basic realm="token"' };
      return jsonAnswer(401, told.toResponseObject(), challenge);
    }
    return errorAnswer(told, shared);
  }
}

function endpointsOf(metadata: OAuthMetadata, options: AuthRouterOptions): ReadonlyMap<string, Endpoint> {
  const { provider, clock = systemClock, scopesSupported, clientRegistrationOptions } = options;
  const report = (error: Error): void => options.onerror?.(error);
  const authorization = { provider, issuer: metadata.issuer, scopesSupported, report };
  const found = new Map<string, Endpoint>();
  const add = (url: string | undefined, endpoint: Omit<Endpoint, 'forPages'>): void => {
    if (url === undefined) return;
    found.set(new URL(url).pathname, { ...endpoint, forPages: endpoint.name !== 'authorize' });
  };
  const { clientsStore } = provider;
  add(metadata.authorization_endpoint, {
    name: 'authorize',
    methods: ['GET', 'POST'],
    answer: (request) => authorizationAnswer(request, authorization),
  });
  const answer = createTokenEndpoint({ provider, clock });
  add(metadata.token_endpoint, { name: 'token', methods: ['POST'], answer });
  add(metadata.registration_endpoint, {
    name: 'register',
    methods: ['POST'],
    answer: (request) =>
      registrationAnswer(
        request,
        (client) =>
          clientsStore.registerClient?.(client) ??
          Promise.reject(new OAuthError(OAuthErrorCode.InvalidRequest, 'Clients cannot register.')),
        { ...clientRegistrationOptions, clock },
      ),
  });
  add(metadata.revocation_endpoint, {
    name: 'revoke',
    methods: ['POST'],
    answer: (request) => revocationAnswer(request, { provider, clock }),
  });
  return found;
}
