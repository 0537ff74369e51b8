import { createOAuthProvider } from '@portico/oauth';
import type { AuthOptions, OAuthClientMetadata, OAuthClientProvider, TokenStore } from '@portico/oauth';
import type { FetchLike } from '@portico/spec';
import type { Environment } from '../environment.ts';
import type { ClientInfo } from '../server-config.ts';
import type { AuthTokens } from '../server-parts.ts';
import { createAccountStore, lockNameOf } from './account-store.ts';
import { describeTokens } from './auth-tokens.ts';
import { FLOW_LIFETIME_MS, createFlowRecords } from './flow-records.ts';
import type { FlowRecords } from './flow-records.ts';
import type { ServerSignInOptions, SignInAccount } from './sign-in-parts.ts';

/** What is kept of one account at one server, and how its sign-ins are made. */
export interface Account {
  readonly store: TokenStore;
  readonly records: FlowRecords;
  /** Runs while nobody renews or replaces the tokens, in any tab. */
  exclusively<T>(run: () => Promise<T>): Promise<T>;
  /** @param openUrl is given where to sign in, when the attempt is kept; by default nobody is sent there */
  provider(openUrl?: (url: URL) => void | Promise<void>): OAuthClientProvider;
  /** The newest tokens, with what is known of them. */
  describe(): Promise<AuthTokens | undefined>;
  /** For one sign-in, by the proxy that is in force now. */
  authOptions(): Pick<AuthOptions, 'serverUrl' | 'fetchFn' | 'clock'>;
}

function clientMetadata({ oauth, clientInfo }: SignInAccount): Omit<OAuthClientMetadata, 'redirect_uris'> {
  const { websiteUrl } = clientInfo;
  return {
    client_name: clientInfo.title ?? clientInfo.name,
    ...(websiteUrl === undefined ? {} : { client_uri: websiteUrl }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A page can keep no secret.
    token_endpoint_auth_method: 'none',
    ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
  };
}

export function openAccount(
  options: Pick<ServerSignInOptions, 'account' | 'oauthFetch' | 'oauthProxyUrl'>,
  environment: Environment,
): Account {
  const { account } = options;
  const { clock, locks } = environment;
  const store = createAccountStore(environment.storage, account);
  const lockName = lockNameOf(account);
  const { clientId, clientMetadataUrl } = account.oauth;
  const provider = (
    openUrl: (url: URL) => void | Promise<void> = () => undefined,
    extra: { readonly discoveryLifetimeMs?: number } = {},
  ): OAuthClientProvider =>
    createOAuthProvider({
      store,
      redirectUrl: account.callbackUrl,
      clientMetadata: clientMetadata(account),
      ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
      ...(clientId === undefined ? {} : { client: { client_id: clientId } }),
      openUrl,
      clock,
      locks,
      lockName,
      attemptLifetimeMs: FLOW_LIFETIME_MS,
      ...extra,
    });
  return {
    store,
    records: createFlowRecords(store, clock),
    exclusively: (run) => locks.run(lockName, run),
    provider: (openUrl) => provider(openUrl),
    // What was found out when the tokens came stays true of them, however long ago that is.
    describe: () => describeTokens(provider(undefined, { discoveryLifetimeMs: Number.POSITIVE_INFINITY })),
    authOptions: () => ({
      serverUrl: account.url,
      fetchFn: options.oauthFetch(options.oauthProxyUrl()),
      clock,
    }),
  };
}

/** The account that somebody comes back to, of which only its place in the storage is known. */
export function reopenAccount(
  environment: Environment,
  place: { readonly storageKeyPrefix: string; readonly url: string },
  oauthFetch: FetchLike,
): Account {
  // Where to and as whom is in the attempt.
  const clientInfo: ClientInfo = { name: '', version: '' };
  const account: SignInAccount = { ...place, callbackUrl: '', oauth: {}, clientInfo };
  return openAccount({ account, oauthFetch: () => oauthFetch, oauthProxyUrl: () => undefined }, environment);
}
