import { clientIdentitySchema } from '@portico/api';
import type { ClientIdentity } from '@portico/api';
import { accountStore, createLeaseLocks, createOAuthProvider } from '@portico/oauth';
import type { LeaseStore, OAuthClientProvider, TokenStore } from '@portico/oauth';
import type { Clock } from '../ports/clock.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { openAccountHttp } from './account-http.ts';
import type { AccountHttp, GuardedHttp } from './account-http.ts';
import { accountTokenStore } from './account-store.ts';
import { applicationProvider } from './application-grant.ts';
import type { SealedGrants } from './sealed-grants.ts';

/** Name of what the person typed of a registration made by hand. */
const IDENTITY = 'identity';

export interface AccountsOptions {
  readonly grants: SealedGrants;
  /** Beside the grants: other programs that have them open wait for each other there. */
  readonly leases: LeaseStore;
  readonly clock: Clock;
  /** Where a document on the web describes this client, for servers that read such. */
  readonly clientMetadataUrl: string | undefined;
  /** Where browsers come back to. */
  readonly redirectUrl: () => string;
}

/** One account on a server that is reached over HTTP. */
export interface Account {
  readonly serverUrl: string;
  readonly http: GuardedHttp;
  /** @param open sends the person to sign in */
  provider(open: (url: URL) => void): Promise<OAuthClientProvider>;
  identity(): Promise<ClientIdentity | undefined>;
  /** `null` as secret keeps the stored one; undefined forgets the identity. */
  setIdentity(identity: ClientIdentity | undefined): Promise<void>;
}

/** What accounts sign in with. */
export interface Accounts {
  of(record: ConnectorRecord): Account | undefined;
  forget(connectorId: string): Promise<void>;
  close(): Promise<void>;
}

/** Those who act as the application, by account. Their tokens are in memory only: whoever has the credentials gets others. */
function createApplications(clock: Clock) {
  const known = new Map<string, { readonly key: string; readonly provider: OAuthClientProvider }>();
  return {
    of(id: string, url: string, identity: ClientIdentity): OAuthClientProvider {
      const key = JSON.stringify([url, identity]);
      const existing = known.get(id);
      if (existing?.key === key) return existing.provider;
      const provider = applicationProvider(identity, clock);
      known.set(id, { key, provider });
      return provider;
    },
    forget: (id: string) => void known.delete(id),
  };
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { grants, leases, clock, clientMetadataUrl, redirectUrl } = options;
  const locks = createLeaseLocks({ leases, clock });
  const open = new Map<string, AccountHttp & { readonly serverUrl: string }>();
  const httpOf = (id: string, serverUrl: string): GuardedHttp => {
    const existing = open.get(id);
    if (existing?.serverUrl === serverUrl) return existing.http;
    // What the old address still carries ends in its own time.
    void existing?.close();
    const opened = { ...openAccountHttp(serverUrl, clock), serverUrl };
    open.set(id, opened);
    return opened.http;
  };
  const applications = createApplications(clock);
  return {
    of({ id, transport }) {
      if (transport.kind !== 'http') return undefined;
      const { url } = transport;
      // Whatever was got for one server is nobody's business when the connector is given another.
      const store = accountStore(accountTokenStore(grants, id), url);
      return {
        serverUrl: url,
        http: httpOf(id, url),
        identity: () => identityIn(store),
        setIdentity(next) {
          // Its tokens are nobody's any more.
          applications.forget(id);
          return putIdentity(store, next);
        },
        async provider(openUrl) {
          const given = await identityIn(store);
          if (given?.grant === 'application') return applications.of(id, url, given);
          return createOAuthProvider({
            store,
            redirectUrl: redirectUrl(),
            clientMetadata: { client_name: 'Portico', grant_types: ['authorization_code', 'refresh_token'] },
            openUrl,
            clock,
            locks,
            lockName: `grant ${id}`,
            ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
            ...(given === undefined ? {} : { client: clientOf(given) }),
          });
        },
      };
    },
    async forget(connectorId) {
      await open.get(connectorId)?.close();
      open.delete(connectorId);
      applications.forget(connectorId);
    },
    async close() {
      await Promise.all([...open.values()].map((http) => http.close()));
      open.clear();
    },
  };
}

function clientOf({ clientId, clientSecret }: ClientIdentity): { client_id: string; client_secret?: string } {
  return { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
}

async function identityIn(store: TokenStore): Promise<ClientIdentity | undefined> {
  const stored = await store.get(IDENTITY);
  return stored === undefined ? undefined : clientIdentitySchema.parse(stored);
}

async function putIdentity(store: TokenStore, next: ClientIdentity | undefined): Promise<void> {
  if (next === undefined) return await store.delete(IDENTITY);
  const stored = await identityIn(store);
  const before = stored?.clientId === next.clientId ? stored : undefined;
  await store.set(IDENTITY, {
    ...next,
    clientSecret: next.clientSecret ?? before?.clientSecret ?? null,
    privateKey: next.privateKey ?? before?.privateKey ?? null,
  });
}
