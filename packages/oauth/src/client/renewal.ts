import { systemClock } from '@portico/rpc';
import type { StoredOAuthClientInformation } from '../documents.ts';
import { fetchAndSave, identity, settle } from './auth.ts';
import type { AuthOptions, Setting } from './auth.ts';
import { storedClient } from './client-identity.ts';
import { watchFailures } from './failure-steps.ts';
import { invalidate } from './invalidation.ts';
import type { OAuthClientProvider } from './provider.ts';
import { hasExpired, isRenewalDue, refreshStored } from './refresh.ts';
import type { RenewalOutcome } from './refresh.ts';

/**
 * Renews what is stored as far as that needs nobody, once for all who need it, while nobody else with the
 * same store does. Trouble on the way is thrown and is no refusal: everything is as before. Source: W221.
 *
 * @param options `staleToken` is the token that was refused or is about to end
 * @throws OAuthError what the server said that makes nothing void, such as `server_error`
 * @throws OAuthClientFlowError `network` and the like
 * @throws what a member of the provider throws
 */
export async function renewTokens(
  provider: OAuthClientProvider,
  options: AuthOptions,
): Promise<RenewalOutcome> {
  const watched = watchFailures(options);
  try {
    return await renew(provider, watched.options);
  } catch (error) {
    watched.tellFailure(error);
    throw error;
  }
}

async function renew(provider: OAuthClientProvider, options: AuthOptions): Promise<RenewalOutcome> {
  const setting = await settle(provider, options);
  const client = await storedClient(identity(setting));
  if (client === undefined) return 'impossible';
  if (provider.redirectUrl === undefined) return await askAgain(setting, client);
  const { metadata, resource, nowMs } = setting;
  const { staleToken } = options;
  return await refreshStored({ http: options, provider, metadata, client, resource, nowMs, staleToken });
}

/** A machine has no refresh token and needs none. */
async function askAgain(setting: Setting, client: StoredOAuthClientInformation): Promise<RenewalOutcome> {
  try {
    await fetchAndSave(setting, client);
    return 'renewed';
  } catch (error) {
    if (await invalidate(setting.provider, error)) return 'refused';
    throw error;
  }
}

/**
 * Renews tokens that end soon before they are used, as far as that needs neither the person nor a
 * challenge. A renewal that fails on the way while the token is still good leaves it to the next one.
 *
 * @returns whether there are fresh tokens now
 * @throws OAuthError, OAuthClientFlowError as `renewTokens`, for a token that has ended
 * @throws what a member of the provider throws
 */
export async function refreshBeforeUse(
  provider: OAuthClientProvider,
  options: AuthOptions,
): Promise<boolean> {
  const current = await provider.tokens();
  const nowMs = (options.clock ?? systemClock).now();
  if (current === undefined || !isRenewalDue(current, nowMs)) return false;
  if (current.refresh_token === undefined && provider.redirectUrl !== undefined) return false;
  try {
    const outcome = await renewTokens(provider, { ...options, staleToken: current.access_token });
    return outcome === 'renewed';
  } catch (error) {
    if (hasExpired(current, (options.clock ?? systemClock).now())) throw error;
    return false;
  }
}
