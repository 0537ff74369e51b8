import { type Clock, systemClock } from '@portico/rpc';
import {
  type AuthInfo,
  createExpiringMap,
  type ExpiringMap,
  type OAuthClientInformationFull,
  OAuthErrorCode,
  type OAuthTokenRevocationRequest,
  type OAuthTokens,
  sha256,
} from '@portico/oauth/resource';
import { refuse } from './oauth-answers.ts';
import type {
  AuthorizationParams,
  AuthorizationResponse,
  OAuthRegisteredClientsStore,
  OAuthServerProvider,
} from './provider.ts';
import { randomText } from './registration-endpoint.ts';

/** What a person decided about a request. */
export type AuthorizationDecision =
  | { readonly subject: string; /** Default: those asked for. */ readonly scopes?: readonly string[] }
  | { readonly denied: true };

export interface InMemoryOAuthProviderOptions {
  /**
   * Decides about an authorization request: whom the tokens are for, or that there are none. To ask a
   * person first, answer with a page and undefined, and redirect to what `redirectFor` says later.
   */
  readonly approve: (
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    response: AuthorizationResponse,
  ) => AuthorizationDecision | undefined | Promise<AuthorizationDecision | undefined>;
  /** Clients that are known from the start. */
  readonly clients?: readonly OAuthClientInformationFull[];
  /** Whether clients may register. Default true. */
  readonly registration?: boolean;
  /** Resources that tokens may be for. Default: any. */
  readonly resources?: readonly URL[];
  /** Default 60 s. */
  readonly codeSeconds?: number;
  /** Default 3600 s. */
  readonly accessTokenSeconds?: number;
  /** How long a sign-in lasts at most, from its beginning. Default 30 days. */
  readonly grantSeconds?: number;
  /** Clients at once; more are turned away. Default 1000. */
  readonly maxClients?: number;
  /** Codes, grants and tokens of each kind at once; the oldest give way. Default 10 000. */
  readonly maxEntries?: number;
  readonly clock?: Clock;
}

/** One sign-in with all that came of it. */
interface Grant {
  readonly clientId: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly resource: URL | undefined;
  readonly endsAtMs: number;
  /** Digest of the one refresh token that is good. */
  refresh: string | undefined;
}

interface Code {
  readonly grantId: string;
  readonly grant: Grant;
  readonly params: AuthorizationParams;
}

interface Access {
  readonly grantId: string;
  readonly scopes: readonly string[];
  readonly endsAtMs: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * An authorization server's memory within one process, bounded in count and time. Tokens are kept as
 * digests. A refresh token is good once; one that comes again ends its sign-in, since one of the two
 * who have it has stolen it. The same goes for codes.
 *
 * @see W233
 */
export class InMemoryOAuthProvider implements OAuthServerProvider {
  readonly clientsStore: OAuthRegisteredClientsStore;
  readonly #options: InMemoryOAuthProviderOptions;
  readonly #clock: Clock;
  readonly #codes: ExpiringMap<Code>;
  /** Which sign-in a code was for, after its use. */
  readonly #usedCodes: ExpiringMap<string>;
  readonly #grants: ExpiringMap<Grant>;
  readonly #access: ExpiringMap<Access>;
  readonly #refresh: ExpiringMap<string>;

  constructor(options: InMemoryOAuthProviderOptions) {
    this.#options = options;
    const { clock = systemClock, maxEntries = 10_000 } = options;
    this.#clock = clock;
    this.clientsStore = clientsIn(options);
    this.#codes = createExpiringMap(clock, maxEntries);
    this.#usedCodes = createExpiringMap(clock, maxEntries);
    this.#grants = createExpiringMap(clock, maxEntries);
    this.#access = createExpiringMap(clock, maxEntries);
    this.#refresh = createExpiringMap(clock, maxEntries);
  }

  async authorize(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    response: AuthorizationResponse,
  ): Promise<void> {
    this.#assertResource(params.resource);
    const decision = await this.#options.approve(client, params, response);
    if (decision !== undefined) response.redirect(await this.redirectFor(client, params, decision));
  }

  /** The address that takes a decision back to the client. */
  async redirectFor(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    decision: AuthorizationDecision,
  ): Promise<string> {
    const target = new URL(params.redirectUri);
    const { searchParams } = target;
    if ('denied' in decision) searchParams.set('error', OAuthErrorCode.AccessDenied);
    else searchParams.set('code', await this.#newCode(client, params, decision));
    if (params.state !== undefined) searchParams.set('state', params.state);
    if (params.issuer !== undefined) searchParams.set('iss', params.issuer);
    return target.href;
  }

  async challengeForAuthorizationCode(client: OAuthClientInformationFull, code: string): Promise<string> {
    return (await this.#findCode(client, code)).params.codeChallenge;
  }

  /* oxlint-disable max-params -- the signatures of the interface */
  async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    code: string,
    _codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens> {
    const digest = await sha256(code);
    const { grantId, grant, params } = await this.#findCode(client, code);
    // Of two requests at once the second comes here too late.
    if (this.#codes.get(digest) === undefined)
      refuse(OAuthErrorCode.InvalidGrant, 'The code was used before.');
    this.#codes.delete(digest);
    this.#usedCodes.set(digest, grantId, grant.endsAtMs);
    if (redirectUri !== params.redirectUri) {
      refuse(OAuthErrorCode.InvalidGrant, 'The redirect_uri is not the one of the authorization request.');
    }
    assertSameResource(resource, grant.resource);
    this.#grants.set(grantId, grant, grant.endsAtMs);
    return this.#issue(grantId, grant, { scopes: grant.scopes, client });
  }

  async exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens> {
    const digest = await sha256(refreshToken);
    const grantId = this.#refresh.get(digest);
    const grant = grantId === undefined ? undefined : this.#grants.get(grantId);
    if (grantId === undefined || grant === undefined || grant.clientId !== client.client_id) {
      return refuse(OAuthErrorCode.InvalidGrant, 'The refresh token is not good, or not any more.');
    }
    if (grant.refresh !== digest) {
      this.#grants.delete(grantId);
      refuse(OAuthErrorCode.InvalidGrant, 'The refresh token was used before, so the sign-in has ended.');
    }
    assertSameResource(resource, grant.resource);
    if (scopes?.every((scope) => grant.scopes.includes(scope)) === false) {
      refuse(OAuthErrorCode.InvalidScope, 'A refresh grants no more than the sign-in did.');
    }
    // Used from here on, so that of two requests at once one is the second.
    grant.refresh = undefined;
    return this.#issue(grantId, grant, { scopes: scopes ?? grant.scopes, client });
  }
  /* oxlint-enable max-params */

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const access = this.#access.get(await sha256(token));
    const grant = access === undefined ? undefined : this.#grants.get(access.grantId);
    if (access === undefined || grant === undefined) {
      return refuse(OAuthErrorCode.InvalidToken, 'The token is not good, or not any more.');
    }
    return {
      token,
      clientId: grant.clientId,
      scopes: [...access.scopes],
      expiresAt: Math.floor(access.endsAtMs / 1000),
      extra: { sub: grant.subject },
      ...(grant.resource === undefined ? {} : { resource: grant.resource }),
    };
  }

  async revokeToken(
    client: OAuthClientInformationFull,
    { token }: OAuthTokenRevocationRequest,
  ): Promise<void> {
    const digest = await sha256(token);
    const access = this.#access.get(digest);
    const grantId = this.#refresh.get(digest) ?? access?.grantId;
    if (grantId === undefined || this.#grants.get(grantId)?.clientId !== client.client_id) return;
    // With a refresh token the whole sign-in goes, with an access token only that one.
    if (access === undefined) this.#grants.delete(grantId);
    else this.#access.delete(digest);
  }

  async #newCode(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    { subject, scopes }: { readonly subject: string; readonly scopes?: readonly string[] },
  ): Promise<string> {
    const { codeSeconds = 60, grantSeconds = 30 * DAY_SECONDS } = this.#options;
    const code = randomText();
    const grant: Grant = {
      clientId: client.client_id,
      subject,
      scopes: scopes ?? params.scopes ?? [],
      resource: params.resource,
      endsAtMs: this.#clock.now() + grantSeconds * 1000,
      refresh: undefined,
    };
    const entry = { grantId: randomText(), grant, params };
    this.#codes.set(await sha256(code), entry, this.#clock.now() + codeSeconds * 1000);
    return code;
  }

  async #findCode(client: OAuthClientInformationFull, code: string): Promise<Code> {
    const digest = await sha256(code);
    const found = this.#codes.get(digest);
    if (found?.grant.clientId === client.client_id) return found;
    const used = this.#usedCodes.get(digest);
    if (used !== undefined) this.#grants.delete(used);
    return refuse(OAuthErrorCode.InvalidGrant, 'The code is not good, or not any more.');
  }

  async #issue(
    grantId: string,
    grant: Grant,
    { scopes, client }: { readonly scopes: readonly string[]; readonly client: OAuthClientInformationFull },
  ): Promise<OAuthTokens> {
    const { accessTokenSeconds = 3600 } = this.#options;
    const endsAtMs = Math.min(this.#clock.now() + accessTokenSeconds * 1000, grant.endsAtMs);
    const accessToken = randomText();
    const refreshToken = (client.grant_types ?? ['refresh_token']).includes('refresh_token')
      ? randomText()
      : undefined;
    const [accessDigest, refreshDigest] = await Promise.all([
      sha256(accessToken),
      refreshToken === undefined ? undefined : sha256(refreshToken),
    ]);
    this.#access.set(accessDigest, { grantId, scopes, endsAtMs }, endsAtMs);
    grant.refresh = refreshDigest;
    if (refreshDigest !== undefined) this.#refresh.set(refreshDigest, grantId, grant.endsAtMs);
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: Math.floor((endsAtMs - this.#clock.now()) / 1000),
      scope: scopes.join(' '),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    };
  }

  #assertResource(resource: URL | undefined): void {
    const { resources } = this.#options;
    if (resource === undefined || resources === undefined) return;
    if (resources.some(({ href }) => href === resource.href)) return;
    refuse(OAuthErrorCode.InvalidTarget, 'No tokens are given out for this resource.');
  }
}

function assertSameResource(asked: URL | undefined, granted: URL | undefined): void {
  if (asked === undefined || asked.href === granted?.href) return;
  refuse(OAuthErrorCode.InvalidTarget, 'The sign-in was for another resource.');
}

function clientsIn({
  clients: known = [],
  registration = true,
  maxClients = 1000,
}: InMemoryOAuthProviderOptions): OAuthRegisteredClientsStore {
  const clients = new Map(known.map((client) => [client.client_id, client]));
  const getClient = (id: string): OAuthClientInformationFull | undefined => clients.get(id);
  if (!registration) return { getClient };
  return {
    getClient,
    registerClient(client) {
      if (clients.size >= maxClients)
        refuse(OAuthErrorCode.TooManyRequests, 'Too many clients are registered.');
      const full = { client_id: crypto.randomUUID(), ...client };
      clients.set(full.client_id, full);
      return full;
    },
  };
}
