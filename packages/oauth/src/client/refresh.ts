import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '../documents.ts';
import { OAuthError, OAuthErrorCode } from '../errors.ts';
import { belongsTo } from './client-identity.ts';
import { boundAuthentication } from './grants.ts';
import type { OAuthClientProvider } from './provider.ts';
import { observe } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';
import { requestTokens } from './token-endpoint.ts';

/** How long before its end a token counts as ended, milliseconds: it has to last for the way. */
const EXPIRY_MARGIN_MS = 10_000;

/** Whether a token has ended, as far as is known. */
export function hasExpired(tokens: StoredOAuthTokens, nowMs: number): boolean {
  return tokens.expires_at !== undefined && tokens.expires_at - EXPIRY_MARGIN_MS <= nowMs;
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

/** What the server may say of a refresh after which only the person can go on, although nothing is void. */
function isServersFault(error: unknown): boolean {
  return error instanceof OAuthError && error.code === OAuthErrorCode.ServerError;
}

async function refreshNow(request: RefreshRequest): Promise<boolean> {
  const { http, provider, metadata, client, resource, nowMs, staleToken } = request;
  const { issuer } = metadata;
  // Read here, since whoever had the lock before has put newer ones there.
  const tokens = await storedTokens(provider, issuer);
  const isNewer = staleToken !== undefined && tokens !== undefined && tokens.access_token !== staleToken;
  if (isNewer && !hasExpired(tokens, nowMs())) {
    observe(http, { step: 'refresh', outcome: 'used', detail: { reason: 'somebody else refreshed' } });
    return true;
  }
  if (tokens?.refresh_token === undefined) return false;
  const params = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  let fresh: OAuthTokens;
  try {
    fresh = await requestTokens({
      http,
      step: 'refresh',
      metadata,
      params,
      client,
      resource,
      addClientAuthentication: boundAuthentication(provider),
      dpop: await provider.dpop?.(),
    });
  } catch (error) {
    if (isServersFault(error)) return false;
    throw error;
  }
  const kept = { refresh_token: tokens.refresh_token, ...fresh };
  // Saved before anybody uses it: the old refresh token may be void from now on.
  await provider.saveTokens(stampTokens(kept, { issuer, nowMs: nowMs(), scope: tokens.scope }), { issuer });
  return true;
}

/**
 * Refreshes what is stored for an issuer, while nobody else with the same store does. Source: W221.
 *
 * @returns whether there are fresh tokens now; false when only a new sign-in helps
 * @throws OAuthError such as `invalid_grant`
 * @throws OAuthClientFlowError `network` and the like, after which everything is as before
 * @throws what saving throws
 */
export async function refreshStored(request: RefreshRequest): Promise<boolean> {
  const { provider } = request;
  const run = (): Promise<boolean> => refreshNow(request);
  return provider.exclusively === undefined ? run() : provider.exclusively(run);
}
