import { auth, createLocalLocks, isStrictScopeSuperset } from '@portico/oauth';
import type { Timer } from '@portico/rpc';
import { ConnectionsError } from '../../errors.ts';
import type { Environment } from '../environment.ts';
import type { Account } from './account.ts';
import { FLOW_LIFETIME_MS } from './flow-records.ts';
import type { FlowRecord } from './flow-records.ts';

/** How old an address may be when somebody is given it, milliseconds: as much time is left to use it. */
const FRESH_MS = 300_000;
/** When a new address could not be made, milliseconds until the next try. */
const AGAIN_MS = 60_000;

/** An address to sign in at, whose flow is kept. */
export interface Link {
  readonly id: string;
  readonly state: string;
  readonly url: string;
  /** Asked for there. */
  readonly scope: string | undefined;
  readonly record: FlowRecord;
}

/** What an address is wanted for. */
export interface LinkRequest {
  readonly scope?: string | undefined;
  /** From the server's challenge; remembered. */
  readonly resourceMetadataUrl?: URL | undefined;
  /** A token of this server was refused: who is in charge is found out anew. */
  readonly rediscover?: boolean | undefined;
}

export interface LinksOptions {
  readonly account: Account;
  readonly environment: Environment;
  readonly serverId: string;
  readonly oauthProxyUrl: () => string | undefined;
  /** The address is another one, or there is none any more. Must not throw. */
  readonly changed: () => void;
  /** No new address could be made in place of one that ages. Must not throw. */
  readonly failed: (error: unknown) => void;
}

/** The address to sign in at, kept fresh while it is wanted, and all whose flows may still end. */
export class Links {
  readonly #options: LinksOptions;
  readonly #locks = createLocalLocks();
  readonly #awaited = new Map<string, Link>();
  #current: Link | undefined;
  #leave = new AbortController();
  #timer: Timer | undefined;
  #isHeld = false;
  #isClosed = false;
  #resourceMetadataUrl: URL | undefined;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  get current(): Link | undefined {
    return this.#current;
  }

  /** All whose flows may still end. */
  get awaited(): readonly Link[] {
    return [...this.#awaited.values()];
  }

  find(id: string): Link | undefined {
    return this.#awaited.get(id);
  }

  /**
   * Makes an address, unless there is a fitting one.
   *
   * @throws what a sign-in throws; ConnectionsError `insecure_context`, `connection_closed`
   */
  ensure(request: LinkRequest): Promise<Link> {
    return this.#locks.run('link', async () => {
      if (this.#isClosed) throw this.#left();
      return this.#fit(request.scope) ?? this.#make(request);
    });
  }

  /** Nobody comes back to it any more. */
  async retire(link: Link): Promise<void> {
    this.#forget(link);
    const { account } = this.#options;
    await account.records.drop(link.state, account.provider());
  }

  async retireAll(): Promise<void> {
    this.stop();
    await Promise.all(this.awaited.map((link) => this.retire(link)));
  }

  /** Those whose records are gone lead nowhere. */
  async check(): Promise<void> {
    for (const link of this.awaited) {
      if ((await this.#options.account.records.find(link.state)) === undefined) this.#forget(link);
    }
  }

  /** Keeps the address as it is while somebody is there; looks at its age when it is let go. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#arm();
  }

  /** Remembers in the kept flow which page is left for it. */
  async leavePage(link: Link, returnTo: string): Promise<void> {
    await this.#options.account.records.save(link.state, { ...link.record, returnTo });
  }

  /** Ends what is being made, and makes nothing anew by itself. */
  stop(): void {
    this.#leave.abort(this.#left());
    this.#leave = new AbortController();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** The page is shown again: an address that aged meanwhile is made anew. */
  shown(): void {
    if (this.#current !== undefined) this.#arm();
  }

  /** The present address, if it is fresh and asks for as much. */
  #fit(scope: string | undefined): Link | undefined {
    const link = this.#current;
    if (link === undefined || this.#ageMs(link) >= FRESH_MS) return undefined;
    return isStrictScopeSuperset(scope, link.scope) ? undefined : link;
  }

  #left(): ConnectionsError {
    return new ConnectionsError('connection_closed', { id: this.#options.serverId });
  }

  #ageMs({ record }: Link): number {
    return this.#options.environment.clock.now() - record.startedAtMs;
  }

  #forget(link: Link): void {
    this.#awaited.delete(link.id);
    if (this.#current !== link) return;
    this.#current = undefined;
    this.#timer?.cancel();
    this.#options.changed();
  }

  async #make(request: LinkRequest): Promise<Link> {
    const { account, environment, serverId, changed } = this.#options;
    if (environment.page?.isSecureContext === false)
      throw new ConnectionsError('insecure_context', { id: serverId });
    this.#resourceMetadataUrl = request.resourceMetadataUrl ?? this.#resourceMetadataUrl;
    const { signal } = this.#leave;
    await account.records.sweep();
    const link = await this.#begin(request, signal);
    if (signal.aborted) {
      await this.retire(link);
      throw signal.reason;
    }
    this.#awaited.set(link.id, link);
    this.#current = link;
    for (const old of this.awaited) if (this.#ageMs(old) >= FLOW_LIFETIME_MS) this.#awaited.delete(old.id);
    this.#arm();
    changed();
    return link;
  }

  async #begin({ scope, rediscover }: LinkRequest, signal: AbortSignal): Promise<Link> {
    const { account, environment, oauthProxyUrl, serverId } = this.#options;
    const proxy = oauthProxyUrl();
    let link: Link | undefined;
    const provider = account.provider(async (url) => {
      const state = url.searchParams.get('state') ?? '';
      const record: FlowRecord = {
        id: environment.randomId(),
        startedAtMs: environment.clock.now(),
        ...(proxy === undefined ? {} : { oauthProxyUrl: proxy }),
      };
      await account.records.save(state, record);
      const asked = url.searchParams.get('scope') ?? undefined;
      link = { id: record.id, state, url: url.href, scope: asked, record };
    });
    const resourceMetadataUrl = this.#resourceMetadataUrl;
    const options = { ...account.authOptions(), scope, resourceMetadataUrl, rediscover, signal };
    await auth(provider, { ...options, forceReauthorization: true });
    if (link === undefined) throw new ConnectionsError('auth_failed', { id: serverId });
    return link;
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const link = this.#current;
    if (link === undefined || this.#isHeld || this.#isClosed) return;
    this.#wait(Math.max(0, FRESH_MS - this.#ageMs(link)));
  }

  #wait(delayMs: number): void {
    const { environment } = this.#options;
    this.#timer = environment.clock.setTimer(delayMs, () => {
      // Nobody looks at it; it is made anew when somebody does.
      if (environment.page?.isHidden !== true) void this.#freshen();
    });
  }

  async #freshen(): Promise<void> {
    const link = this.#current;
    if (link === undefined) return;
    const { signal } = this.#leave;
    try {
      await this.#locks.run('link', async () => {
        if (this.#current === link && !this.#isHeld) await this.#make({ scope: link.scope });
      });
    } catch (error) {
      if (signal.aborted) return;
      this.#options.failed(error);
      if (this.#current === link && !this.#isHeld) this.#wait(AGAIN_MS);
    }
  }
}
