import type { FetchLike } from '@portico/spec';
import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '../documents.ts';
import type { OAuthDiscoveryState } from './discovery.ts';
import type { DpopSession } from './dpop-session.ts';

/** Adds to a token request what shows who the client is. */
// oxlint-disable-next-line max-params -- the official shape
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => void | Promise<void>;

/** What {@link AuthProvider.onUnauthorized} is told. */
export interface UnauthorizedContext {
  /** The refusal, with its challenge; the body is cut to 64 KiB. */
  readonly response: Response;
  readonly serverUrl: URL;
  /** The transport's fetch with its settings but for the headers, which are meant for the MCP server. */
  readonly fetchFn: FetchLike;
  /** Ours: the token that the refused request carried; another one in store means that somebody renewed it. */
  readonly token?: string | undefined;
}

/** What {@link AuthProvider.onInsufficientScope} is told. Texts are the server's. */
export interface InsufficientScopeContext {
  /** What the server names as missing, separated by spaces. */
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
  readonly serverUrl: URL;
  /** As {@link UnauthorizedContext.fetchFn}. */
  readonly fetchFn: FetchLike;
  /** The token that the refused request carried. */
  readonly token?: string | undefined;
}

/** The least that a transport needs to send a token with each request. */
export interface AuthProvider {
  /** The token now; undefined sends none. Asked before every request. What it throws fails the request. */
  token(): Promise<string | undefined>;
  /** Sees to a new token after a 401; then the request is made once more. What it throws fails the request. */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
  /**
   * Ours: sees to a token with more scopes after a 403 that asks for them; then the request is made once
   * more. What it throws fails the request. Without it the request fails with InsufficientScopeError.
   */
  onInsufficientScope?(ctx: InsufficientScopeContext): Promise<void>;
  /**
   * Ours: told of a refusal that stands, a 403 or another 401 after `onUnauthorized`, before it fails the
   * request; what it throws takes its place. The response has its headers only.
   */
  onRefused?(ctx: UnauthorizedContext): Promise<void>;
}

/** Which issuer credentials are asked for, or kept for. */
export interface OAuthClientInformationContext {
  readonly issuer: string;
}

/** Which part of what is stored is void. */
export type CredentialScope = 'all' | 'client' | 'tokens' | 'verifier' | 'discovery';

/** All that has to be known again when the browser comes back from one attempt to sign in. */
export interface AuthorizationAttempt {
  readonly state: string | undefined;
  readonly codeVerifier: string;
  readonly redirectUrl: string;
  readonly issuer: string;
  /** As whom: attempts beside each other may each have registered. */
  readonly client: StoredOAuthClientInformation;
  readonly discovery: OAuthDiscoveryState;
  /** What was asked for, separated by spaces. */
  readonly scope: string | undefined;
}

type Eventually<T> = T | Promise<T>;

/**
 * Who the client is, where its credentials are kept and how its user is sent to sign in. Members throw or
 * reject to end the sign-in with what they threw.
 */
export interface OAuthClientProvider {
  /** Where the browser comes back to; undefined when there is none, as for machines. */
  get redirectUrl(): string | URL | undefined;
  /** Where the client describes itself, https with a path: its id at servers that read such documents. */
  clientMetadataUrl?: string | undefined;
  get clientMetadata(): OAuthClientMetadata;
  /** A new secret of its own for each attempt, which comes back in the callback. */
  state?(): Eventually<string>;
  clientInformation(
    ctx?: OAuthClientInformationContext,
  ): Eventually<StoredOAuthClientInformation | undefined>;
  /** Without it nothing is registered. */
  saveClientInformation?(
    clientInformation: StoredOAuthClientInformation,
    ctx?: OAuthClientInformationContext,
  ): Eventually<void>;
  /** Without a context: the tokens that were saved last. */
  tokens(ctx?: OAuthClientInformationContext): Eventually<StoredOAuthTokens | undefined>;
  /** Has to be done when it resolves: the token before may be void already. */
  saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): Eventually<void>;
  redirectToAuthorization(authorizationUrl: URL): Eventually<void>;
  saveCodeVerifier(codeVerifier: string): Eventually<void>;
  codeVerifier(): Eventually<string>;
  /** Takes the place of how the client shows who it is. */
  addClientAuthentication?: AddClientAuthentication | undefined;
  /** Signs what is sent with a key that the tokens are bound to: always the same session. */
  dpop?(): Eventually<DpopSession | undefined>;
  /** Replaces the resource that tokens are asked for, and the check of it; undefined sends none. */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  invalidateCredentials?(scope: CredentialScope): Eventually<void>;
  /** Parameters of another grant than that of a code. */
  prepareTokenRequest?(scope?: string): Eventually<URLSearchParams | undefined>;
  /** @deprecated the issuer is in what is saved and in the context */
  saveAuthorizationServerUrl?(authorizationServerUrl: string): Eventually<void>;
  /** @deprecated never read here */
  authorizationServerUrl?(): Eventually<string | undefined>;
  saveResourceUrl?(resourceUrl: string): Eventually<void>;
  /** Never read here. */
  resourceUrl?(): Eventually<string | undefined>;
  /** Has to last as long as the verifier. */
  saveDiscoveryState?(state: OAuthDiscoveryState): Eventually<void>;
  discoveryState?(): Eventually<OAuthDiscoveryState | undefined>;

  /** Ours: keeps an attempt as one record, so that attempts that run beside each other do not mix. Replaces `saveCodeVerifier`. */
  saveAttempt?(attempt: AuthorizationAttempt): Eventually<void>;
  /** Ours: the provider with the attempt that a callback belongs to. Throws `state_mismatch` when there is none. */
  resumeAttempt?(state: string | undefined): Eventually<OAuthClientProvider>;
  /** Ours: the attempt of a provider that came from `resumeAttempt`. */
  attempt?(): Eventually<AuthorizationAttempt | undefined>;
  /** Ours: runs a refresh while nobody else with the same store does. */
  exclusively?<T>(run: () => Promise<T>): Promise<T>;
}

/** Whether it is the whole provider rather than a source of tokens. */
export function isOAuthClientProvider(
  provider: AuthProvider | OAuthClientProvider | undefined,
): provider is OAuthClientProvider {
  return provider !== undefined && 'tokens' in provider && 'clientInformation' in provider;
}
