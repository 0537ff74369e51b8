import { OAuthError, UnauthorizedError, hasExpired, isRenewalDue, renewTokens } from '@portico/oauth';
import type { AuthProvider, OAuthClientProvider, StoredOAuthTokens } from '@portico/oauth';
import type { Clock } from '../ports/clock.ts';
import type { Account } from './accounts.ts';
import { createApplicationTokens, isApplication } from './application-grant.ts';
import type { RenewalOptions } from './application-grant.ts';
import { seenRefusal } from './seen-refusal.ts';
import type { SeenRefusal } from './seen-refusal.ts';
import { unseenRequests } from './unseen-failures.ts';
import type { UnseenFailure } from './unseen-failures.ts';

/** How long a renewal may take, milliseconds: less than its lease lasts. */
const RENEWAL_MS = 20_000;
/** How often trouble with renewals is taken down, milliseconds. */
const TROUBLE_EVERY_MS = 600_000;
/** What is said of a renewal that the server refused. */
const REFUSED = 'The server no longer takes the sign-in, so it has to be done again.';

/** What the channel of an account learns on its way. */
export interface ChallengeSink {
  /** The server refused for want of a sign-in. @returns what the request ends with */
  refused(refusal: SeenRefusal): Error;
  /** The grant itself is void, which says nothing of the server. @returns what the request ends with */
  lost(): Error;
  /** Whether the server says where to sign in. */
  offersSignIn(): Promise<boolean>;
  /** Tokens could not be got, or not renewed. */
  failed(failure: UnseenFailure): void;
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
  const renew = createRenewal(account, clock, sink);
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

type Renew = (provider: OAuthClientProvider, options: RenewalOptions) => Promise<boolean>;

/** Gets other tokens as the account can, and has it taken down when that fails. @returns whether there are any now */
function createRenewal(account: Account, clock: Clock, sink: ChallengeSink): Renew {
  const application = createApplicationTokens(account, (failure) => sink.failed(failure));
  let troubledMs = Number.NEGATIVE_INFINITY;
  return async (own, more) => {
    if (isApplication(own)) {
      await application.renew(own, more);
      sink.changed();
      return true;
    }
    const requests = unseenRequests(account);
    const { http } = requests;
    const limits = { ...http.limits, timeoutMs: RENEWAL_MS };
    try {
      const outcome = await renewTokens(own, { ...http, limits, serverUrl: account.serverUrl, ...more });
      if (outcome !== 'impossible') sink.changed();
      if (outcome === 'refused') sink.failed(requests.failure(new OAuthError('invalid_grant', REFUSED)));
      return outcome === 'renewed';
    } catch (error) {
      // Trouble on the way comes again with each try, and would drive everything else out of the log.
      if (clock.now() - troubledMs >= TROUBLE_EVERY_MS) {
        troubledMs = clock.now();
        sink.failed(requests.failure(error));
      }
      throw error;
    }
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
