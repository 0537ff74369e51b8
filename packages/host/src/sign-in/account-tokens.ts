import { UnauthorizedError, hasExpired, isRenewalDue, renewTokens } from '@portico/oauth';
import type {
  AuthProvider,
  AuthorizationEvent,
  OAuthClientProvider,
  StoredOAuthTokens,
} from '@portico/oauth';
import type { Clock } from '../ports/clock.ts';
import type { Account } from './accounts.ts';
import { createApplicationTokens, isApplication } from './application-grant.ts';
import type { RenewalOptions } from './application-grant.ts';
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
  /** An application got no tokens. */
  failed(error: unknown, steps: readonly AuthorizationEvent[]): void;
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
  const applicationTokens = createApplicationTokens(account, (error, steps) => sink.failed(error, steps));
  const renew = async (own: OAuthClientProvider, more: RenewalOptions): Promise<boolean> => {
    if (isApplication(own)) {
      await applicationTokens.renew(own, more);
      sink.changed();
      return true;
    }
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
      if (!isDue || !canRenew(own, tokens)) return tokens?.access_token;
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
      if (!canRenew(own, tokens)) throw sink.refused(refusal);
      if (!(await renew(own, more))) throw sink.lost();
    },
    onRefused: ({ response, token }) => endRefused(seenRefusal(response, token), sink),
  };
}

/** Whether there can be other tokens without a person. */
function canRenew(own: OAuthClientProvider, tokens: StoredOAuthTokens | undefined): boolean {
  return tokens?.refresh_token !== undefined || isApplication(own);
}

/** Without a challenge, a 403 is a plain no to somebody the server knows; whoever it does not know may sign in. */
async function endRefused(refusal: SeenRefusal, sink: ChallengeSink): Promise<void> {
  const { status, lacksScope, wasOpen } = refusal;
  const mayHelp = status === 401 || lacksScope || (wasOpen && (await sink.offersSignIn()));
  if (mayHelp) throw sink.refused(refusal);
}
