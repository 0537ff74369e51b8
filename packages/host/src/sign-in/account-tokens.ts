import {
  UnauthorizedError,
  auth,
  extractWWWAuthenticateParams,
  hasExpired,
  refreshBeforeUse,
} from '@portico/oauth';
import type { AuthProvider } from '@portico/oauth';
import type { Clock } from '../ports/clock.ts';
import type { Account } from './accounts.ts';

/** What the channel of an account learns on its way. */
export interface ChallengeSink {
  /** The server refused for want of a sign-in; scope and address are what it said. */
  challenged(challenge: SeenChallenge): void;
  /** There are new tokens, or those that were there are void. */
  changed(): void;
}

export interface SeenChallenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: URL;
}

/**
 * Tokens for the channel of an account: renewed before they end and after a refusal, once for all who
 * wait. A person is never sent anywhere from here; where only they can go on, the channel ends with
 * UnauthorizedError and the connector says that it needs a sign-in (K45, K46).
 */
export function createAccountTokens(account: Account, clock: Clock, sink: ChallengeSink): AuthProvider {
  const provider = () =>
    account.provider(() => {
      throw new UnauthorizedError('The person has to sign in.');
    });
  return {
    async token() {
      const own = await provider();
      const tokens = await own.tokens();
      if (tokens === undefined || !hasExpired(tokens, clock.now())) return tokens?.access_token;
      await refreshBeforeUse(own, { ...account.http, serverUrl: account.serverUrl });
      sink.changed();
      return (await own.tokens())?.access_token;
    },
    async onUnauthorized({ response, token: staleToken }) {
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
      const challenge = {
        ...(scope === undefined ? {} : { scope }),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      };
      const own = await provider();
      const tokens = await own.tokens();
      if (tokens?.refresh_token === undefined) {
        sink.challenged(challenge);
        throw new UnauthorizedError('The server asks for a sign-in.');
      }
      try {
        await auth(own, {
          ...account.http,
          serverUrl: account.serverUrl,
          staleToken,
          ...challenge,
        });
      } catch (error) {
        if (UnauthorizedError.isInstance(error)) sink.challenged(challenge);
        throw error;
      } finally {
        sink.changed();
      }
    },
  };
}
