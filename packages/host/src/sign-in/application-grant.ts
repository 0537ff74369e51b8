import type { ClientIdentity } from '@portico/api';
import { ClientCredentialsProvider, PrivateKeyJwtProvider, auth } from '@portico/oauth';
import type { AuthOptions, OAuthClientProvider } from '@portico/oauth';
import { ApiRefusal } from '../api-refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Account } from './accounts.ts';
import { unseenRequests } from './unseen-failures.ts';
import type { UnseenFailure } from './unseen-failures.ts';

/** As whom the host signs in when nobody is at a browser: by a secret, or by assertions that it signs (K49). */
export function applicationProvider(identity: ClientIdentity, clock: Clock): OAuthClientProvider {
  const { clientId, clientSecret, privateKey, proof, algorithm, scope } = identity;
  const common = { clientId, clientName: 'Portico', ...(scope === '' ? {} : { scope }) };
  return proof === 'key'
    ? new PrivateKeyJwtProvider({ ...common, privateKey: privateKey ?? '', algorithm, clock })
    : new ClientCredentialsProvider({ ...common, clientSecret: clientSecret ?? '' });
}

/** Whether nobody has to go anywhere for its tokens. */
export function isApplication(provider: OAuthClientProvider): boolean {
  return provider.redirectUrl === undefined;
}

/** What other tokens are got with: `staleToken` was refused, or is about to end. */
export type RenewalOptions = Pick<AuthOptions, 'staleToken' | 'scope' | 'resourceMetadataUrl'>;

/** Gets tokens for an application, once for all who wait. */
export interface ApplicationTokens {
  /** Does nothing when the stale token is no longer the present one. */
  renew(provider: OAuthClientProvider, options: RenewalOptions): Promise<void>;
}

/** @param failed is told how it went when it did not work */
export function createApplicationTokens(
  account: Account,
  failed: (failure: UnseenFailure) => void,
): ApplicationTokens {
  let fetching: Promise<void> | undefined;
  const run: ApplicationTokens['renew'] = async (provider, { staleToken, ...options }) => {
    const current = (await provider.tokens())?.access_token;
    if (current !== undefined && current !== staleToken) return;
    const requests = unseenRequests(account);
    try {
      await auth(provider, { ...requests.http, ...options, serverUrl: account.serverUrl });
    } catch (error) {
      failed(requests.failure(error));
      throw error;
    }
  };
  return {
    renew: (provider, options) => (fetching ??= run(provider, options).finally(() => (fetching = undefined))),
  };
}

/**
 * Only whoever runs the host may let an application act: everybody who uses the account acts as it. As
 * long as there is one person, that is the owner; roles that are unknown may not.
 *
 * @throws ApiRefusal not_allowed
 */
export function checkMayActAsApplication(role: string | undefined): void {
  if (role === 'owner' || role === 'admin') return;
  throw new ApiRefusal('not_allowed', 'Only an administrator can let the application act by itself.');
}
