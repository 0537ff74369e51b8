import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '../documents.ts';
import { belongsTo } from './client-identity.ts';
import { boundAuthentication } from './grants.ts';
import { invalidate } from './invalidation.ts';
import type { OAuthClientProvider } from './provider.ts';
import { observe } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';

/** The longest time before its end that a token is renewed, milliseconds. */
const LONGEST_MARGIN_MS = 60_000;
/** Before that, this share of a lifetime; so tokens of a minute work, too. */
const MARGIN_SHARE = 0.1;
/** The margin where only the end is known, milliseconds: a token has to last for the way. */
const PLAIN_MARGIN_MS = 10_000;

/** Whether a token has ended, as far as is known. */
export function hasExpired(tokens: StoredOAuthTokens, nowMs: number): boolean {
  return tokens.expires_at !== undefined && tokens.expires_at <= nowMs;
}

/**
 * Whether it is time to renew a token: before it ends by the smaller of a minute and a tenth of its
 * lifetime. Until it has ended it is still good.
 */
export function isRenewalDue(tokens: StoredOAuthTokens, nowMs: number): boolean {
  const { expires_at: endMs, expires_in: seconds } = tokens;
  if (endMs === undefined) return false;
  const marginMs =
    seconds === undefined ? PLAIN_MARGIN_MS : Math.min(LONGEST_MARGIN_MS, seconds * 1_000 * MARGIN_SHARE);
  return endMs - marginMs <= nowMs;
}

/** A grant as it is kept: with its issuer and its end in time, and with the scopes where the server left them out as asked for. */
export function stampTokens(
  tokens: OAuthTokens,
  stamp: { readonly issuer: string; readonly nowMs: number; readonly scope?: string | undefined },
): StoredOAuthTokens {
  const { issuer, nowMs, scope } = stamp;
  const { expires_in: seconds } = tokens;
  return {
    ...(scope === undefined ? {} : { scope }),
    ...tokens,
    issuer,
    ...(seconds === undefined ? {} : { expires_at: nowMs + seconds * 1_000 }),
  };
}

/** A refresh that may be made. */
export interface RefreshRequest {
  readonly http: AuthorizationHttp;
  readonly provider: OAuthClientProvider;
  readonly metadata: AuthorizationServerMetadata;
  readonly client: StoredOAuthClientInformation;
  readonly resource: string | undefined;
  readonly nowMs: () => number;
  /** A token that the server refused, or that has ended: a newer one in the store makes the refresh needless. */
  readonly staleToken?: string | undefined;
}

/** The tokens of this issuer; those without one are marked as its from now on. */
export async function storedTokens(
  provider: OAuthClientProvider,
  issuer: string,
): Promise<StoredOAuthTokens | undefined> {
  const tokens = await provider.tokens({ issuer });
  if (tokens === undefined || !belongsTo(tokens, issuer)) return undefined;
  if (tokens.issuer !== undefined) return tokens;
  const marked = { ...tokens, issuer };
  await provider.saveTokens(marked, { issuer });
  return marked;
}

/**
 * How a refresh ended: there are fresh tokens; the server refused, and what it made void is let go; or
 * there is nothing to refresh with. After the last two only a sign-in helps.
 */
export type RenewalOutcome = 'renewed' | 'refused' | 'impossible';

async function refreshNow(request: RefreshRequest): Promise<'renewed' | 'impossible'> {
  const { http, provider, metadata, client, resource, nowMs, staleToken } = request;
  const { issuer } = metadata;
  // Read here, since whoever had the lock before has put newer ones there.
  const tokens = await storedTokens(provider, issuer);
  const isNewer = staleToken !== undefined && tokens !== undefined && tokens.access_token !== staleToken;
  if (isNewer && !isRenewalDue(tokens, nowMs())) {
    observe(http, { step: 'refresh', outcome: 'used', detail: { reason: 'somebody else refreshed' } });
    return 'renewed';
  }
  if (tokens?.refresh_token === undefined) return 'impossible';
  const params = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  const fresh = await requestTokens({
    http,
    step: 'refresh',
    metadata,
    params,
    client,
    resource,
    addClientAuthentication: boundAuthentication(provider),
    dpop: await provider.dpop?.(),
  });
  const kept = { refresh_token: tokens.refresh_token, ...fresh };
  // Saved before anybody uses it: the old refresh token may be void from now on.
  await provider.saveTokens(stampTokens(kept, { issuer, nowMs: nowMs(), scope: tokens.scope }), { issuer });
  return 'renewed';
}

/**
 * Refreshes what is stored for an issuer, while nobody else with the same store does. Source: W221.
 *
 * @throws OAuthError what makes nothing void, such as `server_error`
 * @throws OAuthClientFlowError `network` and the like, after which everything is as before
 * @throws what saving throws
 */
export async function refreshStored(request: RefreshRequest): Promise<RenewalOutcome> {
  const { provider } = request;
  return alone(provider, async () => {
    try {
      return await refreshNow(request);
    } catch (error) {
      // Still alone: a sign-in that ends meanwhile must not lose what it got.
      if (await invalidate(provider, error)) return 'refused';
      throw error;
    }
  });
}

/** Runs while nobody else with the same store refreshes, stores or lets go of tokens. */
export async function alone<T>(provider: OAuthClientProvider, run: () => Promise<T>): Promise<T> {
  return provider.exclusively === undefined ? run() : provider.exclusively(run);
}
