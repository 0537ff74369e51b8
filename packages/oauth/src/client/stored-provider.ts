import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { generateRandomState } from 'oauth4webapi';
import type { OAuthClientMetadata, StoredOAuthClientInformation, StoredOAuthTokens } from '../documents.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import { createAttempts } from './attempts.ts';
import type { Attempts } from './attempts.ts';
import type { OAuthDiscoveryState } from './discovery.ts';
import type { DpopSession } from './dpop-session.ts';
import { createLocalLocks } from './locks.ts';
import type { Locks } from './locks.ts';
import type {
  AuthorizationAttempt,
  CredentialScope,
  OAuthClientInformationContext,
  OAuthClientProvider,
} from './provider.ts';
import type { TokenStore } from './token-store.ts';

/** How long a callback is waited for unless said otherwise: 10 minutes, in milliseconds. */
const ATTEMPT_LIFETIME_MS = 600_000;
/** How long it is believed who is in charge of a server: a day, in milliseconds. */
const DISCOVERY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What {@link createOAuthProvider} is made of. */
export interface OAuthProviderOptions {
  /** Of this one account; see `accountStore`. */
  readonly store: TokenStore;
  /** Where the browser comes back to. */
  readonly redirectUrl: string | URL;
  /** What the client says of itself; the redirect address is filled in. */
  readonly clientMetadata: Omit<OAuthClientMetadata, 'redirect_uris'> & {
    readonly redirect_uris?: readonly string[];
  };
  /** Where the client describes itself on the web, for servers that read that. */
  readonly clientMetadataUrl?: string;
  /** An id that was registered by hand: it is used whatever a server offers. */
  readonly client?: StoredOAuthClientInformation;
  /** Sends the person to sign in. */
  openUrl(url: URL): void | Promise<void>;
  /** Default: the system's time. */
  readonly clock?: Clock;
  /** Keeps others with the same store from refreshing at the same time; default: users of this provider only. */
  readonly locks?: Locks;
  /** Name of the lock; has to be the same for all who share the store, and another for other stores. */
  readonly lockName?: string;
  /** How long a callback is waited for, milliseconds; 600,000 by default. */
  readonly attemptLifetimeMs?: number;
  /** How long it is believed who is in charge of a server, milliseconds; a day by default. */
  readonly discoveryLifetimeMs?: number;
  /** Binds tokens to the key of this session, which has to stay the same. */
  readonly dpop?: () => DpopSession | undefined | Promise<DpopSession | undefined>;
}

/**
 * A provider that keeps everything in a store: registrations and tokens by issuer, and each attempt to
 * sign in as a record of its own, so that several at once do not mix. Source: W217, W221, W222.
 *
 * What members reject with is what the store rejects with.
 */
export function createOAuthProvider(options: OAuthProviderOptions): OAuthClientProvider {
  // Without a way to keep one, nothing is ever registered in place of an id that was given by hand.
  return options.client === undefined ? new RegisteringProvider(options) : new StoredProvider(options);
}

class StoredProvider implements OAuthClientProvider {
  protected readonly store: TokenStore;
  readonly #options: OAuthProviderOptions;
  readonly #clock: Clock;
  readonly #locks: Locks;
  readonly #attempts: Attempts;

  constructor(options: OAuthProviderOptions) {
    const { store, clock = systemClock, locks = createLocalLocks() } = options;
    this.#options = options;
    this.store = store;
    this.#clock = clock;
    this.#locks = locks;
    this.#attempts = createAttempts(store, clock, options.attemptLifetimeMs ?? ATTEMPT_LIFETIME_MS);
  }

  get redirectUrl(): string {
    return String(this.#options.redirectUrl);
  }

  get clientMetadataUrl(): string | undefined {
    return this.#options.clientMetadataUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientMetadata } = this.#options;
    return { ...clientMetadata, redirect_uris: clientMetadata.redirect_uris ?? [this.redirectUrl] };
  }

  state(): string {
    return generateRandomState();
  }

  async clientInformation(
    ctx?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { client } = this.#options;
    if (client !== undefined) return client;
    const issuer = ctx?.issuer ?? (await this.#issuer());
    return issuer === undefined ? undefined : read(await this.store.get(`client ${issuer}`), 'client_id');
  }

  async tokens(ctx?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    const issuer = ctx?.issuer ?? (await this.#issuer());
    return issuer === undefined ? undefined : read(await this.store.get(`tokens ${issuer}`), 'access_token');
  }

  async saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): Promise<void> {
    const issuer = ctx?.issuer ?? tokens.issuer ?? '';
    await this.store.set(`tokens ${issuer}`, tokens);
    if ((await this.#issuer()) !== issuer) await this.store.set('issuer', issuer);
  }

  redirectToAuthorization(url: URL): void | Promise<void> {
    return this.#options.openUrl(url);
  }

  saveCodeVerifier(): void {
    throw missing('saveCodeVerifier');
  }

  codeVerifier(): string {
    throw missing('codeVerifier');
  }

  saveAttempt(attempt: AuthorizationAttempt): Promise<void> {
    return this.#attempts.save(attempt);
  }

  async resumeAttempt(state: string | undefined): Promise<OAuthClientProvider> {
    return bindAttempt(this, await this.#attempts.take(state));
  }

  async saveDiscoveryState(state: OAuthDiscoveryState): Promise<void> {
    await this.store.set('discovery', { state, savedAtMs: this.#clock.now() });
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    const kept = (await this.store.get('discovery')) as
      | { readonly state?: OAuthDiscoveryState; readonly savedAtMs?: number }
      | undefined;
    const ageMs = this.#clock.now() - (kept?.savedAtMs ?? Number.NaN);
    const lifetimeMs = this.#options.discoveryLifetimeMs ?? DISCOVERY_LIFETIME_MS;
    return ageMs >= 0 && ageMs < lifetimeMs ? kept?.state : undefined;
  }

  async invalidateCredentials(scope: CredentialScope): Promise<void> {
    const issuer = await this.#issuer();
    const isAll = scope === 'all';
    if (isAll || scope === 'tokens') await this.#drop('tokens', issuer);
    if (isAll || scope === 'client') await this.#drop('client', issuer);
    if (isAll || scope === 'discovery') await this.store.delete('discovery');
    if (isAll) await this.#attempts.clear();
  }

  async dpop(): Promise<DpopSession | undefined> {
    return this.#options.dpop?.();
  }

  exclusively<T>(run: () => Promise<T>): Promise<T> {
    return this.#locks.run(this.#options.lockName ?? 'refresh', run);
  }

  /** Where the newest tokens came from. */
  async #issuer(): Promise<string | undefined> {
    const issuer = await this.store.get('issuer');
    return typeof issuer === 'string' ? issuer : undefined;
  }

  /** What is void at one issuer says nothing of another; before there were tokens, all of a kind go. */
  async #drop(kind: 'tokens' | 'client', issuer: string | undefined): Promise<void> {
    if (issuer !== undefined && kind === 'tokens') return await this.store.delete(`tokens ${issuer}`);
    const names = (await this.store.names()).filter((name) => name.startsWith(`${kind} `));
    await Promise.all(names.map((name) => this.store.delete(name)));
  }
}

class RegisteringProvider extends StoredProvider {
  async saveClientInformation(
    client: StoredOAuthClientInformation,
    ctx?: OAuthClientInformationContext,
  ): Promise<void> {
    await this.store.set(`client ${ctx?.issuer ?? client.issuer ?? ''}`, client);
  }
}

/** The provider as it was when the attempt began: where it came back to, with whom, and by which secret. */
function bindAttempt(provider: StoredProvider, attempt: AuthorizationAttempt): OAuthClientProvider {
  return new Proxy<OAuthClientProvider>(provider, {
    get(target, member) {
      if (member === 'redirectUrl') return attempt.redirectUrl;
      if (member === 'codeVerifier') return () => attempt.codeVerifier;
      if (member === 'discoveryState') return () => attempt.discovery;
      if (member === 'clientInformation') return () => attempt.client;
      if (member === 'attempt') return () => attempt;
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A value that holds a text of this name; what another version or somebody else wrote counts as absent. */
function read<T extends object>(value: unknown, member: string): T | undefined {
  if (typeof value !== 'object' || value === null || !(member in value)) return undefined;
  return typeof Reflect.get(value, member) === 'string' ? (value as T) : undefined;
}

function missing(member: string): OAuthClientFlowError<'provider_incomplete'> {
  return new OAuthClientFlowError('provider_incomplete', { data: { member } });
}
