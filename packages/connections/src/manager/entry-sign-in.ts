import type { AuthProvider } from '@portico/oauth';
import { resolveCallbackUrl } from './callback-place.ts';
import type { SignInView } from './project-core.ts';
import { sameValue } from '../same-value.ts';
import type { ServerEntry } from './server-entry.ts';
import { hasOwnAuthorization, refusedHeader } from './server-transport.ts';
import { oauthFetchOf, oauthProxyOf } from './proxied-fetch.ts';
import type { ServerSignIn, ServerSignInOptions, SignInAccount } from './sign-in/sign-in-parts.ts';

const NONE: SignInView = Object.freeze({ flow: 'none' });

type CreateSignIn = (options: ServerSignInOptions) => ServerSignIn;

/**
 * The sign-in that an entry's settings ask for, and what it means for the entry. Its code is loaded when
 * the manager begins to work.
 */
export class EntrySignIn {
  readonly #entry: ServerEntry;
  #account: SignInAccount | undefined;
  #signIn: ServerSignIn | undefined;
  #create: CreateSignIn | undefined;
  /** Counts what was disposed of. */
  #epoch = 0;
  /** Nobody was asked to sign in since the settings were given. */
  #isFirst = true;

  constructor(entry: ServerEntry) {
    this.#entry = entry;
  }

  get view(): SignInView {
    const { connection, id } = this.#entry;
    if (this.#isOff) {
      if (connection.state.status !== 'needs_sign_in') return NONE;
      const { code, message } = refusedHeader(id);
      return { flow: 'none', failure: { code, message, retryable: false } };
    }
    const signIn = this.#signIn;
    if (signIn === undefined) return NONE;
    const { failure, ...rest } = signIn.state;
    return failure === undefined
      ? rest
      : { ...rest, failure: { ...failure, retryable: failure.code === 'network_error' } };
  }

  /** For one transport: it stays with the account that there is now. */
  get authProvider(): AuthProvider | undefined {
    if (this.#isOff || this.#accountNow() === undefined) return undefined;
    const epoch = this.#epoch;
    let own: Promise<ServerSignIn | undefined> | undefined;
    const provider = async (): Promise<AuthProvider | undefined> =>
      (await (own ??= this.#load(epoch)))?.authProvider;
    return {
      token: async () => (await provider())?.token(),
      onUnauthorized: async (context) => (await provider())?.onUnauthorized?.(context),
      onInsufficientScope: async (context) => (await provider())?.onInsufficientScope?.(context),
    };
  }

  /** The token as it is stored, for requests that are no reason to get another one. */
  get storedToken(): string | undefined {
    return this.#isOff ? undefined : this.#signIn?.state.tokens?.access_token;
  }

  /** Loads the code, so that a click later finds it there: a browser opens a window only within the click. */
  async prepare(): Promise<void> {
    if (!this.#isOff && this.#mayTry()) await this.#loadCode();
  }

  /** Somebody asks to sign in. */
  async authenticate(): Promise<void> {
    if (!this.#mayTry()) return;
    // No wait where there need not be one: a browser opens a window only within the click.
    const signIn = this.#of() ?? (await this.#load());
    const { state } = this.#entry.core;
    if (signIn === undefined) return;
    if (state === 'ready') return signIn.authenticate({ ready: true });
    if (state === 'pending_auth' || state === 'authenticating') return signIn.authenticate({ ready: false });
    // Out of a failure leads another attempt only; it begins before the window opens, in the same call.
    const attempt = state === 'failed' || !this.#entry.isWanted ? this.#entry.reconnect() : undefined;
    return signIn.authenticate({ ready: false, before: () => this.#isNeeded(attempt) });
  }

  /** The server refuses those who have not signed in. */
  wanted(): void {
    const signIn = this.#of();
    if (signIn === undefined || signIn.state.flow === 'running') return;
    const unasked = this.#isFirst && this.#isRequired && !this.#entry.resolved.preventAutoAuth;
    this.#isFirst = false;
    if (unasked) void signIn.authenticate({ ready: false, unasked: true });
    else if (signIn.state.authUrl === undefined && this.#isRequired) void signIn.prepare();
  }

  /** The server takes what is sent. */
  served(): void {
    this.#isFirst = false;
    this.withdraw();
  }

  withdraw(): void {
    this.#signIn?.withdraw();
  }

  /** The settings may ask for another account. */
  renew(): void {
    const account = this.#accountNow();
    if (sameValue(account, this.#account)) return;
    this.dispose();
    this.#isFirst = true;
  }

  clear(): void {
    const signIn = this.#of();
    if (signIn !== undefined) return signIn.clear();
    const account = this.#accountNow();
    if (account !== undefined) void this.#clearUnseen(account);
  }

  dispose(): void {
    this.#epoch += 1;
    this.#signIn?.dispose();
    this.#signIn = undefined;
    this.#account = undefined;
  }

  get #isOff(): boolean {
    return hasOwnAuthorization(this.#entry.resolved.headers);
  }

  /** It is a sign-in that helps, and not another setting. */
  get #isRequired(): boolean {
    return this.#entry.connection.state.error?.code === 'auth_required';
  }

  #mayTry(): boolean {
    const { isEnabled, url } = this.#entry.resolved;
    return isEnabled && url !== undefined;
  }

  async #isNeeded(attempt: Promise<void> | undefined): Promise<boolean> {
    await attempt;
    const { status } = await this.#entry.settled();
    return status === 'needs_sign_in' && this.#isRequired;
  }

  #of(): ServerSignIn | undefined {
    if (this.#signIn !== undefined || this.#isOff) return this.#signIn;
    const account = this.#accountNow();
    if (account === undefined || this.#create === undefined) return undefined;
    this.#account = account;
    this.#signIn = this.#create(this.#optionsOf(account));
    return this.#signIn;
  }

  async #loadCode(): Promise<CreateSignIn> {
    const { createServerSignIn } = await import('./sign-in/server-sign-in.ts');
    this.#create = createServerSignIn;
    return createServerSignIn;
  }

  /** Nothing when the sign-in was disposed of meanwhile: then nobody would dispose of what is made. */
  async #load(epoch = this.#epoch): Promise<ServerSignIn | undefined> {
    await this.#loadCode();
    return epoch === this.#epoch ? this.#of() : undefined;
  }

  /** Removes what is stored of an account that nobody has asked for a token yet. */
  async #clearUnseen(account: SignInAccount): Promise<void> {
    const create = await this.#loadCode();
    const signIn = create(this.#optionsOf(account));
    signIn.clear();
    signIn.dispose();
  }

  #accountNow(): SignInAccount | undefined {
    const { url, storageKeyPrefix, callbackUrl, oauth, clientInfo } = this.#entry.resolved;
    if (url === undefined) return undefined;
    const back = resolveCallbackUrl(this.#entry.port.environment.page, callbackUrl);
    return back === undefined ? undefined : { url, storageKeyPrefix, callbackUrl: back, oauth, clientInfo };
  }

  #optionsOf(account: SignInAccount): ServerSignInOptions {
    const entry = this.#entry;
    const { environment } = entry.port;
    return {
      environment,
      serverId: entry.id,
      account,
      wishes: () => entry.resolved,
      oauthProxyUrl: () => entry.resolved.oauthProxyUrl ?? oauthProxyOf(entry.roads.via),
      oauthFetch: oauthFetchOf(environment.fetch),
      log: (level, message) => entry.parts.log(level, message),
      changed: () => this.#changed(),
      completed: () => entry.reconnect(),
    };
  }

  #hadTokens = false;

  /** Tokens that were dropped because nobody takes them any more end the service. */
  #changed(): void {
    const hasTokens = this.#signIn?.state.tokens !== undefined;
    const dropped = this.#hadTokens && !hasTokens;
    this.#hadTokens = hasTokens;
    if (dropped && this.#entry.core.state === 'ready') {
      const message = 'the server asks for a new sign-in';
      this.#entry.connection.refuse({ code: 'auth_required', message, step: 'sign_in', retryable: false });
    }
    this.#entry.publish();
  }
}
