import {
  askUpstream,
  type AuthInfo,
  isConfidential,
  jsonObjectOf,
  type OAuthClientInformationFull,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenRevocationRequest,
  type OAuthTokens,
  ResourceConfigError,
  type UpstreamAnswer,
  UpstreamError,
  type UpstreamOptions,
} from '@portico/oauth/resource';
import type {
  AuthorizationParams,
  AuthorizationResponse,
  OAuthRegisteredClientsStore,
  OAuthServerProvider,
} from './provider.ts';

/** Where the server behind is asked. */
export interface ProxyEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly revocationUrl?: string;
  readonly registrationUrl?: string;
}

export interface ProxyOptions extends UpstreamOptions {
  readonly endpoints: ProxyEndpoints;
  readonly verifyAccessToken: (token: string) => Promise<AuthInfo>;
  /** What is known of a client; the server behind knows it by the same id. */
  readonly getClient: (clientId: string) => Promise<OAuthClientInformationFull | undefined>;
}

/**
 * An authorization server that asks another one: people sign in there, and requests of clients are
 * handed on with the client's own id, to the named endpoints only. The other server checks PKCE, and
 * its callbacks come from there, so no `iss` is announced.
 */
export class ProxyOAuthServerProvider implements OAuthServerProvider {
  readonly skipLocalPkceValidation: boolean = true;
  readonly authorizationResponseIssParameterSupported: boolean = false;
  readonly revokeToken?: NonNullable<OAuthServerProvider['revokeToken']>;
  readonly #options: ProxyOptions;

  /** @throws ResourceConfigError `endpoint_refused` for an endpoint that secrets would be readable on the way to */
  constructor(options: ProxyOptions) {
    this.#options = options;
    const { revocationUrl } = options.endpoints;
    for (const url of Object.values(options.endpoints) as (string | undefined)[]) {
      if (url === undefined || (URL.canParse(url) && isConfidential(new URL(url)))) continue;
      throw new ResourceConfigError('endpoint_refused', { url });
    }
    if (revocationUrl !== undefined) {
      this.revokeToken = (client, request) => this.#revoke(revocationUrl, client, request);
    }
  }

  get clientsStore(): OAuthRegisteredClientsStore {
    const { getClient, endpoints } = this.#options;
    const { registrationUrl } = endpoints;
    if (registrationUrl === undefined) return { getClient };
    return { getClient, registerClient: (client) => this.#register(registrationUrl, client) };
  }

  authorize(
    client: OAuthClientInformationFull,
    { redirectUri, codeChallenge, state, scopes = [], resource }: AuthorizationParams,
    response: AuthorizationResponse,
  ): Promise<void> {
    const target = new URL(this.#options.endpoints.authorizationUrl);
    const all = {
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: redirectUri,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      state,
      scope: scopes.length === 0 ? undefined : scopes.join(' '),
      resource: resource?.href,
    };
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) target.searchParams.set(name, value);
    response.redirect(target.href);
    return Promise.resolve();
  }

  /** Nothing is known here of challenges: the other server compares. */
  challengeForAuthorizationCode(): Promise<string> {
    return Promise.resolve('');
  }

  /* oxlint-disable max-params -- the signatures of the interface */
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    code: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens> {
    return this.#tokens(client, {
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
      resource: resource?.href,
    });
  }

  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens> {
    return this.#tokens(client, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      scope: scopes?.join(' '),
      resource: resource?.href,
    });
  }
  /* oxlint-enable max-params */

  verifyAccessToken(token: string): Promise<AuthInfo> {
    return this.#options.verifyAccessToken(token);
  }

  async #tokens(
    client: OAuthClientInformationFull,
    params: Readonly<Record<string, string | undefined>>,
  ): Promise<OAuthTokens> {
    const url = new URL(this.#options.endpoints.tokenUrl);
    const tokens = answerObject(await this.#post(url, formOf(client, params)), url);
    if (typeof tokens['access_token'] !== 'string' || typeof tokens['token_type'] !== 'string') {
      throw new UpstreamError('unusable', { url: url.origin + url.pathname });
    }
    return tokens as unknown as OAuthTokens;
  }

  async #revoke(
    address: string,
    client: OAuthClientInformationFull,
    { token, token_type_hint }: OAuthTokenRevocationRequest,
  ): Promise<void> {
    const url = new URL(address);
    const { status } = await this.#post(url, formOf(client, { token, token_type_hint }));
    if (status !== 200) throw new UpstreamError('unusable', { url: url.origin + url.pathname, status });
  }

  async #register(
    address: string,
    client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>,
  ): Promise<OAuthClientInformationFull> {
    const url = new URL(address);
    const { headers, ...rest } = { headers: { 'content-type': 'application/json' }, method: 'POST' };
    const body = JSON.stringify(client);
    const answer = await askUpstream(url, { ...rest, headers, body }, this.#options);
    const registered = answerObject(answer, url);
    const { client_id: id, redirect_uris: uris } = registered;
    if (typeof id !== 'string' || !Array.isArray(uris)) {
      throw new UpstreamError('unusable', { url: url.origin + url.pathname });
    }
    return registered as unknown as OAuthClientInformationFull;
  }

  #post(url: URL, form: URLSearchParams): Promise<UpstreamAnswer> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    return askUpstream(url, { method: 'POST', headers, body: form.toString() }, this.#options);
  }
}

function formOf(
  { client_id, client_secret }: OAuthClientInformationFull,
  params: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const all = Object.entries({ client_id, client_secret, ...params });
  return new URLSearchParams(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * What the other server answers. Its own refusals are the client's to hear.
 * @throws OAuthError with the other server's code; UpstreamError `unusable`
 */
function answerObject(answer: UpstreamAnswer, url: URL): Record<string, unknown> {
  const value = jsonObjectOf(answer, url);
  if (answer.status === 200 || answer.status === 201) return value;
  const { error, error_description: description } = value;
  const known = Object.values(OAuthErrorCode).find((code) => code === error);
  if (answer.status >= 500 || known === undefined || known === OAuthErrorCode.ServerError) {
    throw new UpstreamError('unusable', { url: url.origin + url.pathname, status: answer.status });
  }
  throw new OAuthError(
    known,
    typeof description === 'string' ? description.slice(0, 500) : 'It was refused.',
  );
}
