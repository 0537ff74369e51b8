import type {
  AuthInfo,
  OAuthClientInformationFull,
  OAuthTokenRevocationRequest,
  OAuthTokens,
} from '@portico/oauth/resource';

/** What a client asks to be authorized for; checked by the router before a provider sees it. */
export interface AuthorizationParams {
  readonly state?: string;
  readonly scopes?: string[];
  /** SHA-256 of the verifier in base64url. */
  readonly codeChallenge: string;
  /** One of the addresses that the client registered, to the letter (but for the port on loopback). */
  readonly redirectUri: string;
  readonly resource?: URL;
  /** The router's issuer, for providers that redirect by another response than the one they are given. */
  readonly issuer?: string;
}

/**
 * The part of Express' response that providers answer an authorization request with. Redirects to the
 * client get `iss` from the router.
 */
export interface AuthorizationResponse {
  redirect(url: string): void;
  redirect(status: number, url: string): void;
  status(code: number): this;
  set(name: string, value: string): this;
  setHeader(name: string, value: string): this;
  send(body: string): this;
  json(body: unknown): this;
}

/** Where clients are known. */
export interface OAuthRegisteredClientsStore {
  getClient(
    clientId: string,
  ): OAuthClientInformationFull | undefined | Promise<OAuthClientInformationFull | undefined>;
  /** Keeps a client that registers; absent where clients cannot. May set other values than were given. */
  registerClient?(
    client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>,
  ): OAuthClientInformationFull | Promise<OAuthClientInformationFull>;
}

/** What an authorization server decides and keeps. The router checks the form of every request ahead of it. */
export interface OAuthServerProvider {
  readonly clientsStore: OAuthRegisteredClientsStore;
  /**
   * Answers an authorization request by the time its promise settles: in the end by a redirect to
   * `params.redirectUri` with `code` and `state`, or with `error`. Throws OAuthError to have the
   * router redirect with that error.
   */
  authorize(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    response: AuthorizationResponse,
  ): Promise<void>;
  /** The challenge that a code was asked for with. @throws OAuthError `invalid_grant` */
  challengeForAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
  ): Promise<string>;
  /* oxlint-disable max-params -- the official SDK's signatures, so that its providers run unchanged */
  /**
   * Exchanges a code, once. `redirectUri` must be the one of the authorization request.
   * @param codeVerifier given where the router leaves PKCE to the provider
   * @throws OAuthError `invalid_grant`, `invalid_target`
   */
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** @throws OAuthError `invalid_grant`, `invalid_scope`, `invalid_target` */
  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens>;
  /* oxlint-enable max-params */
  /** @throws OAuthError `invalid_token` */
  verifyAccessToken(token: string): Promise<AuthInfo>;
  /** Takes a token back. Does nothing for a token that is unknown or another client's. */
  revokeToken?(client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest): Promise<void>;
  /** False where callbacks come from a server that is not the router's issuer. Default true. */
  readonly authorizationResponseIssParameterSupported?: boolean;
  /** True where another server checks PKCE. Default false. */
  readonly skipLocalPkceValidation?: boolean;
}
