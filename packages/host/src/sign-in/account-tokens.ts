import { UnauthorizedError, hasExpired, isRenewalDue, renewTokens } from '@portico/oauth';
import type { AuthOptions, AuthProvider, OAuthClientProvider } from '@portico/oauth';
import type { Clock } from '../ports/clock.ts';
import type { Account } from './accounts.ts';
import { seenRefusal } from './seen-refusal.ts';
import type { SeenRefusal } from './seen-refusal.ts';

/** How long a renewal may take, milliseconds: less than its lease lasts. */
const RENEWAL_MS = 20_000;

/** What the channel of an account learns on its way. */
export interface ChallengeSink {
  /** The server refused for want of a sign-in. @returns what the request ends with */
  refused(refusal: SeenRefusal): Error;
  /** The grant itself is void, which says nothing of the server. @returns what the request ends with */
  lost(): Error;
  /** Whether the server says where to sign in. */
  offersSignIn(): Promise<boolean>;
  /** There are new tokens, or those that were there are void. */
  changed(): void;
}

/**
 * Tokens for the channel of an account: renewed before they end and after a refusal, once for all who
 * wait, in this process or another one. A person is never sent anywhere from here; where only they can go
 * on, the channel ends with UnauthorizedError and the connector says that it needs a sign-in. Trouble on
 * the way to the server that renews is no such end: the channel fails with it and the grant stays (K45, K46).
 */
export function createAccountTokens(account: Account, clock: Clock, sink: ChallengeSink): AuthProvider {
  const provider = () =>
    account.provider(() => {
      throw new UnauthorizedError('The person has to sign in.');
    });
  const renew = async (
    own: OAuthClientProvider,
    more: Pick<AuthOptions, 'staleToken' | 'scope' | 'resourceMetadataUrl'>,
  ): Promise<boolean> => {
    const { serverUrl, http } = account;
    const outcome = await renewTokens(own, {
      ...http,
      limits: { ...http.limits, timeoutMs: RENEWAL_MS },
      serverUrl,
      ...more,
    });
    if (outcome !== 'impossible') sink.changed();
    return outcome === 'renewed';
  };
  return {
    async token() {
      const own = await provider();
      const tokens = await own.tokens();
      const isDue = tokens !== undefined && isRenewalDue(tokens, clock.now());
      if (!isDue || tokens.refresh_token === undefined) return tokens?.access_token;
      try {
        await renew(own, { staleToken: tokens.access_token });
      } catch (error) {
        // The next request tries again; until it has ended, the token is still good.
        if (hasExpired(tokens, clock.now())) throw error;
      }
      const now = await own.tokens();
      // Whoever was signed in does not go on as nobody.
      if (now === undefined) throw sink.lost();
      return now.access_token;
    },
    async onUnauthorized({ response, token: staleToken }) {
      const refusal = seenRefusal(response, staleToken);
      const { scope, resourceMetadataUrl } = refusal;
      const own = await provider();
      const tokens = await own.tokens();
      const more = {
        staleToken,
        ...(scope === undefined ? {} : { scope }),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      };
      if (tokens?.refresh_token === undefined) throw sink.refused(refusal);
      if (!(await renew(own, more))) throw sink.lost();
    },
    async onRefused({ response, token }) {
      const refusal = seenRefusal(response, token);
      if (response.status === 401) throw sink.refused(refusal);
      // Without a challenge it is a plain no to somebody it knows; whoever it does not know may sign in.
      const mayHelp = refusal.lacksScope || (token === undefined && (await sink.offersSignIn()));
      if (mayHelp) throw sink.refused(refusal);
    },
  };
}
