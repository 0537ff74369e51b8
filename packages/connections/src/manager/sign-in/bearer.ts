import {
  computeScopeUnion,
  isRenewalDue,
  readChallenge,
  refreshBeforeUse,
  renewTokens,
} from '@portico/oauth';
import type {
  AuthProvider,
  InsufficientScopeContext,
  OAuthClientProvider,
  RenewalOutcome,
  UnauthorizedContext,
} from '@portico/oauth';
import type { Clock } from '@portico/rpc';
import { ConnectionsError } from '../../errors.ts';
import type { Account } from './account.ts';
import { LEFT_PAGE } from './flow-records.ts';
import type { Link, LinkRequest, Links } from './links.ts';
import { failureError, toRenewalFailure, toSignInFailure } from './sign-in-failure.ts';

export interface BearerOptions {
  readonly account: Account;
  readonly links: Links;
  readonly serverId: string;
  readonly clock: Clock;
  /** Asked for in any case. */
  readonly scope: string | undefined;
  /** What is stored may be something else now. */
  readonly stored: () => Promise<void>;
  /** Whether there are tokens as far as anybody here was told. */
  readonly hasTold: () => boolean;
  /** Tokens were renewed. Must not throw. */
  readonly renewed: () => void;
}

/**
 * Tokens for the requests of a transport: renewed once for all who need it, and when only a sign-in helps
 * there is an address for it, and the request fails. Source: R55, R72, R74, R75.
 */
export class Bearer implements AuthProvider {
  readonly #options: BearerOptions;
  readonly #provider: OAuthClientProvider;
  /** What servers asked for so far. */
  #asked: string | undefined;
  /** Nothing was stored when it was looked for, and no reason came up to look again. */
  #isKnownEmpty = false;
  /** Counts the reasons to look again. */
  #reasons = 0;

  constructor(options: BearerOptions) {
    this.#options = options;
    this.#provider = options.account.provider();
    this.#asked = computeScopeUnion(options.scope);
  }

  /** What a sign-in asks for: what was granted too, since a new grant takes its place. */
  async wantedScope(): Promise<string | undefined> {
    if (this.#asked === undefined) return undefined;
    return computeScopeUnion((await this.#provider.tokens())?.scope, this.#asked);
  }

  /** There may be tokens now that were not there before. */
  lookAnew(): void {
    this.#reasons += 1;
    this.#isKnownEmpty = false;
  }

  async token(): Promise<string | undefined> {
    // Most servers want no sign-in, and each look into a browser's storage takes its time.
    if (this.#isKnownEmpty) return undefined;
    const reasons = this.#reasons;
    let tokens = await this.#provider.tokens();
    if (tokens === undefined && !this.#options.hasTold()) {
      this.#isKnownEmpty = reasons === this.#reasons;
      return undefined;
    }
    if (tokens?.refresh_token !== undefined && isRenewalDue(tokens, this.#options.clock.now())) {
      // All who need it at once wait for each other, in this page and in others.
      await this.#renewAhead();
      tokens = await this.#provider.tokens();
    }
    await this.#options.stored();
    return tokens?.access_token;
  }

  async onUnauthorized({ response, token }: UnauthorizedContext): Promise<void> {
    this.lookAnew();
    const { scope, resourceMetadataUrl } = readChallenge(response.headers.get('www-authenticate'));
    const current = await this.#provider.tokens();
    // Somebody else saw to it meanwhile.
    if (current !== undefined && current.access_token !== token) return await this.#options.stored();
    await this.#refuseReturned();
    this.#asked = computeScopeUnion(this.#asked, scope);
    if (current?.refresh_token !== undefined && (await this.#renew(token, resourceMetadataUrl))) return;
    const rediscover = token !== undefined;
    await this.#demand({ scope: await this.wantedScope(), resourceMetadataUrl, rediscover });
  }

  async onInsufficientScope({ scope, resourceMetadataUrl, token }: InsufficientScopeContext): Promise<void> {
    this.lookAnew();
    const current = await this.#provider.tokens();
    if (current !== undefined && current.access_token !== token) return await this.#options.stored();
    // What was granted counts although nobody asked for it here: another page may have.
    this.#asked = computeScopeUnion(this.#asked, current?.scope, scope);
    await this.#demand({ scope: this.#asked, resourceMetadataUrl });
  }

  async #renewAhead(): Promise<void> {
    try {
      if (await refreshBeforeUse(this.#provider, this.#options.account.authOptions()))
        this.#options.renewed();
    } catch (error) {
      const failure = toRenewalFailure(error);
      // All else comes up again with the server's refusal.
      if (failure.code === 'network_error') throw failureError(this.#options.serverId, failure, error);
    }
  }

  /** @returns whether there are new tokens; else only a sign-in helps */
  async #renew(staleToken: string | undefined, resourceMetadataUrl: URL | undefined): Promise<boolean> {
    const { account, serverId } = this.#options;
    const options = { ...account.authOptions(), staleToken, resourceMetadataUrl, rediscover: true };
    let outcome: RenewalOutcome;
    try {
      outcome = await renewTokens(this.#provider, options);
    } catch (error) {
      throw failureError(serverId, toRenewalFailure(error), error);
    }
    await this.#options.stored();
    if (outcome === 'renewed') this.#options.renewed();
    return outcome === 'renewed';
  }

  /** Whoever left the page to sign in and was refused is told so, instead of being sent there again. */
  async #refuseReturned(): Promise<void> {
    const { account, serverId } = this.#options;
    const failure = (await account.records.takeOutcome(LEFT_PAGE))?.failure;
    if (failure !== undefined) throw failureError(serverId, failure);
  }

  /** Sees to an address to sign in at. @throws ConnectionsError always */
  async #demand(request: LinkRequest): Promise<never> {
    const { links, serverId } = this.#options;
    let link: Link;
    try {
      link = await links.ensure(request);
    } catch (error) {
      if (error instanceof ConnectionsError && error.code === 'connection_closed') throw error;
      throw failureError(serverId, toSignInFailure(error), error);
    }
    const scope = link.scope === undefined ? {} : { scope: link.scope };
    throw new ConnectionsError('auth_required', { id: serverId, ...scope });
  }
}
