import type { AuthProvider } from '@portico/oauth';
import { ConnectionsError } from '../../errors.ts';
import type { OpenedWindow, Page } from '../environment.ts';
import { openAccount } from './account.ts';
import type { Account } from './account.ts';
import { Bearer } from './bearer.ts';
import { Links } from './links.ts';
import type { Link } from './links.ts';
import { PublishedState } from './published-state.ts';
import { toSignInFailure } from './sign-in-failure.ts';
import type {
  AuthenticateOptions,
  ServerSignIn,
  ServerSignInOptions,
  SignInFailure,
  SignInState,
} from './sign-in-parts.ts';
import { openTabMessages } from './tab-messages.ts';
import type { TabMessage, TabMessages } from './tab-messages.ts';
import { watchWindow } from './window-watch.ts';
import type { WindowWatch } from './window-watch.ts';

/** Makes the sign-in of one managed server; see {@link ServerSignIn}. */
export function createServerSignIn(options: ServerSignInOptions): ServerSignIn {
  return new ManagedSignIn(options);
}

/** A call of `authenticate`. */
interface Run {
  readonly opened: OpenedWindow | undefined;
  /** There is to be an address to sign in at when the person gives up. */
  readonly staysWanted: boolean;
  done?: Promise<void>;
  link?: Link;
  watch?: WindowWatch;
  /** Something has to end first. */
  isWaiting?: boolean;
  isOver?: boolean;
  /** What follows, since somebody came back. */
  concluded?: Promise<void>;
}

/** What was given up is not; what somebody came back from is, until that is dealt with. */
function isJoinable(run: Run): boolean {
  return run.isOver !== true || run.concluded !== undefined;
}

function isOver(run: Run): boolean {
  return run.isOver === true;
}

function stop(run: Run): void {
  run.isOver = true;
  run.watch?.stop();
}

class ManagedSignIn implements ServerSignIn {
  readonly #options: ServerSignInOptions;
  readonly #account: Account;
  readonly #links: Links;
  readonly #bearer: Bearer;
  readonly #state: PublishedState;
  #run: Run | undefined;
  #messages: TabMessages | undefined;
  #stopWatchingPage: (() => void) | undefined;
  #wasHidden = false;
  /** The page is being left to sign in. */
  #isLeaving = false;
  #isDisposed = false;
  /** Counts what makes void whatever was begun before. */
  #epoch = 0;

  constructor(options: ServerSignInOptions) {
    const { environment, serverId, account, oauthProxyUrl, log } = options;
    this.#options = options;
    this.#account = openAccount(options, environment);
    this.#state = new PublishedState(() => options.changed());
    this.#links = new Links({
      account: this.#account,
      environment,
      serverId,
      oauthProxyUrl,
      changed: () => this.#state.put({ authUrl: this.#links.current?.url }),
      failed: () => log('warn', 'the address to sign in at could not be made anew'),
    });
    this.#bearer = new Bearer({
      account: this.#account,
      links: this.#links,
      serverId,
      clock: environment.clock,
      scope: account.oauth.scope,
      stored: () => this.#read(),
      hasTold: () => this.#state.value.tokens !== undefined,
      renewed: () => {
        log('info', 'the tokens were renewed');
        this.#messages?.post({ type: 'credentials-changed' });
      },
    });
  }

  get state(): SignInState {
    return this.#state.value;
  }

  get authProvider(): AuthProvider {
    this.#listen();
    return this.#bearer;
  }

  authenticate({ ready, unasked = false, before }: AuthenticateOptions): Promise<void> {
    if (this.#isDisposed) return Promise.resolve();
    const running = this.#run;
    if (running?.done !== undefined && isJoinable(running)) {
      running.opened?.focus();
      return running.done;
    }
    this.#listen();
    const { environment, wishes } = this.#options;
    const { popupFeatures, useRedirectFlow } = wishes();
    const { page } = environment;
    const hasWindow = page?.isSecureContext === true && !useRedirectFlow;
    // Now or never: a browser allows it within the person's own click only.
    const opened = hasWindow ? page.openWindow(popupFeatures) : undefined;
    const run: Run = { opened, staysWanted: !ready || this.#links.current !== undefined };
    this.#run = run;
    run.done = this.#signIn(run, { unasked, before }).finally(() => {
      if (this.#run === run) this.#run = undefined;
    });
    return run.done;
  }

  async prepare(): Promise<void> {
    if (this.#isDisposed) return;
    this.#listen();
    this.#state.put({ failure: undefined });
    await this.#ensureLink().catch((error: unknown) => this.#fail(error));
  }

  withdraw(): void {
    // What has to end first says itself whether anybody still has to sign in.
    if (this.#run?.isWaiting !== true) this.#cancel();
    void this.#links.retireAll().catch(() => this.#warnOfStorage());
  }

  clear(): void {
    if (this.#isDisposed) return;
    this.#epoch += 1;
    this.#state.put({ flow: 'none', authUrl: undefined, tokens: undefined, failure: undefined });
    const links = this.#state.quietly(() => {
      this.#cancel();
      return this.#links.retireAll();
    });
    void this.#removeAll(links).catch(() => this.#warnOfStorage());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#epoch += 1;
    this.#state.close();
    if (this.#run !== undefined) stop(this.#run);
    this.#links.close();
    this.#messages?.close();
    this.#stopWatchingPage?.();
  }

  async #signIn(
    run: Run,
    { unasked, before }: { readonly unasked: boolean; readonly before: AuthenticateOptions['before'] },
  ): Promise<void> {
    run.isWaiting = before !== undefined;
    const isWanted = before === undefined || (await before().catch(() => false));
    run.isWaiting = false;
    if (!isWanted) run.opened?.close();
    if (isOver(run) || !isWanted) return;
    this.#links.hold(true);
    this.#state.put({ flow: 'running', failure: undefined });
    try {
      run.link = await this.#ensureLink();
      if (isOver(run)) return await run.concluded;
      const { page } = this.#options.environment;
      const leaves = page !== undefined && this.#options.wishes().useRedirectFlow;
      await (leaves ? this.#leavePage({ run, link: run.link, page, unasked }) : this.#await(run, run.link));
    } catch (error) {
      if (isOver(run)) return;
      this.#cancel();
      this.#fail(error);
    }
  }

  /** @throws what a sign-in throws */
  async #ensureLink(): Promise<Link> {
    return this.#links.ensure({ scope: await this.#bearer.wantedScope() });
  }

  async #leavePage({ run, link, page, unasked }: Leaving): Promise<void> {
    if (unasked && !(await this.#account.records.mayLeaveAlone())) return this.#cancel(run);
    await this.#links.leavePage(link, page.href);
    if (isOver(run)) return;
    this.#isLeaving = true;
    page.navigate(link.url);
  }

  async #await(run: Run, link: Link): Promise<void> {
    const { opened, staysWanted } = run;
    if (opened === undefined) return this.#cancel(run);
    opened.navigate(link.url);
    run.watch = watchWindow(opened, this.#options.environment.clock, () => this.#look(link));
    const end = await run.watch.ended;
    if (end === 'stopped') return await run.concluded;
    // A window that only looks closed may still come back by the same address.
    if (end === 'unused' || !staysWanted) await this.#links.retire(link);
    if (end === 'unused' && staysWanted) await this.#ensureLink();
    this.#cancel(run);
  }

  /** Looks whether somebody came back from an address. */
  #look(link: Link): void {
    void this.#conclude(link).catch((error: unknown) => {
      this.#cancel();
      this.#fail(error);
    });
  }

  async #conclude(link: Link): Promise<void> {
    const epoch = this.#epoch;
    const outcome = await this.#account.records.takeOutcome(link.id);
    if (outcome === undefined || epoch !== this.#epoch || this.#links.find(link.id) === undefined) return;
    const { failure } = outcome;
    const run = this.#run;
    // Whoever is away by another address may still come back.
    if (failure !== undefined && run !== undefined && run.link !== link)
      return await this.#links.retire(link);
    const concluded = failure === undefined ? this.#succeed() : this.#refuse(link, failure);
    if (run !== undefined) {
      run.concluded = concluded;
      stop(run);
      run.opened?.close();
    }
    await concluded;
  }

  async #refuse(link: Link, failure: SignInFailure): Promise<void> {
    await this.#state.quietly(() => this.#links.retire(link));
    this.#links.hold(false);
    this.#state.put({ flow: 'none', authUrl: this.#links.current?.url, failure });
  }

  async #succeed(): Promise<void> {
    const epoch = this.#epoch;
    this.#bearer.lookAnew();
    await this.#state.quietly(() => this.#links.retireAll());
    const tokens = await this.#account.describe();
    if (epoch !== this.#epoch) return;
    this.#links.hold(false);
    this.#state.put({ flow: 'none', authUrl: undefined, failure: undefined, tokens }, { silent: true });
    try {
      await this.#options.completed();
    } catch {
      // How the new connection ended is the entry's own matter.
    }
  }

  /** Ends what is waited for, if it is this. */
  #cancel(run = this.#run): void {
    if (run !== undefined) {
      stop(run);
      run.opened?.close();
    }
    if (run !== this.#run) return;
    this.#links.hold(false);
    this.#state.put({ flow: 'none', authUrl: this.#links.current?.url });
  }

  #fail(error: unknown): void {
    if (error instanceof ConnectionsError && error.code === 'connection_closed') return;
    this.#state.put({ failure: toSignInFailure(error) });
  }

  async #read(): Promise<void> {
    const epoch = this.#epoch;
    const tokens = await this.#account.describe();
    if (epoch === this.#epoch) this.#state.put({ tokens });
  }

  #listen(): void {
    if (this.#messages !== undefined || this.#isDisposed) return;
    const { environment } = this.#options;
    this.#messages = openTabMessages(environment, (message) => this.#hear(message));
    this.#stopWatchingPage = environment.page?.onChange(() => this.#pageChanged());
  }

  #hear(message: TabMessage): void {
    this.#bearer.lookAnew();
    if (message.type === 'flow-ended') {
      const link = this.#links.find(message.id);
      if (link !== undefined) this.#look(link);
    } else if (message.type === 'credentials-changed') {
      void this.#lookAround().catch(() => this.#warnOfStorage());
    }
  }

  async #lookAround(): Promise<void> {
    await this.#read();
    // A flow whose end is on its way has no record any more, either.
    await Promise.all(this.#links.awaited.map((link) => this.#conclude(link)));
    await this.#links.check();
  }

  #pageChanged(): void {
    const isHidden = this.#options.environment.page?.isHidden === true;
    const isBack = this.#wasHidden && !isHidden;
    this.#wasHidden = isHidden;
    if (!isBack) return;
    // The page was left to sign in, and the browser kept it as it was.
    if (this.#isLeaving) this.#cancel();
    this.#isLeaving = false;
    // A tab that sleeps hears nothing of the others.
    this.#bearer.lookAnew();
    this.#links.shown();
    for (const link of this.#links.awaited) this.#look(link);
  }

  async #removeAll(links: Promise<void>): Promise<void> {
    const { store } = this.#account;
    const messages = openTabMessages(this.#options.environment);
    const remove = async (): Promise<void> => {
      await Promise.all((await store.names()).map((name) => store.delete(name)));
      messages.post({ type: 'credentials-changed' });
    };
    try {
      await links;
      await remove();
      // What is on its way while this is called would come after it.
      await this.#account.exclusively(remove);
    } finally {
      messages.close();
    }
  }

  #warnOfStorage(): void {
    this.#options.log('warn', 'what is stored of the sign-in could not be changed');
  }
}

/** A page that is left to sign in. */
interface Leaving {
  readonly run: Run;
  readonly link: Link;
  readonly page: Page;
  readonly unasked: boolean;
}
